package io.hearth.operate.rpc;

import io.hearth.balancer.engine.BalanceEngine;
import io.hearth.balancer.engine.Decision;
import io.hearth.balancer.hbase.DecisionJson;
import io.hearth.balancer.hbase.MasterLinks;
import io.hearth.balancer.log.OneLine;
import io.hearth.web.hbase.Answer;
import io.hearth.web.hbase.MasterActions;
import io.hearth.web.hbase.MasterActions.Asker;
import io.hearth.web.hbase.MasterLook;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.master.HMaster;
import org.apache.hadoop.hbase.master.assignment.RegionStateNode;
import org.apache.hadoop.hbase.master.assignment.RegionStates;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParseException;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;

/** The answers of one master to one operator: what was published, what was decided, and the page's own actions. */
final class OperatorAnswers {

    /** A request that is larger is refused before it is parsed: parsing takes tens of times its size. */
    static final int MOST_CHARACTERS = 1 << 20;

    private static final String PAST_THE_GATE = "by bin/hearth";

    private final HMaster master;
    private final Asker asker;

    OperatorAnswers(HMaster master, String who) {
        this.master = master;
        this.asker = new Asker(who, PAST_THE_GATE);
    }

    Answer of(Ask ask, String text) {
        if (text.length() > MOST_CHARACTERS) {
            return Answer.problem(
                    Answer.TOO_LARGE,
                    "A request may have " + MOST_CHARACTERS + " characters and this one has " + text.length()
                            + ". Ask in several.");
        }
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
        Optional<Long> since = sinceMs(json);
        if (since.isEmpty()) {
            return Answer.problem(
                    Answer.BAD_REQUEST,
                    "sinceMs must be a whole number of milliseconds since 1970, and is "
                            + OneLine.of(json.get("sinceMs").toString()) + ".");
        }
        return plans(since.get());
    }

    /** From when on decisions are asked for, none by default; empty where what is asked is no time. */
    private static Optional<Long> sinceMs(JsonObject json) {
        JsonElement value = json.get("sinceMs");
        try {
            return Optional.of(value == null ? Long.MAX_VALUE : value.getAsLong());
        } catch (NumberFormatException | IllegalStateException | UnsupportedOperationException noNumber) {
            return Optional.empty();
        }
    }

    private Answer plans(long sinceMs) {
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
        AnnouncedMoves moves;
        try {
            moves = AnnouncedMoves.read(json, regions());
        } catch (AnnouncedMoves.WrongForm wrong) {
            return Answer.problem(Answer.BAD_REQUEST, String.valueOf(wrong.getMessage()));
        }
        engine.get().steering().sentBy(asker.name(), moves.believed(), EnvironmentEdgeManager.currentTime());
        JsonObject answer = new JsonObject();
        answer.addProperty("done", moves.believed().size() + " moves are expected.");
        moves.firstRefusal()
                .ifPresent(why -> answer.addProperty(
                        "refused",
                        moves.refused() + " can't be made as the cluster is now; the first of them: " + why + "."));
        return Answer.json(Answer.OK, answer);
    }

    private AnnouncedMoves.Regions regions() {
        RegionStates states = master.getAssignmentManager().getRegionStates();
        return new AnnouncedMoves.Regions() {
            @Override
            public Optional<ServerName> serverOf(String encodedName) {
                return node(encodedName).map(RegionStateNode::getRegionLocation);
            }

            @Override
            public Optional<String> tableOf(String encodedName) {
                return node(encodedName).map(node -> node.getTable().getNameAsString());
            }

            @Override
            public boolean isOnline(ServerName server) {
                return master.getServerManager().isServerOnline(server);
            }

            private Optional<RegionStateNode> node(String encodedName) {
                return Optional.ofNullable(states.getRegionStateNodeFromEncodedRegionName(encodedName));
            }
        };
    }

    private Optional<BalanceEngine> engine() {
        return MasterLinks.engine(master.getConfiguration());
    }
}
