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
import io.hearth.balancer.plan.PlannedMove;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
