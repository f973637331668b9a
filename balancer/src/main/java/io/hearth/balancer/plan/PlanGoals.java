// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.plan;

import io.hearth.balancer.config.GoalConfig;
import io.hearth.balancer.config.MoveConfig;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.TableId;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;

/**
 * What a plan has to reach, what a move costs, and what the plan may not exceed. Immutable: {@link #of} has defaults for all
 * but heat, each {@code with} method gives a copy with one group replaced.
 *
 * @param goalByDimension one goal for each dimension of heat that matters at all
 * @param counts the number of regions of a server
 * @param tables the number of regions of one table on a server
 * @param moveCosts what a move costs
 * @param limits what the plan may not exceed
 */
public record PlanGoals(
        Map<LoadDimension, DimensionGoal> goalByDimension,
        RegionCountGoal counts,
        TableGoal tables,
        MoveCosts moveCosts,
        PlanLimits limits) {

    public PlanGoals {
        goalByDimension = Map.copyOf(goalByDimension);
    }

    /** These goals of heat, and the defaults of everything else. */
    public static PlanGoals of(Map<LoadDimension, DimensionGoal> goalByDimension) {
        return new PlanGoals(
                goalByDimension, RegionCountGoal.DEFAULT, TableGoal.DEFAULT, MoveCosts.DEFAULT, PlanLimits.DEFAULT);
    }

    /**
     * What the site asks for.
     *
     * @param noiseMargin by how much the trigger of a dimension is wider than the site asks for
     * @param regionCountSlop how far a server's number of regions may be from the mean, as {@link RegionCountGoal} has it
     */
    public static PlanGoals of(
            GoalConfig config,
            Map<LoadDimension, Double> noiseMargin,
            double regionCountSlop,
            int maxMoves,
            Map<TableId, Integer> movesLeftByTable,
            Set<TableId> neverHealed) {
        MoveConfig moves = config.moves();
        Map<LoadDimension, DimensionGoal> goals = new EnumMap<>(LoadDimension.class);
        config.byDimension()
                .forEach((dimension, goal) -> goals.put(
                        dimension,
                        new DimensionGoal(
                                goal.weight(),
                                goal.trigger() + noiseMargin.getOrDefault(dimension, 0.0),
                                goal.target(),
                                goal.minMean())));
        return new PlanGoals(
                goals,
                new RegionCountGoal(
                        moves.regionCountCost(), regionCountSlop, moves.countTrigger(), moves.countTarget()),
                new TableGoal(moves.tableSkewCost(), moves.tableSlop()),
                new MoveCosts(moves.moveCost(), moves.bytesCost(), moves.coldCacheCost(), neverHealed),
                new PlanLimits(
                        maxMoves,
                        movesLeftByTable,
                        moves.minGain(),
                        moves.minHotspotReduction(),
                        moves.minMarginalGainRatio()));
    }

    /** Whether evenness is all that counts: moves cost nothing, and the least gain is worth one. */
    public boolean movesAreFree() {
        return moveCosts.equals(MoveCosts.NONE) && limits.minGain() == 0;
    }

    public PlanGoals withCounts(RegionCountGoal newCounts) {
        return new PlanGoals(goalByDimension, newCounts, tables, moveCosts, limits);
    }

    public PlanGoals withMoveCosts(MoveCosts newMoveCosts) {
        return new PlanGoals(goalByDimension, counts, tables, newMoveCosts, limits);
    }

    public PlanGoals withLimits(PlanLimits newLimits) {
        return new PlanGoals(goalByDimension, counts, tables, moveCosts, newLimits);
    }
}
