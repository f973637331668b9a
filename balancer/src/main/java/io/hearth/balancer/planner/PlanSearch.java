// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import io.hearth.balancer.plan.Objective;
import io.hearth.balancer.plan.Plan;
import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.plan.PlanGoals.DimensionGoal;
import io.hearth.balancer.plan.UnmovedRegion;
import io.hearth.balancer.planner.MoveFilters.MoveFilter;
import io.hearth.balancer.state.ClusterState;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

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

    private final SearchContext context;
    private final ServerRankings rankings;
    private final PartialPlan partialPlan;
    private final PlanReport report;
    private final TriggerCheck triggered;
    /** Whether evenness is all that counts, and the cluster so small that every exchange can be tried. */
    private final boolean mayTryAll;

    private PlanSearch(SearchContext context) {
        this.context = context;
        rankings = context.rankings;
        partialPlan = context.partialPlan;
        report = new PlanReport(context);
        triggered = new TriggerCheck(context);
        mayTryAll = context.index.goals.movesAreFree() && context.index.regions <= DirectedPlanner.FEW_REGIONS;
    }

    /** Searches a plan for this snapshot. */
    static PlanSearch of(ClusterState snapshot, PlanGoals goals, Deadline deadline) {
        return new PlanSearch(new SearchContext(snapshot, goals, deadline)).search();
    }

    /** Searches the same plan with hot spots that are much alike in another order. */
    PlanSearch again(int variation) {
        return new PlanSearch(context.again(variation)).search();
    }

    private PlanSearch search() {
        ConstraintRepair repairs = new ConstraintRepair(context);
        if (repairs.areNeeded()) {
            repairs.make();
        }
        if (triggered.needPlan()) {
            evenHeat();
            trim();
        }
        SecondaryObjectives secondaryObjectives = new SecondaryObjectives(context);
        if (!partialPlan.steps().isEmpty() || secondaryObjectives.areNeeded()) {
            secondaryObjectives.make();
        }
        return this;
    }

    /** What was found. */
    Plan plan() {
        return report.plan(triggered.needExplanation() ? new UnmovedRegionExplainer(context).all() : List.of());
    }

    /** Why each of these regions stays where it is; nothing is said of one that is moved or not there. */
    List<UnmovedRegion> unmoved(Set<EncodedRegionName> regions) {
        UnmovedRegionExplainer explainer = new UnmovedRegionExplainer(context);
        return IntStream.range(0, context.index.regions)
                .filter(region -> regions.contains(context.index.state[region].region()))
                .filter(region -> context.simulation.serverOf[region] == context.index.initialServer[region])
                .mapToObj(region -> explainer.of(region, triggered.needExplanation()))
                .toList();
    }

    /** How many moves were looked at. */
    long evaluated() {
        return context.moveFinder.evaluated();
    }

    /** Whether the search ended because its time was up. */
    boolean wasCutShort() {
        return context.deadline.isOver();
    }

    /** Whether fewer moves are not known to be too few. */
    boolean canBeCheaper() {
        return partialPlan.steps().size() > report.leastMoves();
    }

    /** Whether this has fewer moves than that, which cost no more, and is as even where it matters. */
    boolean isBetter(PlanSearch than) {
        return partialPlan.steps().size() < than.partialPlan.steps().size()
                && partialPlan.cost() <= than.partialPlan.cost()
                && isAsEven(than);
    }

    private boolean isAsEven(PlanSearch as) {
        boolean isAsEven = true;
        for (int dimension = 0; dimension < PlanIndex.DIMENSIONS; dimension++) {
            double enough =
                    Math.max(context.index.target[dimension], as.context.simulation.shares.maxOverMean(dimension));
            isAsEven &= context.simulation.shares.maxOverMean(dimension) <= enough + ROUNDING;
        }
        return isAsEven;
    }

    private void trim() {
        PlanPruner pruner = new PlanPruner(context);
        pruner.dropNeedless();
        new MoveOrdering(context).order();
        pruner.cutLowMarginalGain();
        if (!triggered.anyImproved()) {
            partialPlan.takeBackHeat();
        }
    }

    private void evenHeat() {
        int before;
        int pass = 0;
        do {
            before = partialPlan.steps().size();
            coolHotSpots();
            rankings.reopen();
        } while (partialPlan.steps().size() > before && ++pass < PASSES);
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
                MOST_OF_ANY,
                CHOSEN_FOR_KEPT * (long) context.index.goals.limits().maxMoves());
        return partialPlan.steps().size() < most && !context.deadline.isOver();
    }

    private boolean cool(int server, int dimension) {
        MoveFilter filter = context.filters.cool(server, dimension);
        double relief = context.filters.minReduction(server, dimension);
        context.destinations.list(server, dimension, context.oversized.ofLargestOn(server, dimension));
        // In exchange for the coldest only where one region leaves room for little else: elsewhere that stirs up too
        // much.
        boolean mayTakeColdest = rankings.hasNearlyOversized(server, dimension);
        return takeIfWorth(context.moveFinder.from(server, filter), 1, dimension)
                || (mayTakeColdest
                        && context.simulation.hasFewest(server)
                        && takeIfWorth(context.swaps.withColdest(server, dimension, relief, filter), 2, dimension))
                || takeIfWorth(context.swaps.from(server, dimension, relief, filter), 2, dimension)
                || (mayTakeColdest
                        && takeIfWorth(context.swaps.withColdest(server, dimension, relief, filter), 2, dimension))
                || (mayTryAll && takeIfWorth(context.swaps.withAny(server, dimension, 0, filter), 2, dimension));
    }

    private boolean takeIfWorth(BestCandidate candidate, int moves, int dimension) {
        boolean isWorth = context.isWorth(candidate, moves);
        if (isWorth) {
            partialPlan.take(candidate, Objective.of(DIMENSION[dimension]));
        }
        return isWorth;
    }

    /**
     * The servers above the trigger of a dimension before the search: what a plan for heat has to help. Where it cools none of
     * them by {@link io.hearth.balancer.plan.PlanGoals.PlanLimits#minHotspotReduction} it is not worth its moves, for the next run would find the
     * same alarm and move again. Not thread-safe.
     */
    private static final class TriggerCheck {

        private static final LoadDimension[] DIMENSION = LoadDimension.values();

        private final SearchContext context;
        private final List<TriggeredServer> triggered = new ArrayList<>();
        private boolean anyUnsolvable;

        private record TriggeredServer(int server, int dimension, double share) {}

        TriggerCheck(SearchContext context) {
            this.context = context;
            for (int dimension = 0; dimension < PlanIndex.DIMENSIONS; dimension++) {
                DimensionGoal goal = context.index.goals.goalByDimension().get(DIMENSION[dimension]);
                if (goal != null && context.index.counts(dimension)) {
                    look(dimension, goal);
                }
            }
        }

        private void look(int dimension, DimensionGoal goal) {
            double leeway = goal.trigger() - goal.target();
            for (int server = 0; server < context.index.servers; server++) {
                double share = context.simulation.shares.share(server, dimension);
                if (share > context.rankings.threshold(server, dimension) + leeway) {
                    triggered.add(new TriggeredServer(server, dimension, share));
                } else if (share > goal.trigger()) {
                    anyUnsolvable = true;
                }
            }
        }

        /** Whether there is a server above its trigger for which something can be done. */
        boolean needPlan() {
            return !triggered.isEmpty();
        }

        /** Whether there is a server above its trigger at all, be it by one region alone or by what is pinned there. */
        boolean needExplanation() {
            return needPlan() || anyUnsolvable;
        }

        /** Whether one of the servers has come down far enough. */
        boolean anyImproved() {
            double minHotspotReduction = context.index.goals.limits().minHotspotReduction();
            for (TriggeredServer triggeredServer : triggered) {
                if (context.simulation.shares.share(triggeredServer.server, triggeredServer.dimension)
                        <= triggeredServer.share - minHotspotReduction) {
                    return true;
                }
            }
            return false;
        }
    }
}
