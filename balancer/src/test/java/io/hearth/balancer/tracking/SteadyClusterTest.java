// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.tracking;

import static io.hearth.balancer.tracking.TrackerSteps.HOUR;
import static io.hearth.balancer.tracking.TrackerSteps.MINUTE;
import static io.hearth.balancer.tracking.TrackerSteps.T0;
import static io.hearth.balancer.tracking.TrackerSteps.config;
import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.tracking.FakeCluster.Heat;
import io.hearth.balancer.tracking.FakeCluster.Made;
import io.hearth.common.model.EncodedRegionName;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Whole stories on simulated time, with a balancer that is too eager. Where a rule is what keeps it steady, the same story
 * without the rule stands beside it, so that a story which proves nothing is noticed.
 */
class SteadyClusterTest {

    private static final String NEVER_FROZEN = "oscillation.freeze.ms";

    private static MoveTracker tracker(String... keysAndValues) {
        String[] all = Stream.concat(
                        Stream.of(keysAndValues),
                        // The ledger has stories of its own: here it must not end them.
                        Stream.of("prediction.tolerance.factor", "100"))
                .toArray(String[]::new);
        return new MoveTracker(config(all));
    }

    /** Heat between 50 and 150 requests/s, with the regions of the first server three times as hot. */
    private static Heat skewed(int regionsPerServer) {
        Random random = new Random(7);
        double[] heat = random.doubles(1_000, 50, 150).toArray();
        return (region, now) -> heat[region] * (region < regionsPerServer ? 3 : 1);
    }

    private static Heat sine(double amplitude, long periodMs) {
        double[] phase = new Random(11).doubles(1_000, 0, 2 * Math.PI).toArray();
        return (region, now) -> 100 * (1 + amplitude * Math.sin(2 * Math.PI * (now - T0) / periodMs + phase[region]));
    }

    /** The shortest time between two moves of one region. */
    private static long shortestRestMs(List<Made> made) {
        Map<EncodedRegionName, Long> last = new HashMap<>();
        long shortest = Long.MAX_VALUE;
        for (Made each : made) {
            Long before = last.put(each.move().region(), each.atMs());
            shortest = before == null ? shortest : Math.min(shortest, each.atMs() - before);
        }
        return shortest;
    }

    private static long mostMovesOfOneRegion(List<Made> made) {
        Map<EncodedRegionName, Long> moves = new HashMap<>();
        made.forEach(each -> moves.merge(each.move().region(), 1L, Long::sum));
        return moves.values().stream().mapToLong(Long::longValue).max().orElse(0);
    }

    @Test
    void constantLoadMovesNothingOnceItIsEven() {
        FakeCluster cluster = new FakeCluster(5, 20, skewed(20), tracker(), 1.05).run(12 * HOUR);

        assertThat(cluster.maxOverMeanAt(T0)).isLessThan(1.05);
        assertThat(cluster.made).isNotEmpty();
        assertThat(cluster.made.stream().filter(each -> each.atMs() >= T0 + HOUR))
                .isEmpty();
        assertThat(mostMovesOfOneRegion(cluster.made)).isEqualTo(1);
    }

    @Test
    void aSineOfAFifthMovesARegionAtMostOnceInEachCoolDown() {
        FakeCluster cluster = new FakeCluster(5, 20, sine(0.2, HOUR), tracker(NEVER_FROZEN, "0"), 1.0).run(6 * HOUR);
        FakeCluster without = new FakeCluster(
                        5, 20, sine(0.2, HOUR), tracker(NEVER_FROZEN, "0", "cool.down.ms", "0"), 1.0)
                .run(6 * HOUR);

        assertThat(shortestRestMs(cluster.made)).isGreaterThan(15 * MINUTE);
        assertThat(shortestRestMs(without.made)).as("without the rule").isLessThan(15 * MINUTE);
    }

    @Test
    void loadThatSwingsWideMovesARegionToAndFroOnceAndThenFreezesIt() {
        Heat swing = (region, now) -> (now - T0) / (40 * MINUTE) % 2 == region / 10 ? 200 : 100;
        FakeCluster cluster = new FakeCluster(2, 10, swing, tracker(), 1.1).run(6 * HOUR);
        FakeCluster without = new FakeCluster(2, 10, swing, tracker(NEVER_FROZEN, "0"), 1.1).run(6 * HOUR);

        assertThat(mostMovesOfOneRegion(cluster.made)).isEqualTo(2);
        assertThat(mostMovesOfOneRegion(without.made)).as("without the rule").isGreaterThan(4);
    }

    /** Every region becomes ten times as hot where a plan takes it, for half an hour. */
    @Test
    void aBalancerWhosePromisesAreNotKeptMakesFewerMovesAndIsNeverStopped() {
        long moves = movesAfterAnHour(fleeing(new MoveTracker(config("oscillation.freeze.ms", "0"))));
        long without = movesAfterAnHour(
                fleeing(new MoveTracker(config("oscillation.freeze.ms", "0", "prediction.tolerance.factor", "100"))));

        assertThat(moves).as("it goes on").isPositive();
        assertThat(moves).as("with the rule, and without").isLessThan(without);
    }

    private static long movesAfterAnHour(FakeCluster cluster) {
        return cluster.made.stream().filter(each -> each.atMs() > T0 + HOUR).count();
    }

    private static FakeCluster fleeing(MoveTracker tracker) {
        double[] heat = new Random(13).doubles(80, 50, 150).toArray();
        Map<Integer, Long> movedAtMs = new HashMap<>();
        Heat fleeing = (region, now) ->
                now < movedAtMs.getOrDefault(region, Long.MIN_VALUE) + 30 * MINUTE ? 10 * heat[region] : heat[region];
        FakeCluster cluster = new FakeCluster(4, 20, fleeing, tracker, 1.05);
        for (int part = 0; part < 72; part++) {
            cluster.run(T0 + part * 5 * MINUTE, T0 + (part + 1) * 5 * MINUTE);
            cluster.made.forEach(
                    each -> movedAtMs.put(cluster.number(each.move().region()), each.atMs()));
        }
        return cluster;
    }
}
