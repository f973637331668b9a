// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.plan.PlanGoals.DimensionGoal;
import io.hearth.balancer.plan.PlanGoals.RegionCountGoal;
import io.hearth.balancer.share.FairShares;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.Pin;
import io.hearth.balancer.state.RegionState;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.LoadVector;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * A snapshot as flat arrays: regions by index, in the snapshot's order, so that the regions of a server are neighbours. Loads
 * are in multiples of what is fair for a server of mean capacity: the mean, without what of single regions no move can
 * spread ({@link FairShares#meanWithoutOversized}). Not changed once made; shared by the searches on one snapshot.
 */
final class PlanIndex {

    static final int DIMENSIONS = LoadDimension.values().length;

    private static final LoadDimension[] DIMENSION = LoadDimension.values();

    final PlanGoals goals;
    final ClusterState snapshot;
    final int servers;
    final int regions;
    /** The first region of each server; one more at the end. */
    final int[] firstRegion;
    /** The server of each region in the snapshot. */
    final int[] initialServer;

    final RegionState[] state;
    /** Whether each region may be moved: asked more often than all else of a region's state. */
    final boolean[] isFree;
    /** {@code load[region * DIMENSIONS + dimension]}, in multiples of what is fair for a mean server. */
    final double[] load;
    /** {@code share[server * DIMENSIONS + dimension]} in the snapshot. */
    final double[] share;
    /** In multiples of the mean. */
    final double[] capacity;

    private final FairShares shares;

    final boolean[] mayTake;
    /** The weight of each dimension that counts, 0 of the others. */
    final double[] weight;

    /** The dimension with the largest weight of those that count; the first one where none does. */
    int heaviest;

    final double[] target;
    /** Half way between target and trigger: what is done for other things than heat takes no server beyond. */
    final double[] middle;

    PlanIndex(ClusterState snapshot, PlanGoals goals) {
        this.snapshot = snapshot;
        this.goals = goals;
        servers = snapshot.servers().size();
        regions = snapshot.regionCount();
        firstRegion = new int[servers + 1];
        initialServer = new int[regions];
        state = new RegionState[regions];
        isFree = new boolean[regions];
        load = new double[regions * DIMENSIONS];
        capacity = snapshot.capacityByServer();
        mayTake = new boolean[servers];
        weight = new double[DIMENSIONS];
        target = new double[DIMENSIONS];
        middle = new double[DIMENSIONS];
        readServers();
        shares = new FairShares(readRegions(), capacity, this::fair);
        share = shares.byServer();
        for (int index = 0; index < load.length; index++) {
            load[index] = shares.of(load[index], DIMENSION[index % DIMENSIONS]);
        }
        readGoals();
    }

    private PlanIndex(PlanIndex of, PlanGoals goals) {
        this.goals = goals;
        snapshot = of.snapshot;
        servers = of.servers;
        regions = of.regions;
        firstRegion = of.firstRegion;
        initialServer = of.initialServer;
        state = of.state;
        isFree = of.isFree;
        load = of.load;
        share = of.share;
        capacity = of.capacity;
        shares = of.shares;
        mayTake = of.mayTake;
        weight = of.weight;
        heaviest = of.heaviest;
        target = of.target;
        middle = of.middle;
    }

    /** The same snapshot with another goal for numbers of regions; the arrays are shared. */
    PlanIndex withCounts(RegionCountGoal counts) {
        return new PlanIndex(this, goals.withCounts(counts));
    }

    private void readServers() {
        for (int server = 0; server < servers; server++) {
            mayTake[server] = snapshot.server(server).mayReceiveRegions();
        }
    }

    /** The load of each server, {@code [server * DIMENSIONS + dimension]}, in the dimensions' units. */
    private double[] readRegions() {
        double[] loadByServer = new double[servers * DIMENSIONS];
        int region = 0;
        for (int server = 0; server < servers; server++) {
            firstRegion[server] = region;
            List<RegionState> ofServer = snapshot.regionsOf(server);
            for (int index = 0; index < ofServer.size(); index++) {
                state[region] = ofServer.get(index);
                initialServer[region] = server;
                isFree[region] = state[region].isFree();
                LoadVector ofRegion = state[region].plannedLoad();
                for (int dimension = 0; dimension < DIMENSIONS; dimension++) {
                    double value = ofRegion.get(DIMENSION[dimension]);
                    load[region * DIMENSIONS + dimension] = value;
                    loadByServer[server * DIMENSIONS + dimension] += value;
                }
                region++;
            }
        }
        firstRegion[servers] = region;
        return loadByServer;
    }

    private double fair(LoadDimension of, double mean) {
        DimensionGoal goal = goals.goalByDimension().get(of);
        if (goal == null) {
            return mean;
        }
        double[] loads = new double[regions];
        for (int region = 0; region < regions; region++) {
            loads[region] = isOneRegion(region) ? load(region, of.ordinal()) : 0;
        }
        double largest = Arrays.stream(capacity).max().orElse(1);
        return FairShares.meanWithoutOversized(
                loads, servers, mean, largest, Math.max(1, goal.trigger()), goal.minMean());
    }

    /** By table, all that a server has of other tables stands for many regions; what is one of them is not known. */
    private boolean isOneRegion(int region) {
        return state[region].isCounted();
    }

    /** A share in multiples of the mean, as an operator sees it. */
    double overMean(double ofFair, int dimension) {
        return shares.overMean(ofFair, DIMENSION[dimension]);
    }

    private void readGoals() {
        for (int dimension = 0; dimension < DIMENSIONS; dimension++) {
            DimensionGoal goal = goals.goalByDimension().get(DIMENSION[dimension]);
            target[dimension] = goal == null ? Double.POSITIVE_INFINITY : goal.target();
            middle[dimension] = goal == null ? Double.POSITIVE_INFINITY : (goal.target() + goal.trigger()) / 2;
            double mean = shares.mean(DIMENSION[dimension]);
            if (goal != null && mean > 0 && mean >= goal.minMean()) {
                weight[dimension] = goal.weight();
                heaviest = weight[dimension] > weight[heaviest] ? dimension : heaviest;
            }
        }
    }

    /** How many regions may not be moved, by why. */
    Map<Pin, Integer> pinned() {
        int[] count = new int[Pin.values().length];
        for (int region = 0; region < regions; region++) {
            count[state[region].pin().ordinal()]++;
        }
        Map<Pin, Integer> pinned = new EnumMap<>(Pin.class);
        for (Pin pin : Pin.values()) {
            if (pin != Pin.FREE && count[pin.ordinal()] > 0) {
                pinned.put(pin, count[pin.ordinal()]);
            }
        }
        return pinned;
    }

    /** How many regions this server has in the snapshot. */
    int regionsOn(int server) {
        return firstRegion[server + 1] - firstRegion[server];
    }

    /** The load of a region, in multiples of what is fair for a mean server. */
    double load(int region, int dimension) {
        return load[region * DIMENSIONS + dimension];
    }

    /** Whether heat of this dimension counts in the plan. */
    boolean counts(int dimension) {
        return weight[dimension] > 0;
    }
}
