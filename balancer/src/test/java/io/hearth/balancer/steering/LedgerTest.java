package io.hearth.balancer.steering;

import static io.hearth.balancer.steering.Steps.A;
import static io.hearth.balancer.steering.Steps.B;
import static io.hearth.balancer.steering.Steps.C;
import static io.hearth.balancer.steering.Steps.GROUP;
import static io.hearth.balancer.steering.Steps.HOUR;
import static io.hearth.balancer.steering.Steps.LOADED;
import static io.hearth.balancer.steering.Steps.MINUTE;
import static io.hearth.balancer.steering.Steps.T0;
import static io.hearth.balancer.steering.Steps.TRIGGERS;
import static io.hearth.balancer.steering.Steps.UNEVEN;
import static io.hearth.balancer.steering.Steps.config;
import static io.hearth.balancer.steering.Steps.move;
import static io.hearth.balancer.steering.Steps.placement;
import static io.hearth.balancer.steering.Steps.plan;
import static io.hearth.balancer.steering.Steps.region;
import static io.hearth.balancer.steering.Steps.report;
import static io.hearth.balancer.steering.Steps.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.hearth.balancer.load.LoadDimension;
import io.hearth.balancer.load.LoadVector;
import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.plan.Concern;
import io.hearth.balancer.plan.PlannedMove;
import io.hearth.balancer.steering.LedgerEntry.Verdict;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Predictions against what came of them. Every run moves one region and promises max/mean of writes 1.05; where nothing else is
 * said, what is uneven later is so by the plan's own doing.
 */
class LedgerTest {

    private static final String MISS = "writes 1.05 predicted, 1.62 seen, at most 1.20 allowed";

    private final Steering steering = new Steering(config());
    private int region;

    private void acts(double writesBefore, long nowMs) {
        region++;
        steering.runStarted(nowMs);
        steering.planned(plan(writesBefore, 1.05, move(region(region), A, B)), GROUP, TRIGGERS, UNEVEN, LOADED, nowMs);
    }

    private void lands(long nowMs) {
        steering.observed(List.of(report(B, nowMs, region(region))), Steps.UNKNOWN_HEAT, nowMs);
    }

    private void seen(double writes, long nowMs) {
        steering.measured(GROUP, Map.of(LoadDimension.WRITES, writes), LOADED, nowMs);
    }

    private void comesOutAt(double writes, long nowMs) {
        acts(1.5, nowMs);
        lands(nowMs + MINUTE);
        seen(writes, nowMs + 10 * MINUTE);
    }

    private List<Verdict> verdicts() {
        return steering.ledger().stream().map(LedgerEntry::verdict).toList();
    }

    @Test
    void aRunIsJudgedOnceItsTimeHasComeAndNotBefore() {
        acts(1.5, T0);
        lands(T0 + MINUTE);
        seen(1.62, T0 + 10 * MINUTE - 1);
        assertThat(verdicts()).containsExactly(Verdict.OPEN);

        seen(1.06, T0 + 10 * MINUTE);
        assertThat(verdicts()).containsExactly(Verdict.RIGHT);
        assertThat(steering.ledger().get(0).observed()).isEqualTo(Map.of(LoadDimension.WRITES, 1.06));
        assertThat(steering.ledger().get(0).bound().get(LoadDimension.WRITES)).isEqualTo(1 + 2 * (1.1 - 1));
    }

    @Test
    void aPlanForNumbersAlonePromisesNothingAboutHeatAndLeavesTheOpenRunAlone() {
        acts(1.5, T0);
        lands(T0 + MINUTE);
        steering.runStarted(T0 + 2 * MINUTE);
        steering.planned(
                plan(1.05, 1.05, move(region(7), A, B, Concern.REGION_COUNT)),
                GROUP,
                TRIGGERS,
                UNEVEN,
                LOADED,
                T0 + 2 * MINUTE);
        assertThat(Steps.targets(steering, T0 + 2 * MINUTE)).containsEntry(region(7), B);
        Steps.land(steering, region(7), B, T0 + 3 * MINUTE);
        assertThat(verdicts()).containsExactly(Verdict.OPEN);

        seen(1.62, T0 + 12 * MINUTE);
        assertThat(verdicts()).containsExactly(Verdict.WRONG);
    }

    @Test
    void aRunWithMovesOnTheirWayIsNotJudged() {
        steering.runStarted(T0);
        steering.planned(
                plan(1.5, 1.05, move(region(1), A, B), move(region(2), A, B)), GROUP, TRIGGERS, UNEVEN, LOADED, T0);
        Steps.land(steering, region(1), B, T0 + MINUTE);
        seen(1.62, T0 + 10 * MINUTE);
        assertThat(verdicts()).containsExactly(Verdict.OPEN);

        Steps.land(steering, region(2), B, T0 + 11 * MINUTE);
        seen(1.62, T0 + 11 * MINUTE);
        assertThat(verdicts()).containsExactly(Verdict.WRONG);
        assertThat(texts(steering.takeNews()))
                .containsExactly("A run of 2 moves came out otherwise: " + MISS
                        + ". The next one over the servers of a:16020 makes at most 2 for heat; each right run, and each"
                        + " hour without a wrong one, doubles that");
    }

    @Test
    void aMissWithinWhatIsAllowedIsNone() {
        comesOutAt(1.2, T0);
        comesOutAt(1.21, T0 + HOUR);

        assertThat(verdicts()).containsExactly(Verdict.RIGHT, Verdict.WRONG);
    }

    /** A plan that takes region 1 to a, where 2 is, and leaves 3 and 4 on b; and the loads that they have when it is judged. */
    private Verdict judged(LoadLook look) {
        PlannedPlacement placement =
                placement(List.of(region(2)), List.of(region(1), region(3), region(4)), move(region(1), B, A));
        steering.runStarted(T0);
        steering.planned(plan(1.5, 1.05, move(region(1), B, A)), GROUP, TRIGGERS, placement, LOADED, T0);
        Steps.land(steering, region(1), A, T0 + MINUTE);
        steering.measured(GROUP, Map.of(LoadDimension.WRITES, 1.62), look, T0 + 10 * MINUTE);
        return verdicts().get(0);
    }

    private static LoadLook writes(Map<RegionId, Double> writesPerSecond) {
        return (region, table) ->
                Optional.ofNullable(writesPerSecond.get(region)).map(writes -> LoadVector.of(0, writes, 0));
    }

    /** An emptied server, a new table, a restart, the stock balancer: the regions of the plan are as hot as they were. */
    @Test
    void whatOthersMovedOrMadeIsNoFaultOfThePlan() {
        assertThat(judged(LOADED)).isEqualTo(Verdict.CLUSTER_CHANGED);
        assertThat(texts(steering.takeNews()))
                .containsExactly(
                        "A run of 1 moves came out otherwise, but not by the heat of the regions there were: others have"
                                + " moved, made or removed regions: writes 1.05 predicted, 1.62 seen, at most 1.20 allowed");
    }

    /** A job that ends, a front that moves on: it was hot when it was moved, and is not any more. */
    @Test
    void heatThatGoesAwayIsNoFaultOfThePlan() {
        assertThat(judged(writes(Map.of(region(1), 0.0, region(2), 0.1, region(3), 1.0, region(4), 1.0))))
                .as("0.1 and 2.0: 1.90 times the mean")
                .isEqualTo(Verdict.LOAD_CHANGED);
        assertThat(texts(steering.takeNews()))
                .containsExactly(
                        "A run of 1 moves came out otherwise, because the load of regions has changed since: " + MISS);
    }

    /** A job that begins on a table that the plan knew as idle. */
    @Test
    void heatThatComesToRegionsThatWereNotMovedIsNoFaultOfThePlan() {
        assertThat(judged(writes(Map.of(region(1), 1.0, region(2), 1.0, region(3), 5.0, region(4), 1.0))))
                .as("2.0 and 6.0: 1.50 times the mean")
                .isEqualTo(Verdict.LOAD_CHANGED);
    }

    /** Daytime: each has three times as much, and what was moved has no more of it than the others. */
    @Test
    void growthThatAllRegionsShareIsNoFaultOfThePlan() {
        assertThat(judged(writes(Map.of(region(1), 3.0, region(2), 3.0, region(3), 1.0, region(4), 1.0))))
                .as("6.0 and 2.0: region 1 has grown by half more than all")
                .isEqualTo(Verdict.LOAD_CHANGED);
    }

    @Test
    void heatThatGrowsWhereItWasPutIsTheFaultOfThePlan() {
        assertThat(judged(writes(Map.of(region(1), 3.0, region(2), 1.0, region(3), 1.0, region(4), 1.0))))
                .as("4.0 and 2.0: 1.33 times the mean")
                .isEqualTo(Verdict.WRONG);
    }

    @Test
    void asMuchAsIsAllowedIsAllowedInHindsightToo() {
        assertThat(judged(writes(Map.of(region(1), 2.0, region(2), 1.0, region(3), 1.0, region(4), 1.0))))
                .as("3.0 and 2.0: 1.20 times the mean")
                .isEqualTo(Verdict.CLUSTER_CHANGED);
    }

    /** They were merged, or their table was dropped. */
    @Test
    void regionsThatAreGoneAreTakenAsTheyWere() {
        assertThat(judged(writes(Map.of(region(1), 1.0)))).isEqualTo(Verdict.CLUSTER_CHANGED);
    }

    /** The file may be minutes older than the judgement, and what the plan rested on is not in it. */
    @Test
    void whatAnotherMasterPlannedIsNotJudgedHere() {
        PlannedPlacement even = placement(List.of(region(1)), List.of(region(2)));
        steering.runStarted(T0);
        steering.planned(plan(1.5, 1.05, move(region(1), B, A)), GROUP, TRIGGERS, even, LOADED, T0);
        Steps.land(steering, region(1), A, T0 + MINUTE);
        Steering next = new Steering(config());
        next.restore(steering.encode(T0 + 2 * MINUTE), T0 + 2 * MINUTE);
        next.measured(GROUP, Map.of(LoadDimension.WRITES, 1.62), LOADED, T0 + 10 * MINUTE);

        assertThat(next.ledger()).extracting(LedgerEntry::verdict).containsExactly(Verdict.MASTER_CHANGED);
        assertThat(next.adviseOnly()).isEmpty();
    }

    @Test
    void aJudgedRunStaysJudgedAndARunInFlightIsNotJudgedAtAFailover() {
        comesOutAt(1.05, T0);
        steering.runStarted(T0 + HOUR);
        steering.planned(
                plan(1.5, 1.05, move(region(8), A, B)),
                GROUP,
                TRIGGERS,
                placement(List.of(region(1)), List.of(region(8))),
                LOADED,
                T0 + HOUR);
        Steering next = new Steering(config());
        next.restore(steering.encode(T0 + HOUR), T0 + HOUR);
        Steps.land(next, region(8), B, T0 + HOUR + MINUTE);
        next.measured(GROUP, Map.of(LoadDimension.WRITES, 1.62), LOADED, T0 + HOUR + 10 * MINUTE);

        assertThat(next.ledger()).extracting(LedgerEntry::verdict).containsExactly(Verdict.RIGHT);
        assertThat(next.adviseOnly()).isEmpty();
    }

    @Test
    void aChangedClusterChangesNothing() {
        wrong(8, T0);
        steering.runStarted(T0 + 20 * MINUTE);
        steering.planned(
                plan(1.5, 1.05, move(region(8), A, B)),
                GROUP,
                TRIGGERS,
                placement(List.of(region(1)), List.of(region(8))),
                LOADED,
                T0 + 20 * MINUTE);
        Steps.land(steering, region(8), B, T0 + 21 * MINUTE);
        seen(1.62, T0 + 30 * MINUTE);
        assertThat(verdicts()).containsExactly(Verdict.WRONG, Verdict.CLUSTER_CHANGED);
        assertThat(most(T0 + 30 * MINUTE)).hasValue(4);
    }

    @Test
    void aPlanThatPromisesLittleIsHeldToThat() {
        steering.runStarted(T0);
        steering.planned(plan(3, 1.8, move(region(1), A, B)), GROUP, TRIGGERS, UNEVEN, LOADED, T0);
        Steps.land(steering, region(1), B, T0 + MINUTE);

        assertThat(steering.ledger().get(0).bound().get(LoadDimension.WRITES)).isEqualTo(2.6);
    }

    @Test
    void theNextRunJudgesTheOneBeforeAtTheLatest() {
        acts(1.5, T0);
        lands(T0 + MINUTE);
        acts(1.62, T0 + 5 * MINUTE);
        acts(1.62, T0 + 10 * MINUTE);
        lands(T0 + 11 * MINUTE);

        assertThat(verdicts())
                .as("landed before the next; still under way")
                .containsExactly(Verdict.WRONG, Verdict.OVERTAKEN, Verdict.OPEN);
    }

    /** A run of so many moves that is judged wrong ten minutes later. */
    private void wrong(int moves, long nowMs) {
        comesOutAt(1.62, moves, nowMs);
    }

    private void comesOutAt(double writes, int moves, long nowMs) {
        PlannedMove[] all = IntStream.range(0, moves)
                .mapToObj(number -> move(region(1000 + ++region), A, B))
                .toArray(PlannedMove[]::new);
        steering.runStarted(nowMs);
        steering.planned(plan(1.5, 1.05, all), GROUP, TRIGGERS, UNEVEN, LOADED, nowMs);
        RegionId[] moved = Arrays.stream(all).map(PlannedMove::region).toArray(RegionId[]::new);
        steering.observed(List.of(report(B, nowMs + MINUTE, moved)), Steps.UNKNOWN_HEAT, nowMs + MINUTE);
        seen(writes, nowMs + 10 * MINUTE);
    }

    private OptionalInt most(long nowMs) {
        return steering.mostHeatMoves(GROUP, nowMs);
    }

    @Test
    void aWrongRunHalvesTheMovesOfItsGroupAndARightOneDoublesThem() {
        assertThat(most(T0)).isEmpty();
        wrong(16, T0);
        assertThat(most(T0 + 10 * MINUTE)).hasValue(8);
        wrong(8, T0 + 20 * MINUTE);
        assertThat(most(T0 + 30 * MINUTE)).hasValue(4);
        comesOutAt(1.05, 4, T0 + 40 * MINUTE);
        assertThat(most(T0 + 50 * MINUTE)).hasValue(8);
        comesOutAt(1.05, 8, T0 + HOUR);
        assertThat(most(T0 + HOUR + 10 * MINUTE)).as("as many as before").isEmpty();
        assertThat(steering.adviseOnly()).isEmpty();
        assertThat(texts(steering.takeNews()))
                .containsExactly(
                        "A run of 16 moves came out otherwise: " + MISS + ". The next one over the servers of a:16020"
                                + " makes at most 8 for heat; each right run, and each hour without a wrong one, doubles"
                                + " that",
                        "A run of 8 moves came out otherwise: " + MISS + ". The next one over the servers of a:16020"
                                + " makes at most 4 for heat; each right run, and each hour without a wrong one, doubles"
                                + " that",
                        "Runs over the servers of a:16020 may make as many moves as before");
    }

    @Test
    void howeverOftenARunIsWrongTwoMovesAreLeft() {
        for (int run = 0; run < 20; run++) {
            wrong(8, T0 + run * 20 * MINUTE);
        }
        assertThat(most(T0 + 20 * 20 * MINUTE)).hasValue(2);
        assertThat(steering.adviseOnly()).isEmpty();
    }

    /** Where no run acts any more, none can be right. */
    @Test
    void eachHourWithoutAWrongRunDoublesToo() {
        wrong(16, T0);
        wrong(8, T0 + 20 * MINUTE);
        wrong(4, T0 + 40 * MINUTE);
        long last = T0 + 50 * MINUTE;
        assertThat(most(last + HOUR - 1)).hasValue(2);
        assertThat(most(last + HOUR)).hasValue(4);
        assertThat(most(last + 2 * HOUR)).hasValue(8);
        assertThat(most(last + 3 * HOUR)).isEmpty();
        assertThat(most(last + 1_000_000 * HOUR)).isEmpty();
    }

    @Test
    void theTablesOfOneRunShareItsMoves() {
        wrong(16, T0);
        steering.runStarted(T0 + 20 * MINUTE);
        for (int table = 0; table < 3; table++) {
            assertThat(most(T0 + 20 * MINUTE)).hasValue(8 - 3 * table);
            steering.planned(
                    plan(
                            1.5,
                            1.05,
                            move(region(10 * table + 1), A, B),
                            move(region(10 * table + 2), A, B),
                            move(region(10 * table + 3), A, B)),
                    GROUP,
                    TRIGGERS,
                    UNEVEN,
                    LOADED,
                    T0 + 20 * MINUTE);
        }
        assertThat(most(T0 + 20 * MINUTE)).as("no fewer than none").hasValue(0);
    }

    @Test
    void aNewWordForgives() {
        wrong(16, T0);
        steering.configure(config("ledger.factor", "50"), T0 + 20 * MINUTE);
        assertThat(most(T0 + 20 * MINUTE)).as("another change is no word").hasValue(8);
        steering.takeNews();
        steering.configure(config("ledger.reset", "2023-11-15"), T0 + 20 * MINUTE);
        assertThat(most(T0 + 20 * MINUTE)).isEmpty();
        assertThat(texts(steering.takeNews()))
                .containsExactly(
                        "hearth.balancer.ledger.reset is '2023-11-15' now: every run may make as many moves as before");
    }

    @Test
    void theNextMasterKnowsTheLimit() {
        wrong(16, T0);
        Steering next = new Steering(config());
        next.restore(steering.encode(T0 + 20 * MINUTE), T0 + 20 * MINUTE);

        assertThat(next.mostHeatMoves(GROUP, T0 + 20 * MINUTE)).hasValue(8);
        assertThat(next.mostHeatMovesByGroup(T0 + 20 * MINUTE)).isEqualTo(Map.of(GROUP, 8));
        assertThat(next.mostHeatMoves(GROUP, T0 + 70 * MINUTE)).isEmpty();
    }

    @Test
    void aRunWhoseMovesWereNotAllMadeChangesNothing() {
        wrong(8, T0);
        steering.runStarted(T0 + 20 * MINUTE);
        steering.planned(
                plan(1.5, 1.05, move(region(8), A, B), move(region(9), A, B)),
                GROUP,
                TRIGGERS,
                UNEVEN,
                LOADED,
                T0 + 20 * MINUTE);
        Steps.land(steering, region(8), B, T0 + 21 * MINUTE);
        Steps.land(steering, region(9), A, T0 + 27 * MINUTE);
        seen(1.62, T0 + 30 * MINUTE);
        assertThat(verdicts()).containsExactly(Verdict.WRONG, Verdict.NOT_CARRIED_OUT);
        assertThat(most(T0 + 30 * MINUTE)).hasValue(4);
    }

    @Test
    void thePlansOfOneRunAreOneEntryWithTheLastPrediction() {
        steering.runStarted(T0);
        steering.planned(plan(2, 1.5, move(region(1), A, B)), GROUP, TRIGGERS, UNEVEN, LOADED, T0);
        steering.planned(
                plan(1.5, 1.04, move(region(2), A, B), move(region(3), A, B)), GROUP, TRIGGERS, UNEVEN, LOADED, T0 + 5);
        Steps.land(steering, region(3), B, T0 + MINUTE);

        assertThat(steering.ledger()).singleElement().satisfies(entry -> {
            assertThat(entry.moves()).isEqualTo(3);
            assertThat(entry.predicted()).containsEntry(LoadDimension.WRITES, 1.04);
        });
    }

    @Test
    void aDimensionWithoutATriggerIsNotJudged() {
        steering.runStarted(T0);
        steering.planned(
                plan(2, 1.05, move(region(1), A, B)), GROUP, Map.of(LoadDimension.READS, 1.1), UNEVEN, LOADED, T0);
        steering.observed(List.of(report(B, T0 + MINUTE, region(1))), Steps.UNKNOWN_HEAT, T0 + MINUTE);
        seen(9, T0 + HOUR);

        assertThat(verdicts()).containsExactly(Verdict.RIGHT);
    }

    @Test
    void adviceIsTheModeToo() {
        steering.configure(config("mode", "Advise"), T0);

        assertThat(steering.adviseOnly()).contains("hearth.balancer.mode is advise");
    }

    @Test
    void aPersonAsksForAdviceOnlyAndLetsItActAgain() {
        steering.adviseOnly("ops", T0);
        assertThat(steering.adviseOnly()).contains("ops asked for advice only");
        assertThat(steering.stockActsAlone()).isTrue();
        steering.actAgain("ops", T0 + MINUTE);
        assertThat(steering.adviseOnly()).isEmpty();
        assertThat(texts(steering.takeNews()))
                .containsExactly(
                        "ops asked for advice only: the stock balancer plans and acts alone",
                        "ops lets Hearth act again");
        steering.actAgain("ops", T0 + MINUTE);
        assertThat(steering.takeNews()).as("it acted already").isEmpty();
    }

    @Test
    void aPersonForgivesWhatTheLedgerHoldsAgainstPlans() {
        wrong(16, T0);
        steering.takeNews();
        steering.actAgain("ops", T0 + 20 * MINUTE);
        assertThat(most(T0 + 20 * MINUTE)).isEmpty();
        assertThat(texts(steering.takeNews())).containsExactly("ops lets Hearth act again");
    }

    @Test
    void onlyTheLastFiftyRunsAreKept() {
        for (int run = 0; run < 60; run++) {
            comesOutAt(1.05, T0 + run * HOUR);
        }
        assertThat(steering.ledger()).hasSize(50);
        assertThat(steering.ledger().get(0).runAtMs()).isEqualTo(T0 + 10 * HOUR);
    }

    /** {@code balancer 'dry_run'}: HBase asks for a plan, and drops it. */
    @Test
    void aDryRunLeavesTheOpenRunOpenAndHasNoEntryOfItsOwn() {
        acts(1.5, T0);
        lands(T0 + MINUTE);
        int real = region;
        long dry = T0 + 2 * MINUTE;
        steering.assigned(region -> Optional.of(region.equals(region(real)) ? B : A), dry);
        acts(1.9, dry);
        assertThat(steering.ledger()).extracting(LedgerEntry::runAtMs).containsExactly(T0);
        assertThat(verdicts()).containsExactly(Verdict.OPEN);

        steering.runStarted(T0 + 10 * MINUTE);
        steering.assigned(region -> Optional.of(region.equals(region(real)) ? B : A), T0 + 10 * MINUTE);
        seen(1.06, T0 + 10 * MINUTE);

        assertThat(verdicts()).containsExactly(Verdict.RIGHT);
        assertThat(texts(steering.takeNews()))
                .containsExactly(
                        "None of the 1 moves planned in one run was made: it was a dry run, or the master dropped them");
    }

    @Test
    void twoDryRunsAreNoRunsEither() {
        acts(1.5, T0);
        steering.assigned(region -> Optional.of(A), T0 + MINUTE);
        acts(1.5, T0 + MINUTE);
        steering.assigned(region -> Optional.of(A), T0 + 2 * MINUTE);
        seen(1.62, T0 + HOUR);

        assertThat(steering.ledger()).isEmpty();
    }

    @Test
    void theMastersWordThatARegionIsThereIsEnough() {
        acts(1.5, T0);
        steering.assigned(region -> Optional.of(B), T0 + MINUTE);

        assertThat(verdicts()).containsExactly(Verdict.OPEN);
    }

    /** RSGroups: each run of the master asks for a plan for each group, one after the other. */
    @Test
    void aGroupOfServersIsJudgedByWhatIsSeenOfItAlone() {
        String other = "c:16020";
        for (int run = 0; run < 2; run++) {
            long now = T0 + run * HOUR;
            steering.measured(GROUP, Map.of(LoadDimension.WRITES, 1.05), LOADED, now);
            acts(2, now);
            steering.measured(other, Map.of(LoadDimension.WRITES, 3.0), LOADED, now);
            steering.runStarted(now);
            steering.planned(plan(3, 1.04, move(region(100 + run), C, A)), other, TRIGGERS, UNEVEN, LOADED, now);
            steering.observed(
                    List.of(report(B, now + MINUTE, region(region)), report(A, now + MINUTE, region(100 + run))),
                    Steps.UNKNOWN_HEAT,
                    now + MINUTE);
            steering.measured(GROUP, Map.of(LoadDimension.WRITES, 1.05), LOADED, now + 30 * MINUTE);
            steering.measured(other, Map.of(LoadDimension.WRITES, 1.62), LOADED, now + 30 * MINUTE);
        }

        assertThat(steering.ledger())
                .extracting(LedgerEntry::group, LedgerEntry::verdict)
                .containsExactly(
                        tuple(GROUP, Verdict.RIGHT),
                        tuple(other, Verdict.WRONG),
                        tuple(GROUP, Verdict.RIGHT),
                        tuple(other, Verdict.WRONG));
        assertThat(steering.mostHeatMoves(GROUP, T0 + HOUR + 40 * MINUTE))
                .as("one group does not answer for the other")
                .isEmpty();
        assertThat(steering.mostHeatMoves(other, T0 + HOUR + 40 * MINUTE)).hasValue(2);
    }

    @Test
    void aRunThatNobodyMeasuresForADayIsForgotten() {
        acts(2, T0);
        lands(T0 + MINUTE);

        steering.measured("c:16020", Map.of(), LOADED, T0 + 24 * HOUR);
        assertThat(steering.ledger()).hasSize(1);
        steering.measured("c:16020", Map.of(), LOADED, T0 + 24 * HOUR + 1);
        assertThat(steering.ledger()).isEmpty();
    }
}
