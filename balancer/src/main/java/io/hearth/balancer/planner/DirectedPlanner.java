// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import io.hearth.balancer.plan.Plan;
import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.plan.RegionReason;
import io.hearth.balancer.plan.UnmovedRegion;
import io.hearth.balancer.state.ClusterState;
import io.hearth.common.model.EncodedRegionName;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Plans the moves that bring every server near its fair share of heat, by going straight for the server that is farthest
 * above it.
 *
 * <p><b>Goals.</b> Every server's share of every dimension that matters at or below its target, with few moves; then numbers of
 * regions so near to the mean that the stock balancer leaves them alone, and no table crowded on one server. Nothing is
 * planned while neither a server's heat nor the imbalance of numbers is above a trigger, so that small swings move nothing, but for
 * a hard rule that is broken; nor for heat where no server above a trigger can be helped. A share is a load over what is fair for the
 * server's capacity.
 *
 * <p><b>Constraints.</b> Hard rules ({@link PlanSimulation#broken}), which no gain can buy: a pinned region stays; a server's number of regions does
 * not leave the slop around what is fair for its capacity; replicas of one region share no host, and no rack where there are racks
 * enough; budgets of tables, and of the plan. A region is moved at most once in a plan. Every move but those of (1) gains more
 * than it costs: bytes to heal, a cold cache, a moment of unavailability.
 *
 * <p><b>Algorithm.</b> (1) Repair what a hard rule forbids and the snapshot has. (2) While a server is above its target: take
 * the one from which the largest region has to go (the smallest region that brings it down, or its largest where none does
 * alone), so that large regions find room before small ones have filled it. Of its regions and a few targets (the coolest, the
 * roomiest, those with the fewest regions, the hosts that have the region's bytes) take the pair that gains most; a target that
 * is above its own targets then is the next hot spot. Where no move gains, two regions change places; where that gains nothing
 * either, the server is left.
 * (3) Lower what is left by a {@link LocalSearch}, which may give a region that moves already another target for nothing. (4) Drop the moves that
 * later ones made needless, order the rest hottest server first, cut the end where returns diminish. (5) In a small cluster, where a plan
 * may have more moves than are proven to be needed ({@link PerRegionLowerBound}), the same is done a few times with hot spots that are much
 * alike in another order, and the fewest moves win; where no single step helps, an {@link IteratedLocalSearch} looks for several at once.
 * (6) Even numbers of regions and crowded tables by moves that take no server past the middle of target and trigger, and lower what that
 * left above target as in (3). (7) Where a small cluster's plan leaves a server above its trigger, the plan that the next run would make is
 * made one with it. (8) At last a {@link MoveReduction} looks for fewer moves that do as much in a small cluster. A step of (2) costs one look at each region of one server for about 16 targets, one of (3) at 16 regions and those of
 * about 16 servers, and a few steps up and down trees over the servers: the number of servers counts only by its logarithm.
 *
 * <p><b>Example.</b> One dimension, servers A with regions 4, 3, 2, 1 and B with 1, 1: the mean is 6 and A has 10. A has to lose
 * 4, so the region 4 goes; both have 6, and one move was enough. The regions 3 and 1, or 2 and 1, would have been two moves,
 * or not enough. docs/algorithms.md has one with an exchange.
 *
 * <p><b>Time.</b> n log n in the regions of a server, not n²: a server with many regions is not looked at as a whole in each step
 * ({@link MoveFinder}), and the region that has to go is found in sorted order ({@link RegionsByLoad}). Where a deadline is given, the
 * search ends with what it has.
 *
 * <p>A pure function of the snapshot and the goals, as long as no deadline ends it: the same input gives the same plan. Thread-safe.
 */
public final class DirectedPlanner {

    /** A cluster with no more regions than this is planned in several orders: it costs some milliseconds. */
    static final int FEW_REGIONS = 2_500;

    private static final int VARIATIONS = 8;

    /** So many plans, each of the cluster as the one before leaves it, are made one. */
    private static final int MOST_PLANS = 4;

    private final Supplier<Deadline> deadline;
    private final boolean triesOtherOrders;

    private DirectedPlanner(Supplier<Deadline> deadline, boolean triesOtherOrders) {
        this.deadline = deadline;
        this.triesOtherOrders = triesOtherOrders;
    }

    /** A planner that takes the time that it takes. */
    public DirectedPlanner() {
        this(Deadline::never, true);
    }

    /**
     * A planner that stops looking for moves when its time is up: what was found until then is the plan.
     *
     * @param allowedMs how long one search may take, in milliseconds; asked at its beginning
     * @param nanos a clock that never goes back, in nanoseconds
     */
    public DirectedPlanner(LongSupplier allowedMs, LongSupplier nanos) {
        this(() -> Deadline.after(allowedMs.getAsLong(), nanos), true);
    }

    /** The same in one order only, without iterated local search, the next plans and what finds fewer moves (steps 5, 7 and 8): for plans that are many in one run, where each costs what it costs. */
    public DirectedPlanner inOneOrder() {
        return new DirectedPlanner(deadline, false);
    }

    /**
     * A plan, and why it leaves some regions where they are.
     *
     * @param unmoved of the regions that were asked for those that are in the snapshot and stay
     */
    public record ExplainedPlan(Plan plan, List<UnmovedRegion> unmoved) {

        /** What becomes of these regions, those that move first; one that is not in the snapshot is missing. */
        public List<RegionReason> reasons(Set<EncodedRegionName> regions) {
            return Stream.concat(
                            plan.moves().stream()
                                    .filter(move -> regions.contains(move.region()))
                                    .map(RegionReason::of),
                            unmoved.stream()
                                    .filter(left -> regions.contains(left.region()))
                                    .map(RegionReason::of))
                    .toList();
        }
    }

    /** The plan for this snapshot; without moves where nothing is above its trigger and no hard rule broken. */
    public Plan plan(ClusterState snapshot, PlanGoals goals) {
        return search(snapshot, goals).plan(triesOtherOrders);
    }

    /** The same plan, and why it leaves those of these regions that it does not move, whether their servers are above or not. */
    public ExplainedPlan explain(ClusterState snapshot, PlanGoals goals, Set<EncodedRegionName> regions) {
        PlanSearch best = search(snapshot, goals);
        return new ExplainedPlan(best.plan(triesOtherOrders), best.unmoved(regions));
    }

    private PlanSearch search(ClusterState snapshot, PlanGoals goals) {
        if (!triesOtherOrders || snapshot.regionCount() > FEW_REGIONS) {
            return PlanSearch.of(snapshot, goals, deadline.get());
        }
        PlanSearch best = withNextPlans(inBestOrder(PlanSearch.thoroughly(snapshot, goals, deadline.get())));
        best.reduceMoves();
        return best;
    }

    /** This search, or one in another order that needs fewer moves for as much. */
    static PlanSearch inBestOrder(PlanSearch first) {
        PlanSearch best = first;
        for (int variation = 1; variation <= VARIATIONS && isWorthAnother(best); variation++) {
            PlanSearch other = best.again(variation);
            best = other.isBetter(best) ? other : best;
        }
        return best;
    }

    /** With what the next runs would move, where this plan leaves a hot spot that they would cool. */
    private static PlanSearch withNextPlans(PlanSearch first) {
        PlanSearch best = first;
        Optional<PlanSearch> both = best.withNext();
        for (int plans = 2; both.isPresent(); plans++) {
            best = both.get();
            both = plans < MOST_PLANS ? best.withNext() : Optional.empty();
        }
        return best;
    }

    private static boolean isWorthAnother(PlanSearch best) {
        return !best.wasCutShort() && best.canBeCheaper();
    }
}
