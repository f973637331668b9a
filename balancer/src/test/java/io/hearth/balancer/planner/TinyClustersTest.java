// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.plan.Plan;
import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.plan.PlanGoals.DimensionGoal;
import io.hearth.balancer.plan.PlanGoals.MoveCosts;
import io.hearth.balancer.plan.PlanGoals.PlanLimits;
import io.hearth.balancer.plan.PlanGoals.RegionCountGoal;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.RegionState;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.ServerId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Clusters so small that every assignment can be tried: what is claimed of any plan, held against the best of all. */
class TinyClustersTest {

    private static final PlanGoals GOALS = PlanGoals.of(
                    Map.of(LoadDimension.READS, new DimensionGoal(200, 1.02, 1.01, 0)))
            .withCounts(RegionCountGoal.DEFAULT.withSlop(-1))
            .withMoveCosts(MoveCosts.NONE)
            .withLimits(new PlanLimits(Integer.MAX_VALUE, Map.of(), 0, PlanLimits.DEFAULT.minHotspotReduction(), 0));

    private static final int CLUSTERS = 400;

    /** Healthy: 1.009 times the optimum on average, 1.25 at worst; broken (the worst move, not the best): 1.034, 1.69. */
    @Test
    void plansAreNearTheOptimumAndTheBoundsHold() {
        double sum = 0;
        double worst = 0;
        for (long seed = 1; seed <= CLUSTERS; seed++) {
            Tiny tiny = new Tiny(seed);
            ClusterState snapshot = tiny.snapshot();
            Plan plan = new DirectedPlanner().plan(snapshot, GOALS);
            double after = plan.outcome(LoadDimension.READS).maxOverMeanAfter();
            double optimum = tiny.leastMax();
            Supplier<String> print = RandomClusters.print(seed, snapshot);
            assertThat(plan.outcome(LoadDimension.READS).lowerBound()).as(print).isLessThanOrEqualTo(optimum + 1e-9);
            sum += after / optimum;
            worst = Math.max(worst, after / optimum);
        }
        assertThat(sum / CLUSTERS).isLessThan(1.02);
        assertThat(worst).isLessThan(1.4);
    }

    /** Two or three servers, one to six regions; every assignment is a number in the base of the servers. */
    private static final class Tiny {

        private final int servers;
        private final int regions;
        private final double[] load;
        private final int[] initialServer;
        private double total;

        Tiny(long seed) {
            Random random = new Random(seed);
            servers = 2 + random.nextInt(2);
            regions = 1 + random.nextInt(6);
            load = random.doubles(regions, 1, 100).toArray();
            initialServer = random.ints(regions, 0, servers).toArray();
            for (double ofRegion : load) {
                total += ofRegion;
            }
        }

        ClusterState snapshot() {
            Map<ServerId, List<RegionState>> byServer = new HashMap<>();
            for (int server = 0; server < servers; server++) {
                byServer.put(RandomClusters.server(server), new ArrayList<>());
            }
            for (int region = 0; region < regions; region++) {
                byServer.get(RandomClusters.server(initialServer[region]))
                        .add(RandomClusters.region(region, load[region], 0, 0));
            }
            return ClusterState.of(byServer);
        }

        double leastMax() {
            double least = Double.POSITIVE_INFINITY;
            for (int assignment = 0; assignment < Math.pow(servers, regions); assignment++) {
                least = Math.min(least, maxOverMean(assignment));
            }
            return least;
        }

        private double maxOverMean(int assignment) {
            double[] loads = new double[servers];
            int rest = assignment;
            for (int region = 0; region < regions; region++) {
                loads[rest % servers] += load[region];
                rest /= servers;
            }
            double max = 0;
            for (double ofServer : loads) {
                max = Math.max(max, ofServer);
            }
            return Math.max(1, max * servers / total);
        }
    }
}
