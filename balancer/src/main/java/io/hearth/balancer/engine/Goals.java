package io.hearth.balancer.engine;

import io.hearth.balancer.config.GoalConfig;
import io.hearth.balancer.load.LoadDimension;
import io.hearth.balancer.load.TableId;
import io.hearth.balancer.plan.CountGoal;
import io.hearth.balancer.plan.DimensionGoal;
import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.plan.PlanLimits;
import java.util.Map;

/** Makes the goals of a plan from what the site asks for. */
final class Goals {

    private Goals() {}

    static PlanGoals of(GoalConfig config, RunLimits limits, Map<TableId, Integer> movesLeftByTable) {
        DimensionGoal reads = requests(config, config.readHeatCost());
        DimensionGoal writes = requests(config, config.writeHeatCost());
        DimensionGoal storeSize = new DimensionGoal(
                config.storeSizeCost(),
                config.storeSizeSkewTrigger(),
                config.storeSizeSkewTrigger(),
                config.minStoreBytes());
        return PlanGoals.of(Map.of(
                        LoadDimension.READS, reads,
                        LoadDimension.WRITES, writes,
                        LoadDimension.STORE_SIZE, storeSize))
                .withCounts(CountGoal.DEFAULT.withSlop(limits.regionCountSlop()))
                .withLimits(PlanLimits.DEFAULT.withMaxMoves(limits.maxMoves()).withMovesLeftByTable(movesLeftByTable));
    }

    private static DimensionGoal requests(GoalConfig config, double weight) {
        return new DimensionGoal(weight, config.skewTrigger(), config.skewTarget(), config.minRequestsPerSecond());
    }
}
