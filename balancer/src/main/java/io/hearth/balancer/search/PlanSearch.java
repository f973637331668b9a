package io.hearth.balancer.search;

import io.hearth.balancer.load.LoadDimension;
import io.hearth.balancer.plan.Concern;
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
    private final Rankings rankings;
    private final PlanDraft draft;
    /** Whether evenness is all that counts, and the cluster so small that every exchange can be tried. */
    private final boolean mayTryAll;

    PlanSearch(ClusterSnapshot snapshot, PlanGoals goals, int variation) {
        bench = new Workbench(snapshot, goals, variation);
        rankings = bench.rankings;
        draft = bench.draft;
        mayTryAll = goals.movesAreFree() && snapshot.regionCount() <= DirectedPlanner.FEW_REGIONS;
    }

    Plan run() {
        PlanReport report = new PlanReport(bench);
        Alarms alarms = new Alarms(bench);
        Repairs repairs = new Repairs(bench);
        if (repairs.areNeeded()) {
            repairs.make();
        }
        if (alarms.callForAPlan()) {
            evenHeat();
            trim(alarms);
        }
        if (!draft.steps().isEmpty()) {
            new LateMoves(bench).make();
        }
        return report.plan(alarms.callForAnExplanation() ? new Refusals(bench).all() : List.of());
    }

    private void trim(Alarms alarms) {
        Pruner pruner = new Pruner(bench);
        pruner.dropNeedless();
        new HottestFirst(bench).order();
        pruner.cutAtKnee();
        if (!alarms.areHelped()) {
            draft.takeBackHeat();
        }
    }

    private void evenHeat() {
        int before;
        int pass = 0;
        do {
            before = draft.steps().size();
            coolHotSpots();
            rankings.reopen();
        } while (draft.steps().size() > before && ++pass < PASSES);
    }

    private void coolHotSpots() {
        int dimension = rankings.hottestDimension();
        while (dimension >= 0) {
            int server = rankings.hottestServer(dimension);
            if (!cool(server, dimension)) {
                rankings.giveUp(server, dimension);
            }
            dimension = rankings.hottestDimension();
        }
    }

    private boolean cool(int server, int dimension) {
        Aim aim = bench.aims.cool(dimension);
        double relief = bench.aims.leastRelief(server, dimension);
        bench.targets.list(server, dimension, bench.giants.ofLargestOn(server, dimension));
        // In exchange for the coldest only where one region leaves room for little else: elsewhere that stirs up too
        // much.
        boolean mayTakeColdest = rankings.hasAlmostAGiant(server, dimension);
        return takeIfWorth(bench.finder.from(server, aim), 1, dimension)
                || (mayTakeColdest
                        && bench.simulation.hasFewest(server)
                        && takeIfWorth(bench.swaps.withColdest(server, dimension, relief, aim), 2, dimension))
                || takeIfWorth(bench.swaps.from(server, dimension, relief, aim), 2, dimension)
                || (mayTakeColdest
                        && takeIfWorth(bench.swaps.withColdest(server, dimension, relief, aim), 2, dimension))
                || (mayTryAll && takeIfWorth(bench.swaps.withAny(server, dimension, 0, aim), 2, dimension));
    }

    private boolean takeIfWorth(Choice choice, int moves, int dimension) {
        boolean isWorth = bench.isWorth(choice, moves);
        if (isWorth) {
            draft.take(choice, Concern.of(DIMENSION[dimension]));
        }
        return isWorth;
    }
}
