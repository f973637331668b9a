package io.hearth.balancer.search;

import io.hearth.balancer.load.LoadDimension;
import io.hearth.balancer.plan.Concern;
import io.hearth.balancer.plan.DimensionGoal;
import io.hearth.balancer.plan.Plan;
import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.snapshot.ClusterSnapshot;
import java.util.List;

/** One run of the {@link DirectedPlanner}: its scratch, and its phases one after the other. Not thread-safe; used once. */
final class PlanSearch {

    /** How often hot spots that were given up are looked at again, while the others still move. */
    private static final int PASSES = 3;

    private static final LoadDimension[] DIMENSION = LoadDimension.values();

    private final Workbench bench;
    private final PlanIndex index;
    private final Rankings rankings;
    private final PlanDraft draft;

    PlanSearch(ClusterSnapshot snapshot, PlanGoals goals) {
        bench = new Workbench(snapshot, goals);
        index = bench.index;
        rankings = bench.rankings;
        draft = bench.draft;
    }

    Plan run() {
        PlanReport report = new PlanReport(bench);
        boolean heatIsUneven = isAboveTrigger(true);
        Repairs repairs = new Repairs(bench);
        boolean isRepairing = repairs.areNeeded();
        if (isRepairing) {
            repairs.make();
        }
        if (heatIsUneven) {
            evenHeat();
            new Pruner(bench).prune();
        }
        if (heatIsUneven || isRepairing) {
            new LateMoves(bench).make();
        }
        return report.plan(isAboveTrigger(false) ? new Refusals(bench).all() : List.of());
    }

    /**
     * Whether a server is above the trigger of a dimension; {@code withHope}: by what can be moved, and not because of one
     * region or of what is pinned there.
     */
    private boolean isAboveTrigger(boolean withHope) {
        for (int dimension = 0; dimension < PlanIndex.DIMENSIONS; dimension++) {
            DimensionGoal goal = index.goals.goalByDimension().get(DIMENSION[dimension]);
            for (int server = 0; goal != null && index.counts(dimension) && server < index.servers; server++) {
                double bar = withHope ? rankings.bar(server, dimension) : goal.target();
                if (bench.simulation.shares.share(server, dimension) > bar + goal.trigger() - goal.target()) {
                    return true;
                }
            }
        }
        return false;
    }

    private void evenHeat() {
        int before;
        int pass = 0;
        do {
            before = draft.steps().size();
            coolHotSpots();
            rankings.reopen();
        } while (draft.steps().size() > before && ++pass < PASSES && draft.hasRoomFor(1));
    }

    private void coolHotSpots() {
        int dimension = rankings.hottestDimension();
        while (dimension >= 0 && draft.hasRoomFor(1)) {
            int server = rankings.hottestServer(dimension);
            if (!cool(server, dimension)) {
                rankings.giveUp(server, dimension);
            }
            dimension = rankings.hottestDimension();
        }
    }

    private boolean cool(int server, int dimension) {
        Aim aim = bench.aims.cool(dimension);
        bench.targets.list(server, dimension);
        return takeIfWorth(bench.finder.from(server, aim), 1, dimension)
                || takeIfWorth(bench.swaps.from(server, dimension, aim), 2, dimension);
    }

    private boolean takeIfWorth(Choice choice, int moves, int dimension) {
        boolean isWorth = bench.isWorth(choice, moves);
        if (isWorth) {
            draft.take(choice, Concern.of(DIMENSION[dimension]));
        }
        return isWorth;
    }
}
