// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.hbase;

import io.hearth.balancer.engine.Decision;
import io.hearth.balancer.plan.Plan;
import io.hearth.balancer.plan.Plan.DimensionOutcome;
import io.hearth.balancer.plan.Plan.RegionCountOutcome;
import io.hearth.balancer.plan.PlannedMove;
import io.hearth.balancer.plan.PlannedMove.MoveScore;
import io.hearth.balancer.plan.PlannedMove.RunnerUp;
import io.hearth.balancer.plan.RegionReason;
import io.hearth.balancer.plan.RejectedStockMove;
import io.hearth.balancer.plan.UnmovedRegion;
import java.util.Collection;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;

/**
 * Decisions as JSON, in the form that docs/api.md lists. Numbers have the units of the records they come from; what is not known is
 * left out. Pure; thread-safe.
 */
public final class DecisionJson {

    private DecisionJson() {}

    /** These decisions, in their order. */
    public static JsonArray of(Collection<Decision> decisions) {
        JsonArray all = new JsonArray();
        decisions.forEach(decision -> all.add(of(decision, Integer.MAX_VALUE)));
        return all;
    }

    /** These reasons, in their order. */
    public static JsonArray reasons(Collection<RegionReason> reasons) {
        JsonArray all = new JsonArray();
        reasons.forEach(reason -> {
            JsonObject json = new JsonObject();
            json.addProperty("region", reason.region());
            json.addProperty("table", reason.table());
            json.addProperty("server", reason.server());
            json.addProperty("reason", reason.reason());
            json.addProperty("text", reason.text());
            all.add(json);
        });
        return all;
    }

    /** These moves, in their order. */
    public static JsonArray rejectedStockMoves(Collection<RejectedStockMove> moves) {
        JsonArray all = new JsonArray();
        moves.forEach(move -> {
            JsonObject json = new JsonObject();
            json.addProperty("atMs", move.atMs());
            json.addProperty("region", move.region().encodedName());
            json.addProperty("table", move.table().name());
            json.addProperty("from", move.from().toString());
            json.addProperty("to", move.to().toString());
            json.addProperty("reason", move.reason().name());
            json.addProperty("why", move.why());
            all.add(json);
        });
        return all;
    }

    /** This decision with no more than so many of its moves, and of the regions that it does not move. */
    public static JsonObject of(Decision decision, int most) {
        JsonObject json = new JsonObject();
        json.addProperty("atMs", decision.atMs());
        json.addProperty("scope", decision.scope());
        decision.whyNotCarriedOut().ifPresent(reason -> json.addProperty("adviseOnly", reason));
        JsonObject excluded = new JsonObject();
        decision.excluded().reasonByServer().forEach((server, why) -> excluded.addProperty(server.toString(), why));
        json.add("excludedServers", excluded);
        Plan plan = decision.plan();
        json.addProperty("summary", plan.summary());
        json.add("dimensions", dimensions(plan));
        json.add("counts", counts(plan.counts()));
        json.addProperty("leastMoves", plan.leastMoves());
        json.addProperty("bytesToHeal", plan.heal().bytesToHeal());
        json.addProperty("bytesAtTargets", plan.heal().bytesAtTargets());
        JsonArray moves = new JsonArray();
        plan.moves().stream().limit(most).forEach(move -> moves.add(of(move)));
        json.add("moves", moves);
        JsonArray unmovedRegions = new JsonArray();
        plan.unmovedRegions().stream().limit(most).forEach(left -> unmovedRegions.add(of(left)));
        json.add("unmovedRegions", unmovedRegions);
        JsonObject pinned = new JsonObject();
        plan.pinnedRegions().forEach((pin, regions) -> pinned.addProperty(pin.name(), regions));
        json.add("pinnedRegions", pinned);
        return json;
    }

    /** The whole decision, with all that there is to say for a person. */
    public static JsonObject explained(Decision decision) {
        JsonObject json = of(decision, Integer.MAX_VALUE);
        JsonArray lines = new JsonArray();
        decision.explain().forEach(lines::add);
        json.add("explain", lines);
        return json;
    }

    private static JsonObject dimensions(Plan plan) {
        JsonObject json = new JsonObject();
        plan.outcomeByDimension().forEach((dimension, outcome) -> json.add(dimension.jsonName(), of(outcome)));
        return json;
    }

    private static JsonObject of(DimensionOutcome outcome) {
        JsonObject json = new JsonObject();
        json.addProperty("weighed", outcome.weighed());
        json.addProperty("maxOverMeanBefore", outcome.maxOverMeanBefore());
        json.addProperty("maxOverMeanAfter", outcome.maxOverMeanAfter());
        json.addProperty("lowerBound", outcome.lowerBound());
        json.addProperty("leastMoves", outcome.leastMoves());
        return json;
    }

    private static JsonObject counts(RegionCountOutcome counts) {
        JsonObject json = new JsonObject();
        json.addProperty("fewestBefore", counts.fewestBefore());
        json.addProperty("mostBefore", counts.mostBefore());
        json.addProperty("fewestAfter", counts.fewestAfter());
        json.addProperty("mostAfter", counts.mostAfter());
        JsonObject withoutSlop = new JsonObject();
        counts.maxOverMeanWithoutSlop()
                .forEach((dimension, maxOverMean) -> withoutSlop.addProperty(dimension.jsonName(), maxOverMean));
        json.add("maxOverMeanWithoutSlop", withoutSlop);
        return json;
    }

    private static JsonObject of(PlannedMove move) {
        JsonObject json = new JsonObject();
        json.addProperty("region", move.region().encodedName());
        json.addProperty("table", move.table().name());
        json.addProperty("from", move.from().toString());
        json.addProperty("to", move.to().toString());
        json.addProperty("because", move.because().jsonName());
        json.add("load", ClusterStateJson.of(move.load()));
        json.add("score", of(move.score()));
        move.swappedFor().ifPresent(other -> json.addProperty("swappedFor", other.encodedName()));
        move.runnerUp().ifPresent(second -> json.add("runnerUp", of(second)));
        return json;
    }

    private static JsonObject of(MoveScore score) {
        JsonObject json = new JsonObject();
        JsonObject gains = new JsonObject();
        score.gainByObjective().forEach((objective, gain) -> gains.addProperty(objective.jsonName(), gain));
        json.add("gainByObjective", gains);
        json.addProperty("net", score.net());
        score.bytesToHeal().ifPresent(bytes -> json.addProperty("bytesToHeal", bytes));
        return json;
    }

    private static JsonObject of(RunnerUp second) {
        JsonObject json = new JsonObject();
        json.addProperty("region", second.region().encodedName());
        json.addProperty("from", second.from().toString());
        json.addProperty("to", second.to().toString());
        json.add("score", of(second.score()));
        json.addProperty("weakerIn", second.weakerIn().jsonName());
        return json;
    }

    private static JsonObject of(UnmovedRegion left) {
        JsonObject json = new JsonObject();
        json.addProperty("region", left.region().encodedName());
        json.addProperty("table", left.table().name());
        json.addProperty("server", left.server().toString());
        json.addProperty("because", left.because().jsonName());
        json.addProperty("share", left.share());
        json.addProperty("reason", left.reason().name());
        json.addProperty("why", left.reason().text());
        return json;
    }

    /** What these decisions come to, in their order: how many moves, and the line that the log has. */
    public static JsonArray summaries(Collection<Decision> decisions) {
        JsonArray all = new JsonArray();
        decisions.forEach(decision -> {
            JsonObject json = new JsonObject();
            json.addProperty("atMs", decision.atMs());
            json.addProperty("scope", decision.scope());
            decision.whyNotCarriedOut().ifPresent(reason -> json.addProperty("adviseOnly", reason));
            json.addProperty("summary", decision.plan().summary());
            json.addProperty("moves", decision.plan().moves().size());
            json.addProperty("unmovedRegions", decision.plan().unmovedRegions().size());
            all.add(json);
        });
        return all;
    }
}
