// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import io.hearth.balancer.plan.Objective;
import io.hearth.balancer.plan.PlannedMove.MoveScore;
import io.hearth.balancer.share.ServerShares;
import io.hearth.common.model.LoadDimension;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a move gains and costs on the simulated cluster as it is: the fall of heat's unevenness and of table skew, what
 * happens to region counts, less bytes to heal, cold cache and unavailability. Scratch of one search; not thread-safe.
 *
 * <p>While heat is evened, a region more than the count goal wants costs no more than moving one back afterwards. Once heat
 * is even, counts have their full weight: {@code weight (count / mean - 1)^2} for each server.
 */
final class MoveScorer {

    private static final LoadDimension[] DIMENSION = LoadDimension.values();

    private final PlanIndex index;
    private final PlanSimulation simulation;
    private final ServerShares shares;
    private final LocalityCostIndex heal;
    private final double freeDistance;
    private boolean countsHaveFullWeight;

    MoveScorer(PlanSimulation simulation, LocalityCostIndex heal) {
        this.simulation = simulation;
        this.heal = heal;
        index = simulation.index;
        shares = simulation.shares;
        // Where every server is as far as this from the mean, stock's measure is just at the goal.
        double mean = simulation.meanCount();
        freeDistance = Math.max(0.5, index.goals.counts().target() * mean * Math.sqrt(index.servers));
    }

    /** From now on region counts have their full weight, or the price of a move. */
    void giveCountsFullWeight(boolean full) {
        countsHaveFullWeight = full;
    }

    /** By how much heat becomes more even when this server no longer has this region. */
    double giveHeat(int region, int from) {
        double gain = 0;
        for (int dimension = 0; dimension < PlanIndex.DIMENSIONS; dimension++) {
            if (index.counts(dimension)) {
                gain += shares.gain(from, dimension, -index.load(region, dimension));
            }
        }
        return gain;
    }

    /** By how much heat becomes more even when this server has this region too. */
    double takeHeat(int region, int to) {
        double gain = 0;
        for (int dimension = 0; dimension < PlanIndex.DIMENSIONS; dimension++) {
            if (index.counts(dimension)) {
                gain += shares.gain(to, dimension, index.load(region, dimension));
            }
        }
        return gain;
    }

    /** Everything but heat: counts, tables and costs. */
    double rest(int region, int from, int to) {
        return countGain(region, from, to) + simulation.tables.gain(region, from, to) - cost(region, to);
    }

    /** The whole of it: what is left of the gain when every cost is paid. */
    double net(int region, int from, int to) {
        return giveHeat(region, from) + takeHeat(region, to) + rest(region, from, to);
    }

    /** The same for two regions that change places. */
    double netOfSwap(int given, int taken, int from, int to) {
        return heatOfSwap(given, taken, from, to)
                + simulation.tables.gainOfSwap(given, taken, from, to)
                - cost(given, to)
                - cost(taken, from);
    }

    /** By how much heat becomes more even when two regions change places. */
    double heatOfSwap(int given, int taken, int from, int to) {
        double gain = 0;
        for (int dimension = 0; dimension < PlanIndex.DIMENSIONS; dimension++) {
            if (index.counts(dimension)) {
                double load = index.load(given, dimension) - index.load(taken, dimension);
                gain += shares.gain(from, dimension, -load) + shares.gain(to, dimension, load);
            }
        }
        return gain;
    }

    /**
     * What {@link #heatOfSwap} is at most, whatever region is taken for the one given: in each dimension both servers would be as near
     * to what is fair as such an exchange can bring them.
     *
     * @param mostTaken of the regions that may be taken the largest load in each dimension
     */
    double mostHeatOfSwap(int given, int from, int to, double[] mostTaken) {
        double most = 0;
        for (int dimension = 0; dimension < PlanIndex.DIMENSIONS; dimension++) {
            if (index.counts(dimension)) {
                double hi = index.load(given, dimension);
                double lo = hi - mostTaken[dimension];
                double less = (shares.share(from, dimension) - 1) * shares.capacity(from);
                double more = (1 - shares.share(to, dimension)) * shares.capacity(to);
                most += shares.gain(from, dimension, -Math.max(lo, Math.min(hi, less)))
                        + shares.gain(to, dimension, Math.max(lo, Math.min(hi, more)));
            }
        }
        return most;
    }

    /** What {@link #netOfSwap} gains at most by bytes that become local. */
    double mostSavedBySwap() {
        return 2 * heal.mostSaved();
    }

    /** What the same exchanges gain at most by tables that become less crowded. */
    double mostOfTables(int given, int from, int to) {
        return simulation.tables.isAnyCrowded(to)
                ? Double.POSITIVE_INFINITY
                : Math.max(0, simulation.tables.gain(given, from, to));
    }

    double cost(int region, int to) {
        return heal.healCost(region, to) + heal.costAnywhere(region);
    }

    /** What {@link #cost} of this region is at least, wherever it goes. */
    double leastCost(int region) {
        return heal.leastHealCost(region) + heal.costAnywhere(region);
    }

    /** What {@link #cost} of this region is on a host that has nothing of it. */
    double costWithoutBytes(int region) {
        return heal.healCostWithoutBytes(region) + heal.costAnywhere(region);
    }

    /** What {@link #cost} of any region is at least, wherever it goes. */
    double leastCost() {
        return heal.leastCost();
    }

    double countGain(int region, int from, int to) {
        return simulation.isCounted(region) ? countGain(from, to) : 0;
    }

    /** What the move of any region that is counted gains in numbers of regions. */
    double countGain(int from, int to) {
        if (!index.goals.counts().matters()) {
            return 0;
        }
        double above = simulation.countAboveFair(from);
        double other = simulation.countAboveFair(to);
        if (countsHaveFullWeight) {
            double mean = simulation.meanCount();
            return index.goals.counts().weight() * 2 * (above - other - 1) / (mean * mean);
        }
        double nearer = tooFar(above) - tooFar(above - 1) + tooFar(other) - tooFar(other + 1);
        return nearer / 2 * heal.closedCost();
    }

    private double tooFar(double aboveMean) {
        return Math.max(0, Math.abs(aboveMean) - freeDistance);
    }

    /** All parts of what a move gains and costs. */
    MoveScore score(int region, int from, int to) {
        Map<Objective, Double> gains = new TreeMap<>();
        for (int dimension = 0; dimension < PlanIndex.DIMENSIONS; dimension++) {
            if (index.counts(dimension)) {
                double load = index.load(region, dimension);
                double gain = shares.gain(from, dimension, -load) + shares.gain(to, dimension, load);
                gains.put(Objective.of(DIMENSION[dimension]), gain);
            }
        }
        gains.put(Objective.REGION_COUNT, countGain(region, from, to));
        gains.put(Objective.TABLE_SKEW, simulation.tables.gain(region, from, to));
        gains.put(Objective.BYTES_TO_HEAL, -heal.healCost(region, to));
        gains.put(Objective.COLD_CACHE, -heal.cacheCost(region));
        gains.put(Objective.UNAVAILABILITY, -heal.closedCost(region));
        return new MoveScore(gains, heal.bytesToHeal(region, to));
    }
}
