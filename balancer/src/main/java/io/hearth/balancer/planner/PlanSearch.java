// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import io.hearth.balancer.plan.Objective;
import io.hearth.balancer.plan.Plan;
import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.plan.PlanGoals.DimensionGoal;
import io.hearth.balancer.plan.PlanGoals.RegionCountGoal;
import io.hearth.balancer.plan.UnmovedRegion;
import io.hearth.balancer.planner.MoveFilters.MoveFilter;
import io.hearth.balancer.state.ClusterState;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

    /** Whether it goes on where no single step helps. */
    private final boolean isThorough;

    private boolean wasCutShort;

    /** Whether no single step helped, so that another order would find nothing. */
    private boolean isLastResort;

    private PlanSearch(SearchContext context, boolean isThorough) {
        this.context = context;
        this.isThorough = isThorough;
        rankings = context.rankings;
        partialPlan = context.partialPlan;
        report = new PlanReport(context);
        triggered = new TriggerCheck(context);
        mayTryAll = context.index.goals.movesAreFree() && context.index.regions <= DirectedPlanner.FEW_REGIONS;
    }

    /** Searches a plan for this snapshot. */
    static PlanSearch of(ClusterState snapshot, PlanGoals goals, Deadline deadline) {
        return new PlanSearch(new SearchContext(snapshot, goals, deadline), false).search();
    }

    /** The same, and goes on where no single step helps a server above its trigger: for small clusters. */
    static PlanSearch thoroughly(ClusterState snapshot, PlanGoals goals, Deadline deadline) {
        return new PlanSearch(new SearchContext(snapshot, goals, deadline), true).search();
    }

    /** Searches the same plan with hot spots that are much alike in another order. */
    PlanSearch again(int variation) {
        return new PlanSearch(context.again(variation), false).search();
    }

    /**
     * This plan and the one that the next run would make, as one: a region that moves in both moves once.
     *
     * @return empty where that is not more even, or more than one plan may hold
     */
    Optional<PlanSearch> withNext() {
        if (wasCutShort || partialPlan.steps().isEmpty() || !isAnyAboveThreshold()) {
            return Optional.empty();
        }
        PlanSearch next = thoroughly(context.clusterAfter(), context.index.goals, context.deadline);
        wasCutShort = next.wasCutShort;
        if (wasCutShort || next.partialPlan.steps().isEmpty()) {
            return Optional.empty();
        }
        PlanSearch both = new PlanSearch(context.again(0), isThorough);
        return both.joins(this, next) && both.isMoreEven(this) ? Optional.of(both) : Optional.empty();
    }

    /** Makes these two plans, one after the other, one; whether it can be, as a whole. */
    private boolean joins(PlanSearch first, PlanSearch next) {
        repair();
        boolean isWithinBudgets = bringRegions(first.stepByRegion(), next.stepByRegion());
        new PlanPruner(context).dropNeedless();
        int[] serverOf = context.simulation.serverOf.clone();
        new MoveOrdering(context).order();
        wasCutShort = context.deadline.isOver();
        return isWithinBudgets && !wasCutShort && Arrays.equals(serverOf, context.simulation.serverOf);
    }

    /** Looks for fewer moves that do as much, where the next run would find nothing to do: for small clusters, once all else is done. */
    void reduceMoves() {
        if (wasCutShort || !canBeCheaper() || needsNextPlan()) {
            return;
        }
        if (new MoveReduction(context, () -> !needsNextPlan()).reduce(report.leastMoves())) {
            new MoveOrdering(context).order();
            report.planChanged();
        }
        wasCutShort = context.deadline.isOver();
    }

    /** Whether the cluster, as the plan makes it, has a server above its trigger that something can be done for. */
    private boolean needsNextPlan() {
        return new TriggerCheck(context).needPlan();
    }

    private Map<EncodedRegionName, PartialPlan.Step> stepByRegion() {
        Map<EncodedRegionName, PartialPlan.Step> steps = new HashMap<>();
        partialPlan.steps().forEach(step -> steps.put(step.move().region(), step));
        return steps;
    }

    /** Brings every region to where the two plans bring it; whether the budgets of their tables allow it. */
    private boolean bringRegions(
            Map<EncodedRegionName, PartialPlan.Step> first, Map<EncodedRegionName, PartialPlan.Step> next) {
        boolean isWithinBudgets = true;
        for (int region = 0; region < context.index.regions; region++) {
            PartialPlan.Step before = first.get(context.index.state[region].region());
            PartialPlan.Step last = next.getOrDefault(context.index.state[region].region(), before);
            int to = last == null ? context.index.initialServer[region] : last.to();
            if (to == context.simulation.serverOf[region]) {
                continue;
            }
            if (last == null) {
                // A repair that the first plan took back.
                partialPlan.drop(partialPlan.positionOf(region));
            } else if (before == null || before == last) {
                isWithinBudgets &= !last.isForHeat() || context.simulation.tables.hasMovesLeft(region);
                partialPlan.adopt(region, last);
            } else {
                // Moved for heat by either of them, it counts as moved for heat.
                PartialPlan.Step reason = before.isForHeat() ? before : last;
                isWithinBudgets &= !reason.isForHeat() || context.simulation.tables.hasMovesLeft(region);
                partialPlan.relocate(
                        region,
                        to,
                        BestCandidate.NONE,
                        reason.net(),
                        reason.move().because());
            }
        }
        return isWithinBudgets;
    }

    private PlanSearch search() {
        repair();
        if (triggered.needPlan() && partialPlan.hasRoomFor(1)) {
            evenHeat();
            new LocalSearch(context).improve(mostChosen());
            new PlanPruner(context).dropNeedless();
            order();
            if (isThorough && partialPlan.steps().isEmpty()) {
                isLastResort = true;
                new IteratedLocalSearch(context, triggered::anyImproved).improve();
                new PlanPruner(context).dropNeedless();
                order();
            }
        }
        SecondaryObjectives secondaryObjectives = new SecondaryObjectives(context);
        if (!partialPlan.steps().isEmpty() || secondaryObjectives.areNeeded()) {
            int before = partialPlan.steps().size();
            secondaryObjectives.make();
            if (triggered.needPlan() && partialPlan.steps().size() > before) {
                coolAfterwards();
            }
            if (isLastResort && before > 0 && !triggered.anyImproved()) {
                partialPlan.takeBackAll();
            }
        }
        wasCutShort = context.deadline.isOver();
        return this;
    }

    private void repair() {
        ConstraintRepair repairs = new ConstraintRepair(context);
        if (repairs.areNeeded()) {
            repairs.make();
        }
        partialPlan.endRepairs();
    }

    /** What was done for numbers of regions may have made servers a little too hot: these regions can as well go elsewhere. */
    private void coolAfterwards() {
        context.scorer.giveCountsFullWeight(true);
        boolean isCooler =
                new LocalSearch(context).improve(context.index.goals.limits().maxMoves());
        context.scorer.giveCountsFullWeight(false);
        if (isCooler) {
            new MoveOrdering(context).order();
        }
    }

    /**
     * What was found.
     *
     * @param saysWhatSlopCosts whether to search once more without slop, where slop may have kept servers less even
     */
    Plan plan(boolean saysWhatSlopCosts) {
        List<UnmovedRegion> unmoved =
                triggered.needExplanation() ? new UnmovedRegionExplainer(context).all() : List.of();
        boolean mayBeBoundBySlop = saysWhatSlopCosts
                && !wasCutShort
                && isAnyAboveThreshold()
                && IntStream.range(0, context.index.servers).anyMatch(context.simulation::hasMost);
        return report.plan(
                unmoved, mayBeBoundBySlop ? Optional.of(withoutSlop().report) : Optional.empty(), wasCutShort);
    }

    /** Whether a server is less even than its regions allow, so that it is worth a search to say whether slop is why. */
    private boolean isAnyAboveThreshold() {
        for (int dimension = 0; dimension < PlanIndex.DIMENSIONS; dimension++) {
            for (int server = 0; context.index.counts(dimension) && server < context.index.servers; server++) {
                if (context.simulation.shares.share(server, dimension)
                        > rankings.threshold(server, dimension) + PlanReport.WORTH_A_WORD) {
                    return triggered.needPlan();
                }
            }
        }
        return false;
    }

    /** A search that may give any server as many regions as heat wants. */
    private PlanSearch withoutSlop() {
        RegionCountGoal anyNumber = context.index.goals.counts().withSlop(-1);
        return new PlanSearch(context.withCounts(anyNumber), false).search();
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
        return wasCutShort;
    }

    /** Whether fewer moves are not known to be too few. */
    boolean canBeCheaper() {
        return !isLastResort && partialPlan.steps().size() > report.leastMoves();
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

    private boolean isMoreEven(PlanSearch than) {
        return context.simulation.unevennessOfHeat() < than.context.simulation.unevennessOfHeat() - ROUNDING;
    }

    private void order() {
        new MoveOrdering(context).order();
        new PlanPruner(context).cutLowMarginalGain();
        if (!triggered.anyImproved()) {
            partialPlan.takeBackAllButRepairs();
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
        return partialPlan.steps().size() < mostChosen() && !context.deadline.isOver();
    }

    private long mostChosen() {
        return Math.max(
                MOST_OF_ANY,
                CHOSEN_FOR_KEPT * (long) context.index.goals.limits().maxMoves());
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
            double least = Math.max(context.index.goals.limits().minHotspotReduction(), 2 * ROUNDING);
            for (TriggeredServer triggeredServer : triggered) {
                if (context.simulation.shares.share(triggeredServer.server, triggeredServer.dimension)
                        <= triggeredServer.share - least + ROUNDING) {
                    return true;
                }
            }
            return false;
        }
    }
}
