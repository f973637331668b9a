// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoMoreInteractions;

import io.hearth.healer.fakes.FakeHdfs;
import io.hearth.healer.fakes.Racks;
import io.hearth.healer.model.DataNode;
import io.hearth.healer.model.DataNode.ServiceState;
import io.hearth.healer.model.DataNodes;
import io.hearth.healer.move.BlockMover.MoveResult.Response;
import io.hearth.healer.move.MoveExecutor.MoveAnswer;
import io.hearth.healer.spi.Observed;
import io.hearth.healer.verify.DataNodeObservation;
import io.hearth.healer.verify.DataNodeObservation.Outcome;
import io.hearth.healer.verify.DataNodeState;
import io.hearth.healer.verify.DataNodeStates;
import io.hearth.healer.verify.DataNodeStates.UnhealthyHost;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

/** What the log says of a rack script that answers nothing, or not for all, and of DataNodes that are sick; and how those are listed. */
class DataNodeTrackerTest {

    private static final long AGAIN_MS = 60_000;
    private static final String STATE = "The DataNode on {} is {}: it {}.";

    private final Logger log = mock(Logger.class);
    private final List<DataNode> listed = new ArrayList<>();
    private final FakeHdfs hdfs = new FakeHdfs();
    private final DataNodeStates states = new DataNodeStates();
    private final DataNodeTracker dataNodes =
            new DataNodeTracker(() -> Observed.known(DataNodes.of(listed)), hdfs, states, log);
    private long nowMs;

    @Test
    void dataNodesWithoutARackAreNamedOnce() {
        listed.addAll(List.of(Racks.node("a1"), Racks.node("b1"), withoutRack("x1")));
        look();
        look();
        verify(log).warn(line("1 of 3 (x1)"));

        listed.add(withoutRack("x2"));
        look();
        verifyNoMoreInteractions(log);
        nowMs += 3_600_000;
        look();
        verify(log).warn(line("2 of 4 (x1, x2)"));

        nowMs += 3_600_000;
        listed.removeIf(node -> node.host().equals("x2"));
        look();
        verifyNoMoreInteractions(log);
        look();
        verify(log).warn(STATE, "x2", "dead", "is not among those that live (seen by the NameNode)");
        listed.removeIf(node -> node.rack().equals(DataNode.DEFAULT_RACK));
        look();
        look();
        verify(log).warn(STATE, "x1", "dead", "is not among those that live (seen by the NameNode)");
        verifyNoMoreInteractions(log);
    }

    @Test
    void noMoreThanFiveAreNamed() {
        listed.add(Racks.node("a1"));
        IntStream.range(1, 8).forEach(number -> listed.add(withoutRack("x" + number)));
        look();
        verify(log).warn(line("7 of 8 (x1, x2, x3, x4, x5, ...)"));
    }

    @Test
    void aClusterWithoutRacksIsNoFault() {
        DataNode one = withoutRack("x1");
        DataNode besideIt =
                new DataNode(new DataNode.Id("uuid-other"), "x1", one.ipAddress(), DataNode.DEFAULT_RACK, one.state());
        listed.addAll(List.of(one, besideIt, withoutRack("x2")));
        look();
        verifyNoMoreInteractions(log);
    }

    private static String line(String which) {
        return "DataNodes without a rack: " + which
                + ". The NameNode's rack script (net.topology.script.file.name) says nothing of them; HDFS and healing"
                + " take /default-rack for one rack more. Mend the script and restart the NameNode.";
    }

    private static DataNode withoutRack(String name) {
        DataNode node = Racks.node(name);
        return new DataNode(node.id(), name, node.ipAddress(), DataNode.DEFAULT_RACK, node.state());
    }

    private Map<String, ServiceState> look() {
        nowMs += AGAIN_MS;
        return dataNodes.recent(nowMs).ifKnown().orElseThrow().byId().values().stream()
                .collect(Collectors.toMap(DataNode::host, DataNode::state, (one, other) -> one));
    }

    /** Broken (not marked): in service. */
    @Test
    void aSickOneIsListedAsSuspectUntilItIsHealthy() {
        listed.addAll(List.of(Racks.node("a1"), Racks.node("a2"), Racks.node("b1"), Racks.node("b2")));
        look();
        nowMs += 30_000;
        for (String observer : List.of("a2", "b1")) {
            states.take(
                    List.of(DataNodeObservation.byClient(
                            observer, "a1", Outcome.FAILED, "can't be connected to", nowMs)),
                    nowMs);
        }
        nowMs -= 30_000;
        assertThat(look()).containsEntry("a1", ServiceState.SUSPECT).containsEntry("a2", ServiceState.IN_SERVICE);
        verify(log).warn(STATE, "a1", "dead", "can't be connected to (seen by a2, b1)");
        assertThat(dataNodes.hasDoubted()).isTrue();

        assertThat(look()).as("probed").containsEntry("a1", ServiceState.IN_SERVICE);
        verify(log).warn(STATE, "a1", "probing", "can't be connected to (seen by a2, b1)");
        look();
        look();
        verify(log).info("The DataNode on {} is healthy again.", "a1");
        assertThat(dataNodes.hasDoubted()).isFalse();
    }

    @Test
    void aStaleOneIsSuspectAndOneThatWasTakenOutOfServiceIsNotMissed() {
        listed.addAll(List.of(
                Racks.node("a1"),
                Racks.node("a2").in(ServiceState.NOT_IN_SERVICE),
                Racks.node("b1").in(ServiceState.STALE),
                Racks.node("b2")));
        look();
        assertThat(states.unhealthy()).as("the NameNode may be at fault").isEmpty();
        assertThat(dataNodes.hasDoubted()).isTrue();
        look();
        verify(log).warn(STATE, "b1", "suspect", "has sent no heartbeat for a while (seen by the NameNode)");
        listed.remove(1);
        look();
        look();

        assertThat(states.unhealthy()).extracting(UnhealthyHost::host).containsExactly("b1");
    }

    @Test
    void answersToBlockMovesAreToldOfBoth() {
        DataNode target = Racks.node("a1");
        List<MoveAnswer> late = List.of(
                new MoveAnswer(target, Racks.node("b1"), Response.TIMED_OUT),
                new MoveAnswer(target, Racks.node("b2"), Response.TIMED_OUT));
        dataNodes.moved(late, List.of(), nowMs);
        assertThat(dataNodes.hasDoubted()).isFalse();
        nowMs += 1_000;
        dataNodes.moved(late, List.of(), nowMs);
        assertThat(states.unhealthy())
                .containsExactly(new UnhealthyHost(
                        "a1", DataNodeState.SUSPECT, nowMs, "does not answer block moves in time (seen by b1, b2)"));

        dataNodes.moved(List.of(), List.of(Racks.node("c1")), nowMs + 999);
        assertThat(states.unhealthy()).as("told once a second").hasSize(1);
        dataNodes.moved(List.of(), List.of(), nowMs + 1_000);
        assertThat(states.unhealthy())
                .extracting(UnhealthyHost::why)
                .contains("is slower than the lowest rate of block moves (seen by its partners in block moves)");
    }
}
