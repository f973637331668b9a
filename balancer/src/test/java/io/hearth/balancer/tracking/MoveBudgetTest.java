// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.tracking;

import static io.hearth.balancer.tracking.TrackerSteps.A;
import static io.hearth.balancer.tracking.TrackerSteps.B;
import static io.hearth.balancer.tracking.TrackerSteps.GROUP;
import static io.hearth.balancer.tracking.TrackerSteps.HOUR;
import static io.hearth.balancer.tracking.TrackerSteps.LOADED;
import static io.hearth.balancer.tracking.TrackerSteps.MINUTE;
import static io.hearth.balancer.tracking.TrackerSteps.T0;
import static io.hearth.balancer.tracking.TrackerSteps.TABLE;
import static io.hearth.balancer.tracking.TrackerSteps.TRIGGERS;
import static io.hearth.balancer.tracking.TrackerSteps.UNEVEN;
import static io.hearth.balancer.tracking.TrackerSteps.config;
import static io.hearth.balancer.tracking.TrackerSteps.move;
import static io.hearth.balancer.tracking.TrackerSteps.region;
import static io.hearth.balancer.tracking.TrackerSteps.report;
import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.config.TableBudgets;
import io.hearth.balancer.heat.ingest.ServerReport;
import io.hearth.balancer.plan.Objective;
import io.hearth.balancer.plan.PlannedMove;
import io.hearth.common.config.RawSettings.MapSettings;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.TableId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The budget of a table over any hour. */
class MoveBudgetTest {

    private final MoveTracker tracker = new MoveTracker(config());

    private static TableBudgets budget(int mostPerHour) {
        return TableBudgets.read(
                "test",
                new MapSettings(Map.of()),
                Map.of(
                        TABLE,
                        new MapSettings(Map.of("HEARTH_MAX_MOVES_PER_HOUR", "" + mostPerHour)),
                        new TableId("other"),
                        new MapSettings(Map.of())));
    }

    private void plan(int first, int moves, long nowMs) {
        tracker.runStarted(nowMs);
        tracker.planned(
                TrackerSteps.plan(IntStream.range(first, first + moves)
                        .mapToObj(number -> move(region(number), A, B))
                        .toArray(PlannedMove[]::new)),
                GROUP,
                TRIGGERS,
                UNEVEN,
                LOADED,
                nowMs);
    }

    @Test
    void aMoveCountsForAnHourAndATableWithoutABudgetIsNotNamed() {
        plan(1, 3, T0);

        assertThat(tracker.movesLeft(budget(5), T0)).isEqualTo(Map.of(TABLE, 2));
        assertThat(tracker.movesLeft(budget(5), T0 + HOUR)).isEqualTo(Map.of(TABLE, 2));
        assertThat(tracker.movesLeft(budget(5), T0 + HOUR + 1)).isEqualTo(Map.of(TABLE, 5));
    }

    @Test
    void aBudgetThatIsSetNowCountsWhatWasPlannedBefore() {
        plan(1, 3, T0);

        assertThat(tracker.movesLeft(budget(2), T0 + MINUTE)).isEqualTo(Map.of(TABLE, 0));
        assertThat(tracker.movesLeft(budget(0), T0 + 2 * HOUR)).isEqualTo(Map.of(TABLE, 0));
    }

    /** Replicas that had to part and numbers of regions take nothing from what the table may still be moved for heat. */
    @Test
    void onlyMovesForHeatUseItUp() {
        tracker.runStarted(T0);
        tracker.planned(
                TrackerSteps.plan(
                        move(region(1), A, B, Objective.REPLICAS),
                        move(region(2), A, B, Objective.REGION_COUNT),
                        move(region(3), A, B, Objective.TABLE_SKEW),
                        move(region(4), A, B, Objective.READS)),
                GROUP,
                TRIGGERS,
                UNEVEN,
                LOADED,
                T0);
        tracker.plannedByStock(region(5), TABLE, A, B, T0);
        assertThat(tracker.movesLeft(budget(5), T0)).isEqualTo(Map.of(TABLE, 4));

        tracker.movedBy("ann", List.of(new RegionMove(region(6), TABLE, A, B)), T0);
        assertThat(tracker.movesLeft(budget(5), T0))
                .as("a person makes moves of a plan for heat")
                .isEqualTo(Map.of(TABLE, 3));
    }

    /** The next run finds all of them where they were. */
    @Test
    void onlyWhatWasTakenIsGivenBack() {
        tracker.runStarted(T0);
        tracker.planned(
                TrackerSteps.plan(
                        move(region(1), A, B, Objective.REPLICAS),
                        move(region(2), A, B, Objective.READS),
                        move(region(3), A, B, Objective.READS)),
                GROUP,
                TRIGGERS,
                UNEVEN,
                LOADED,
                T0);
        tracker.plannedByStock(region(5), TABLE, A, B, T0);

        tracker.runStarted(T0 + MINUTE);
        tracker.assigned(region -> Optional.of(region.equals(region(2)) ? B : A), T0 + MINUTE);
        assertThat(tracker.movesLeft(budget(5), T0 + MINUTE)).isEqualTo(Map.of(TABLE, 4));
    }

    /** Whether it had used the budget up is not written down: it may only be too little that is left, and for an hour at most. */
    @Test
    void aMoveThatTheNextMasterFindsNotMadeGivesNothingBack() {
        plan(1, 2, T0);
        MoveTracker next = new MoveTracker(config());
        assertThat(next.restore(tracker.encode(T0 + 1), T0 + 1)).isEqualTo(RestoreResult.RESTORED);

        next.runStarted(T0 + MINUTE);
        next.assigned(region -> Optional.of(A), T0 + MINUTE);
        assertThat(next.pins(T0 + MINUTE)).isEmpty();
        assertThat(next.movesLeft(budget(5), T0 + MINUTE)).isEqualTo(Map.of(TABLE, 3));
        assertThat(next.movesLeft(budget(5), T0 + HOUR + 1)).isEqualTo(Map.of(TABLE, 5));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void noHourHasMoreMovesThanTheBudget(long seed) {
        Random random = new Random(seed);
        int most = random.nextInt(20);
        List<Long> made = new ArrayList<>();
        int region = 0;
        long now = T0;
        for (int run = 0; run < 300; run++) {
            now += random.nextInt(4) == 0 ? 5 * MINUTE : random.nextInt((int) (20 * MINUTE));
            int moves = Math.min(
                    random.nextInt(12), tracker.movesLeft(budget(most), now).get(TABLE));
            plan(region, moves, now);
            made.addAll(land(region, moves, now, random));
            region += moves;
        }
        assertThat(most == 0 || !made.isEmpty()).isTrue();
        for (long begin : made) {
            assertThat(made.stream().filter(time -> time >= begin && time <= begin + HOUR))
                    .as("seed %d: moves planned from %d on, of at most %d", seed, begin, most)
                    .hasSizeLessThanOrEqualTo(most);
        }
    }

    /** Lets some of them land and others be dropped; says when those that landed were planned. */
    private List<Long> land(int first, int moves, long nowMs, Random random) {
        List<EncodedRegionName> completed = new ArrayList<>();
        List<EncodedRegionName> dropped = new ArrayList<>();
        for (int number = first; number < first + moves; number++) {
            (random.nextInt(5) == 0 ? dropped : completed).add(region(number));
        }
        List<ServerReport> reports = List.of(
                report(B, nowMs + 1_000, completed.toArray(EncodedRegionName[]::new)),
                report(A, nowMs + 2 * HOUR, dropped.toArray(EncodedRegionName[]::new)));
        tracker.observed(reports, TrackerSteps.UNKNOWN_HEAT, nowMs + 1_000);
        return completed.stream().map(region -> nowMs).toList();
    }
}
