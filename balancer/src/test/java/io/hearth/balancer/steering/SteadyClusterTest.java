package io.hearth.balancer.steering;

import static io.hearth.balancer.steering.Steps.HOUR;
import static io.hearth.balancer.steering.Steps.MINUTE;
import static io.hearth.balancer.steering.Steps.T0;
import static io.hearth.balancer.steering.Steps.config;
import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.steering.FakeCluster.Heat;
import io.hearth.balancer.steering.FakeCluster.Made;
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

    private static final String NEVER_FROZEN = "frozen.ms";

    private static Steering steering(String... keysAndValues) {
        String[] all = Stream.concat(
                        Stream.of(keysAndValues),
                        // The ledger has stories of its own: here it must not end them.
                        Stream.of("ledger.factor", "100"))
                .toArray(String[]::new);
        return new Steering(config(all));
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
        Map<RegionId, Long> last = new HashMap<>();
        long shortest = Long.MAX_VALUE;
        for (Made each : made) {
            Long before = last.put(each.move().region(), each.atMs());
            shortest = before == null ? shortest : Math.min(shortest, each.atMs() - before);
        }
        return shortest;
    }

    private static long mostMovesOfOneRegion(List<Made> made) {
        Map<RegionId, Long> moves = new HashMap<>();
        made.forEach(each -> moves.merge(each.move().region(), 1L, Long::sum));
        return moves.values().stream().mapToLong(Long::longValue).max().orElse(0);
    }

    @Test
    void constantLoadMovesNothingOnceItIsEven() {
        FakeCluster cluster = new FakeCluster(5, 20, skewed(20), steering(), 1.05).run(12 * HOUR);

        assertThat(cluster.maxOverMeanAt(T0)).isLessThan(1.05);
        assertThat(cluster.made).isNotEmpty();
        assertThat(cluster.made.stream().filter(each -> each.atMs() >= T0 + HOUR))
                .isEmpty();
        assertThat(mostMovesOfOneRegion(cluster.made)).isEqualTo(1);
    }

    @Test
    void aSineOfAFifthMovesARegionAtMostOnceInEachCoolDown() {
        FakeCluster cluster = new FakeCluster(5, 20, sine(0.2, HOUR), steering(NEVER_FROZEN, "0"), 1.0).run(6 * HOUR);
        FakeCluster without = new FakeCluster(
                        5, 20, sine(0.2, HOUR), steering(NEVER_FROZEN, "0", "cool.down.ms", "0"), 1.0)
                .run(6 * HOUR);

        assertThat(shortestRestMs(cluster.made)).isGreaterThan(15 * MINUTE);
        assertThat(shortestRestMs(without.made)).as("without the rule").isLessThan(15 * MINUTE);
    }

    @Test
    void loadThatSwingsWideMovesARegionToAndFroOnceAndThenFreezesIt() {
        Heat swing = (region, now) -> (now - T0) / (40 * MINUTE) % 2 == region / 10 ? 200 : 100;
        FakeCluster cluster = new FakeCluster(2, 10, swing, steering(), 1.1).run(6 * HOUR);
        FakeCluster without = new FakeCluster(2, 10, swing, steering(NEVER_FROZEN, "0"), 1.1).run(6 * HOUR);

        assertThat(mostMovesOfOneRegion(cluster.made)).isEqualTo(2);
        assertThat(mostMovesOfOneRegion(without.made)).as("without the rule").isGreaterThan(4);
    }

    @Test
    void aBalancerWhosePromisesAreNotKeptIsStopped() {
        // Heat that flees: it is always where the regions of the last plan went.
        Heat random = (region, now) -> new Random(region * 31L + now / (10 * MINUTE)).nextInt(400);
        Steering steering = new Steering(config());
        FakeCluster cluster = new FakeCluster(5, 4, random, steering, 1.05).run(6 * HOUR);

        assertThat(steering.adviseOnly()).isPresent();
        assertThat(cluster.made.get(cluster.made.size() - 1).atMs()).isLessThan(T0 + HOUR);
    }
}
