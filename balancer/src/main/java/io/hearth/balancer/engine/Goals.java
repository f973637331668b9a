package io.hearth.balancer.engine;

import io.hearth.balancer.config.GoalConfig;
import io.hearth.balancer.config.MoveConfig;
import io.hearth.balancer.load.LoadDimension;
import io.hearth.balancer.load.TableId;
import io.hearth.balancer.plan.CountGoal;
import io.hearth.balancer.plan.DimensionGoal;
import io.hearth.balancer.plan.MoveCosts;
import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.plan.PlanLimits;
import io.hearth.balancer.plan.TableGoal;
import java.util.Map;
import java.util.Set;

/** Makes the goals of a plan from what the site asks for. */
final class Goals {

    private Goals() {}

    /** @param doubt by how much the trigger of a dimension is wider than the site asks for */
    static PlanGoals of(
            GoalConfig config,
            Map<LoadDimension, Double> doubt,
            RunLimits limits,
            Map<TableId, Integer> movesLeftByTable,
            Set<TableId> neverHealed) {
        MoveConfig moves = config.moves();
        return new PlanGoals(
                Map.of(
                        LoadDimension.READS,
                                requests(config, config.readHeatCost(), doubt.getOrDefault(LoadDimension.READS, 0.0)),
                        LoadDimension.WRITES,
                                requests(config, config.writeHeatCost(), doubt.getOrDefault(LoadDimension.WRITES, 0.0)),
                        LoadDimension.STORE_SIZE, bytes(config, config.storeSizeCost(), config.minStoreBytes()),
                        LoadDimension.MEMSTORE, bytes(config, config.memstoreHeatCost(), config.minMemstoreBytes())),
                new CountGoal(
                        moves.regionCountCost(), limits.regionCountSlop(), moves.countTrigger(), moves.countTarget()),
                new TableGoal(moves.tableSkewCost(), moves.tableSlop()),
                new MoveCosts(moves.moveCost(), moves.bytesCost(), moves.coldCacheCost(), neverHealed),
                new PlanLimits(limits.maxMoves(), movesLeftByTable, moves.minGain(), moves.minRelief(), moves.knee()));
    }

    private static DimensionGoal requests(GoalConfig config, double weight, double doubt) {
        return new DimensionGoal(
                weight, config.skewTrigger() + doubt, config.skewTarget(), config.minRequestsPerSecond());
    }

    private static DimensionGoal bytes(GoalConfig config, double weight, long minBytes) {
        return new DimensionGoal(weight, config.storeSizeSkewTrigger(), config.storeSizeSkewTarget(), minBytes);
    }
}
