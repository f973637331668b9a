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
import java.util.stream.Stream;
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
        states.take(Stream.of(seen).map(one -> at(one, nowMs)).toList(), nowMs);
        return states.of("dn");
    }

    private static DataNodeObservation at(DataNodeObservation seen, long ms) {
        return new DataNodeObservation(
                seen.kind(), seen.observer(), seen.host(), seen.outcome(), seen.what(), ms, seen.holdsMs());
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
        assertThat(after(30 * SECOND, failed("a"), good("b"))).isEqualTo(PROBING);
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
        assertThat(after(25 * MINUTE, good("a"))).isEqualTo(SUSPECT);
        assertThat(after(SECOND, good("a")))
                .as("nobody has asked it for longer")
                .isEqualTo(PROBING);
        assertThat(after(2 * MINUTE, good("a"))).isEqualTo(HEALTHY);
    }

    /** By which DataNodes say so in a report does not matter. Broken (they are several observers): SUSPECT for as long as the first holds. */
    @Test
    void peersAreOneObserverWhoeverTheyAre() {
        assertThat(after(0, peers("a, b", Outcome.SLOW), good("a"))).isEqualTo(SUSPECT);
        assertThat(after(20 * MINUTE, good("a"))).isEqualTo(SUSPECT);
        assertThat(states.badTargets(nowMs)).containsEntry("dn", "its DataNode is slow (seen by a, b)");
        after(0, peers("b, c", Outcome.SLOW));
        assertThat(states.badTargets(nowMs)).containsEntry("dn", "its DataNode is slow (seen by b, c)");
        assertThat(states.confirmedBadTargets(nowMs)).as("they are several").containsOnlyKeys("dn");

        assertThat(after(40 * MINUTE, good("a")))
                .as("it holds as long as it says")
                .isEqualTo(SUSPECT);
        assertThat(after(SECOND, peers("", Outcome.GOOD))).isEqualTo(PROBING);
    }

    /** Holds for forty minutes. */
    private DataNodeObservation peers(String reporters, Outcome outcome) {
        return new DataNodeObservation(ObserverKind.PEERS, reporters, "dn", outcome, "is slow", nowMs, 40 * MINUTE);
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

    /** Broken (it stays suspect until somebody sees it good, and all avoid it): suspect. */
    @Test
    void whatWasSeenLongAgoIsOverAndWithoutAnybodyWhoSeesItGoodItIsProbed() {
        after(0, failed("a"), failed("b"));

        assertThat(after(5 * MINUTE)).isEqualTo(DEAD);
        assertThat(after(SECOND)).isEqualTo(PROBING);
        assertThat(after(60 * MINUTE)).isEqualTo(PROBING);
        assertThat(after(SECOND, nameNode(Outcome.GOOD))).isEqualTo(HEALTHY);
    }

    @Test
    void whoFailsWhileItIsProbedIsSuspectAgain() {
        after(0, failed("a"), failed("b"));
        after(MINUTE, good("a"));
        assertThat(states.of("dn")).isEqualTo(PROBING);
        assertThat(after(SECOND, failed("a"), failed("b"))).isEqualTo(SUSPECT);
        assertThat(after(30 * SECOND)).isEqualTo(DEAD);
    }

    /** Broken (only who has failed can say so): suspect for five minutes. */
    @Test
    void aFailureIsOverAMinuteLaterWhereTheNameNodeOrAnotherClientSaysOtherwise() {
        after(0, failed("a"), failed("b"));
        assertThat(after(59 * SECOND, nameNode(Outcome.GOOD))).isEqualTo(DEAD);
        assertThat(after(SECOND)).isEqualTo(PROBING);
        after(2 * MINUTE);
        assertThat(states.of("dn")).isEqualTo(HEALTHY);

        after(61 * MINUTE, failed("a"), failed("b"));
        assertThat(after(SECOND, good("c"))).isEqualTo(SUSPECT);
        assertThat(after(59 * SECOND)).isEqualTo(PROBING);
    }

    @Test
    void whatIsLateIsNotOverBecauseItAnswers() {
        after(0, client("a", Outcome.SLOW), client("b", Outcome.SLOW));
        after(SECOND, client("a", Outcome.SLOW), client("b", Outcome.SLOW));

        assertThat(after(5 * MINUTE, nameNode(Outcome.GOOD), good("c"))).isEqualTo(SUSPECT);
        assertThat(after(SECOND, good("c"))).isEqualTo(PROBING);
    }

    /** Broken (whoever saw it good in the last minutes outvotes those that fail): healthy. */
    @Test
    void whoSawItGoodBeforeTheOthersFailedIsNoObjection() {
        after(0, good("c"), good("d"), good("e"));
        after(SECOND, failed("a"));
        assertThat(after(SECOND, failed("b"))).isEqualTo(SUSPECT);
        assertThat(after(SECOND, good("c"), good("d"))).isEqualTo(SUSPECT);
        assertThat(after(31 * SECOND)).as("as many see it good").isEqualTo(PROBING);
    }

    /** Once in fifty seconds. Broken (what is sick needs three in a row again, once the others are over): probed. */
    @Test
    void whoFailsAloneKeepsItDeadUntilSomebodySucceeds() {
        after(0, failed("a"), failed("b"));
        for (int time = 0; time < 60; time++) {
            assertThat(after(39 * SECOND, nameNode(Outcome.GOOD)))
                    .as("time %d", time)
                    .isEqualTo(DEAD);
            assertThat(after(11 * SECOND, failed("a"))).as("time %d", time).isEqualTo(DEAD);
        }
        assertThat(after(60 * SECOND, good("a"))).isEqualTo(PROBING);
    }

    /** After its restart most DataNodes have yet to come. Broken (it is believed): dead, all but one. */
    @Test
    void aNameNodeThatMissesMostIsAtFaultItself() {
        after(0, nameNode(Outcome.GOOD));
        for (int host = 1; host < 5; host++) {
            states.take(
                    List.of(DataNodeObservation.byNameNode("h" + host, Outcome.FAILED, "is missing", nowMs)), nowMs);
        }
        assertThat(states.unhealthy()).extracting(UnhealthyHost::host).containsExactly("h1");
        after(SECOND, nameNode(Outcome.GOOD));
        assertThat(states.of("h1")).isEqualTo(PROBING);
    }

    @Test
    void whoRelapsesWaitsTwiceAsLongUpToTwoMinutes() {
        for (int waitSeconds : new int[] {30, 60, 120, 120}) {
            relapse();
            assertThat(after((waitSeconds - 2) * SECOND, good("a"), good("b"))).isEqualTo(SUSPECT);
            assertThat(after(SECOND)).isEqualTo(PROBING);
        }
        after(2 * MINUTE, good("a"));
        after(61 * MINUTE, good("a"));
        relapse();
        assertThat(after(29 * SECOND)).as("an hour later it is new").isEqualTo(PROBING);
    }

    @Test
    void hiccupsOfANameNodeAreNoRelapses() {
        for (int time = 0; time < 9; time++) {
            assertThat(after(MINUTE, nameNode(Outcome.SLOW))).isEqualTo(SUSPECT);
            assertThat(after(MINUTE, nameNode(Outcome.GOOD))).isEqualTo(HEALTHY);
        }
        relapse();
        assertThat(after(29 * SECOND)).isEqualTo(PROBING);
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

    /** Broken (one is enough): regions are kept away from a host of which the NameNode says that it is well. */
    @Test
    void regionsAreKeptAwayByTwoObserversWhoHaveLatelySaidSo() {
        for (int times = 0; times < 3; times++) {
            after(SECOND, failed("a"), nameNode(Outcome.GOOD));
        }
        assertThat(states.badTargets(nowMs)).containsOnlyKeys("dn");
        assertThat(states.confirmedBadTargets(nowMs)).isEmpty();

        after(SECOND, failed("b"));
        assertThat(states.confirmedBadTargets(nowMs))
                .containsExactly(Map.entry("dn", "its DataNode could not be reached (seen by a, b)"));
        assertThat(states.confirmedBadTargets(nowMs + 2 * MINUTE - SECOND)).isNotEmpty();
        assertThat(states.confirmedBadTargets(nowMs + 2 * MINUTE)).isEmpty();
        after(MINUTE, nameNode(Outcome.GOOD));
        assertThat(states.confirmedBadTargets(nowMs)).isEmpty();

        after(10 * MINUTE, good("a"), partners());
        assertThat(states.confirmedBadTargets(nowMs))
                .as("they are several")
                .containsExactly(Map.entry("dn", "its DataNode is slow (seen by its partners)"));
    }

    private DataNodeObservation partners() {
        return new DataNodeObservation(ObserverKind.PARTNERS, "its partners", "dn", Outcome.SLOW, "is slow", nowMs);
    }

    @Test
    void whatIsToldLateDoesNotUndoWhatTheSameObserverSawSince() {
        long earlier = nowMs;
        after(SECOND, good("a"), good("b"));
        states.take(List.of(at(failed("a"), earlier), at(failed("b"), earlier)), nowMs);
        assertThat(states.of("dn")).isEqualTo(HEALTHY);
    }

    @Test
    void whoIsWorthAQuestion() {
        after(0, good("a"), client("a", "dn2", Outcome.GOOD));
        assertThat(states.doubted()).isEmpty();
        after(SECOND, failed("b"));
        assertThat(states.doubted()).as("nobody knows yet").containsExactly("dn");
        after(MINUTE, good("a"));
        assertThat(states.doubted()).isEmpty();
        after(SECOND, failed("b"), failed("c"));
        after(MINUTE, good("a"));
        assertThat(states.of("dn")).isEqualTo(PROBING);
        assertThat(states.doubted()).containsExactly("dn");
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

    /** Whatever was seen, it is over once all who look see it good; and whatever was seen, two hosts that fail are enough. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void tenMinutesOfGoodEvidenceMakeAllHealthyAndTwoThatFailMakeOneSuspect(long seed) {
        Random random = new Random(seed);
        List<String> observers = List.of("a", "b", "c", "d", "e");
        for (int round = 0; round < 20; round++) {
            for (int turn = random.nextInt(60); turn > 0; turn--) {
                nowMs += random.nextInt(30_000);
                states.take(List.of(anything(random, observers)), nowMs);
            }
            for (int minute = 0; minute < 10; minute++) {
                nowMs += MINUTE;
                states.take(goodEvidence(random, observers), nowMs);
            }
            assertThat(states.unhealthy()).as("seed %d, round %d", seed, round).isEmpty();

            String host = "h" + random.nextInt(4);
            int first = random.nextInt(observers.size());
            nowMs += 1 + random.nextInt(20_000);
            states.take(List.of(client(observers.get(first), host, Outcome.FAILED)), nowMs);
            nowMs += 1 + random.nextInt(20_000);
            states.take(List.of(client(observers.get((first + 1) % 5), host, Outcome.FAILED)), nowMs);
            assertThat(states.of(host)).as("seed %d, round %d", seed, round).isEqualTo(SUSPECT);
        }
    }

    private DataNodeObservation anything(Random random, List<String> observers) {
        return new DataNodeObservation(
                ObserverKind.values()[random.nextInt(ObserverKind.values().length)],
                observers.get(random.nextInt(observers.size())),
                "h" + random.nextInt(4),
                Outcome.values()[random.nextInt(3)],
                "is as it is",
                nowMs);
    }

    /** The NameNode lists each DataNode, each says that it is well, and one client has asked each; whoever ever said so says this. */
    private List<DataNodeObservation> goodEvidence(Random random, List<String> observers) {
        List<DataNodeObservation> seen = new ArrayList<>();
        String client = observers.get(random.nextInt(observers.size()));
        for (int host = 0; host < 4; host++) {
            seen.add(client(client, "h" + host, Outcome.GOOD));
            for (String nameNode : observers) {
                seen.add(new DataNodeObservation(
                        ObserverKind.NAMENODE, nameNode, "h" + host, Outcome.GOOD, "lives", nowMs));
                seen.add(new DataNodeObservation(
                        ObserverKind.DATANODE, nameNode, "h" + host, Outcome.GOOD, "is well", nowMs));
            }
            seen.add(new DataNodeObservation(ObserverKind.PEERS, "", "h" + host, Outcome.GOOD, "is fast", nowMs));
        }
        return seen;
    }

    private boolean watch(long leaseMs, Outcome outcome) {
        return states.takeLeased("watch", leaseMs, List.of(client("watch", outcome)), nowMs);
    }

    @Test
    void aWatchIsOneObserverMore() {
        after(0, good("a"), good("b"));
        assertThat(after(SECOND, failed("a"))).isEqualTo(HEALTHY);

        assertThat(watch(MINUTE, Outcome.FAILED)).isTrue();

        assertThat(states.of("dn")).as("two clients").isEqualTo(SUSPECT);
        assertThat(states.unhealthy())
                .extracting(UnhealthyHost::why)
                .containsExactly("could not be reached (seen by a, watch)");
    }

    @Test
    void aWatchThatHasDiedSaysNothing() {
        for (int time = 0; time < 3; time++) {
            nowMs += SECOND;
            watch(MINUTE, Outcome.FAILED);
        }
        assertThat(states.of("dn"))
                .as("three times in a row, and nobody has seen it good")
                .isEqualTo(SUSPECT);

        nowMs += 50 * SECOND;
        assertThat(states.takeLeased("watch", MINUTE, List.of(), nowMs))
                .as("it lives, and has seen nothing new")
                .isTrue();
        assertThat(after(59 * SECOND)).isEqualTo(SUSPECT);
        assertThat(after(SECOND)).as("its lease is over").isEqualTo(PROBING);
    }

    @Test
    void aWatchThatEndsTakesBackWhatItHasSeen() {
        for (int time = 0; time < 3; time++) {
            nowMs += SECOND;
            watch(MINUTE, Outcome.FAILED);
        }
        assertThat(states.of("dn"))
                .as("three times in a row, and nobody has seen it good")
                .isEqualTo(SUSPECT);
        assertThat(states.takeLeased("watch", 0, List.of(), nowMs)).isTrue();
        assertThat(after(30 * SECOND)).isEqualTo(PROBING);
        assertThat(states.doubted()).as("nobody knows better").containsExactly("dn");
    }

    @Test
    void noMoreThanSixteenHaveALease() {
        for (int watch = 0; watch < DataNodeStates.MAX_LEASED; watch++) {
            assertThat(states.takeLeased("watch" + watch, MINUTE, List.of(), nowMs))
                    .isTrue();
        }
        assertThat(watch(MINUTE, Outcome.FAILED)).isFalse();
        assertThat(states.takeLeased("watch3", MINUTE, List.of(), nowMs))
                .as("it has one")
                .isTrue();
        nowMs += MINUTE;
        assertThat(watch(MINUTE, Outcome.FAILED)).as("theirs are over").isTrue();
    }
}
