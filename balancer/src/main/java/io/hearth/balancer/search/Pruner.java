package io.hearth.balancer.search;

import io.hearth.balancer.cost.ServerShares;
import io.hearth.balancer.plan.Concern;
import java.util.List;

/**
 * Drops the moves for heat that the plan can do without. Two rules, in this order: (1) from the last to the first, a move is
 * dropped where its source stays at or below its bar with the region: later moves made it needless. (2) The knee: from the
 * end, a choice is dropped while it gained less than a small share of what a choice of the plan gains on average. What is
 * left are the chosen moves in the order in which they were chosen. Scratch; not thread-safe.
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

    void prune() {
        dropNeedless();
        cutAtKnee();
    }

    private void dropNeedless() {
        for (int position = draft.steps().size() - 1; position >= 0; position--) {
            PlanDraft.Step step = draft.steps().get(position);
            if (isForHeat(step) && mayGoBack(step.region()) && staysBelowBar(step.region())) {
                draft.drop(position);
            }
        }
    }

    private void cutAtKnee() {
        double least = index.goals.limits().knee() * averageGain();
        List<PlanDraft.Step> steps = draft.steps();
        boolean goesOn = true;
        while (goesOn && !steps.isEmpty()) {
            PlanDraft.Step last = steps.get(steps.size() - 1);
            goesOn = isForHeat(last)
                    && last.net() < least
                    && mayGoBack(last.region())
                    && (last.with() == Choice.NONE || mayGoBack(last.with()));
            if (goesOn) {
                draft.drop(steps.size() - 1);
                if (last.with() != Choice.NONE) {
                    draft.drop(steps.size() - 1);
                }
            }
        }
    }

    private double averageGain() {
        double sum = 0;
        int count = 0;
        for (PlanDraft.Step step : draft.steps()) {
            if (isForHeat(step)) {
                sum += step.net();
                count++;
            }
        }
        return count == 0 ? 0 : sum / count;
    }

    private static boolean isForHeat(PlanDraft.Step step) {
        return step.move().because().compareTo(Concern.REGION_COUNT) < 0;
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
