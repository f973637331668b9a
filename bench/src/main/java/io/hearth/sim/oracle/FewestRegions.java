// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.sim.oracle;

import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.share.FairShares;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.Pin;
import io.hearth.balancer.state.ServerState;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.LoadVector;
import io.hearth.common.model.ServerId;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;

/**
 * How many regions each server has to have at least after a plan: as many as slop says, but for two kinds of servers. One with a
 * region of two thirds of its fair share may have that region alone; where it had too few before the plan, half of a fair share
 * is enough. One that may take no regions may keep as few as it had. What is fair is {@link FairShares#meanWithoutOversized}.
 * Immutable.
 */
final class FewestRegions {

    private static final double LARGE = 2.0 / 3;

    /** The same for a server that had too few before, so that swings fill and empty none. */
    private static final double STILL_LARGE = 0.5;

    /** What sums of the same loads in another order may differ by. */
    private static final double ROUNDING = 1e-9;

    private final ClusterState after;
    private final RegionCountLimits limits;
    private final double[] capacity;
    private final Map<ServerId, Integer> countBefore = new HashMap<>();
    /** What is fair for a server of mean capacity, of each dimension that counts; none where numbers are not Hearth's to even. */
    private final Map<LoadDimension, Double> fair = new EnumMap<>(LoadDimension.class);

    FewestRegions(ClusterState before, ClusterState after, PlanGoals goals, RegionCountLimits limits) {
        this.after = after;
        this.limits = limits;
        capacity = after.capacityByServer();
        for (ServerState server : before.servers()) {
            countBefore.put(server.server(), server.regions().size());
        }
        if (goals.counts().isEvened(after.regionCount(), pinned(after))) {
            findFair(goals);
        }
    }

    private static Map<Pin, Integer> pinned(ClusterState cluster) {
        Map<Pin, Integer> pinned = new EnumMap<>(Pin.class);
        cluster.servers()
                .forEach(server -> server.regions().forEach(region -> pinned.merge(region.pin(), 1, Integer::sum)));
        return pinned;
    }

    private void findFair(PlanGoals goals) {
        double largest = Arrays.stream(capacity).max().orElse(1);
        goals.goalByDimension().forEach((dimension, goal) -> {
            double[] loads = RegionCountLimits.loads(after, dimension).toArray();
            double mean = Arrays.stream(loads).sum() / Math.max(1, capacity.length);
            if (goal.weight() > 0 && mean > 0 && mean >= goal.minMean()) {
                double oversizedAbove = Math.max(1, goal.trigger());
                fair.put(
                        dimension,
                        FairShares.meanWithoutOversized(
                                loads, capacity.length, mean, largest, oversizedAbove, goal.minMean()));
            }
        });
    }

    /** Fewest regions of the server with this index. */
    int of(int server) {
        int bySlop = limits.fewestBySlop(server);
        int before = countBefore.getOrDefault(after.serverId(server), 0);
        double large = before < bySlop ? STILL_LARGE : LARGE;
        if (largestShare(server) >= large - ROUNDING) {
            return Math.min(1, bySlop);
        }
        return after.server(server).mayReceiveRegions() ? bySlop : Math.min(before, bySlop);
    }

    /** The largest load of a region of this server in a dimension that counts, in the server's fair shares. */
    private double largestShare(int server) {
        double largest = after.regionsOf(server).stream()
                .mapToDouble(region -> largestLoad(region.plannedLoad()))
                .max()
                .orElse(0);
        return largest / capacity[server];
    }

    private double largestLoad(LoadVector load) {
        double largest = 0;
        for (Map.Entry<LoadDimension, Double> ofDimension : fair.entrySet()) {
            largest = Math.max(largest, load.get(ofDimension.getKey()) / ofDimension.getValue());
        }
        return largest;
    }
}
