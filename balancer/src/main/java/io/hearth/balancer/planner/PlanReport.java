// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import io.hearth.balancer.plan.Plan;
import io.hearth.balancer.plan.Plan.DimensionOutcome;
import io.hearth.balancer.plan.Plan.LocalityOutcome;
import io.hearth.balancer.plan.Plan.RegionCountOutcome;
import io.hearth.balancer.plan.PlannedMove;
import io.hearth.balancer.plan.UnmovedRegion;
import io.hearth.common.model.LoadDimension;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a search found, as a plan: made before the search, so that it knows how things were. Not thread-safe. */
final class PlanReport {

    private static final int UNKNOWN = -1;

    /** How much less even slop has to keep a dimension to be named. */
    static final double WORTH_A_WORD = 0.01;

    private final SearchContext context;
    private final PlanIndex index;
    private final double[] maxBefore = new double[PlanIndex.DIMENSIONS];
    private final int[] countBefore;
    private final double imbalanceBefore;
    /** By dimension, once asked for. */
    private final int[] leastMoves = new int[PlanIndex.DIMENSIONS];

    PlanReport(SearchContext context) {
        this.context = context;
        index = context.index;
        for (int dimension = 0; dimension < PlanIndex.DIMENSIONS; dimension++) {
            maxBefore[dimension] = maxOverMean(dimension);
        }
        countBefore = context.simulation.countByServer.clone();
        imbalanceBefore = context.simulation.countImbalance();
        Arrays.fill(leastMoves, UNKNOWN);
    }

    private double maxOverMean(int dimension) {
        return index.overMean(context.simulation.shares.maxOverMean(dimension), dimension);
    }

    /** The least number of moves that any plan needs to be as even, of the dimensions that count. To be asked when the search is over. */
    int leastMoves() {
        int least = 0;
        for (int dimension = 0; dimension < PlanIndex.DIMENSIONS; dimension++) {
            least = Math.max(least, leastMoves(dimension));
        }
        return least;
    }

    /** The least number of moves is asked for once more. */
    void planChanged() {
        Arrays.fill(leastMoves, UNKNOWN);
    }

    private int leastMoves(int dimension) {
        if (leastMoves[dimension] == UNKNOWN) {
            // As even as it was, without a move.
            boolean isAsItWas = context.partialPlan.steps().isEmpty();
            leastMoves[dimension] = index.counts(dimension) && !isAsItWas
                    ? new PlanBounds(context.simulation).leastMoves(dimension)
                    : 0;
        }
        return leastMoves[dimension];
    }

    /**
     * The plan.
     *
     * @param withoutSlop a search of the same snapshot that slop does not bind, where it may have bound this one
     */
    Plan plan(List<UnmovedRegion> unmovedRegions, Optional<PlanReport> withoutSlop, boolean isCutShort) {
        List<PlannedMove> moves =
                context.partialPlan.steps().stream().map(PartialPlan.Step::move).toList();
        return new Plan(
                moves, outcomes(), counts(withoutSlop), heal(moves), unmovedRegions, index.pinned(), isCutShort);
    }

    private Map<LoadDimension, DimensionOutcome> outcomes() {
        PlanBounds bounds = new PlanBounds(context.simulation);
        Map<LoadDimension, DimensionOutcome> outcomes = new EnumMap<>(LoadDimension.class);
        for (LoadDimension dimension : LoadDimension.values()) {
            int number = dimension.ordinal();
            double after = maxOverMean(number);
            outcomes.put(
                    dimension,
                    new DimensionOutcome(
                            index.counts(number),
                            maxBefore[number],
                            after,
                            index.overMean(bounds.lowerBound(number), number),
                            leastMoves(number)));
        }
        return outcomes;
    }

    private RegionCountOutcome counts(Optional<PlanReport> withoutSlop) {
        int[] after = context.simulation.countByServer;
        return new RegionCountOutcome(
                Arrays.stream(countBefore).min().orElse(0),
                Arrays.stream(countBefore).max().orElse(0),
                Arrays.stream(after).min().orElse(0),
                Arrays.stream(after).max().orElse(0),
                imbalanceBefore,
                context.simulation.countImbalance(),
                withoutSlop.map(this::lessEvenThan).orElse(Map.of()),
                context.simulation.areFewForHeat());
    }

    /** The other's max/mean in the dimensions in which it is more even. */
    private Map<LoadDimension, Double> lessEvenThan(PlanReport other) {
        Map<LoadDimension, Double> moreEven = new EnumMap<>(LoadDimension.class);
        for (LoadDimension dimension : LoadDimension.values()) {
            double ofOther = other.maxOverMean(dimension.ordinal());
            if (index.counts(dimension.ordinal()) && ofOther < maxOverMean(dimension.ordinal()) - WORTH_A_WORD) {
                moreEven.put(dimension, ofOther);
            }
        }
        return moreEven;
    }

    private LocalityOutcome heal(List<PlannedMove> moves) {
        long bytes = 0;
        int unknown = 0;
        long atTargets = 0;
        for (PartialPlan.Step step : context.partialPlan.steps()) {
            String host = index.snapshot.serverId(step.to()).host();
            atTargets += index.state[step.region()].bytesByHost().on(host).orElse(0);
        }
        for (PlannedMove move : moves) {
            bytes += move.score().bytesToHeal().orElse(0);
            unknown += move.score().bytesToHeal().isPresent() ? 0 : 1;
        }
        return new LocalityOutcome(bytes, unknown, atTargets);
    }
}
