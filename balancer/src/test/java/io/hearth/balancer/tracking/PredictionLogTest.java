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
import static io.hearth.balancer.tracking.TrackerSteps.T0;
import static io.hearth.balancer.tracking.TrackerSteps.TRIGGERS;
import static io.hearth.balancer.tracking.TrackerSteps.UNEVEN;
import static io.hearth.balancer.tracking.TrackerSteps.config;
import static io.hearth.balancer.tracking.TrackerSteps.move;
import static io.hearth.balancer.tracking.TrackerSteps.placement;
import static io.hearth.balancer.tracking.TrackerSteps.plan;
import static io.hearth.balancer.tracking.TrackerSteps.region;
import static io.hearth.balancer.tracking.TrackerSteps.report;
import static io.hearth.balancer.tracking.TrackerSteps.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.hearth.balancer.heat.RegionLoads;
import io.hearth.balancer.plan.Objective;
import io.hearth.balancer.plan.PlannedMove;
import io.hearth.balancer.tracking.Prediction.Outcome;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.LoadVector;
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
class PredictionLogTest {

    private static final String MISS = "writes 1.05 predicted, 1.62 seen, at most 1.20 allowed";

    private final MoveTracker tracker = new MoveTracker(config());
    private int region;

    private void acts(double writesBefore, long nowMs) {
        region++;
        tracker.runStarted(nowMs);
        tracker.planned(plan(writesBefore, 1.05, move(region(region), A, B)), GROUP, TRIGGERS, UNEVEN, LOADED, nowMs);
    }

    private void lands(long nowMs) {
        tracker.observed(List.of(report(B, nowMs, region(region))), TrackerSteps.UNKNOWN_HEAT, nowMs);
    }

    private void seen(double writes, long nowMs) {
        tracker.measured(GROUP, Map.of(LoadDimension.WRITES, writes), LOADED, nowMs);
    }

    private void comesOutAt(double writes, long nowMs) {
        acts(1.5, nowMs);
        lands(nowMs + MINUTE);
        seen(writes, nowMs + 10 * MINUTE);
    }

    private List<Outcome> verdicts() {
        return tracker.predictionLog().stream().map(Prediction::outcome).toList();
    }

    @Test
    void aRunIsJudgedOnceItsTimeHasComeAndNotBefore() {
        acts(1.5, T0);
        lands(T0 + MINUTE);
        seen(1.62, T0 + 10 * MINUTE - 1);
        assertThat(verdicts()).containsExactly(Outcome.PENDING);

        seen(1.06, T0 + 10 * MINUTE);
        assertThat(verdicts()).containsExactly(Outcome.AS_PREDICTED);
        assertThat(tracker.predictionLog().get(0).observed()).isEqualTo(Map.of(LoadDimension.WRITES, 1.06));
        assertThat(tracker.predictionLog().get(0).bound().get(LoadDimension.WRITES))
                .isEqualTo(1 + 2 * (1.1 - 1));
    }

    @Test
    void aPlanForNumbersAlonePromisesNothingAboutHeatAndLeavesTheOpenRunAlone() {
        acts(1.5, T0);
        lands(T0 + MINUTE);
        tracker.runStarted(T0 + 2 * MINUTE);
        tracker.planned(
                plan(1.05, 1.05, move(region(7), A, B, Objective.REGION_COUNT)),
                GROUP,
                TRIGGERS,
                UNEVEN,
                LOADED,
                T0 + 2 * MINUTE);
        assertThat(TrackerSteps.targets(tracker, T0 + 2 * MINUTE)).containsEntry(region(7), B);
        TrackerSteps.land(tracker, region(7), B, T0 + 3 * MINUTE);
        assertThat(verdicts()).containsExactly(Outcome.PENDING);

        seen(1.62, T0 + 12 * MINUTE);
        assertThat(verdicts()).containsExactly(Outcome.MISPREDICTED);
    }

    @Test
    void aRunWithMovesOnTheirWayIsNotJudged() {
        tracker.runStarted(T0);
        tracker.planned(
                plan(1.5, 1.05, move(region(1), A, B), move(region(2), A, B)), GROUP, TRIGGERS, UNEVEN, LOADED, T0);
        TrackerSteps.land(tracker, region(1), B, T0 + MINUTE);
        seen(1.62, T0 + 10 * MINUTE);
        assertThat(verdicts()).containsExactly(Outcome.PENDING);

        TrackerSteps.land(tracker, region(2), B, T0 + 11 * MINUTE);
        seen(1.62, T0 + 11 * MINUTE);
        assertThat(verdicts()).containsExactly(Outcome.MISPREDICTED);
        assertThat(texts(tracker.takeEvents()))
                .containsExactly("A run of 2 moves came out otherwise: " + MISS
                        + ". The next one over the servers of a:16020 makes at most 2 for heat; each right run, and each"
                        + " hour without a wrong one, doubles that");
    }

    @Test
    void aMissWithinWhatIsAllowedIsNone() {
        comesOutAt(1.2, T0);
        comesOutAt(1.21, T0 + HOUR);

        assertThat(verdicts()).containsExactly(Outcome.AS_PREDICTED, Outcome.MISPREDICTED);
    }

    /** A plan that takes region 1 to a, where 2 is, and leaves 3 and 4 on b; and the loads that they have when it is judged. */
    private Outcome evaluated(RegionLoads currentLoads) {
        PlannedPlacement placement =
                placement(List.of(region(2)), List.of(region(1), region(3), region(4)), move(region(1), B, A));
        tracker.runStarted(T0);
        tracker.planned(plan(1.5, 1.05, move(region(1), B, A)), GROUP, TRIGGERS, placement, LOADED, T0);
        TrackerSteps.land(tracker, region(1), A, T0 + MINUTE);
        tracker.measured(GROUP, Map.of(LoadDimension.WRITES, 1.62), currentLoads, T0 + 10 * MINUTE);
        return verdicts().get(0);
    }

    private static RegionLoads writes(Map<EncodedRegionName, Double> writesPerSecond) {
        return region -> Optional.ofNullable(writesPerSecond.get(region)).map(LoadVector::ofWrites);
    }

    /** An emptied server, a new table, a restart, the stock balancer: the regions of the plan are as hot as they were. */
    @Test
    void whatOthersMovedOrMadeIsNoFaultOfThePlan() {
        assertThat(evaluated(LOADED)).isEqualTo(Outcome.CLUSTER_CHANGED);
        assertThat(texts(tracker.takeEvents()))
                .containsExactly(
                        "A run of 1 moves came out otherwise, but not by the heat of the regions there were: others have"
                                + " moved, made or removed regions: writes 1.05 predicted, 1.62 seen, at most 1.20 allowed");
    }

    /** A job that ends, a front that moves on: it was hot when it was moved, and is not any more. */
    @Test
    void heatThatGoesAwayIsNoFaultOfThePlan() {
        assertThat(evaluated(writes(Map.of(region(1), 0.0, region(2), 0.1, region(3), 1.0, region(4), 1.0))))
                .as("0.1 and 2.0: 1.90 times the mean")
                .isEqualTo(Outcome.LOAD_CHANGED);
        assertThat(texts(tracker.takeEvents()))
                .containsExactly(
                        "A run of 1 moves came out otherwise, because the load of regions has changed since: " + MISS);
    }

    /** A job that begins on a table that the plan knew as idle. */
    @Test
    void heatThatComesToRegionsThatWereNotMovedIsNoFaultOfThePlan() {
        assertThat(evaluated(writes(Map.of(region(1), 1.0, region(2), 1.0, region(3), 5.0, region(4), 1.0))))
                .as("2.0 and 6.0: 1.50 times the mean")
                .isEqualTo(Outcome.LOAD_CHANGED);
    }

    /** Daytime: each has three times as much, and what was moved has no more of it than the others. */
    @Test
    void growthThatAllRegionsShareIsNoFaultOfThePlan() {
        assertThat(evaluated(writes(Map.of(region(1), 3.0, region(2), 3.0, region(3), 1.0, region(4), 1.0))))
                .as("6.0 and 2.0: region 1 has grown by half more than all")
                .isEqualTo(Outcome.LOAD_CHANGED);
    }

    @Test
    void heatThatGrowsWhereItWasPutIsTheFaultOfThePlan() {
        assertThat(evaluated(writes(Map.of(region(1), 3.0, region(2), 1.0, region(3), 1.0, region(4), 1.0))))
                .as("4.0 and 2.0: 1.33 times the mean")
                .isEqualTo(Outcome.MISPREDICTED);
    }

    @Test
    void asMuchAsIsAllowedIsAllowedInHindsightToo() {
        assertThat(evaluated(writes(Map.of(region(1), 2.0, region(2), 1.0, region(3), 1.0, region(4), 1.0))))
                .as("3.0 and 2.0: 1.20 times the mean")
                .isEqualTo(Outcome.CLUSTER_CHANGED);
    }

    /** They were merged, or their table was dropped. */
    @Test
    void regionsThatAreGoneAreTakenAsTheyWere() {
        assertThat(evaluated(writes(Map.of(region(1), 1.0)))).isEqualTo(Outcome.CLUSTER_CHANGED);
    }

    /** The file may be minutes older than the judgement, and what the plan rested on is not in it. */
    @Test
    void whatAnotherMasterPlannedIsNotJudgedHere() {
        PlannedPlacement even = placement(List.of(region(1)), List.of(region(2)));
        tracker.runStarted(T0);
        tracker.planned(plan(1.5, 1.05, move(region(1), B, A)), GROUP, TRIGGERS, even, LOADED, T0);
        TrackerSteps.land(tracker, region(1), A, T0 + MINUTE);
        MoveTracker next = new MoveTracker(config());
        next.restore(tracker.encode(T0 + 2 * MINUTE), T0 + 2 * MINUTE);
        next.measured(GROUP, Map.of(LoadDimension.WRITES, 1.62), LOADED, T0 + 10 * MINUTE);

        assertThat(next.predictionLog()).extracting(Prediction::outcome).containsExactly(Outcome.MASTER_CHANGED);
        assertThat(next.adviseOnly()).isEmpty();
    }

    @Test
    void aJudgedRunStaysJudgedAndARunInFlightIsNotJudgedAtAFailover() {
        comesOutAt(1.05, T0);
        tracker.runStarted(T0 + HOUR);
        tracker.planned(
                plan(1.5, 1.05, move(region(8), A, B)),
                GROUP,
                TRIGGERS,
                placement(List.of(region(1)), List.of(region(8))),
                LOADED,
                T0 + HOUR);
        MoveTracker next = new MoveTracker(config());
        next.restore(tracker.encode(T0 + HOUR), T0 + HOUR);
        TrackerSteps.land(next, region(8), B, T0 + HOUR + MINUTE);
        next.measured(GROUP, Map.of(LoadDimension.WRITES, 1.62), LOADED, T0 + HOUR + 10 * MINUTE);

        assertThat(next.predictionLog()).extracting(Prediction::outcome).containsExactly(Outcome.AS_PREDICTED);
        assertThat(next.adviseOnly()).isEmpty();
    }

    @Test
    void aChangedClusterChangesNothing() {
        mispredicted(8, T0);
        tracker.runStarted(T0 + 20 * MINUTE);
        tracker.planned(
                plan(1.5, 1.05, move(region(8), A, B)),
                GROUP,
                TRIGGERS,
                placement(List.of(region(1)), List.of(region(8))),
                LOADED,
                T0 + 20 * MINUTE);
        TrackerSteps.land(tracker, region(8), B, T0 + 21 * MINUTE);
        seen(1.62, T0 + 30 * MINUTE);
        assertThat(verdicts()).containsExactly(Outcome.MISPREDICTED, Outcome.CLUSTER_CHANGED);
        assertThat(most(T0 + 30 * MINUTE)).hasValue(4);
    }

    @Test
    void aPlanThatPromisesLittleIsHeldToThat() {
        tracker.runStarted(T0);
        tracker.planned(plan(3, 1.8, move(region(1), A, B)), GROUP, TRIGGERS, UNEVEN, LOADED, T0);
        TrackerSteps.land(tracker, region(1), B, T0 + MINUTE);

        assertThat(tracker.predictionLog().get(0).bound().get(LoadDimension.WRITES))
                .isEqualTo(2.6);
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
                .containsExactly(Outcome.MISPREDICTED, Outcome.SUPERSEDED, Outcome.PENDING);
    }

    /** A run of so many moves that is judged wrong ten minutes later. */
    private void mispredicted(int moves, long nowMs) {
        comesOutAt(1.62, moves, nowMs);
    }

    private void comesOutAt(double writes, int moves, long nowMs) {
        PlannedMove[] all = IntStream.range(0, moves)
                .mapToObj(number -> move(region(1000 + ++region), A, B))
                .toArray(PlannedMove[]::new);
        tracker.runStarted(nowMs);
        tracker.planned(plan(1.5, 1.05, all), GROUP, TRIGGERS, UNEVEN, LOADED, nowMs);
        EncodedRegionName[] moved = Arrays.stream(all).map(PlannedMove::region).toArray(EncodedRegionName[]::new);
        tracker.observed(List.of(report(B, nowMs + MINUTE, moved)), TrackerSteps.UNKNOWN_HEAT, nowMs + MINUTE);
        seen(writes, nowMs + 10 * MINUTE);
    }

    private OptionalInt most(long nowMs) {
        return tracker.maxHeatMoves(GROUP, nowMs);
    }

    @Test
    void aWrongRunHalvesTheMovesOfItsGroupAndARightOneDoublesThem() {
        assertThat(most(T0)).isEmpty();
        mispredicted(16, T0);
        assertThat(most(T0 + 10 * MINUTE)).hasValue(8);
        mispredicted(8, T0 + 20 * MINUTE);
        assertThat(most(T0 + 30 * MINUTE)).hasValue(4);
        comesOutAt(1.05, 4, T0 + 40 * MINUTE);
        assertThat(most(T0 + 50 * MINUTE)).hasValue(8);
        comesOutAt(1.05, 8, T0 + HOUR);
        assertThat(most(T0 + HOUR + 10 * MINUTE)).as("as many as before").isEmpty();
        assertThat(tracker.adviseOnly()).isEmpty();
        assertThat(texts(tracker.takeEvents()))
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
            mispredicted(8, T0 + run * 20 * MINUTE);
        }
        assertThat(most(T0 + 20 * 20 * MINUTE)).hasValue(2);
        assertThat(tracker.adviseOnly()).isEmpty();
    }

    /** Where no run acts any more, none can be right. */
    @Test
    void eachHourWithoutAWrongRunDoublesToo() {
        mispredicted(16, T0);
        mispredicted(8, T0 + 20 * MINUTE);
        mispredicted(4, T0 + 40 * MINUTE);
        long last = T0 + 50 * MINUTE;
        assertThat(most(last + HOUR - 1)).hasValue(2);
        assertThat(most(last + HOUR)).hasValue(4);
        assertThat(most(last + 2 * HOUR)).hasValue(8);
        assertThat(most(last + 3 * HOUR)).isEmpty();
        assertThat(most(last + 1_000_000 * HOUR)).isEmpty();
    }

    @Test
    void theTablesOfOneRunShareItsMoves() {
        mispredicted(16, T0);
        tracker.runStarted(T0 + 20 * MINUTE);
        for (int table = 0; table < 3; table++) {
            assertThat(most(T0 + 20 * MINUTE)).hasValue(8 - 3 * table);
            tracker.planned(
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
        mispredicted(16, T0);
        tracker.configure(config("prediction.tolerance.factor", "50"), T0 + 20 * MINUTE);
        assertThat(most(T0 + 20 * MINUTE)).as("another change is no word").hasValue(8);
        tracker.takeEvents();
        tracker.configure(config("prediction.reset.token", "2023-11-15"), T0 + 20 * MINUTE);
        assertThat(most(T0 + 20 * MINUTE)).isEmpty();
        assertThat(texts(tracker.takeEvents()))
                .containsExactly(
                        "hearth.balancer.prediction.reset.token is '2023-11-15' now: every run may make as many moves as before");
    }

    @Test
    void theNextMasterKnowsTheLimit() {
        mispredicted(16, T0);
        MoveTracker next = new MoveTracker(config());
        next.restore(tracker.encode(T0 + 20 * MINUTE), T0 + 20 * MINUTE);

        assertThat(next.maxHeatMoves(GROUP, T0 + 20 * MINUTE)).hasValue(8);
        assertThat(next.maxHeatMovesByGroup(T0 + 20 * MINUTE)).isEqualTo(Map.of(GROUP, 8));
        assertThat(next.maxHeatMoves(GROUP, T0 + 70 * MINUTE)).isEmpty();
    }

    @Test
    void aRunWhoseMovesWereNotAllMadeChangesNothing() {
        mispredicted(8, T0);
        tracker.runStarted(T0 + 20 * MINUTE);
        tracker.planned(
                plan(1.5, 1.05, move(region(8), A, B), move(region(9), A, B)),
                GROUP,
                TRIGGERS,
                UNEVEN,
                LOADED,
                T0 + 20 * MINUTE);
        TrackerSteps.land(tracker, region(8), B, T0 + 21 * MINUTE);
        TrackerSteps.land(tracker, region(9), A, T0 + 27 * MINUTE);
        seen(1.62, T0 + 30 * MINUTE);
        assertThat(verdicts()).containsExactly(Outcome.MISPREDICTED, Outcome.NOT_CARRIED_OUT);
        assertThat(most(T0 + 30 * MINUTE)).hasValue(4);
    }

    @Test
    void thePlansOfOneRunAreOneEntryWithTheLastPrediction() {
        tracker.runStarted(T0);
        tracker.planned(plan(2, 1.5, move(region(1), A, B)), GROUP, TRIGGERS, UNEVEN, LOADED, T0);
        tracker.planned(
                plan(1.5, 1.04, move(region(2), A, B), move(region(3), A, B)), GROUP, TRIGGERS, UNEVEN, LOADED, T0 + 5);
        TrackerSteps.land(tracker, region(3), B, T0 + MINUTE);

        assertThat(tracker.predictionLog()).singleElement().satisfies(entry -> {
            assertThat(entry.moves()).isEqualTo(3);
            assertThat(entry.predicted()).containsEntry(LoadDimension.WRITES, 1.04);
        });
    }

    @Test
    void aDimensionWithoutATriggerIsNotJudged() {
        tracker.runStarted(T0);
        tracker.planned(
                plan(2, 1.05, move(region(1), A, B)), GROUP, Map.of(LoadDimension.READS, 1.1), UNEVEN, LOADED, T0);
        tracker.observed(List.of(report(B, T0 + MINUTE, region(1))), TrackerSteps.UNKNOWN_HEAT, T0 + MINUTE);
        seen(9, T0 + HOUR);

        assertThat(verdicts()).containsExactly(Outcome.AS_PREDICTED);
    }

    @Test
    void adviceIsTheModeToo() {
        tracker.configure(config("mode", "Advise"), T0);

        assertThat(tracker.adviseOnly()).contains("hearth.balancer.mode is advise");
    }

    @Test
    void aPersonAsksForAdviceOnlyAndLetsItActAgain() {
        tracker.adviseOnly("ops", T0);
        assertThat(tracker.adviseOnly()).contains("ops asked for advice only");
        assertThat(tracker.stockActsAlone()).isTrue();
        tracker.resumeActing("ops", T0 + MINUTE);
        assertThat(tracker.adviseOnly()).isEmpty();
        assertThat(texts(tracker.takeEvents()))
                .containsExactly(
                        "ops asked for advice only: the stock balancer plans and acts alone",
                        "ops lets Hearth act again");
        tracker.resumeActing("ops", T0 + MINUTE);
        assertThat(tracker.takeEvents()).as("it acted already").isEmpty();
    }

    @Test
    void aPersonForgivesWhatTheLedgerHoldsAgainstPlans() {
        mispredicted(16, T0);
        tracker.takeEvents();
        tracker.resumeActing("ops", T0 + 20 * MINUTE);
        assertThat(most(T0 + 20 * MINUTE)).isEmpty();
        assertThat(texts(tracker.takeEvents())).containsExactly("ops lets Hearth act again");
    }

    @Test
    void onlyTheLastFiftyRunsAreKept() {
        for (int run = 0; run < 60; run++) {
            comesOutAt(1.05, T0 + run * HOUR);
        }
        assertThat(tracker.predictionLog()).hasSize(50);
        assertThat(tracker.predictionLog().get(0).runAtMs()).isEqualTo(T0 + 10 * HOUR);
    }

    /** {@code balancer 'dry_run'}: HBase asks for a plan, and drops it. */
    @Test
    void aDryRunLeavesTheOpenRunOpenAndHasNoEntryOfItsOwn() {
        acts(1.5, T0);
        lands(T0 + MINUTE);
        int real = region;
        long dry = T0 + 2 * MINUTE;
        tracker.assigned(region -> Optional.of(region.equals(region(real)) ? B : A), dry);
        acts(1.9, dry);
        assertThat(tracker.predictionLog()).extracting(Prediction::runAtMs).containsExactly(T0);
        assertThat(verdicts()).containsExactly(Outcome.PENDING);

        tracker.runStarted(T0 + 10 * MINUTE);
        tracker.assigned(region -> Optional.of(region.equals(region(real)) ? B : A), T0 + 10 * MINUTE);
        seen(1.06, T0 + 10 * MINUTE);

        assertThat(verdicts()).containsExactly(Outcome.AS_PREDICTED);
        assertThat(texts(tracker.takeEvents()))
                .containsExactly(
                        "None of the 1 moves planned in one run was made: it was a dry run, or the master dropped them");
    }

    @Test
    void twoDryRunsAreNoRunsEither() {
        acts(1.5, T0);
        tracker.assigned(region -> Optional.of(A), T0 + MINUTE);
        acts(1.5, T0 + MINUTE);
        tracker.assigned(region -> Optional.of(A), T0 + 2 * MINUTE);
        seen(1.62, T0 + HOUR);

        assertThat(tracker.predictionLog()).isEmpty();
    }

    @Test
    void theMastersWordThatARegionIsThereIsEnough() {
        acts(1.5, T0);
        tracker.assigned(region -> Optional.of(B), T0 + MINUTE);

        assertThat(verdicts()).containsExactly(Outcome.PENDING);
    }

    /** RSGroups: each run of the master asks for a plan for each group, one after the other. */
    @Test
    void aGroupOfServersIsJudgedByWhatIsSeenOfItAlone() {
        String other = "c:16020";
        for (int run = 0; run < 2; run++) {
            long now = T0 + run * HOUR;
            tracker.measured(GROUP, Map.of(LoadDimension.WRITES, 1.05), LOADED, now);
            acts(2, now);
            tracker.measured(other, Map.of(LoadDimension.WRITES, 3.0), LOADED, now);
            tracker.runStarted(now);
            tracker.planned(plan(3, 1.04, move(region(100 + run), C, A)), other, TRIGGERS, UNEVEN, LOADED, now);
            tracker.observed(
                    List.of(report(B, now + MINUTE, region(region)), report(A, now + MINUTE, region(100 + run))),
                    TrackerSteps.UNKNOWN_HEAT,
                    now + MINUTE);
            tracker.measured(GROUP, Map.of(LoadDimension.WRITES, 1.05), LOADED, now + 30 * MINUTE);
            tracker.measured(other, Map.of(LoadDimension.WRITES, 1.62), LOADED, now + 30 * MINUTE);
        }

        assertThat(tracker.predictionLog())
                .extracting(Prediction::group, Prediction::outcome)
                .containsExactly(
                        tuple(GROUP, Outcome.AS_PREDICTED),
                        tuple(other, Outcome.MISPREDICTED),
                        tuple(GROUP, Outcome.AS_PREDICTED),
                        tuple(other, Outcome.MISPREDICTED));
        assertThat(tracker.maxHeatMoves(GROUP, T0 + HOUR + 40 * MINUTE))
                .as("one group does not answer for the other")
                .isEmpty();
        assertThat(tracker.maxHeatMoves(other, T0 + HOUR + 40 * MINUTE)).hasValue(2);
    }

    @Test
    void aRunThatNobodyMeasuresForADayIsForgotten() {
        acts(2, T0);
        lands(T0 + MINUTE);

        tracker.measured("c:16020", Map.of(), LOADED, T0 + 24 * HOUR);
        assertThat(tracker.predictionLog()).hasSize(1);
        tracker.measured("c:16020", Map.of(), LOADED, T0 + 24 * HOUR + 1);
        assertThat(tracker.predictionLog()).isEmpty();
    }
}
