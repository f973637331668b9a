// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.verify;

import static io.hearth.healer.verify.DataNodeState.DEAD;
import static io.hearth.healer.verify.DataNodeState.HEALTHY;
import static io.hearth.healer.verify.DataNodeState.PROBING;
import static io.hearth.healer.verify.DataNodeState.SUSPECT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hearth.healer.verify.DataNodeObservation.ObserverKind;
import io.hearth.healer.verify.DataNodeObservation.Outcome;
import io.hearth.healer.verify.DataNodeStates.UnhealthyHost;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DataNodeStatesTest {

    private static final long SECOND = 1_000;
    private static final long MINUTE = 60_000;

    private final DataNodeStates states = new DataNodeStates();
    private long nowMs = 5_000_000;

    private DataNodeState after(long ms, DataNodeObservation... seen) {
        nowMs += ms;
        states.take(List.of(seen), nowMs);
        return states.of("dn");
    }

    private DataNodeObservation client(String observer, Outcome outcome) {
        return client(observer, "dn", outcome);
    }

    private DataNodeObservation client(String observer, String host, Outcome outcome) {
        return DataNodeObservation.byClient(observer, host, outcome, "could not be reached", nowMs);
    }

    private DataNodeObservation nameNode(Outcome outcome) {
        return DataNodeObservation.byNameNode("dn", outcome, "sends no heartbeats", nowMs);
    }

    private DataNodeObservation failed(String observer) {
        return client(observer, Outcome.FAILED);
    }

    private DataNodeObservation good(String observer) {
        return client(observer, Outcome.GOOD);
    }

    @Test
    void itGoesTheWholeWayAndBack() {
        assertThat(after(0, good("a"), good("b"), nameNode(Outcome.GOOD))).isEqualTo(HEALTHY);
        assertThat(after(SECOND, failed("a")))
                .as("one client, and another one reaches it")
                .isEqualTo(HEALTHY);
        assertThat(after(SECOND, failed("b"))).isEqualTo(SUSPECT);
        assertThat(after(29 * SECOND, failed("a"), nameNode(Outcome.GOOD))).isEqualTo(SUSPECT);
        assertThat(after(SECOND, failed("b"), nameNode(Outcome.GOOD)))
                .as("two clients for half a minute, whatever the NameNode hears")
                .isEqualTo(DEAD);
        assertThat(states.unhealthy())
                .containsExactly(new UnhealthyHost("dn", DEAD, nowMs, "could not be reached (seen by a, b)"));
        assertThat(after(MINUTE, good("a"))).isEqualTo(PROBING);
        assertThat(after(MINUTE, good("b"))).isEqualTo(PROBING);
        assertThat(after(MINUTE, good("b"))).isEqualTo(HEALTHY);
        assertThat(states.unhealthy()).isEmpty();
    }

    @Test
    void whatTheNameNodeCallsDeadIsDeadUntilItIsBack() {
        assertThat(after(0, good("a"), nameNode(Outcome.FAILED))).isEqualTo(DEAD);
        assertThat(after(30 * MINUTE)).as("it has not said otherwise").isEqualTo(DEAD);
        assertThat(after(SECOND, nameNode(Outcome.GOOD))).isEqualTo(PROBING);
        assertThat(after(2 * MINUTE, nameNode(Outcome.GOOD))).isEqualTo(HEALTHY);
    }

    /** As it was before there were others to ask. */
    @Test
    void whatTheNameNodeAloneSaysIsOverOnceItSaysOtherwise() {
        assertThat(after(0, nameNode(Outcome.SLOW))).isEqualTo(SUSPECT);
        assertThat(after(10 * SECOND, nameNode(Outcome.GOOD))).isEqualTo(HEALTHY);
        assertThat(after(10 * SECOND, nameNode(Outcome.SLOW), failed("a"), failed("b")))
                .isEqualTo(SUSPECT);
        assertThat(after(10 * SECOND, nameNode(Outcome.GOOD), good("a"), good("b")))
                .as("others have said so as well")
                .isEqualTo(SUSPECT);
    }

    /** Broken (a single client is believed): dead. */
    @Test
    void whatOneClientAloneCanNotReachIsSuspectAtMost() {
        for (int second = 0; second < 600; second++) {
            assertThat(after(SECOND, failed("a"))).isNotEqualTo(DEAD);
        }
        assertThat(states.of("dn")).isEqualTo(SUSPECT);
        assertThat(after(SECOND, good("b"))).as("another one reaches it").isEqualTo(SUSPECT);
        assertThat(after(2 * MINUTE, failed("a"), good("b"))).isEqualTo(HEALTHY);
    }

    @Test
    void oneFailureIsNothingAndThreeInARowAreSomething() {
        assertThat(after(0, failed("a"))).isEqualTo(HEALTHY);
        assertThat(after(SECOND, failed("a"))).isEqualTo(HEALTHY);
        assertThat(after(SECOND, good("a"))).isEqualTo(HEALTHY);
        assertThat(after(SECOND, failed("a"))).isEqualTo(HEALTHY);
        assertThat(after(SECOND, failed("a"))).isEqualTo(HEALTHY);
        assertThat(after(SECOND, failed("a"))).isEqualTo(SUSPECT);
    }

    @Test
    void aClientThatReachesHardlyAnybodyIsAtFaultItself() {
        for (int turn = 0; turn < 5; turn++) {
            after(SECOND, failed("a"), client("a", "dn2", Outcome.FAILED), client("a", "dn3", Outcome.FAILED));
        }

        assertThat(states.unhealthy()).isEmpty();
        assertThat(after(SECOND, client("a", "dn2", Outcome.GOOD), client("a", "dn3", Outcome.GOOD), failed("a")))
                .as("now it is one of three")
                .isEqualTo(SUSPECT);
    }

    @Test
    void whoSaysSoOfItselfIsBelieved() {
        DataNodeObservation slowDisk = new DataNodeObservation(
                ObserverKind.DATANODE, "dn", "DN", Outcome.SLOW, "finds its volume /data1 slow", nowMs);

        assertThat(after(0, slowDisk, good("a"), good("b"))).isEqualTo(SUSPECT);
        assertThat(states.badTargets(nowMs))
                .containsEntry("dn", "its DataNode finds its volume /data1 slow (seen by dn)");
        assertThat(after(4 * MINUTE, good("a"))).isEqualTo(SUSPECT);
        assertThat(after(2 * MINUTE, good("a")))
                .as("said so for the last time six minutes ago")
                .isEqualTo(HEALTHY);
    }

    @Test
    void slowIsNotDead() {
        assertThat(after(MINUTE, client("a", Outcome.SLOW), client("b", Outcome.SLOW)))
                .as("late once")
                .isEqualTo(HEALTHY);
        for (int minute = 0; minute < 20; minute++) {
            assertThat(after(MINUTE, client("a", Outcome.SLOW), client("b", Outcome.SLOW)))
                    .isEqualTo(SUSPECT);
        }
    }

    @Test
    void withoutAnybodyWhoSeesItGoodItIsNotHealthyAgain() {
        after(0, failed("a"), failed("b"));

        assertThat(after(60 * MINUTE)).isEqualTo(SUSPECT);
        assertThat(after(SECOND, nameNode(Outcome.GOOD))).isEqualTo(HEALTHY);
    }

    @Test
    void aDeadOneOfWhichNobodyHearsIsProbedInTheEnd() {
        after(0, failed("a"), failed("b"));
        assertThat(after(30 * SECOND)).isEqualTo(DEAD);
        assertThat(after(9 * MINUTE)).isEqualTo(DEAD);
        assertThat(after(MINUTE)).isEqualTo(PROBING);
        assertThat(after(MINUTE, failed("a"))).isEqualTo(PROBING);
        assertThat(after(SECOND, failed("b"))).isEqualTo(DEAD);
    }

    @Test
    void whoRelapsesWaitsTwiceAsLong() {
        relapse();
        assertThat(after(2 * MINUTE, good("a"))).isEqualTo(HEALTHY);
        relapse();
        assertThat(after(2 * MINUTE, good("a"))).isEqualTo(SUSPECT);
        assertThat(after(2 * MINUTE, good("a"))).isEqualTo(HEALTHY);
        after(61 * MINUTE, good("a"));
        relapse();
        assertThat(after(2 * MINUTE, good("a"))).as("an hour later it is new").isEqualTo(HEALTHY);
    }

    private void relapse() {
        assertThat(after(SECOND, failed("a"), failed("b"))).isEqualTo(SUSPECT);
        after(SECOND, good("a"), good("b"));
    }

    @Test
    void whereMoreThanAThirdAreBadNobodyIsAvoided() {
        for (int host = 0; host < 6; host++) {
            after(SECOND, client("a", "h" + host, Outcome.GOOD));
        }
        after(SECOND, client("b", "h0", Outcome.FAILED), client("c", "h0", Outcome.FAILED));
        assertThat(states.badTargets(nowMs)).as("a is outvoted").containsOnlyKeys("h0");
        after(
                SECOND,
                client("b", "h1", Outcome.FAILED),
                client("c", "h1", Outcome.FAILED),
                client("b", "h5", Outcome.GOOD));
        after(
                SECOND,
                client("b", "h4", Outcome.GOOD),
                client("c", "h5", Outcome.GOOD),
                client("c", "h4", Outcome.GOOD));
        assertThat(states.badTargets(nowMs)).containsOnlyKeys("h0", "h1");
        after(SECOND, client("d", "h2", Outcome.FAILED), client("e", "h2", Outcome.FAILED));

        assertThat(states.counts())
                .containsEntry(SUSPECT, 3)
                .containsEntry(HEALTHY, 3)
                .containsEntry(DEAD, 0);
        assertThat(states.badTargets(nowMs)).isEmpty();
    }

    @Test
    void whatNobodyHasLookedAtForLongIsNoReasonToAvoidAnybody() {
        after(0, failed("a"), failed("b"));

        assertThat(after(5 * MINUTE)).isEqualTo(DEAD);
        assertThat(states.badTargets(nowMs)).containsOnlyKeys("dn");
        assertThat(states.badTargets(nowMs + 1)).isEmpty();
    }

    @Test
    void namesAreFewAndHostsHaveNoCase() {
        for (String observer : List.of("a", "b", "c", "d", "e")) {
            after(0, client(observer, "DN", Outcome.FAILED));
        }

        assertThat(states.of("Dn")).isEqualTo(SUSPECT);
        assertThat(states.unhealthy())
                .extracting(UnhealthyHost::why)
                .containsExactly("could not be reached (seen by a, b, c and 2 more)");
    }

    @Test
    void aChangeThatIsNotInTheTableIsRefused() {
        assertThatThrownBy(() -> HEALTHY.to(PROBING))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("A DataNode can't change from HEALTHY to PROBING.");
    }

    /** A faulty client, hosts that hang now and then, NameNodes that are late: whatever is seen, these hold. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void whatAlwaysHolds(long seed) {
        Random random = new Random(seed);
        Map<String, Long> hangsUntilMs = new HashMap<>();
        for (int turn = 0; turn < 2_000; turn++) {
            nowMs += random.nextInt(20_000);
            List<DataNodeObservation> seen = new ArrayList<>();
            for (int host = 0; host < 9; host++) {
                String name = "h" + host;
                if (host < 2 && random.nextInt(100) == 0) {
                    hangsUntilMs.put(name, nowMs + random.nextInt(900_000));
                }
                boolean hangs = hangsUntilMs.getOrDefault(name, 0L) > nowMs;
                for (String observer : List.of("a", "b", "c")) {
                    if (random.nextInt(4) == 0) {
                        seen.add(client(observer, name, hangs ? Outcome.FAILED : Outcome.GOOD));
                    }
                }
                seen.add(client("faulty", name, random.nextInt(10) == 0 ? Outcome.GOOD : Outcome.FAILED));
                seen.add(DataNodeObservation.byNameNode(name, Outcome.GOOD, "sends heartbeats", nowMs));
            }
            states.take(seen, nowMs);

            for (int host = 0; host < 9; host++) {
                String name = "h" + host;
                DataNodeState now = states.of(name);
                if (host >= 2) {
                    assertThat(now)
                            .as("seed %d, turn %d: %s never hung", seed, turn, name)
                            .isEqualTo(HEALTHY);
                }
                if (hangsUntilMs.getOrDefault(name, 0L) + 25 * MINUTE < nowMs) {
                    assertThat(now)
                            .as("seed %d, turn %d: %s is long back", seed, turn, name)
                            .isNotEqualTo(DEAD);
                }
            }
            assertThat(states.counts().values().stream()
                            .mapToInt(Integer::intValue)
                            .sum())
                    .isEqualTo(9);
            assertThat(states.unhealthy())
                    .allSatisfy(host -> assertThat(host.why()).isNotBlank());
        }
    }
}
