package io.hearth.sim.snapshot;

import io.hearth.balancer.plan.DimensionGoal;
import io.hearth.balancer.plan.MoveCosts;
import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.plan.PlanLimits;
import io.hearth.balancer.plan.RegionCountGoal;
import io.hearth.balancer.plan.TableGoal;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.TableId;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Reads the goals of a snapshot file. */
final class PlanGoalsReader {

    private PlanGoalsReader() {}

    static PlanGoals read(JsonPathValue goals) throws SnapshotFormatException {
        goals.allowing("heat", "counts", "tables", "moveCosts", "limits");
        JsonPathValue counts = goals.field("counts").allowing("weight", "slop", "trigger", "target");
        JsonPathValue tables = goals.field("tables").allowing("weight", "slop");
        JsonPathValue costs = goals.field("moveCosts").allowing("perMove", "bytesToHeal", "coldCache", "neverHealed");
        return new PlanGoals(
                heat(goals.field("heat")),
                counts(counts),
                new TableGoal(number(tables, "weight"), number(tables, "slop")),
                new MoveCosts(
                        number(costs, "perMove"),
                        number(costs, "bytesToHeal"),
                        number(costs, "coldCache"),
                        neverHealed(costs.field("neverHealed"))),
                limits(goals.field("limits")));
    }

    /** Files of before there was a trigger are of plans that were never made for numbers alone. */
    private static RegionCountGoal counts(JsonPathValue counts) throws SnapshotFormatException {
        double trigger = counts.names().contains("trigger") ? number(counts, "trigger") : 1;
        return new RegionCountGoal(number(counts, "weight"), number(counts, "slop"), trigger, number(counts, "target"));
    }

    private static Set<TableId> neverHealed(JsonPathValue tables) throws SnapshotFormatException {
        Set<TableId> names = new TreeSet<>();
        for (JsonPathValue table : tables.items()) {
            names.add(new TableId(table.text()));
        }
        return names;
    }

    private static Map<LoadDimension, DimensionGoal> heat(JsonPathValue heat) throws SnapshotFormatException {
        heat.allowing("READS", "WRITES", "STORE_SIZE", "MEMSTORE");
        Map<LoadDimension, DimensionGoal> goals = new EnumMap<>(LoadDimension.class);
        for (String name : heat.names()) {
            JsonPathValue goal = heat.field(name).allowing("weight", "trigger", "target", "minMean");
            goals.put(
                    LoadDimension.valueOf(name),
                    new DimensionGoal(
                            number(goal, "weight"),
                            number(goal, "trigger"),
                            number(goal, "target"),
                            number(goal, "minMean")));
        }
        return goals;
    }

    private static PlanLimits limits(JsonPathValue limits) throws SnapshotFormatException {
        limits.allowing(
                "maxMoves", "maxHeatMoves", "minGain", "minRelief", "plan.min.marginal.gain.ratio", "movesLeftByTable");
        Map<TableId, Integer> movesLeft = new HashMap<>();
        JsonPathValue byTable = limits.field("movesLeftByTable");
        for (String table : byTable.names()) {
            movesLeft.put(new TableId(table), (int) byTable.field(table).wholeNumber(0, Integer.MAX_VALUE));
        }
        return new PlanLimits(
                (int) limits.field("maxMoves").wholeNumber(0, Integer.MAX_VALUE),
                maxHeatMoves(limits),
                movesLeft,
                number(limits, "minGain"),
                number(limits, "minRelief"),
                number(limits, "plan.min.marginal.gain.ratio"));
    }

    /** Files of before there was such a limit have none. */
    private static int maxHeatMoves(JsonPathValue limits) throws SnapshotFormatException {
        return limits.names().contains("maxHeatMoves")
                ? (int) limits.field("maxHeatMoves").wholeNumber(0, Integer.MAX_VALUE)
                : Integer.MAX_VALUE;
    }

    private static double number(JsonPathValue parent, String name) throws SnapshotFormatException {
        return parent.field(name).number();
    }
}
