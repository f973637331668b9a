// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.engine;

import io.hearth.balancer.config.GoalConfig;
import io.hearth.balancer.config.MoveConfig;
import io.hearth.balancer.plan.DimensionGoal;
import io.hearth.balancer.plan.MoveCosts;
import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.plan.PlanLimits;
import io.hearth.balancer.plan.RegionCountGoal;
import io.hearth.balancer.plan.TableGoal;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.TableId;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;

/** Makes the goals of a plan from what the site asks for. */
final class PlanGoalsFactory {

    private PlanGoalsFactory() {}

    /** @param noiseMargin by how much the trigger of a dimension is wider than the site asks for */
    static PlanGoals of(
            GoalConfig config,
            Map<LoadDimension, Double> noiseMargin,
            HBasePlanLimits limits,
            Map<TableId, Integer> movesLeftByTable,
            Set<TableId> neverHealed) {
        MoveConfig moves = config.moves();
        return new PlanGoals(
                goals(config, noiseMargin),
                new RegionCountGoal(
                        moves.regionCountCost(), limits.regionCountSlop(), moves.countTrigger(), moves.countTarget()),
                new TableGoal(moves.tableSkewCost(), moves.tableSlop()),
                new MoveCosts(moves.moveCost(), moves.bytesCost(), moves.coldCacheCost(), neverHealed),
                new PlanLimits(
                        limits.maxMoves(),
                        movesLeftByTable,
                        moves.minGain(),
                        moves.minHotspotReduction(),
                        moves.minMarginalGainRatio()));
    }

    private static Map<LoadDimension, DimensionGoal> goals(GoalConfig config, Map<LoadDimension, Double> noiseMargin) {
        Map<LoadDimension, DimensionGoal> goals = new EnumMap<>(LoadDimension.class);
        config.byDimension()
                .forEach((dimension, goal) -> goals.put(
                        dimension,
                        new DimensionGoal(
                                goal.weight(),
                                goal.trigger() + noiseMargin.getOrDefault(dimension, 0.0),
                                goal.target(),
                                goal.minMean())));
        return goals;
    }
}
