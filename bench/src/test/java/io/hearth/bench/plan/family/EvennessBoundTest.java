// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.plan.family;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.plan.PlanGoals.DimensionGoal;
import io.hearth.balancer.plan.PlanGoals.RegionCountGoal;
import io.hearth.balancer.state.ClusterState;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.LoadVector;
import io.hearth.sim.oracle.RegionCountLimits;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class EvennessBoundTest {

    private static double reads(HandMadeCluster cluster) {
        return EvennessBound.of(cluster.state(), HandMadeCluster.READS).getOrDefault(LoadDimension.READS, 0.0);
    }

    @Test
    void evenLoadHasNoBoundAboveOne() {
        assertThat(reads(new HandMadeCluster().server("a", 2, 2).server("b", 2, 2)))
                .isEqualTo(1);
    }

    @Test
    void theHottestRegionHasTheColdestBesideIt() {
        // Two regions on average, so with a slop of 0.2 each server has one at least, and three at most.
        assertThat(reads(new HandMadeCluster().server("a", 9, 1).server("b", 1, 1)))
                .isCloseTo(9 / 6.0, within(1e-9));
        // Five on average: four at least, where a large region changes nothing of it.
        PlanGoals countsOfStock = HandMadeCluster.READS.withCounts(new RegionCountGoal(500, 0.2, 1, 0.01));
        ClusterState five = new HandMadeCluster()
                .server("a", 9, 1, 1, 1, 1)
                .server("b", 1, 1, 1, 1, 3)
                .state();
        assertThat(EvennessBound.of(five, countsOfStock).getOrDefault(LoadDimension.READS, 0.0))
                .isCloseTo(12 / 10.0, within(1e-9));
        assertThat(EvennessBound.of(five, HandMadeCluster.READS).getOrDefault(LoadDimension.READS, 0.0))
                .isEqualTo(1);
    }

    @Test
    void someServerHasTwoOfThreeLargeRegions() {
        assertThat(reads(new HandMadeCluster().server("a", 4, 4, 4).server("b", 1, 1, 1)))
                .isCloseTo(8 / 7.5, within(1e-9));
    }

    /** How many regions the first of two servers has at least. */
    private static int leastOfFirst(HandMadeCluster cluster) {
        RegionCountLimits limits = RegionCountLimits.of(cluster.state(), RegionCountGoal.DEFAULT);
        return Math.max(limits.fewest(0), cluster.state().regionCount() - limits.most(1));
    }

    @Test
    void smallServersHaveToHaveTheirNumberOfRegions() {
        // All regions alike, and a third of the capacity.
        HandMadeCluster cluster =
                new HandMadeCluster().server("a", "/r", 1, 1, 1, 1, 1, 1).server("b", "/r", 2, 1, 1, 1, 1, 1);

        assertThat(reads(cluster)).isCloseTo(Math.max(1, leastOfFirst(cluster) / (10 / 3.0)), within(1e-9));
    }

    @Test
    void whatIsColdInOneDimensionMayNotBeSoInTheOther() {
        // Four of ten regions have all the bytes, the others all the reads.
        HandMadeCluster cluster = new HandMadeCluster().server("a", "/r", 1).server("b", "/r", 2);
        for (int region = 0; region < 10; region++) {
            boolean isRead = region < 6;
            cluster.region(
                    "x" + region,
                    "x" + region,
                    LoadVector.ofReads(isRead ? 1 : 0).withStoreBytes(isRead ? 0 : 1));
        }
        PlanGoals both = PlanGoals.of(Map.of(
                LoadDimension.READS, new DimensionGoal(200, 1.0, 1.0, 0),
                LoadDimension.STORE_SIZE, new DimensionGoal(35, 1.0, 1.0, 0)));
        Map<LoadDimension, Double> bound = EvennessBound.of(cluster.state(), both);

        // The first may have two of the six that are read; what else it has to have is large. Of these 4/3 are fair.
        double large = Math.max(0, leastOfFirst(cluster) - 2);
        assertThat(bound.getOrDefault(LoadDimension.READS, 0.0)).isEqualTo(1);
        assertThat(bound.getOrDefault(LoadDimension.STORE_SIZE, 0.0))
                .isCloseTo(Math.max(1, large / (4 / 3.0)), within(1e-6));
    }

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 60);
    }

    /** Three servers of several capacities, six to eight regions, every assignment tried. */
    @ParameterizedTest
    @MethodSource("seeds")
    void noAssignmentIsBelowTheBound(long seed) {
        Random random = new Random(seed);
        double[] capacity = random.doubles(3, 0.5, 2).toArray();
        double[] load = new double[6 + random.nextInt(3)];
        for (int region = 0; region < load.length; region++) {
            load[region] = Math.exp(random.nextGaussian());
        }
        HandMadeCluster cluster = new HandMadeCluster();
        for (int server = 0; server < 3; server++) {
            cluster.server("s" + server, "/r", capacity[server]);
            for (int region = server; region < load.length; region += 3) {
                cluster.region("x" + region, "x" + region, LoadVector.ofReads(load[region]));
            }
        }

        double bound = reads(cluster);
        double least = least(load, capacity, RegionCountLimits.of(cluster.state(), RegionCountGoal.DEFAULT));
        assertThat(bound).as("seed %d", seed).isLessThanOrEqualTo(least + 1e-9).isGreaterThan(least * 0.6);
    }

    private static double least(double[] load, double[] capacity, RegionCountLimits limits) {
        double least = Double.POSITIVE_INFINITY;
        for (int assignment = 0; assignment < Math.pow(3, load.length); assignment++) {
            double[] loads = new double[3];
            int[] counts = new int[3];
            double total = 0;
            int rest = assignment;
            for (double ofRegion : load) {
                loads[rest % 3] += ofRegion;
                counts[rest % 3]++;
                total += ofRegion;
                rest /= 3;
            }
            double most = 1;
            boolean isAllowed = true;
            for (int server = 0; server < 3; server++) {
                double fair = total * capacity[server] / (capacity[0] + capacity[1] + capacity[2]);
                most = Math.max(most, loads[server] / fair);
                isAllowed &= counts[server] >= limits.fewest(server) && counts[server] <= limits.most(server);
            }
            least = isAllowed ? Math.min(least, most) : least;
        }
        return least;
    }
}
