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
                Map.of(
                        LoadDimension.READS,
                                requests(
                                        config,
                                        config.readHeatCost(),
                                        noiseMargin.getOrDefault(LoadDimension.READS, 0.0)),
                        LoadDimension.WRITES,
                                requests(
                                        config,
                                        config.writeHeatCost(),
                                        noiseMargin.getOrDefault(LoadDimension.WRITES, 0.0)),
                        LoadDimension.STORE_SIZE, bytes(config, config.storeSizeCost(), config.minStoreBytes()),
                        LoadDimension.MEMSTORE, bytes(config, config.memstoreHeatCost(), config.minMemstoreBytes())),
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

    private static DimensionGoal requests(GoalConfig config, double weight, double noiseMargin) {
        return new DimensionGoal(
                weight, config.skewTrigger() + noiseMargin, config.skewTarget(), config.minRequestsPerSecond());
    }

    private static DimensionGoal bytes(GoalConfig config, double weight, long minBytes) {
        return new DimensionGoal(weight, config.storeSizeSkewTrigger(), config.storeSizeSkewTarget(), minBytes);
    }
}
