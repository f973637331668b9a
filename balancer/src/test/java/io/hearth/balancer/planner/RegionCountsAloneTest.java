// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import static io.hearth.balancer.planner.RandomClusters.region;
import static io.hearth.balancer.planner.RandomClusters.server;
import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.plan.Objective;
import io.hearth.balancer.plan.Plan;
import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.plan.PlanGoals.DimensionGoal;
import io.hearth.balancer.plan.PlanGoals.RegionCountGoal;
import io.hearth.balancer.plan.PlannedMove;
import io.hearth.balancer.share.RegionCountSkew;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.RegionState;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.ServerId;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Heat that needs no move, and numbers of regions for which the stock search would begin its walk. */
class RegionCountsAloneTest {

    private static final PlanGoals GOALS =
            PlanGoals.of(Map.of(LoadDimension.READS, new DimensionGoal(200, 1.10, 1.03, 1)));
    private static final RegionCountGoal COUNTS = GOALS.counts();

    private final DirectedPlanner planner = new DirectedPlanner();

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 50L * Integer.getInteger("hearth.test.repetitions", 1));
    }

    @Test
    void elevenToNineOnFiveServersAreEvenedByTwoMovesWhereStockMakesTwenty() {
        Plan plan = planner.plan(cluster(100, 11, 11, 11, 9, 9), GOALS);

        assertThat(plan.moves()).hasSize(2).allSatisfy(move -> assertThat(move.because())
                .isEqualTo(Objective.REGION_COUNT));
        assertThat(plan.moves()).extracting(PlannedMove::to).containsExactlyInAnyOrder(server(3), server(4));
    }

    @Test
    void numbersBelowTheirTriggerStay() {
        assertThat(planner.plan(cluster(100, 11, 11, 10, 10, 9), GOALS).moves()).isEmpty();
    }

    @Test
    void aTriggerOfOneLeavesThemToTheStockBalancer() {
        PlanGoals left = GOALS.withCounts(new RegionCountGoal(COUNTS.weight(), COUNTS.slop(), 1, COUNTS.target()));

        assertThat(planner.plan(cluster(100, 11, 11, 11, 9, 9), left).moves()).isEmpty();
    }

    @Test
    void aServerIsNotMadeHotForTheSakeOfNumbers() {
        Map<ServerId, List<RegionState>> cluster = regions(100, 11, 11, 11, 9, 9);
        for (int index : new int[] {3, 4}) {
            // As hot as the others with more regions: one more would be too much.
            cluster.put(server(index), regionsFrom(1_000 * index, 9, 122));
        }

        Plan plan = planner.plan(ClusterState.of(cluster), GOALS);

        assertThat(plan.moves()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void asFewMovesAsTheFullestGiveTheEmptiest(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int mean = 5 + random.nextInt(40);
        int[] counts = random.ints(3 + random.nextInt(28), (int) (mean * 0.85), (int) (mean * 1.15) + 1)
                .toArray();
        String print = "seed " + seed + ", regions by server " + Arrays.toString(counts);

        Plan plan = planner.plan(cluster(0, counts), GOALS);

        int needed = 0;
        int[] even = counts.clone();
        boolean isCalledFor = RegionCountSkew.imbalance(even) > COUNTS.trigger();
        while (isCalledFor && RegionCountSkew.imbalance(even) > COUNTS.target()) {
            Arrays.sort(even);
            even[0]++;
            even[even.length - 1]--;
            needed++;
        }
        assertThat(plan.moves()).as(print).hasSize(needed);
        for (PlannedMove move : plan.moves()) {
            counts[index(move.from())]--;
            counts[index(move.to())]++;
        }
        assertThat(RegionCountSkew.imbalance(counts))
                .as(print)
                .isLessThanOrEqualTo(isCalledFor ? COUNTS.target() : COUNTS.trigger());
    }

    private static ClusterState cluster(double reads, int... counts) {
        return ClusterState.of(regions(reads, counts));
    }

    private static Map<ServerId, List<RegionState>> regions(double reads, int... counts) {
        Map<ServerId, List<RegionState>> cluster = new HashMap<>();
        int first = 0;
        for (int index = 0; index < counts.length; index++) {
            cluster.put(server(index), regionsFrom(first, counts[index], reads));
            first += counts[index];
        }
        return cluster;
    }

    private static List<RegionState> regionsFrom(int first, int count, double reads) {
        return IntStream.range(first, first + count)
                .mapToObj(index -> region(index, reads, 0, 1e9))
                .toList();
    }

    private static int index(ServerId server) {
        return Integer.parseInt(server.host().replaceAll("\\D", ""));
    }
}
