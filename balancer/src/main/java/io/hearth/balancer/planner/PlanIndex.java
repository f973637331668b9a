// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import io.hearth.balancer.cost.FairShare;
import io.hearth.balancer.plan.DimensionGoal;
import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.RegionState;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.LoadVector;
import java.util.Arrays;
import java.util.List;

/**
 * A snapshot as flat arrays: regions by index, in the snapshot's order, so that the regions of a server are neighbours. Loads
 * are in multiples of what is fair for a server of mean capacity: the mean, without what of single regions no move can
 * spread ({@link FairShare}). Not changed once made; private to one search.
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
    /** {@code load[region * DIMENSIONS + dimension]}, in multiples of what is fair for a mean server. */
    final double[] load;
    /** {@code share[server * DIMENSIONS + dimension]} in the snapshot. */
    final double[] share;
    /** In multiples of the mean. */
    final double[] capacity;

    /** What is fair over the mean, for each dimension: 1 where no region is far above a fair share. */
    final double[] fairOverMean = new double[DIMENSIONS];

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
        load = new double[regions * DIMENSIONS];
        share = new double[servers * DIMENSIONS];
        capacity = snapshot.capacityByServer();
        mayTake = new boolean[servers];
        weight = new double[DIMENSIONS];
        target = new double[DIMENSIONS];
        middle = new double[DIMENSIONS];
        readServers();
        readRegions();
        double[] mean = means();
        scale(mean);
        readGoals(mean);
    }

    private void readServers() {
        for (int server = 0; server < servers; server++) {
            mayTake[server] = snapshot.server(server).mayReceiveRegions();
        }
    }

    private void readRegions() {
        int region = 0;
        for (int server = 0; server < servers; server++) {
            firstRegion[server] = region;
            List<RegionState> ofServer = snapshot.regionsOf(server);
            for (int index = 0; index < ofServer.size(); index++) {
                state[region] = ofServer.get(index);
                initialServer[region] = server;
                LoadVector ofRegion = state[region].plannedLoad();
                for (int dimension = 0; dimension < DIMENSIONS; dimension++) {
                    double value = ofRegion.get(DIMENSION[dimension]);
                    load[region * DIMENSIONS + dimension] = value;
                    share[server * DIMENSIONS + dimension] += value;
                }
                region++;
            }
        }
        firstRegion[servers] = region;
    }

    /** The mean load of a server, in each dimension's unit. */
    private double[] means() {
        double[] mean = new double[DIMENSIONS];
        for (int index = 0; index < share.length; index++) {
            mean[index % DIMENSIONS] += share[index] / servers;
        }
        return mean;
    }

    /** Turns loads into multiples of what is fair. */
    private void scale(double[] mean) {
        double[] fair = new double[DIMENSIONS];
        for (int dimension = 0; dimension < DIMENSIONS; dimension++) {
            fair[dimension] = mean[dimension] > 0 ? fair(dimension, mean[dimension]) : 0;
            fairOverMean[dimension] = mean[dimension] > 0 ? fair[dimension] / mean[dimension] : 1;
        }
        for (int index = 0; index < share.length; index++) {
            double ofDimension = fair[index % DIMENSIONS];
            share[index] = ofDimension > 0 ? share[index] / ofDimension / capacity[index / DIMENSIONS] : 1;
        }
        for (int index = 0; index < load.length; index++) {
            double ofDimension = fair[index % DIMENSIONS];
            load[index] = ofDimension > 0 ? load[index] / ofDimension : 0;
        }
    }

    private double fair(int dimension, double mean) {
        DimensionGoal goal = goals.goalByDimension().get(DIMENSION[dimension]);
        if (goal == null) {
            return mean;
        }
        double[] loads = new double[regions];
        for (int region = 0; region < regions; region++) {
            loads[region] = isOneRegion(region) ? load(region, dimension) : 0;
        }
        double largest = Arrays.stream(capacity).max().orElse(1);
        return FairShare.of(loads, servers, mean, largest, Math.max(1, goal.trigger()), goal.minMean());
    }

    /** By table, all that a server has of other tables stands for many regions; what is one of them is not known. */
    private boolean isOneRegion(int region) {
        return state[region].isCounted();
    }

    /** A share in multiples of the mean, as an operator sees it. */
    double overMean(double ofFair, int dimension) {
        return Math.max(1, ofFair * fairOverMean[dimension]);
    }

    private void readGoals(double[] mean) {
        for (int dimension = 0; dimension < DIMENSIONS; dimension++) {
            DimensionGoal goal = goals.goalByDimension().get(DIMENSION[dimension]);
            target[dimension] = goal == null ? Double.POSITIVE_INFINITY : goal.target();
            middle[dimension] = goal == null ? Double.POSITIVE_INFINITY : (goal.target() + goal.trigger()) / 2;
            if (goal != null && mean[dimension] > 0 && mean[dimension] >= goal.minMean()) {
                weight[dimension] = goal.weight();
                heaviest = weight[dimension] > weight[heaviest] ? dimension : heaviest;
            }
        }
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
