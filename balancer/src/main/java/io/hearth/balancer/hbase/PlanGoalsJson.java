// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.hbase;

import io.hearth.balancer.hbase.JsonPathValue.JsonFormatException;
import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.plan.PlanGoals.DimensionGoal;
import io.hearth.balancer.plan.PlanGoals.MoveCosts;
import io.hearth.balancer.plan.PlanGoals.PlanLimits;
import io.hearth.balancer.plan.PlanGoals.RegionCountGoal;
import io.hearth.balancer.plan.PlanGoals.TableGoal;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.TableId;
import java.io.IOException;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hbase.thirdparty.com.google.gson.stream.JsonWriter;

/** The goals of a plan as JSON, written and read. A dimension without a goal is left out. Stateless. */
final class PlanGoalsJson {

    private PlanGoalsJson() {}

    static void write(JsonWriter json, PlanGoals goals) throws IOException {
        json.beginObject().name("heat").beginObject();
        for (Map.Entry<LoadDimension, DimensionGoal> heat : new TreeMap<>(goals.goalByDimension()).entrySet()) {
            DimensionGoal goal = heat.getValue();
            json.name(heat.getKey().jsonName()).beginObject();
            json.name("weight").value(goal.weight());
            json.name("trigger").value(goal.trigger());
            json.name("target").value(goal.target());
            json.name("minMean").value(goal.minMean()).endObject();
        }
        json.endObject();
        json.name("counts").beginObject();
        json.name("weight").value(goals.counts().weight());
        json.name("slop").value(goals.counts().slop());
        json.name("trigger").value(goals.counts().trigger());
        json.name("target").value(goals.counts().target()).endObject();
        json.name("tables").beginObject();
        json.name("weight").value(goals.tables().weight());
        json.name("slop").value(goals.tables().slop()).endObject();
        json.name("moveCosts").beginObject();
        json.name("perMove").value(goals.moveCosts().perMove());
        json.name("bytesToHeal").value(goals.moveCosts().bytesToHeal());
        json.name("coldCache").value(goals.moveCosts().coldCache());
        json.name("neverHealed").beginArray();
        for (TableId table : new TreeSet<>(goals.moveCosts().neverHealed())) {
            json.value(table.name());
        }
        json.endArray().endObject();
        write(json, goals.limits());
        json.endObject();
    }

    private static void write(JsonWriter json, PlanLimits limits) throws IOException {
        json.name("limits").beginObject();
        json.name("maxMoves").value(limits.maxMoves());
        json.name("maxHeatMoves").value(limits.maxHeatMoves());
        json.name("minGain").value(limits.minGain());
        json.name("minHotspotReduction").value(limits.minHotspotReduction());
        json.name("minMarginalGainRatio").value(limits.minMarginalGainRatio());
        json.name("movesLeftByTable").beginObject();
        for (Map.Entry<TableId, Integer> left : new TreeMap<>(limits.movesLeftByTable()).entrySet()) {
            json.name(left.getKey().name()).value(left.getValue());
        }
        json.endObject().endObject();
    }

    static PlanGoals read(JsonPathValue goals) throws JsonFormatException {
        JsonPathValue counts = goals.field("counts");
        JsonPathValue tables = goals.field("tables");
        JsonPathValue costs = goals.field("moveCosts");
        return new PlanGoals(
                heat(goals.field("heat")),
                new RegionCountGoal(
                        number(counts, "weight"),
                        number(counts, "slop"),
                        number(counts, "trigger"),
                        number(counts, "target")),
                new TableGoal(number(tables, "weight"), number(tables, "slop")),
                new MoveCosts(
                        number(costs, "perMove"),
                        number(costs, "bytesToHeal"),
                        number(costs, "coldCache"),
                        neverHealed(costs.field("neverHealed"))),
                limits(goals.field("limits")));
    }

    private static Set<TableId> neverHealed(JsonPathValue tables) throws JsonFormatException {
        Set<TableId> names = new TreeSet<>();
        for (JsonPathValue table : tables.items()) {
            names.add(new TableId(table.text()));
        }
        return names;
    }

    private static Map<LoadDimension, DimensionGoal> heat(JsonPathValue heat) throws JsonFormatException {
        Map<LoadDimension, DimensionGoal> goals = new EnumMap<>(LoadDimension.class);
        for (LoadDimension dimension : LoadDimension.values()) {
            Optional<JsonPathValue> goal = heat.optional(dimension.jsonName());
            if (goal.isPresent()) {
                goals.put(
                        dimension,
                        new DimensionGoal(
                                number(goal.get(), "weight"),
                                number(goal.get(), "trigger"),
                                number(goal.get(), "target"),
                                number(goal.get(), "minMean")));
            }
        }
        return goals;
    }

    private static PlanLimits limits(JsonPathValue limits) throws JsonFormatException {
        Map<TableId, Integer> movesLeft = new HashMap<>();
        JsonPathValue byTable = limits.field("movesLeftByTable");
        for (String table : byTable.names()) {
            movesLeft.put(new TableId(table), wholeNumber(byTable, table));
        }
        return new PlanLimits(
                wholeNumber(limits, "maxMoves"),
                wholeNumber(limits, "maxHeatMoves"),
                movesLeft,
                number(limits, "minGain"),
                number(limits, "minHotspotReduction"),
                number(limits, "minMarginalGainRatio"));
    }

    private static int wholeNumber(JsonPathValue parent, String name) throws JsonFormatException {
        return (int) parent.field(name).wholeNumber(0, Integer.MAX_VALUE);
    }

    private static double number(JsonPathValue parent, String name) throws JsonFormatException {
        return parent.field(name).number();
    }
}
