// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.plan;

import io.hearth.common.model.TableId;
import java.util.Map;

/**
 * What a plan may not exceed, and what is too little to be worth a move. Immutable.
 *
 * @param maxMoves the most moves that one plan may hold
 * @param maxHeatMoves the most of them for heat; those that mend a hard rule or even numbers of regions are not among them
 * @param movesLeftByTable how many regions of a table may still be moved for heat ({@code HEARTH_MAX_MOVES_PER_HOUR}); a table
 *     that is missing has no limit
 * @param minGain what a move must gain after its costs, in the unit of {@link MoveCosts}
 * @param minHotspotReduction by how much of a fair share a plan for heat has to cool at least one of the servers above the trigger
 * @param minMarginalGainRatio the last moves of a plan are dropped while each gains less than this share of what a move of the plan gains on
 *     average
 */
public record PlanLimits(
        int maxMoves,
        int maxHeatMoves,
        Map<TableId, Integer> movesLeftByTable,
        double minGain,
        double minHotspotReduction,
        double minMarginalGainRatio) {

    /** No limit to the number of moves. */
    public static final PlanLimits DEFAULT = new PlanLimits(Integer.MAX_VALUE, Map.of(), 0.05, 0.03, 0.01);

    public PlanLimits {
        movesLeftByTable = Map.copyOf(movesLeftByTable);
    }

    /** Limits where any move may be one for heat. */
    public PlanLimits(
            int maxMoves,
            Map<TableId, Integer> movesLeftByTable,
            double minGain,
            double minHotspotReduction,
            double minMarginalGainRatio) {
        this(maxMoves, Integer.MAX_VALUE, movesLeftByTable, minGain, minHotspotReduction, minMarginalGainRatio);
    }

    /** The same with another number of moves. */
    public PlanLimits withMaxMoves(int newMaxMoves) {
        return new PlanLimits(
                newMaxMoves, maxHeatMoves, movesLeftByTable, minGain, minHotspotReduction, minMarginalGainRatio);
    }

    /** The same with another number of moves for heat. */
    public PlanLimits withMaxHeatMoves(int newMaxHeatMoves) {
        return new PlanLimits(
                maxMoves, newMaxHeatMoves, movesLeftByTable, minGain, minHotspotReduction, minMarginalGainRatio);
    }

    /** The same with other budgets of tables. */
    public PlanLimits withMovesLeftByTable(Map<TableId, Integer> newMovesLeftByTable) {
        return new PlanLimits(
                maxMoves, maxHeatMoves, newMovesLeftByTable, minGain, minHotspotReduction, minMarginalGainRatio);
    }
}
