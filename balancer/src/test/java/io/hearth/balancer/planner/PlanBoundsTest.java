// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.plan.PlanGoals.DimensionGoal;
import io.hearth.balancer.plan.PlanGoals.RegionCountGoal;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.Pin;
import io.hearth.balancer.state.RegionState;
import io.hearth.balancer.state.ServerState;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.ServerId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** What no plan can beat, held against every plan there is, on clusters so small that all can be tried. */
class PlanBoundsTest {

    private static final int READS = LoadDimension.READS.ordinal();
    private static final int CLUSTERS = 1_500;

    /** Healthy: 0.993 of the least moves on average; with the hottest movable regions alone, as a bound: 0.86. */
    @Test
    void noPlanBeatsThem() {
        int claimed = 0;
        int needed = 0;
        for (long seed = 1; seed <= CLUSTERS; seed++) {
            Tiny tiny = new Tiny(seed);
            ClusterState snapshot = tiny.snapshot();
            SearchContext context = new SearchContext(snapshot, tiny.goals());
            PlanBounds bounds = new PlanBounds(context.simulation);
            Supplier<String> print = RandomClusters.print(seed, snapshot);
            assertThat(context.index.overMean(bounds.lowerBound(READS), READS))
                    .as(print)
                    .isLessThanOrEqualTo(Math.max(1, tiny.leastMaxOverMean() * tiny.fairOverMean) + 1e-9);
            int[] assignment = tiny.randomAssignment();
            tiny.apply(assignment, context.simulation);
            int least = tiny.leastMovesToBeAsEvenAs(assignment);
            int bound = bounds.leastMoves(READS);
            assertThat(bound)
                    .as(() -> print.get() + " " + Arrays.toString(assignment))
                    .isLessThanOrEqualTo(least);
            claimed += bound;
            needed += least;
        }
        assertThat((double) claimed / needed).isBetween(0.98, 1.0);
    }

    /** Two to four servers, at most seven regions of very different loads, some pinned. */
    private static final class Tiny {

        private final Random random;
        private final int servers;
        private final double[] capacity;
        private final double[] load;
        private final boolean[] pinned;
        private final int[] initialServer;
        private final double slop;
        /** What is fair for a mean server over the mean: of the hottest region no more than a fair share counts. */
        private final double fairOverMean;
        /** What is fair for a server of capacity 1. */
        private final double fair;

        private final double largestCapacity;
        private final List<Assignment> allowed = new ArrayList<>();

        /** Where each region is, and the largest shares that come of it: {@link #maxShare}. */
        private record Assignment(int[] serverOf, double maxWithOversized, double maxOfOthers) {}

        Tiny(long seed) {
            random = new Random(seed);
            servers = 2 + random.nextInt(3);
            int regions = servers + random.nextInt(8 - servers);
            capacity = random.doubles(servers, 1, random.nextBoolean() ? 1.0001 : 2)
                    .toArray();
            load = random.ints(regions, 0, 3)
                    .mapToDouble(kind -> Math.exp(kind * 1.5 + random.nextGaussian()))
                    .toArray();
            initialServer = random.ints(regions, 0, servers).toArray();
            pinned = new boolean[regions];
            for (int region = 0; region < regions; region++) {
                pinned[region] = random.nextInt(10) == 0;
            }
            slop = random.nextBoolean() ? 0.5 : 5;
            largestCapacity = Arrays.stream(capacity).max().orElseThrow();
            fairOverMean = fairOverMean();
            fair = fairOverMean
                    * Arrays.stream(load).sum()
                    / Arrays.stream(capacity).sum();
            list(new int[regions], 0);
        }

        private void list(int[] assignment, int region) {
            if (region == load.length) {
                if (fewestRegions(assignment) >= Math.floor((double) load.length / servers * (1 - slop))) {
                    allowed.add(of(assignment.clone()));
                }
                return;
            }
            for (int server = 0; server < servers; server++) {
                if (!pinned[region] || server == initialServer[region]) {
                    assignment[region] = server;
                    list(assignment, region + 1);
                }
            }
        }

        private int fewestRegions(int[] assignment) {
            int[] count = new int[servers];
            for (int server : assignment) {
                count[server]++;
            }
            int fewest = load.length;
            for (int ofServer : count) {
                fewest = Math.min(fewest, ofServer);
            }
            return fewest;
        }

        private Assignment of(int[] serverOf) {
            return new Assignment(serverOf, maxShare(serverOf, true), maxShare(serverOf, false));
        }

        PlanGoals goals() {
            return PlanGoals.of(Map.of(LoadDimension.READS, new DimensionGoal(200, 1.02, 1.01, 0)))
                    .withCounts(RegionCountGoal.DEFAULT.withSlop(slop));
        }

        ClusterState snapshot() {
            Map<ServerId, List<RegionState>> byServer = new HashMap<>();
            Map<ServerId, ServerState> states = new HashMap<>();
            for (int server = 0; server < servers; server++) {
                ServerId id = RandomClusters.server(server);
                byServer.put(id, new ArrayList<>());
                states.put(id, new ServerState(id, ServerState.UNKNOWN_RACK, capacity[server]));
            }
            for (int region = 0; region < load.length; region++) {
                byServer.get(RandomClusters.server(initialServer[region])).add(state(region));
            }
            return ClusterState.of(byServer, states);
        }

        private RegionState state(int region) {
            RegionState free = RandomClusters.region(region, load[region], 0, 0);
            Pin pin = pinned[region] ? Pin.COOL_DOWN : Pin.FREE;
            return new RegionState(free.region(), free.table(), free.plannedLoad(), pin);
        }

        int[] randomAssignment() {
            return allowed.isEmpty() ? initialServer : allowed.get(random.nextInt(allowed.size())).serverOf;
        }

        void apply(int[] assignment, PlanSimulation simulation) {
            Map<EncodedRegionName, Integer> to = new HashMap<>();
            for (int region = 0; region < load.length; region++) {
                to.put(state(region).region(), assignment[region]);
            }
            for (int region = 0; region < simulation.index.regions; region++) {
                int target = to.get(simulation.index.state[region].region());
                if (simulation.serverOf[region] != target) {
                    simulation.move(region, target);
                }
            }
        }

        double leastMaxOverMean() {
            return allowed.stream()
                    .mapToDouble(assignment -> Math.max(assignment.maxWithOversized, assignment.maxOfOthers))
                    .min()
                    .orElse(Double.POSITIVE_INFINITY);
        }

        int leastMovesToBeAsEvenAs(int[] reached) {
            Assignment goal = of(reached);
            double most = Math.max(goal.maxWithOversized, goal.maxOfOthers);
            return allowed.stream()
                    .filter(assignment -> assignment.maxWithOversized <= most + 1e-9)
                    .filter(assignment -> assignment.maxOfOthers <= goal.maxOfOthers + 1e-9)
                    .mapToInt(assignment -> moves(assignment.serverOf))
                    .min()
                    .orElse(load.length);
        }

        private int moves(int[] assignment) {
            int moves = 0;
            for (int region = 0; region < load.length; region++) {
                moves += assignment[region] == initialServer[region] ? 0 : 1;
            }
            return moves;
        }

        private double fairOverMean() {
            double mean = Arrays.stream(load).sum() / servers;
            double largest = largestCapacity * servers / Arrays.stream(capacity).sum();
            double hottest = Arrays.stream(load).max().orElseThrow();
            boolean isOversized = hottest > 1.02 * mean * largest && servers > largest;
            double left = (mean * servers - hottest) / (servers - largest);
            return isOversized ? Math.max(0.001, Math.min(1, left / mean)) : 1;
        }

        /** Of the servers that have a region above a fair share of the largest server, or of the others; at least 1. */
        private double maxShare(int[] assignment, boolean ofOversized) {
            double largest = largestCapacity * fair;
            double max = 1;
            for (int server = 0; server < servers; server++) {
                double sum = 0;
                boolean hasOversized = false;
                for (int region = 0; region < load.length; region++) {
                    boolean here = assignment[region] == server;
                    sum += here ? load[region] : 0;
                    hasOversized |= here && load[region] > largest;
                }
                max = hasOversized == ofOversized ? Math.max(max, sum / (fair * capacity[server])) : max;
            }
            return max;
        }
    }
}
