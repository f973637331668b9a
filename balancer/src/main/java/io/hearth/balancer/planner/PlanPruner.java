// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import io.hearth.balancer.share.ServerShares;
import java.util.List;

/**
 * Drops moves for heat that the plan can do without. Needless: from the last to the first, a move whose source stays at or
 * below its threshold with the region, because of later moves. Beyond diminishing returns: from the end, a choice that gained less than a small
 * share of what a choice of the plan gains on average, and without which its server is at its threshold all the same, or next to it.
 * Scratch; not thread-safe.
 */
final class PlanPruner {

    private final PlanIndex index;
    private final PlanSimulation simulation;
    private final ServerRankings rankings;
    private final PartialPlan partialPlan;

    PlanPruner(SearchContext context) {
        index = context.index;
        simulation = context.simulation;
        rankings = context.rankings;
        partialPlan = context.partialPlan;
    }

    /** Drops what later moves made needless. */
    void dropNeedless() {
        for (int position = partialPlan.steps().size() - 1; position >= 0; position--) {
            PartialPlan.Step step = partialPlan.steps().get(position);
            if (step.isForHeat() && mayGoBack(step.region()) && staysBelowThreshold(step.region())) {
                partialPlan.drop(position);
            }
        }
    }

    /** Drops the last moves while they gain next to nothing, and no server is left above its threshold for want of them. */
    void cutLowMarginalGain() {
        double least = index.goals.limits().minMarginalGainRatio() * averageGain();
        List<PartialPlan.Step> steps = partialPlan.steps();
        boolean goesOn = true;
        while (goesOn && !steps.isEmpty()) {
            PartialPlan.Step last = steps.get(steps.size() - 1);
            goesOn = last.isForHeat()
                    && last.net() < least
                    && mayGoBack(last.region())
                    && (!last.isSwap() || mayGoBack(last.with()))
                    && staysNextToThreshold(last.region(), last.with())
                    && (!last.isSwap() || staysNextToThreshold(last.with(), last.region()));
            if (goesOn) {
                partialPlan.drop(steps.size() - 1);
                if (last.isSwap()) {
                    partialPlan.drop(partialPlan.positionOf(last.with()));
                }
            }
        }
    }

    private double averageGain() {
        double sum = 0;
        int count = 0;
        for (PartialPlan.Step step : partialPlan.steps()) {
            if (step.isForHeat()) {
                sum += step.net();
                count++;
            }
        }
        return count == 0 ? 0 : sum / count;
    }

    /** Whether no hard rule stands against this region going back. */
    private boolean mayGoBack(int region) {
        int back = index.initialServer[region];
        return simulation.keepsSlop(region, simulation.serverOf[region], back)
                && !simulation.replicas.sharesHost(region, back, simulation.serverOf)
                && !simulation.replicas.sharesRack(region, back, simulation.serverOf);
    }

    /**
     * Whether the server of this region in the snapshot is next to its threshold with it, in each dimension in which it would be hotter.
     *
     * @param other the region that would leave the server for it; {@link BestCandidate#NONE} where none does
     */
    private boolean staysNextToThreshold(int region, int other) {
        int back = index.initialServer[region];
        for (int dimension = 0; dimension < PlanIndex.DIMENSIONS; dimension++) {
            double leaves = other == BestCandidate.NONE ? 0 : index.load(other, dimension);
            double more = index.load(region, dimension) - leaves;
            if (index.counts(dimension)
                    && more > 0
                    && !rankings.isNextToThreshold(
                            back, dimension, simulation.shares.shareWith(back, dimension, more))) {
                return false;
            }
        }
        return true;
    }

    private boolean staysBelowThreshold(int region) {
        ServerShares shares = simulation.shares;
        int back = index.initialServer[region];
        for (int dimension = 0; dimension < PlanIndex.DIMENSIONS; dimension++) {
            if (index.counts(dimension)
                    && shares.shareWith(back, dimension, index.load(region, dimension))
                            > rankings.threshold(back, dimension)) {
                return false;
            }
        }
        return true;
    }
}
