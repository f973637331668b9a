package io.hearth.balancer.steering;

import static io.hearth.balancer.steering.Steps.A;
import static io.hearth.balancer.steering.Steps.B;
import static io.hearth.balancer.steering.Steps.C;
import static io.hearth.balancer.steering.Steps.GROUP;
import static io.hearth.balancer.steering.Steps.HOUR;
import static io.hearth.balancer.steering.Steps.LOADED;
import static io.hearth.balancer.steering.Steps.MINUTE;
import static io.hearth.balancer.steering.Steps.R;
import static io.hearth.balancer.steering.Steps.T0;
import static io.hearth.balancer.steering.Steps.TABLE;
import static io.hearth.balancer.steering.Steps.TRIGGERS;
import static io.hearth.balancer.steering.Steps.UNEVEN;
import static io.hearth.balancer.steering.Steps.config;
import static io.hearth.balancer.steering.Steps.move;
import static io.hearth.balancer.steering.Steps.plan;
import static io.hearth.balancer.steering.Steps.region;
import static io.hearth.balancer.steering.Steps.report;
import static io.hearth.balancer.steering.Steps.server;
import static io.hearth.balancer.steering.Steps.texts;
import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.ServerId;
import io.hearth.balancer.snapshot.Pin;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Moves by hand, and what makes them no pins. */
class HandMovesTest {

    private static final String WHAT = R + " of ns:t, which ann moved to b,16020,1, is no longer pinned: ";

    private final Steering steering = new Steering(config());

    private void annMovesR() {
        steering.movedByHand(R, TABLE, A, B, "ann", false, T0);
        steering.takeNews();
    }

    private void annMoves(int number, ServerId from, ServerId to) {
        steering.movedByHand(region(number), TABLE, from, to, "ann", false, T0 + number * 1_000L);
    }

    private boolean isPinned(RegionId region, long nowMs) {
        return steering.pins(nowMs).get(region) == Pin.MOVED_BY_HAND;
    }

    private void observed(long nowMs, double heat) {
        steering.observed(List.of(report(B, nowMs, R)), region -> OptionalDouble.of(heat), nowMs);
    }

    @Test
    void aMoveThatAPersonMakesByAPlanPinsNothing() {
        annMovesR();
        steering.sentBy("bob", List.of(new Errand(R, TABLE, B, C)), T0 + MINUTE);
        steering.movedByHand(R, TABLE, B, C, "bob", false, T0 + MINUTE + 1_000);

        assertThat(texts(steering.takeNews())).containsExactly(WHAT + "bob moves it by a plan");
        assertThat(steering.pins(T0 + MINUTE + 1_000)).containsEntry(R, Pin.IN_FLIGHT);
        steering.observed(List.of(report(C, T0 + 2 * MINUTE, R)), region -> OptionalDouble.empty(), T0 + 2 * MINUTE);
        assertThat(steering.pins(T0 + 2 * MINUTE)).containsEntry(R, Pin.COOLING);
    }

    /** HBase calls postMove when its procedure has ended, which can be after the first report of the target. */
    @Test
    void aMoveByAPlanThatIsToldLateStillPinsNothing() {
        steering.sentBy("bob", List.of(new Errand(R, TABLE, A, B)), T0);
        observed(T0 + 1_000, 0);
        steering.movedByHand(R, TABLE, A, B, "bob", false, T0 + 4_000);

        assertThat(steering.pins(T0 + 4_000)).containsEntry(R, Pin.COOLING);
        steering.movedByHand(R, TABLE, B, A, "bob", false, T0 + 5_000);
        assertThat(isPinned(R, T0 + 5_000)).isTrue();
    }

    @Test
    void aMoveToAnotherPlaceThanThePlansIsAMoveByHand() {
        steering.sentBy("bob", List.of(new Errand(R, TABLE, A, C)), T0);
        steering.movedByHand(R, TABLE, A, B, "ann", false, T0 + 1_000);

        assertThat(isPinned(R, T0 + 1_000)).isTrue();
    }

    @Test
    void aRegionThatSomebodyMovedStaysForADay() {
        steering.movedByHand(R, TABLE, A, B, "ann", false, T0);

        assertThat(texts(steering.takeNews()))
                .containsExactly(R + " of ns:t was moved from a,16020,1 to b,16020,1 by ann and stays there for 24 h");
        assertThat(steering.pinned(T0))
                .containsExactly(new PinnedRegion(
                        R,
                        TABLE,
                        B,
                        Pin.MOVED_BY_HAND,
                        "ann",
                        "it was moved here by hand: from a,16020,1 to b,16020,1",
                        T0,
                        T0 + 24 * HOUR));
        assertThat(isPinned(R, T0 + 24 * HOUR - 1)).isTrue();
        assertThat(isPinned(R, T0 + 24 * HOUR)).isFalse();

        observed(T0 + 24 * HOUR, 0);
        assertThat(texts(steering.takeNews())).containsExactly(WHAT + "its time is over");
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
        assertThat(texts(steering.takeNews())).isEqualTo(why == null ? List.of() : List.of(WHAT + why));
    }

    @Test
    void heatThatIsNotKnownYetIsNoChange() {
        annMovesR();
        steering.observed(List.of(report(B, T0 + 1, R)), Steps.UNKNOWN_HEAT, T0 + 1);
        observed(T0 + MINUTE, 500);

        assertThat(isPinned(R, T0 + MINUTE))
                .as("500 is the first that is known")
                .isTrue();
    }

    @Test
    void aRegionThatIsElsewhereByNowIsNotPinnedThere() {
        annMovesR();
        steering.observed(List.of(report(A, T0 + MINUTE, R)), Steps.UNKNOWN_HEAT, T0 + MINUTE);
        assertThat(isPinned(R, T0 + MINUTE)).as("the source may report late").isTrue();

        steering.observed(List.of(report(C, T0 + MINUTE + 1, R)), Steps.UNKNOWN_HEAT, T0 + MINUTE + 1);
        assertThat(isPinned(R, T0 + MINUTE + 1)).isFalse();
        assertThat(texts(steering.takeNews())).containsExactly(WHAT + "it is elsewhere by now");
    }

    @Test
    void aServerThatRestartedIsNoOther() {
        annMovesR();
        ServerId restarted = new ServerId("b", 16020, 2);
        steering.observed(List.of(report(restarted, T0 + HOUR, R)), Steps.UNKNOWN_HEAT, T0 + HOUR);

        assertThat(isPinned(R, T0 + HOUR)).isTrue();
    }

    @Test
    void aMoveOffADrainingServerIsNoPin() {
        steering.movedByHand(R, TABLE, A, B, "ann", true, T0);

        assertThat(steering.pins(T0)).isEmpty();
        assertThat(texts(steering.takeNews()))
                .containsExactly(R + " was moved from a,16020,1 to b,16020,1 by ann and is not pinned: that server is"
                        + " being emptied");
    }

    @Test
    void theEmptyingOfAServerIsNoPinNotEvenOfItsFirstRegions() {
        seenRegionsPerServer(40);
        for (int number = 1; number <= 19; number++) {
            annMoves(number, A, server("s" + number % 7));
        }
        assertThat(steering.pins(T0 + 19_000)).hasSize(19);
        steering.takeNews();

        for (int number = 20; number <= 40; number++) {
            annMoves(number, A, server("s" + number % 7));
        }
        assertThat(steering.pins(T0 + 40_000)).isEmpty();
        assertThat(texts(steering.takeNews()))
                .containsExactly("ann moved 20 regions off a,16020,1 within 30 min: none of them is pinned");
    }

    @Test
    void theFillingOfAServerIsNoPin() {
        for (int number = 1; number <= 10; number++) {
            annMoves(number, server("s" + number % 7), A);
        }
        assertThat(steering.pins(T0 + 10_000)).isEmpty();
        assertThat(texts(steering.takeNews()))
                .contains("ann moved 10 regions onto a,16020,1 within 30 min: none of them is pinned");
    }

    @Test
    void twentyFiveOfSevenHundredAreMeantEachOne() {
        seenRegionsPerServer(700);
        for (int number = 1; number <= 25; number++) {
            annMoves(number, A, server("s" + number % 3));
        }
        assertThat(steering.pins(T0 + 25_000)).hasSize(25);
    }

    @Test
    void movesOfTwoUsersOrOfTwoHalfHoursAreNoBulkMove() {
        for (int number = 1; number <= 18; number++) {
            steering.movedByHand(
                    region(number),
                    TABLE,
                    A,
                    server("s" + number),
                    number % 2 == 0 ? "ann" : "bob",
                    false,
                    T0 + number);
        }
        assertThat(steering.pins(T0 + MINUTE)).hasSize(18);

        steering.movedByHand(region(19), TABLE, A, B, "bob", false, T0 + 19 + 30 * MINUTE);
        assertThat(steering.pins(T0 + HOUR)).hasSize(19);
    }

    /** What {@code graceful_stop.sh --restart --reload} does to each of five servers with nine regions, one after the other. */
    @ParameterizedTest(name = "{0} servers with {1} regions each, seen while it restarts: {2}")
    @CsvSource({"5, 9, true", "5, 9, false", "3, 1, true", "3, 2, true", "4, 3, false", "12, 4, true", "3, 60, true"})
    void aRollingRestartOfAClusterOfAnySizePinsNothing(int servers, int perServer, boolean seenDuring) {
        Map<RegionId, Integer> serverByRegion = new TreeMap<>();
        IntStream.range(0, servers * perServer).forEach(number -> serverByRegion.put(region(number), number % servers));
        int[] lives = new int[servers];
        long now = T0;
        observeAll(serverByRegion, lives, now);
        for (int restarted = 0; restarted < servers; restarted++) {
            List<RegionId> mine = regionsOn(serverByRegion, restarted);
            assertThat(mine).hasSize(perServer);
            for (RegionId region : mine) {
                now += 2_000;
                int to = (restarted + 1 + mine.indexOf(region) % (servers - 1)) % servers;
                steering.movedByHand(region, TABLE, life(restarted, lives), life(to, lives), "hbase", false, now);
                serverByRegion.put(region, to);
            }
            lives[restarted]++;
            now += MINUTE;
            if (seenDuring) {
                observeAll(serverByRegion, lives, now);
                assertThat(steering.pins(now))
                        .as("after %d was emptied", restarted)
                        .isEmpty();
            }
            for (RegionId region : mine) {
                now += 2_000;
                ServerId from = life(serverByRegion.get(region), lives);
                steering.movedByHand(region, TABLE, from, life(restarted, lives), "hbase", false, now);
                serverByRegion.put(region, restarted);
            }
            assertThat(steering.pins(now))
                    .as("after %d was filled again", restarted)
                    .isEmpty();
            now += 3 * MINUTE;
            observeAll(serverByRegion, lives, now);
        }
        assertThat(steering.pins(now)).isEmpty();
    }

    private static List<RegionId> regionsOn(Map<RegionId, Integer> serverByRegion, int server) {
        return serverByRegion.keySet().stream()
                .filter(region -> serverByRegion.get(region) == server)
                .toList();
    }

    private static ServerId life(int server, int[] lives) {
        return new ServerId("s" + server, 16020, 1 + lives[server]);
    }

    private void observeAll(Map<RegionId, Integer> serverByRegion, int[] lives, long nowMs) {
        steering.observed(
                IntStream.range(0, lives.length)
                        .mapToObj(server -> report(
                                life(server, lives),
                                nowMs,
                                regionsOn(serverByRegion, server).toArray(RegionId[]::new)))
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
        steering.takeNews();
    }

    private void observeABC(long nowMs, int... onA) {
        RegionId[] left = IntStream.of(onA).mapToObj(Steps::region).toArray(RegionId[]::new);
        steering.observed(
                List.of(report(A, nowMs, left), report(B, nowMs, region(7)), report(C, nowMs, region(8))),
                Steps.UNKNOWN_HEAT,
                nowMs);
    }

    private void aStops(long nowMs) {
        steering.observed(List.of(report(B, nowMs, region(7)), report(C, nowMs, region(8))), Steps.UNKNOWN_HEAT, nowMs);
    }

    @ParameterizedTest(name = "{0} of six: {1} pinned")
    @CsvSource({"1, 1", "4, 4", "5, 0", "6, 0"})
    void aServerThatStopsWhenNearlyAllWasTakenAwayWasEmptied(int taken, int pinned) {
        annTakesOffA(taken);
        assertThat(steering.pins(T0 + 20_000)).hasSize(taken);

        aStops(T0 + 30_000);
        assertThat(steering.pins(T0 + 30_000)).hasSize(pinned);
        assertThat(texts(steering.takeNews()))
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
        assertThat(steering.pins(T0 + 30_000)).as("one is left").hasSize(5);

        steering.movedByHand(region(6), TABLE, A, C, "ann", false, T0 + 40_000);
        observeABC(T0 + MINUTE);
        assertThat(steering.pins(T0 + MINUTE)).isEmpty();
    }

    /** Reports are made every few seconds, by each server's own clock, and looked at once a minute. */
    @Test
    void aReportThatIsOlderThanTheMovesShowsNothingLeftNorTaken() {
        observeABC(T0, 1, 2, 3);
        annMoves(1, A, B);
        annMoves(2, A, B);
        annMoves(3, A, B);
        observeABC(T0 + 500, 1, 2, 3);
        assertThat(steering.pins(T0 + 10_000))
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

        steering.movedByHand(region(1), TABLE, B, again, "ann", false, T0 + 20 * HOUR);
        steering.movedByHand(region(2), TABLE, B, again, "bob", false, T0 + 20 * HOUR);
        steering.movedByHand(region(7), TABLE, B, again, "ann", false, T0 + 20 * HOUR);
        steering.movedByHand(region(3), TABLE, B, C, "ann", false, T0 + 20 * HOUR);
        assertThat(steering.pins(T0 + 20 * HOUR)).containsOnlyKeys(region(2), region(3), region(7));
        assertThat(texts(steering.takeNews()))
                .contains(R + " was moved from b,16020,1 to a,16020,2 by ann and is not pinned: it is brought back to a"
                        + " server that was emptied");

        steering.movedByHand(region(1), TABLE, again, B, "ann", false, T0 + 21 * HOUR);
        steering.movedByHand(region(1), TABLE, B, again, "ann", false, T0 + 21 * HOUR + 1);
        assertThat(isPinned(region(1), T0 + 21 * HOUR + 1))
                .as("it was at home, and this is another matter")
                .isTrue();
    }

    @Test
    void whatIsBroughtBackAfterADayIsMeant() {
        annTakesOffA(6);
        aStops(T0 + MINUTE);
        aStops(T0 + 25 * HOUR);
        steering.movedByHand(R, TABLE, B, A, "ann", false, T0 + 25 * HOUR);

        assertThat(isPinned(R, T0 + 25 * HOUR)).isTrue();
    }

    @Test
    void whatWasTakenOffADrainingServerMayBeBroughtBack() {
        steering.movedByHand(R, TABLE, A, B, "ann", true, T0);
        steering.movedByHand(R, TABLE, B, A, "ann", false, T0 + HOUR);

        assertThat(steering.pins(T0 + HOUR)).isEmpty();
    }

    private void seenRegionsPerServer(int regions) {
        RegionId[] all =
                IntStream.range(1_000, 1_000 + regions).mapToObj(Steps::region).toArray(RegionId[]::new);
        steering.observed(List.of(report(C, T0, all)), Steps.UNKNOWN_HEAT, T0);
    }

    @Test
    void pinsAreLiftedByTheSiteForAsLongAsItNamesThem() {
        annMovesR();
        steering.movedByHand(region(2), TABLE, A, B, "ann", false, T0);
        steering.takeNews();

        steering.configure(config("pins.lifted", R + " , 99"), T0 + 1);
        assertThat(steering.pins(T0 + 1)).isEqualTo(Map.of(region(2), Pin.MOVED_BY_HAND));
        assertThat(texts(steering.takeNews())).containsExactly(WHAT + "hearth.balancer.pins.lifted names it");

        steering.movedByHand(R, TABLE, B, A, "ann", false, T0 + 2);
        assertThat(isPinned(R, T0 + 2)).isFalse();
        assertThat(texts(steering.takeNews()))
                .containsExactly(R + " was moved from b,16020,1 to a,16020,1 by ann and is not pinned:"
                        + " hearth.balancer.pins.lifted names it");

        steering.configure(config("pins.lifted", "all"), T0 + 3);
        assertThat(steering.pins(T0 + 3)).isEmpty();
    }

    @Test
    void aPersonLiftsOnePin() {
        annMovesR();

        assertThat(steering.liftPin(R, "bob", T0 + 1)).isTrue();
        assertThat(steering.liftPin(R, "bob", T0 + 1)).isFalse();
        assertThat(texts(steering.takeNews())).containsExactly(WHAT + "bob lifted it");
    }

    @Test
    void aTimeOfZeroPinsNothing() {
        steering.configure(config("hand.pin.ms", "0"), T0);
        annMovesR();

        assertThat(steering.pins(T0)).isEmpty();
    }

    @Test
    void whatHearthMovesInSpiteOfItIsNoLongerPinned() {
        annMovesR();
        steering.runStarted(T0 + 1);
        steering.planned(plan(move(R, B, C)), GROUP, TRIGGERS, UNEVEN, LOADED, T0 + 1);

        assertThat(texts(steering.takeNews())).containsExactly(WHAT + "Hearth moves it");
    }

    @Test
    void aPinFromAClockThatWasWrongByHoursIsLiftedToo() {
        steering.movedByHand(R, TABLE, A, B, "ann", false, T0 + 10 * HOUR);

        assertThat(steering.liftPin(R, "bob", T0)).isTrue();
        assertThat(isPinned(R, T0)).isFalse();
    }
}
