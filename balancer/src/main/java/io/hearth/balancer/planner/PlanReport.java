// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import io.hearth.balancer.plan.Plan;
import io.hearth.balancer.plan.Plan.DimensionOutcome;
import io.hearth.balancer.plan.Plan.LocalityOutcome;
import io.hearth.balancer.plan.Plan.RegionCountOutcome;
import io.hearth.balancer.plan.PlannedMove;
import io.hearth.balancer.plan.UnmovedRegion;
import io.hearth.balancer.state.Pin;
import io.hearth.common.model.LoadDimension;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** What a search found, as a plan: made before the search, so that it knows how things were. Not thread-safe. */
final class PlanReport {

    private static final int UNKNOWN = -1;

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

    Plan plan(List<UnmovedRegion> unmovedRegions) {
        List<PlannedMove> moves =
                context.partialPlan.steps().stream().map(PartialPlan.Step::move).toList();
        return new Plan(moves, outcomes(), counts(), heal(moves), unmovedRegions, pinned(), context.deadline.isOver());
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

    private RegionCountOutcome counts() {
        int[] after = context.simulation.countByServer;
        return new RegionCountOutcome(
                Arrays.stream(countBefore).min().orElse(0),
                Arrays.stream(countBefore).max().orElse(0),
                Arrays.stream(after).min().orElse(0),
                Arrays.stream(after).max().orElse(0),
                imbalanceBefore,
                context.simulation.countImbalance());
    }

    private static LocalityOutcome heal(List<PlannedMove> moves) {
        long bytes = 0;
        int unknown = 0;
        for (PlannedMove move : moves) {
            bytes += move.score().bytesToHeal().orElse(0);
            unknown += move.score().bytesToHeal().isPresent() ? 0 : 1;
        }
        return new LocalityOutcome(bytes, unknown);
    }

    private Map<Pin, Integer> pinned() {
        int[] count = new int[Pin.values().length];
        for (int region = 0; region < index.regions; region++) {
            count[index.state[region].pin().ordinal()]++;
        }
        Map<Pin, Integer> pinned = new EnumMap<>(Pin.class);
        for (Pin pin : Pin.values()) {
            if (pin != Pin.FREE && count[pin.ordinal()] > 0) {
                pinned.put(pin, count[pin.ordinal()]);
            }
        }
        return pinned;
    }
}
