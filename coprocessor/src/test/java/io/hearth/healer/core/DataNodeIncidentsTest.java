// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.healer.fakes.FakeHdfs;
import io.hearth.healer.fakes.Racks;
import io.hearth.healer.model.DataNode;
import io.hearth.healer.model.DataNode.ServiceState;
import io.hearth.healer.move.BlockMover.MoveResult.Response;
import io.hearth.healer.move.MoveExecutor.MoveAnswer;
import io.hearth.healer.verify.DataNodeState;
import io.hearth.healer.verify.DataNodeStates;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.helpers.NOPLogger;

/**
 * What is thought of the DataNode on c1 while something happens to it, second by second: the NameNode is asked each minute for its report,
 * where it gives one, and block moves use c1 every ten seconds unless it is avoided.
 */
class DataNodeIncidentsTest {

    private static final String HOST = "c1";
    private static final int MINUTE = 60;
    private static final int HOUR = 3_600;

    private final FakeHdfs hdfs = new FakeHdfs();
    private final DataNodeStates states = new DataNodeStates();
    private final DataNodeTracker dataNodes = new DataNodeTracker(hdfs, hdfs, states, NOPLogger.NOP_LOGGER);
    /** What comes of a move from c1 to that host; empty where none is made. */
    private Map<String, Supplier<Response>> moves = Map.of();

    private final Map<DataNodeState, Integer> secondsByState = new EnumMap<>(DataNodeState.class);
    private int avoidedSeconds;
    private int keptAwaySeconds;
    private long second;

    @BeforeEach
    void aClusterOfSix() {
        for (String host : List.of("a1", "a2", "b1", "b2", HOST, "c2")) {
            hdfs.nodes.add(Racks.node(host));
        }
        moves = Map.of("a1", this::answerOfProcess, "b1", this::answerOfProcess, "b2", this::answerOfProcess);
        run(5 * MINUTE);
        assertThat(secondsByState).containsOnlyKeys(DataNodeState.HEALTHY);
    }

    private Response answerOfProcess() {
        return hdfs.silent.contains(HOST) ? Response.PROXY_UNREACHABLE : Response.COPIED;
    }

    /** Runs so many seconds, and counts those in each state. */
    private void run(int seconds) {
        secondsByState.clear();
        avoidedSeconds = 0;
        keptAwaySeconds = 0;
        for (int turn = 0; turn < seconds; turn++) {
            second++;
            long nowMs = second * 1_000;
            hdfs.nowMs = nowMs;
            if (second % MINUTE == 0) {
                dataNodes.noOlderThan(MINUTE * 1_000, nowMs);
            }
            boolean isAvoided = states.badTargets(nowMs).containsKey(HOST);
            dataNodes.moved(second % 10 == 0 && !isAvoided ? answers() : List.of(), List.of(), nowMs);
            dataNodes.probe(nowMs);
            secondsByState.merge(states.of(HOST), 1, Integer::sum);
            avoidedSeconds += isAvoided ? 1 : 0;
            keptAwaySeconds += states.confirmedBadTargets(nowMs).containsKey(HOST) ? 1 : 0;
        }
    }

    private List<MoveAnswer> answers() {
        List<MoveAnswer> answers = new ArrayList<>();
        moves.forEach((target, response) ->
                answers.add(new MoveAnswer(Racks.node(target), Racks.node(HOST), response.get())));
        return answers;
    }

    private void setState(ServiceState state) {
        hdfs.nodes.replaceAll(node -> node.host().equals(HOST) ? node.in(state) : node);
    }

    /** Broken (only those that failed can say that it is back, and they avoid it): never healthy without a report. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void killedAndBackAfterAMinute(boolean givesReport) {
        hdfs.givesReport = givesReport;
        hdfs.silent.add(HOST);
        run(MINUTE);
        assertThat(avoidedSeconds).as("from the first moves on").isGreaterThanOrEqualTo(45);
        assertThat(keptAwaySeconds).isGreaterThanOrEqualTo(45);
        assertThat(states.of(HOST)).isEqualTo(DataNodeState.DEAD);

        hdfs.silent.remove(HOST);
        run(MINUTE);
        assertThat(keptAwaySeconds).isLessThanOrEqualTo(MINUTE);
        run(MINUTE);
        assertThat(avoidedSeconds).isZero();
        assertThat(keptAwaySeconds).isZero();
        run(2 * MINUTE);
        assertThat(states.of(HOST)).isEqualTo(DataNodeState.HEALTHY);
    }

    /** Its DataNodes come back to it one after the other, and it is asked while only the last is missing. */
    @Test
    void aNameNodeThatIsRestartedMakesNobodySuspect() {
        hdfs.nameNodeFails = true;
        run(MINUTE);
        List<DataNode> all = List.copyOf(hdfs.nodes);
        hdfs.nodes.clear();
        hdfs.nameNodeFails = false;
        for (DataNode node : all) {
            run(10);
            assertThat(states.unhealthy()).isEmpty();
            hdfs.nodes.add(node);
        }
        run(10 * MINUTE);
        assertThat(states.unhealthy()).isEmpty();
        assertThat(secondsByState).containsOnlyKeys(DataNodeState.HEALTHY);
        assertThat(hdfs.probed).isEmpty();
    }

    /** The first heartbeats that it hears make all others old; a minute later it has heard all. */
    @Test
    void aNameNodeThatHungMakesNobodySuspect() {
        List<DataNode> all = List.copyOf(hdfs.nodes);
        for (Set<String> late : List.of(Set.of("a2", "b1", "b2", HOST, "c2"), Set.of(HOST), Set.of(HOST, "a1"))) {
            run(MINUTE / 2);
            hdfs.nodes.replaceAll(node -> late.contains(node.host()) ? node.in(ServiceState.STALE) : node);
            int lists = hdfs.lists;
            run(MINUTE - 1);
            assertThat(hdfs.lists).as("asked while they were late").isEqualTo(lists + 1);
            assertThat(states.unhealthy()).isEmpty();
            hdfs.nodes.clear();
            hdfs.nodes.addAll(all);
            run(2 * MINUTE + MINUTE / 2 + 1);
            assertThat(states.unhealthy()).isEmpty();
        }
    }

    /** It fails when it is asked, and is back each time before c1 is: what it said before it failed is no evidence. */
    @Test
    void aNameNodeThatIsRestartedTimeAndAgainMakesNobodySuspect() {
        List<DataNode> all = List.copyOf(hdfs.nodes);
        for (int time = 0; time < 5; time++) {
            hdfs.nodes.removeIf(node -> node.host().equals(HOST));
            run(MINUTE);
            hdfs.nameNodeFails = true;
            run(MINUTE);
            hdfs.nameNodeFails = false;
            run(MINUTE);
            assertThat(states.unhealthy()).isEmpty();
            hdfs.nodes.clear();
            hdfs.nodes.addAll(all);
            run(MINUTE);
        }
        assertThat(states.unhealthy()).isEmpty();
    }

    @Test
    void whomTheNameNodeMissesForLongIsDeadAndProbedOnceItIsBack() {
        hdfs.silent.add(HOST);
        moves = Map.of();
        setState(ServiceState.STALE);
        hdfs.lists = 0;
        assertThat(dataNodes.hasDoubted()).isFalse();
        run(3 * MINUTE);
        assertThat(states.of(HOST)).isEqualTo(DataNodeState.SUSPECT);
        assertThat(hdfs.probed).contains(HOST);
        assertThat(states.confirmedBadTargets(second * 1_000))
                .containsEntry(
                        HOST,
                        "its DataNode does not answer (seen by the healer); has sent no heartbeat for a while"
                                + " (seen by the NameNode)");
        Optional<DataNode> gone =
                hdfs.nodes.stream().filter(node -> node.host().equals(HOST)).findFirst();
        hdfs.nodes.remove(gone.orElseThrow());
        run(3 * MINUTE);
        assertThat(states.of(HOST)).isEqualTo(DataNodeState.DEAD);

        hdfs.silent.clear();
        hdfs.nodes.add(Racks.node(HOST));
        run(2 * MINUTE);
        assertThat(states.of(HOST)).isEqualTo(DataNodeState.PROBING);
        run(2 * MINUTE);
        assertThat(states.of(HOST)).isEqualTo(DataNodeState.HEALTHY);
    }

    /** Broken (nobody asks c1): suspect, as a1 fails time and again. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatOneClientAloneCanNotReachIsHealthy(boolean givesReport) {
        hdfs.givesReport = givesReport;
        moves = Map.of("a1", () -> Response.PROXY_UNREACHABLE);
        run(HOUR);

        assertThat(secondsByState).containsOnlyKeys(DataNodeState.HEALTHY);
        assertThat(avoidedSeconds + keptAwaySeconds).isZero();
    }

    /** Half a minute of each three: it is avoided for most of the time, and healthy soon after the last. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void flapping(boolean givesReport) {
        hdfs.givesReport = givesReport;
        int avoided = 0;
        for (int time = 0; time < 20; time++) {
            hdfs.silent.add(HOST);
            run(30);
            avoided += avoidedSeconds;
            hdfs.silent.clear();
            run(150);
            avoided += avoidedSeconds;
        }
        assertThat(avoided).isGreaterThan(HOUR / 2);
        run(5 * MINUTE);
        assertThat(states.of(HOST)).isEqualTo(DataNodeState.HEALTHY);
    }

    /** It sends heartbeats and serves nobody. Broken (the NameNode's word ends it): probed time and again. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void reallySickForAnHour(boolean givesReport) {
        hdfs.givesReport = givesReport;
        hdfs.silent.add(HOST);
        run(MINUTE);
        run(HOUR);
        assertThat(secondsByState).containsOnlyKeys(DataNodeState.DEAD);
        assertThat(avoidedSeconds).isEqualTo(HOUR);

        hdfs.silent.clear();
        run(4 * MINUTE);
        assertThat(states.of(HOST)).isEqualTo(DataNodeState.HEALTHY);
    }

    /** A disk that hangs: it answers, and blocks move from it too late. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void slowForAnHour(boolean givesReport) {
        hdfs.givesReport = givesReport;
        moves = Map.of("a1", () -> Response.TIMED_OUT, "b1", () -> Response.TIMED_OUT);
        run(MINUTE);
        run(HOUR);
        assertThat(secondsByState).containsOnlyKeys(DataNodeState.SUSPECT, DataNodeState.PROBING);
        assertThat(avoidedSeconds).isGreaterThan(HOUR * 3 / 4);

        moves = Map.of("a1", () -> Response.COPIED, "b1", () -> Response.COPIED);
        run(10 * MINUTE);
        assertThat(states.of(HOST)).isEqualTo(DataNodeState.HEALTHY);
    }
}
