package io.hearth.balancer.search;

import io.hearth.balancer.load.LoadDimension;
import io.hearth.balancer.plan.Concern;
import io.hearth.balancer.plan.Plan;
import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.snapshot.ClusterSnapshot;
import java.util.List;

/**
 * One run of the {@link DirectedPlanner}: its scratch, its phases one after the other, and what they found. The plan itself, with its
 * bounds and explanations, is only made when it is asked for. Not thread-safe; used once.
 */
final class PlanSearch {

    /** How often hot spots that were given up are looked at again, while the others still move. */
    private static final int PASSES = 3;

    /** So many moves may be chosen however few the plan may hold. */
    private static final int MOST_OF_ANY = 2_500;

    /** How many moves are chosen, at most, for each that the plan may hold. */
    private static final int CHOSEN_FOR_KEPT = 2;

    /** What sums of the same loads in another order may differ by. */
    private static final double ROUNDING = 1e-9;

    private static final LoadDimension[] DIMENSION = LoadDimension.values();

    private final Workbench bench;
    private final Rankings rankings;
    private final PlanDraft draft;
    private final PlanReport report;
    private final Alarms alarms;
    /** Whether evenness is all that counts, and the cluster so small that every exchange can be tried. */
    private final boolean mayTryAll;

    private PlanSearch(Workbench bench) {
        this.bench = bench;
        rankings = bench.rankings;
        draft = bench.draft;
        report = new PlanReport(bench);
        alarms = new Alarms(bench);
        mayTryAll = bench.index.goals.movesAreFree() && bench.index.regions <= DirectedPlanner.FEW_REGIONS;
    }

    /** Searches a plan for this snapshot. */
    static PlanSearch of(ClusterSnapshot snapshot, PlanGoals goals, Deadline deadline) {
        return new PlanSearch(new Workbench(snapshot, goals, deadline)).search();
    }

    /** Searches the same plan with hot spots that are much alike in another order. */
    PlanSearch again(int variation) {
        return new PlanSearch(bench.again(variation)).search();
    }

    private PlanSearch search() {
        Repairs repairs = new Repairs(bench);
        if (repairs.areNeeded()) {
            repairs.make();
        }
        if (alarms.callForAPlan()) {
            evenHeat();
            trim();
        }
        LateMoves lateMoves = new LateMoves(bench);
        if (!draft.steps().isEmpty() || lateMoves.areNeeded()) {
            lateMoves.make();
        }
        return this;
    }

    /** What was found. */
    Plan plan() {
        return report.plan(alarms.callForAnExplanation() ? new Refusals(bench).all() : List.of());
    }

    /** How many moves were looked at. */
    long looks() {
        return bench.finder.looks();
    }

    /** Whether the search ended because its time was up. */
    boolean wasCutShort() {
        return bench.deadline.isOver();
    }

    /** Whether fewer moves are not known to be too few. */
    boolean canBeCheaper() {
        return draft.steps().size() > report.leastMoves();
    }

    /** Whether this has fewer moves than that, which cost no more, and is as even where it matters. */
    boolean isBetter(PlanSearch than) {
        return draft.steps().size() < than.draft.steps().size() && draft.cost() <= than.draft.cost() && isAsEven(than);
    }

    private boolean isAsEven(PlanSearch as) {
        boolean isAsEven = true;
        for (int dimension = 0; dimension < PlanIndex.DIMENSIONS; dimension++) {
            double enough = Math.max(bench.index.target[dimension], as.bench.simulation.shares.maxOverMean(dimension));
            isAsEven &= bench.simulation.shares.maxOverMean(dimension) <= enough + ROUNDING;
        }
        return isAsEven;
    }

    private void trim() {
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
        while (dimension >= 0 && mayChooseMore()) {
            int server = rankings.hottestServer(dimension);
            if (!cool(server, dimension)) {
                rankings.giveUp(server, dimension);
            }
            dimension = rankings.hottestDimension();
        }
    }

    /** More are chosen than the plan may hold, for the best of them to be kept; but not many times as many. */
    private boolean mayChooseMore() {
        long most = Math.max(
                MOST_OF_ANY, CHOSEN_FOR_KEPT * (long) bench.index.goals.limits().maxMoves());
        return draft.steps().size() < most && !bench.deadline.isOver();
    }

    private boolean cool(int server, int dimension) {
        Aim aim = bench.aims.cool(server, dimension);
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
