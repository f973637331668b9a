// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.tracking;

import static io.hearth.balancer.tracking.TrackerSteps.A;
import static io.hearth.balancer.tracking.TrackerSteps.B;
import static io.hearth.balancer.tracking.TrackerSteps.C;
import static io.hearth.balancer.tracking.TrackerSteps.GROUP;
import static io.hearth.balancer.tracking.TrackerSteps.HOUR;
import static io.hearth.balancer.tracking.TrackerSteps.LOADED;
import static io.hearth.balancer.tracking.TrackerSteps.MINUTE;
import static io.hearth.balancer.tracking.TrackerSteps.R;
import static io.hearth.balancer.tracking.TrackerSteps.T0;
import static io.hearth.balancer.tracking.TrackerSteps.TABLE;
import static io.hearth.balancer.tracking.TrackerSteps.TRIGGERS;
import static io.hearth.balancer.tracking.TrackerSteps.UNEVEN;
import static io.hearth.balancer.tracking.TrackerSteps.config;
import static io.hearth.balancer.tracking.TrackerSteps.move;
import static io.hearth.balancer.tracking.TrackerSteps.plan;
import static io.hearth.balancer.tracking.TrackerSteps.region;
import static io.hearth.balancer.tracking.TrackerSteps.report;
import static io.hearth.balancer.tracking.TrackerSteps.server;
import static io.hearth.balancer.tracking.TrackerSteps.texts;
import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.state.Pin;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ServerId;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Manual moves, and what makes them no pins. */
class ManualMovesTest {

    private static final String WHAT = R + " of ns:t, which ann moved to b,16020,1, is no longer pinned: ";

    private MoveTracker tracker = new MoveTracker(config());

    private void annMovesR() {
        tracker.regionMovedManually(R, TABLE, A, B, "ann", false, T0);
        tracker.takeEvents();
    }

    private void annMoves(int number, ServerId from, ServerId to) {
        tracker.regionMovedManually(region(number), TABLE, from, to, "ann", false, T0 + number * 1_000L);
    }

    private boolean isPinned(EncodedRegionName region, long nowMs) {
        return tracker.pins(nowMs).get(region) == Pin.MOVED_MANUALLY;
    }

    private void observed(long nowMs, double heat) {
        tracker.observed(List.of(report(B, nowMs, R)), region -> OptionalDouble.of(heat), nowMs);
    }

    @Test
    void aMoveThatAPersonMakesByAPlanPinsNothing() {
        annMovesR();
        tracker.movedBy("bob", List.of(new RegionMove(R, TABLE, B, C)), T0 + MINUTE);
        tracker.regionMovedManually(R, TABLE, B, C, "bob", false, T0 + MINUTE + 1_000);

        assertThat(texts(tracker.takeEvents())).containsExactly(WHAT + "bob moves it by a plan");
        assertThat(tracker.pins(T0 + MINUTE + 1_000)).containsEntry(R, Pin.IN_FLIGHT);
        tracker.observed(List.of(report(C, T0 + 2 * MINUTE, R)), region -> OptionalDouble.empty(), T0 + 2 * MINUTE);
        assertThat(tracker.pins(T0 + 2 * MINUTE)).containsEntry(R, Pin.COOL_DOWN);
    }

    /** HBase calls postMove when its procedure has ended, which can be after the first report of the target. */
    @Test
    void aMoveByAPlanThatIsToldLateStillPinsNothing() {
        tracker.movedBy("bob", List.of(new RegionMove(R, TABLE, A, B)), T0);
        observed(T0 + 1_000, 0);
        tracker.regionMovedManually(R, TABLE, A, B, "bob", false, T0 + 4_000);

        assertThat(tracker.pins(T0 + 4_000)).containsEntry(R, Pin.COOL_DOWN);
        tracker.regionMovedManually(R, TABLE, B, A, "bob", false, T0 + 5_000);
        assertThat(isPinned(R, T0 + 5_000)).isTrue();
    }

    @Test
    void aMoveToAnotherPlaceThanThePlansIsAManualMove() {
        tracker.movedBy("bob", List.of(new RegionMove(R, TABLE, A, C)), T0);
        tracker.regionMovedManually(R, TABLE, A, B, "ann", false, T0 + 1_000);

        assertThat(isPinned(R, T0 + 1_000)).isTrue();
    }

    @Test
    void aRegionThatSomebodyMovedStaysForADay() {
        tracker.regionMovedManually(R, TABLE, A, B, "ann", false, T0);

        assertThat(texts(tracker.takeEvents()))
                .containsExactly(R + " of ns:t was moved from a,16020,1 to b,16020,1 by ann and stays there for 24 h");
        assertThat(tracker.pinned(T0))
                .containsExactly(new PinnedRegion(
                        R,
                        TABLE,
                        B,
                        Pin.MOVED_MANUALLY,
                        "ann",
                        "it was moved here manually: from a,16020,1 to b,16020,1",
                        T0,
                        T0 + 24 * HOUR));
        assertThat(isPinned(R, T0 + 24 * HOUR - 1)).isTrue();
        assertThat(isPinned(R, T0 + 24 * HOUR)).isFalse();

        observed(T0 + 24 * HOUR, 0);
        assertThat(texts(tracker.takeEvents())).containsExactly(WHAT + "its time is over");
    }

    @ParameterizedTest(name = "from {0} to {1} requests/s: {2}")
    @CsvSource({
        "100, 200, its heat went from 100 to 200 requests/s",
        "100, 50, its heat went from 100 to 50 requests/s",
        "100, 0, its heat went from 100 to 0 requests/s",
        "1, 40, its heat went from 1 to 40 requests/s",
        "100, 199,",
        "100, 51,",
        "1, 39,",
        "10, 0,",
        "0, 0,",
        "39, 1,",
    })
    void doubledOrHalvedHeatLiftsThePinButNoNoise(double then, double now, String why) {
        annMovesR();
        observed(T0 + MINUTE, then);
        observed(T0 + 2 * MINUTE, now);

        assertThat(isPinned(R, T0 + 2 * MINUTE)).isEqualTo(why == null);
        assertThat(texts(tracker.takeEvents())).isEqualTo(why == null ? List.of() : List.of(WHAT + why));
    }

    @Test
    void heatThatIsNotKnownYetIsNoChange() {
        annMovesR();
        tracker.observed(List.of(report(B, T0 + 1, R)), TrackerSteps.UNKNOWN_HEAT, T0 + 1);
        observed(T0 + MINUTE, 500);

        assertThat(isPinned(R, T0 + MINUTE))
                .as("500 is the first that is known")
                .isTrue();
    }

    @Test
    void aRegionThatIsElsewhereByNowIsNotPinnedThere() {
        annMovesR();
        tracker.observed(List.of(report(A, T0 + MINUTE, R)), TrackerSteps.UNKNOWN_HEAT, T0 + MINUTE);
        assertThat(isPinned(R, T0 + MINUTE)).as("the source may report late").isTrue();

        tracker.observed(List.of(report(C, T0 + MINUTE + 1, R)), TrackerSteps.UNKNOWN_HEAT, T0 + MINUTE + 1);
        assertThat(isPinned(R, T0 + MINUTE + 1)).isFalse();
        assertThat(texts(tracker.takeEvents())).containsExactly(WHAT + "it is elsewhere by now");
    }

    @Test
    void aServerThatRestartedIsNoOther() {
        annMovesR();
        ServerId restarted = new ServerId("b", 16020, 2);
        tracker.observed(List.of(report(restarted, T0 + HOUR, R)), TrackerSteps.UNKNOWN_HEAT, T0 + HOUR);

        assertThat(isPinned(R, T0 + HOUR)).isTrue();
    }

    @Test
    void aMoveOffADrainingServerIsNoPin() {
        tracker.regionMovedManually(R, TABLE, A, B, "ann", true, T0);

        assertThat(tracker.pins(T0)).isEmpty();
        assertThat(texts(tracker.takeEvents()))
                .containsExactly(R + " was moved from a,16020,1 to b,16020,1 by ann and is not pinned: that server is"
                        + " being emptied");
    }

    @Test
    void theEmptyingOfAServerIsNoPinNotEvenOfItsFirstRegions() {
        seenRegionsPerServer(40);
        for (int number = 1; number <= 19; number++) {
            annMoves(number, A, server("s" + number % 7));
        }
        assertThat(tracker.pins(T0 + 19_000)).hasSize(19);
        tracker.takeEvents();

        for (int number = 20; number <= 40; number++) {
            annMoves(number, A, server("s" + number % 7));
        }
        assertThat(tracker.pins(T0 + 40_000)).isEmpty();
        assertThat(texts(tracker.takeEvents()))
                .containsExactly("ann moved 20 regions off a,16020,1 within 30 min: none of them is pinned");
    }

    @Test
    void theFillingOfAServerIsNoPin() {
        for (int number = 1; number <= 10; number++) {
            annMoves(number, server("s" + number % 7), A);
        }
        assertThat(tracker.pins(T0 + 10_000)).isEmpty();
        assertThat(texts(tracker.takeEvents()))
                .contains("ann moved 10 regions onto a,16020,1 within 30 min: none of them is pinned");
    }

    @Test
    void twentyFiveOfSevenHundredAreMeantEachOne() {
        seenRegionsPerServer(700);
        for (int number = 1; number <= 25; number++) {
            annMoves(number, A, server("s" + number % 3));
        }
        assertThat(tracker.pins(T0 + 25_000)).hasSize(25);
    }

    @Test
    void movesOfTwoUsersOrOfTwoHalfHoursAreNoBulkMove() {
        for (int number = 1; number <= 18; number++) {
            tracker.regionMovedManually(
                    region(number),
                    TABLE,
                    A,
                    server("s" + number),
                    number % 2 == 0 ? "ann" : "bob",
                    false,
                    T0 + number);
        }
        assertThat(tracker.pins(T0 + MINUTE)).hasSize(18);

        tracker.regionMovedManually(region(19), TABLE, A, B, "bob", false, T0 + 19 + 30 * MINUTE);
        assertThat(tracker.pins(T0 + HOUR)).hasSize(19);
    }

    /** What {@code graceful_stop.sh --restart --reload} does to each of five servers with nine regions, one after the other. */
    @ParameterizedTest(name = "{0} servers with {1} regions each, seen while it restarts: {2}")
    @CsvSource({"5, 9, true", "5, 9, false", "3, 1, true", "3, 2, true", "4, 3, false", "12, 4, true", "3, 60, true"})
    void aRollingRestartOfAClusterOfAnySizePinsNothing(int servers, int perServer, boolean seenDuring) {
        Map<EncodedRegionName, Integer> serverByRegion = new TreeMap<>();
        IntStream.range(0, servers * perServer).forEach(number -> serverByRegion.put(region(number), number % servers));
        int[] lives = new int[servers];
        long now = T0;
        observeAll(serverByRegion, lives, now);
        for (int restarted = 0; restarted < servers; restarted++) {
            List<EncodedRegionName> mine = regionsOn(serverByRegion, restarted);
            assertThat(mine).hasSize(perServer);
            for (EncodedRegionName region : mine) {
                now += 2_000;
                int to = (restarted + 1 + mine.indexOf(region) % (servers - 1)) % servers;
                tracker.regionMovedManually(
                        region, TABLE, life(restarted, lives), life(to, lives), "hbase", false, now);
                serverByRegion.put(region, to);
            }
            lives[restarted]++;
            now += MINUTE;
            if (seenDuring) {
                observeAll(serverByRegion, lives, now);
                assertThat(tracker.pins(now))
                        .as("after %d was emptied", restarted)
                        .isEmpty();
            }
            for (EncodedRegionName region : mine) {
                now += 2_000;
                ServerId from = life(serverByRegion.get(region), lives);
                tracker.regionMovedManually(region, TABLE, from, life(restarted, lives), "hbase", false, now);
                serverByRegion.put(region, restarted);
            }
            assertThat(tracker.pins(now))
                    .as("after %d was filled again", restarted)
                    .isEmpty();
            now += 3 * MINUTE;
            observeAll(serverByRegion, lives, now);
        }
        assertThat(tracker.pins(now)).isEmpty();
    }

    /** The same of one of five servers, while the HMaster fails over: after four of its nine regions were moved, or after all of them. */
    @ParameterizedTest
    @ValueSource(ints = {4, 9})
    void aRollingRestartThroughAFailoverPinsNothing(int movedBefore) {
        Map<EncodedRegionName, Integer> serverByRegion = new TreeMap<>();
        IntStream.range(0, 45).forEach(number -> serverByRegion.put(region(number), number % 5));
        int[] lives = new int[5];
        long now = T0;
        observeAll(serverByRegion, lives, now);
        List<EncodedRegionName> mine = regionsOn(serverByRegion, 0);
        for (EncodedRegionName region : mine) {
            now += 2_000;
            int moved = mine.indexOf(region);
            if (moved == movedBefore) {
                failOver(serverByRegion, lives, now);
            }
            int to = 1 + moved % 4;
            tracker.regionMovedManually(region, TABLE, life(0, lives), life(to, lives), "hbase", false, now);
            serverByRegion.put(region, to);
        }
        lives[0]++;
        now += MINUTE;
        observeAll(serverByRegion, lives, now);
        if (movedBefore == mine.size()) {
            failOver(serverByRegion, lives, now);
        }
        assertThat(tracker.pins(now)).as("after it was emptied").isEmpty();
        for (EncodedRegionName region : mine) {
            now += 2_000;
            tracker.regionMovedManually(
                    region, TABLE, life(serverByRegion.get(region), lives), life(0, lives), "hbase", false, now);
        }
        assertThat(tracker.pins(now)).as("after it was filled again").isEmpty();
    }

    /** Another master, which has seen the reports of all servers. */
    private void failOver(Map<EncodedRegionName, Integer> serverByRegion, int[] lives, long nowMs) {
        byte[] state = tracker.encode(nowMs);
        tracker = new MoveTracker(config());
        assertThat(tracker.restore(state, nowMs)).isEqualTo(RestoreResult.RESTORED);
        observeAll(serverByRegion, lives, nowMs);
    }

    private static List<EncodedRegionName> regionsOn(Map<EncodedRegionName, Integer> serverByRegion, int server) {
        return serverByRegion.keySet().stream()
                .filter(region -> serverByRegion.get(region) == server)
                .toList();
    }

    private static ServerId life(int server, int[] lives) {
        return new ServerId("s" + server, 16020, 1 + lives[server]);
    }

    private void observeAll(Map<EncodedRegionName, Integer> serverByRegion, int[] lives, long nowMs) {
        tracker.observed(
                IntStream.range(0, lives.length)
                        .mapToObj(server -> report(
                                life(server, lives),
                                nowMs,
                                regionsOn(serverByRegion, server).toArray(EncodedRegionName[]::new)))
                        .toList(),
                region -> OptionalDouble.of(100),
                nowMs);
    }

    /** Servers a with six regions, b and c with one each; ann takes so many off a, to b. */
    private void annTakesOffA(int regions) {
        observeABC(T0, 1, 2, 3, 4, 5, 6);
        for (int number = 1; number <= regions; number++) {
            annMoves(number, A, B);
        }
        tracker.takeEvents();
    }

    private void observeABC(long nowMs, int... onA) {
        EncodedRegionName[] left =
                IntStream.of(onA).mapToObj(TrackerSteps::region).toArray(EncodedRegionName[]::new);
        tracker.observed(
                List.of(report(A, nowMs, left), report(B, nowMs, region(7)), report(C, nowMs, region(8))),
                TrackerSteps.UNKNOWN_HEAT,
                nowMs);
    }

    private void aStops(long nowMs) {
        tracker.observed(
                List.of(report(B, nowMs, region(7)), report(C, nowMs, region(8))), TrackerSteps.UNKNOWN_HEAT, nowMs);
    }

    @ParameterizedTest(name = "{0} of six: {1} pinned")
    @CsvSource({"1, 1", "4, 4", "5, 0", "6, 0"})
    void aServerThatStopsWhenNearlyAllWasTakenAwayWasEmptied(int taken, int pinned) {
        annTakesOffA(taken);
        assertThat(tracker.pins(T0 + 20_000)).hasSize(taken);

        aStops(T0 + 30_000);
        assertThat(tracker.pins(T0 + 30_000)).hasSize(pinned);
        assertThat(texts(tracker.takeEvents()))
                .isEqualTo(
                        pinned > 0
                                ? List.of()
                                : List.of("ann moved " + taken
                                        + " regions off a,16020,1 within 30 min: none of them is pinned"));
    }

    @Test
    void aServerThatHasNoneLeftWasEmptiedAlsoWhileItRuns() {
        annTakesOffA(5);
        observeABC(T0 + 30_000, 6);
        assertThat(tracker.pins(T0 + 30_000)).as("one is left").hasSize(5);

        tracker.regionMovedManually(region(6), TABLE, A, C, "ann", false, T0 + 40_000);
        observeABC(T0 + MINUTE);
        assertThat(tracker.pins(T0 + MINUTE)).isEmpty();
    }

    /** As HBase's RegionMover empties a server of nine. Broken (each emptying is over once it is found): the last region stays pinned for a day. */
    @Test
    void whatIsTakenOffAfterAReportThatWasAheadIsOfTheSameEmptying() {
        observeABC(T0, 1, 2, 3);
        annMoves(1, A, B);
        annMoves(2, A, B);
        observeABC(T0 + 500, 3);
        assertThat(tracker.pins(T0 + 3_000))
                .as("the report has no region that was moved")
                .isEmpty();

        annMoves(3, A, B);
        assertThat(tracker.pins(T0 + 4_000)).isEmpty();

        observeABC(T0 + MINUTE, 1, 2, 3);
        tracker.regionMovedManually(region(1), TABLE, A, C, "ann", false, T0 + MINUTE + 1_000);
        assertThat(tracker.pins(T0 + MINUTE + 2_000))
                .as("off a server that has its regions again")
                .containsOnlyKeys(region(1));
    }

    @Test
    void soItIsWhereTheMasterFailsOverMeanwhile() {
        observeABC(T0, 1, 2, 3);
        annMoves(1, A, B);
        annMoves(2, A, B);
        observeABC(T0 + 500, 3);
        byte[] state = tracker.encode(T0 + 2_500);
        tracker = new MoveTracker(config());
        assertThat(tracker.restore(state, T0 + 2_500)).isEqualTo(RestoreResult.RESTORED);
        observeABC(T0 + 2_500, 3);

        annMoves(3, A, B);
        assertThat(tracker.pins(T0 + 4_000)).isEmpty();
    }

    /** Reports are made every few seconds, by each server's own clock, and looked at once a minute. */
    @Test
    void aReportThatIsOlderThanTheMovesShowsNothingLeftNorTaken() {
        observeABC(T0, 1, 2, 3);
        annMoves(1, A, B);
        annMoves(2, A, B);
        annMoves(3, A, B);
        observeABC(T0 + 500, 1, 2, 3);
        assertThat(tracker.pins(T0 + 10_000))
                .as("its report is older than all three")
                .isEmpty();
    }

    @Test
    void theOnlyRegionOfAServerThatGoesOnIsMeant() {
        observeABC(T0, 1);
        annMoves(1, A, B);
        observeABC(T0 + MINUTE);

        assertThat(isPinned(R, T0 + MINUTE)).isTrue();
    }

    @Test
    void onlyWhatIsBroughtBackByTheSameUserIsNotPinned() {
        annTakesOffA(6);
        aStops(T0 + MINUTE);
        ServerId again = new ServerId("a", 16020, 2);

        tracker.regionMovedManually(region(1), TABLE, B, again, "ann", false, T0 + 20 * HOUR);
        tracker.regionMovedManually(region(2), TABLE, B, again, "bob", false, T0 + 20 * HOUR);
        tracker.regionMovedManually(region(7), TABLE, B, again, "ann", false, T0 + 20 * HOUR);
        tracker.regionMovedManually(region(3), TABLE, B, C, "ann", false, T0 + 20 * HOUR);
        assertThat(tracker.pins(T0 + 20 * HOUR)).containsOnlyKeys(region(2), region(3), region(7));
        assertThat(texts(tracker.takeEvents()))
                .contains(R + " was moved from b,16020,1 to a,16020,2 by ann and is not pinned: it is brought back to a"
                        + " server that was emptied");

        tracker.regionMovedManually(region(1), TABLE, again, B, "ann", false, T0 + 21 * HOUR);
        tracker.regionMovedManually(region(1), TABLE, B, again, "ann", false, T0 + 21 * HOUR + 1);
        assertThat(isPinned(region(1), T0 + 21 * HOUR + 1))
                .as("it was local, and this is another matter")
                .isTrue();
    }

    @Test
    void whatIsBroughtBackAfterADayIsMeant() {
        annTakesOffA(6);
        aStops(T0 + MINUTE);
        aStops(T0 + 25 * HOUR);
        tracker.regionMovedManually(R, TABLE, B, A, "ann", false, T0 + 25 * HOUR);

        assertThat(isPinned(R, T0 + 25 * HOUR)).isTrue();
    }

    @Test
    void whatWasTakenOffADrainingServerMayBeBroughtBack() {
        tracker.regionMovedManually(R, TABLE, A, B, "ann", true, T0);
        tracker.regionMovedManually(R, TABLE, B, A, "ann", false, T0 + HOUR);

        assertThat(tracker.pins(T0 + HOUR)).isEmpty();
    }

    private void seenRegionsPerServer(int regions) {
        EncodedRegionName[] all = IntStream.range(1_000, 1_000 + regions)
                .mapToObj(TrackerSteps::region)
                .toArray(EncodedRegionName[]::new);
        tracker.observed(List.of(report(C, T0, all)), TrackerSteps.UNKNOWN_HEAT, T0);
    }

    @Test
    void pinsAreRemovedByTheSiteForAsLongAsItNamesThem() {
        annMovesR();
        tracker.regionMovedManually(region(2), TABLE, A, B, "ann", false, T0);
        tracker.takeEvents();

        tracker.configure(config("manual.pin.exempt.regions", R + " , 99"), T0 + 1);
        assertThat(tracker.pins(T0 + 1)).isEqualTo(Map.of(region(2), Pin.MOVED_MANUALLY));
        assertThat(texts(tracker.takeEvents()))
                .containsExactly(WHAT + "hearth.balancer.manual.pin.exempt.regions names it");

        tracker.regionMovedManually(R, TABLE, B, A, "ann", false, T0 + 2);
        assertThat(isPinned(R, T0 + 2)).isFalse();
        assertThat(texts(tracker.takeEvents()))
                .containsExactly(R + " was moved from b,16020,1 to a,16020,1 by ann and is not pinned:"
                        + " hearth.balancer.manual.pin.exempt.regions names it");

        tracker.configure(config("manual.pin.exempt.regions", "all"), T0 + 3);
        assertThat(tracker.pins(T0 + 3)).isEmpty();
    }

    @Test
    void aPersonLiftsOnePin() {
        annMovesR();

        assertThat(tracker.removePin(R, "bob", T0 + 1)).isTrue();
        assertThat(tracker.removePin(R, "bob", T0 + 1)).isFalse();
        assertThat(texts(tracker.takeEvents())).containsExactly(WHAT + "bob removed it");
    }

    @Test
    void aTimeOfZeroPinsNothing() {
        tracker.configure(config("manual.pin.ms", "0"), T0);
        annMovesR();

        assertThat(tracker.pins(T0)).isEmpty();
    }

    @Test
    void whatHearthMovesInSpiteOfItIsNoLongerPinned() {
        annMovesR();
        tracker.runStarted(T0 + 1);
        tracker.planned(plan(move(R, B, C)), GROUP, TRIGGERS, UNEVEN, LOADED, T0 + 1);

        assertThat(texts(tracker.takeEvents())).containsExactly(WHAT + "Hearth moves it");
    }

    @Test
    void aPinFromAClockThatWasWrongByHoursIsRemovedToo() {
        tracker.regionMovedManually(R, TABLE, A, B, "ann", false, T0 + 10 * HOUR);

        assertThat(tracker.removePin(R, "bob", T0)).isTrue();
        assertThat(isPinned(R, T0)).isFalse();
    }
}
