// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.plan.PlanGoals.DimensionGoal;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.RegionState;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The costs of a cluster written down as their definitions say, every sum anew: the oracle of the incremental ones. The mean
 * of a dimension and the goals are those of the snapshot, which moves do not change.
 */
final class NaiveCosts {

    private final ClusterState cluster;
    private final PlanGoals goals;
    private final List<List<RegionState>> regionsByServer = new ArrayList<>();

    NaiveCosts(ClusterState cluster, PlanGoals goals) {
        this.cluster = cluster;
        this.goals = goals;
        for (int server = 0; server < cluster.servers().size(); server++) {
            regionsByServer.add(new ArrayList<>(cluster.regionsOf(server)));
        }
    }

    void move(RegionState region, int from, int to) {
        assertRemoved(regionsByServer.get(from).remove(region));
        regionsByServer.get(to).add(region);
    }

    void move(RegionState region, ServerId from, ServerId to) {
        move(region, cluster.serverIds().indexOf(from), cluster.serverIds().indexOf(to));
    }

    private static void assertRemoved(boolean removed) {
        if (!removed) {
            throw new AssertionError("The region is not where the plan takes it from.");
        }
    }

    /** The load of each server over its part of all load, by capacity. */
    private double[] shares(LoadDimension dimension) {
        double total = 0;
        double capacities = 0;
        double[] shares = new double[regionsByServer.size()];
        for (int server = 0; server < shares.length; server++) {
            capacities += cluster.server(server).capacity();
            for (RegionState region : regionsByServer.get(server)) {
                total += region.plannedLoad().get(dimension);
                shares[server] += region.plannedLoad().get(dimension);
            }
        }
        for (int server = 0; server < shares.length; server++) {
            double fair = total * cluster.server(server).capacity() / capacities;
            shares[server] = total > 0 ? shares[server] / fair : 1;
        }
        return shares;
    }

    /** What is fair for a mean server over the mean: one oversized region after the other, the hottest first, counts as one fair share. */
    private double fairOverMean(LoadDimension dimension) {
        DimensionGoal goal = goals.goalByDimension().get(dimension);
        double mean = mean(dimension);
        if (goal == null || mean == 0) {
            return 1;
        }
        double[] hottestFirst = regionsByServer.stream()
                .flatMap(List::stream)
                .filter(RegionState::isCounted)
                .mapToDouble(region -> -region.plannedLoad().get(dimension))
                .sorted()
                .map(load -> -load)
                .toArray();
        double[] capacity = cluster.capacityByServer();
        double largest = Arrays.stream(capacity).max().orElse(1);
        double left = mean * capacity.length;
        double servers = capacity.length;
        double fair = mean;
        double floor = Math.max(Math.min(mean, goal.minMean()), mean / 1e3);
        for (int oversizedAbove = 0;
                oversizedAbove < hottestFirst.length && oversizedAbove < Math.max(1, capacity.length / 10);
                oversizedAbove++) {
            double load = hottestFirst[oversizedAbove];
            if (load <= Math.max(1, goal.trigger()) * fair * largest || servers <= largest) {
                break;
            }
            left -= load;
            servers -= largest;
            fair = Math.max(floor, Math.min(fair, left / servers));
        }
        return fair / mean;
    }

    double maxOverMean(LoadDimension dimension) {
        return Arrays.stream(shares(dimension)).reduce(1, Math::max);
    }

    /** The weighted unevenness of heat, as {@code ServerShares} defines it. */
    double unevenness() {
        double capacities = 0;
        for (int server = 0; server < regionsByServer.size(); server++) {
            capacities += cluster.server(server).capacity();
        }
        double sum = 0;
        for (Map.Entry<LoadDimension, DimensionGoal> goal : new EnumMap<>(goals.goalByDimension()).entrySet()) {
            if (mean(goal.getKey()) < goal.getValue().minMean() || mean(goal.getKey()) == 0) {
                continue;
            }
            double[] shares = shares(goal.getKey());
            double fair = fairOverMean(goal.getKey());
            for (int server = 0; server < shares.length; server++) {
                double share = shares[server] / fair;
                double capacity = cluster.server(server).capacity() * regionsByServer.size() / capacities;
                double over = Math.max(0, share - goal.getValue().target());
                sum += goal.getValue().weight() * capacity * (over + 0.3 * (share - 1) * (share - 1));
            }
        }
        return sum;
    }

    private double mean(LoadDimension dimension) {
        double total = 0;
        for (List<RegionState> regions : regionsByServer) {
            for (RegionState region : regions) {
                total += region.plannedLoad().get(dimension);
            }
        }
        return total / regionsByServer.size();
    }

    /** The unevenness of tables, as {@code TableIndex} defines it. */
    double tableUnevenness() {
        Map<TableId, int[]> countsByTable = new HashMap<>();
        for (int server = 0; server < regionsByServer.size(); server++) {
            for (RegionState region : regionsByServer.get(server)) {
                countsByTable.computeIfAbsent(region.table(), any -> new int[regionsByServer.size()])[server]++;
            }
        }
        double[] capacity = cluster.capacityByServer();
        double sum = 0;
        for (int[] counts : countsByTable.values()) {
            double regions = 0;
            for (int count : counts) {
                regions += count;
            }
            double mean = regions / counts.length;
            for (int server = 0; server < counts.length; server++) {
                double fair = mean * capacity[server];
                double most = Math.max(1, Math.ceil(fair * (1 + goals.tables().slop()) - 1e-9));
                double over = Math.max(0, counts[server] - most) / Math.max(1, mean);
                sum += goals.tables().weight() * regions / cluster.regionCount() * over * over;
            }
        }
        return sum;
    }

    int[] counts() {
        return regionsByServer.stream()
                .mapToInt(regions ->
                        (int) regions.stream().filter(RegionState::isCounted).count())
                .toArray();
    }

    /** Between whole numbers as near to what is fair by capacity as can be, found one region at a time, and all on the smallest server. */
    double countImbalance() {
        int[] counts = counts();
        int total = Arrays.stream(counts).sum();
        double[] fair = Arrays.stream(cluster.capacityByServer())
                .map(capacity -> capacity * total / counts.length)
                .toArray();
        int[] even = new int[counts.length];
        int[] onSmallest = new int[counts.length];
        int smallest = 0;
        for (int server = 0; server < counts.length; server++) {
            smallest = fair[server] < fair[smallest] ? server : smallest;
        }
        onSmallest[smallest] = total;
        for (int region = 0; region < total; region++) {
            int fewest = 0;
            for (int server = 0; server < counts.length; server++) {
                fewest = even[server] - fair[server] < even[fewest] - fair[fewest] ? server : fewest;
            }
            even[fewest]++;
        }
        double least = distance(even, fair);
        double most = distance(onSmallest, fair);
        return most > least ? Math.max(0, (distance(counts, fair) - least) / (most - least)) : 0;
    }

    private static double distance(int[] counts, double[] fair) {
        double squares = 0;
        for (int server = 0; server < counts.length; server++) {
            squares += Math.pow(counts[server] - fair[server], 2);
        }
        return Math.sqrt(squares);
    }
}
