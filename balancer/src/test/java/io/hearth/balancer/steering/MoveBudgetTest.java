package io.hearth.balancer.steering;

import static io.hearth.balancer.steering.Steps.A;
import static io.hearth.balancer.steering.Steps.B;
import static io.hearth.balancer.steering.Steps.GROUP;
import static io.hearth.balancer.steering.Steps.HOUR;
import static io.hearth.balancer.steering.Steps.LOADED;
import static io.hearth.balancer.steering.Steps.MINUTE;
import static io.hearth.balancer.steering.Steps.T0;
import static io.hearth.balancer.steering.Steps.TABLE;
import static io.hearth.balancer.steering.Steps.TRIGGERS;
import static io.hearth.balancer.steering.Steps.UNEVEN;
import static io.hearth.balancer.steering.Steps.config;
import static io.hearth.balancer.steering.Steps.move;
import static io.hearth.balancer.steering.Steps.region;
import static io.hearth.balancer.steering.Steps.report;
import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.config.MapSettings;
import io.hearth.balancer.cost.TableBudgets;
import io.hearth.balancer.ingest.ServerReport;
import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.TableId;
import io.hearth.balancer.plan.Concern;
import io.hearth.balancer.plan.PlannedMove;
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

    private final Steering steering = new Steering(config());

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
        steering.runStarted(nowMs);
        steering.planned(
                Steps.plan(IntStream.range(first, first + moves)
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

        assertThat(steering.movesLeft(budget(5), T0)).isEqualTo(Map.of(TABLE, 2));
        assertThat(steering.movesLeft(budget(5), T0 + HOUR)).isEqualTo(Map.of(TABLE, 2));
        assertThat(steering.movesLeft(budget(5), T0 + HOUR + 1)).isEqualTo(Map.of(TABLE, 5));
    }

    @Test
    void aBudgetThatIsSetNowCountsWhatWasPlannedBefore() {
        plan(1, 3, T0);

        assertThat(steering.movesLeft(budget(2), T0 + MINUTE)).isEqualTo(Map.of(TABLE, 0));
        assertThat(steering.movesLeft(budget(0), T0 + 2 * HOUR)).isEqualTo(Map.of(TABLE, 0));
    }

    /** Replicas that had to part and numbers of regions take nothing from what the table may still be moved for heat. */
    @Test
    void onlyMovesForHeatUseItUp() {
        steering.runStarted(T0);
        steering.planned(
                Steps.plan(
                        move(region(1), A, B, Concern.REPLICAS),
                        move(region(2), A, B, Concern.REGION_COUNT),
                        move(region(3), A, B, Concern.TABLE_SKEW),
                        move(region(4), A, B, Concern.READS)),
                GROUP,
                TRIGGERS,
                UNEVEN,
                LOADED,
                T0);
        steering.plannedByStock(region(5), TABLE, A, B, T0);
        assertThat(steering.movesLeft(budget(5), T0)).isEqualTo(Map.of(TABLE, 4));

        steering.sentBy("ann", List.of(new Errand(region(6), TABLE, A, B)), T0);
        assertThat(steering.movesLeft(budget(5), T0))
                .as("a person makes moves of a plan for heat")
                .isEqualTo(Map.of(TABLE, 3));
    }

    /** The next run finds all of them where they were. */
    @Test
    void onlyWhatWasTakenIsGivenBack() {
        steering.runStarted(T0);
        steering.planned(
                Steps.plan(
                        move(region(1), A, B, Concern.REPLICAS),
                        move(region(2), A, B, Concern.READS),
                        move(region(3), A, B, Concern.READS)),
                GROUP,
                TRIGGERS,
                UNEVEN,
                LOADED,
                T0);
        steering.plannedByStock(region(5), TABLE, A, B, T0);

        steering.runStarted(T0 + MINUTE);
        steering.assigned(region -> Optional.of(region.equals(region(2)) ? B : A), T0 + MINUTE);
        assertThat(steering.movesLeft(budget(5), T0 + MINUTE)).isEqualTo(Map.of(TABLE, 4));
    }

    /** Whether it had used the budget up is not written down: it may only be too little that is left, and for an hour at most. */
    @Test
    void aMoveThatTheNextMasterFindsNotMadeGivesNothingBack() {
        plan(1, 2, T0);
        Steering next = new Steering(config());
        assertThat(next.restore(steering.encode(T0 + 1), T0 + 1)).isEqualTo(Restored.YES);

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
                    random.nextInt(12), steering.movesLeft(budget(most), now).get(TABLE));
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
        List<RegionId> landed = new ArrayList<>();
        List<RegionId> dropped = new ArrayList<>();
        for (int number = first; number < first + moves; number++) {
            (random.nextInt(5) == 0 ? dropped : landed).add(region(number));
        }
        List<ServerReport> reports = List.of(
                report(B, nowMs + 1_000, landed.toArray(RegionId[]::new)),
                report(A, nowMs + 2 * HOUR, dropped.toArray(RegionId[]::new)));
        steering.observed(reports, Steps.UNKNOWN_HEAT, nowMs + 1_000);
        return landed.stream().map(region -> nowMs).toList();
    }
}
