// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.sim.oracle;

import io.hearth.balancer.plan.PlanGoals.RegionCountGoal;
import io.hearth.balancer.state.ClusterState;
import io.hearth.common.model.LoadDimension;
import java.util.Arrays;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * How many regions each server may have: what is fair for its capacity with slop, rounded away from it; or one at least, where a
 * region is so large that its server may have few others. Immutable.
 *
 * @param fair number of regions by server index
 * @param areAnyLarge whether there is such a region: which server has it in the end is not asked
 */
public record RegionCountLimits(double[] fair, boolean areAnyLarge, RegionCountGoal goal) {

    private static final double LARGE = 2.0 / 3;

    public static RegionCountLimits of(ClusterState cluster, RegionCountGoal goal) {
        double[] capacities = cluster.capacityByServer();
        double mean = (double) cluster.regionCount() / Math.max(1, capacities.length);
        double least = LARGE * Arrays.stream(capacities).min().orElse(1);
        boolean areAnyLarge = Arrays.stream(LoadDimension.values())
                .anyMatch(dimension -> largest(cluster, dimension) >= least * mean(cluster, dimension));
        return new RegionCountLimits(
                Arrays.stream(capacities).map(capacity -> mean * capacity).toArray(),
                // Else they are the stock balancer's to even.
                areAnyLarge && goal.trigger() < 1,
                goal);
    }

    /** The load of each region in this dimension. */
    static DoubleStream loads(ClusterState cluster, LoadDimension dimension) {
        return cluster.servers().stream()
                .flatMap(server -> server.regions().stream())
                .mapToDouble(region -> region.plannedLoad().get(dimension));
    }

    private static double largest(ClusterState cluster, LoadDimension dimension) {
        return loads(cluster, dimension).max().orElse(0);
    }

    private static double mean(ClusterState cluster, LoadDimension dimension) {
        double sum = loads(cluster, dimension).sum();
        return sum > 0 ? sum / cluster.servers().size() : Double.POSITIVE_INFINITY;
    }

    /** Fewest regions of the server with this index by slop alone. */
    public int fewestBySlop(int server) {
        return goal.matters() ? (int) Math.floor(fair[server] * (1 - goal.slop())) : 0;
    }

    /** Fewest regions of the server with this index, if it may be the server of a large region. */
    public int fewest(int server) {
        return areAnyLarge ? Math.min(1, fewestBySlop(server)) : fewestBySlop(server);
    }

    /** Most regions of the server with this index. */
    public int most(int server) {
        return goal.matters() ? (int) Math.ceil(fair[server] * (1 + goal.slop())) : Integer.MAX_VALUE;
    }

    /** Fewest regions of the server that needs fewest. */
    public int fewestOfAny() {
        return IntStream.range(0, fair.length).map(this::fewest).min().orElse(0);
    }
}
