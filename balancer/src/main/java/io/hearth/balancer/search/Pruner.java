package io.hearth.balancer.search;

import io.hearth.balancer.cost.ServerShares;
import java.util.List;

/**
 * Drops moves for heat that the plan can do without. Needless: from the last to the first, a move whose source stays at or
 * below its bar with the region, because of later moves. Beyond the knee: from the end, a choice that gained less than a small
 * share of what a choice of the plan gains on average. Scratch; not thread-safe.
 */
final class Pruner {

    private final PlanIndex index;
    private final PlanSimulation simulation;
    private final Rankings rankings;
    private final PlanDraft draft;

    Pruner(Workbench bench) {
        index = bench.index;
        simulation = bench.simulation;
        rankings = bench.rankings;
        draft = bench.draft;
    }

    /** Drops what later moves made needless. */
    void dropNeedless() {
        for (int position = draft.steps().size() - 1; position >= 0; position--) {
            PlanDraft.Step step = draft.steps().get(position);
            if (step.isForHeat() && mayGoBack(step.region()) && staysBelowBar(step.region())) {
                draft.drop(position);
            }
        }
    }

    /** Drops the last moves while they gain next to nothing. */
    void cutAtKnee() {
        double least = index.goals.limits().knee() * averageGain();
        List<PlanDraft.Step> steps = draft.steps();
        boolean goesOn = true;
        while (goesOn && !steps.isEmpty()) {
            PlanDraft.Step last = steps.get(steps.size() - 1);
            goesOn = last.isForHeat()
                    && last.net() < least
                    && mayGoBack(last.region())
                    && (!last.isSwap() || mayGoBack(last.with()));
            if (goesOn) {
                draft.drop(steps.size() - 1);
                if (last.isSwap()) {
                    draft.drop(steps.size() - 1);
                }
            }
        }
    }

    private double averageGain() {
        double sum = 0;
        int count = 0;
        for (PlanDraft.Step step : draft.steps()) {
            if (step.isForHeat()) {
                sum += step.net();
                count++;
            }
        }
        return count == 0 ? 0 : sum / count;
    }

    /** Whether no hard rule stands against this region going back. */
    private boolean mayGoBack(int region) {
        int back = index.home[region];
        return simulation.keepsSlop(region, simulation.serverOf[region], back)
                && !simulation.replicas.sharesHost(region, back, simulation.serverOf)
                && !simulation.replicas.sharesRack(region, back, simulation.serverOf);
    }

    private boolean staysBelowBar(int region) {
        ServerShares shares = simulation.shares;
        int back = index.home[region];
        for (int dimension = 0; dimension < PlanIndex.DIMENSIONS; dimension++) {
            if (index.counts(dimension)
                    && shares.shareWith(back, dimension, index.load(region, dimension))
                            > rankings.bar(back, dimension)) {
                return false;
            }
        }
        return true;
    }
}
