package io.hearth.operate.rpc;

import io.hearth.balancer.engine.BalanceEngine;
import io.hearth.balancer.engine.Decision;
import io.hearth.balancer.hbase.DecisionJson;
import io.hearth.balancer.hbase.MasterLinks;
import io.hearth.balancer.hbase.Names;
import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.TableId;
import io.hearth.balancer.steering.Errand;
import io.hearth.web.hbase.Answer;
import io.hearth.web.hbase.MasterActions;
import io.hearth.web.hbase.MasterActions.Asker;
import io.hearth.web.hbase.MasterLook;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.master.HMaster;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParseException;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;

/** The answers of one master to one operator: what was published, what was decided, and the page's own actions. */
final class OperatorAnswers {

    private static final String PAST_THE_GATE = "by bin/hearth";

    private final HMaster master;
    private final Asker asker;

    OperatorAnswers(HMaster master, String who) {
        this.master = master;
        this.asker = new Asker(who, PAST_THE_GATE);
    }

    Answer of(Ask ask, String text) {
        JsonObject json;
        try {
            json = JsonParser.parseString(text).getAsJsonObject();
        } catch (JsonParseException | IllegalStateException unreadable) {
            return Answer.problem(Answer.BAD_REQUEST, "What is asked must be a JSON object.");
        }
        return switch (ask) {
            case LOOK -> MasterLook.of(master);
            case PLANS -> plans(json);
            case CARRY_OUT -> carryOut(json);
            case PAUSE_HEALING, RESUME_HEALING, HEAL, LIFT_PIN, ADVISE, ACT ->
                new MasterActions(master).act(ask.action().orElseThrow(), json, asker);
        };
    }

    private Answer plans(JsonObject json) {
        long sinceMs = json.has("sinceMs") ? json.get("sinceMs").getAsLong() : Long.MAX_VALUE;
        List<Decision> since = engine().map(BalanceEngine::decisions).orElse(List.of()).stream()
                .filter(decision -> decision.atMs() >= sinceMs)
                .toList();
        JsonObject answer = new JsonObject();
        answer.addProperty("nowMs", EnvironmentEdgeManager.currentTime());
        answer.addProperty("balancer", engine().isPresent());
        JsonArray plans = new JsonArray();
        since.forEach(decision -> plans.add(DecisionJson.explained(decision)));
        answer.add("plans", plans);
        return Answer.json(Answer.OK, answer);
    }

    private Answer carryOut(JsonObject json) {
        Optional<BalanceEngine> engine = engine();
        if (engine.isEmpty()) {
            return Answer.problem(Answer.NOT_FOUND, MasterActions.NO_BALANCER);
        }
        List<Errand> errands = new ArrayList<>();
        try {
            for (JsonElement move : json.getAsJsonArray("moves")) {
                errands.add(errand(move.getAsJsonObject()));
            }
        } catch (IllegalArgumentException | IllegalStateException | NullPointerException wrong) {
            return Answer.problem(Answer.BAD_REQUEST, "A move must have a region, a table, from and to.");
        }
        engine.get().steering().sentBy(asker.name(), errands, EnvironmentEdgeManager.currentTime());
        JsonObject answer = new JsonObject();
        answer.addProperty("done", errands.size() + " moves are expected.");
        return Answer.json(Answer.OK, answer);
    }

    private static Errand errand(JsonObject move) {
        return new Errand(
                new RegionId(move.get("region").getAsString()),
                new TableId(move.get("table").getAsString()),
                Names.server(ServerName.valueOf(move.get("from").getAsString())),
                Names.server(ServerName.valueOf(move.get("to").getAsString())));
    }

    private Optional<BalanceEngine> engine() {
        return MasterLinks.engine(master.getConfiguration());
    }
}
