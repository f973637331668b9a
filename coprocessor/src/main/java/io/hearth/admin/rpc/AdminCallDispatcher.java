// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.admin.rpc;

import io.hearth.balancer.engine.BalanceEngine;
import io.hearth.balancer.engine.Decision;
import io.hearth.balancer.engine.RegionExplainer;
import io.hearth.balancer.hbase.DecisionJson;
import io.hearth.balancer.hbase.HBaseNames;
import io.hearth.balancer.hbase.MasterComponentRegistry;
import io.hearth.balancer.planner.DirectedPlanner;
import io.hearth.common.log.PrintableName;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.healer.core.RequestedHeals.HealCounts;
import io.hearth.healer.hbase.HealerAdmin;
import io.hearth.ui.hbase.AdminActionExecutor;
import io.hearth.ui.hbase.AdminActionExecutor.Caller;
import io.hearth.ui.hbase.ApiResponse;
import io.hearth.ui.hbase.LatestPage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.BalanceRequest;
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
final class AdminCallDispatcher {

    /** A request that is larger is refused before it is parsed: parsing takes tens of times its size. */
    static final int MAX_CHARACTERS = 1 << 20;

    /** Why there is no plan now, as the end of a sentence. */
    static final String NO_RUN = "HBase's balancer does not run now: regions are in transition, servers are being"
            + " processed, or the master has only just started. Try again in a minute";

    /** In one request; an operator asks of one or a few. */
    static final int MOST_EXPLAINED = 100;

    /** For the second plan, which says why; the dry run has its own limit. */
    private static final long MOST_PLANNING_MS = 10_000;

    private static final String VIA_CLI = "by bin/hearth";

    private final HMaster master;
    private final Caller caller;

    AdminCallDispatcher(HMaster master, String who) {
        this.master = master;
        this.caller = new Caller(who, VIA_CLI);
    }

    ApiResponse of(AdminCall ask, String text) {
        if (text.length() > MAX_CHARACTERS) {
            return ApiResponse.problem(
                    ApiResponse.TOO_LARGE,
                    "A request may have " + MAX_CHARACTERS + " characters and this one has " + text.length()
                            + ". Ask in several.");
        }
        JsonObject json;
        try {
            json = JsonParser.parseString(text).getAsJsonObject();
        } catch (JsonParseException | IllegalStateException unreadable) {
            return ApiResponse.problem(ApiResponse.BAD_REQUEST, "What is asked must be a JSON object.");
        }
        return switch (ask) {
            case GET_STATUS -> LatestPage.of(master);
            case GET_PLANS -> plans(json);
            case GET_HEALS -> heals();
            case EXPLAIN_REGIONS -> explainRegions(json);
            case ANNOUNCE_MOVES -> announceMoves(json);
            case PAUSE_HEALING, RESUME_HEALING, HEAL, REMOVE_PIN, ADVISE, ACT ->
                new AdminActionExecutor(master).act(ask.action().orElseThrow(), json, caller);
        };
    }

    private ApiResponse plans(JsonObject json) {
        Optional<Long> since = sinceMs(json);
        if (since.isEmpty()) {
            return ApiResponse.problem(
                    ApiResponse.BAD_REQUEST,
                    "sinceMs must be a whole number of milliseconds since 1970, and is "
                            + PrintableName.of(json.get("sinceMs").toString()) + ".");
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

    private ApiResponse plans(long sinceMs) {
        List<Decision> since = engine().map(BalanceEngine::decisions).orElse(List.of()).stream()
                .filter(decision -> decision.atMs() >= sinceMs)
                .toList();
        JsonObject answer = new JsonObject();
        answer.addProperty("nowMs", EnvironmentEdgeManager.currentTime());
        // Where it is off there is no plan to be told of: whoever asks can make one from outside.
        answer.addProperty(
                "balancer", engine().filter(engine -> !engine.tracker().isOff()).isPresent());
        JsonArray plans = new JsonArray();
        since.forEach(decision -> plans.add(DecisionJson.explained(decision)));
        answer.add("plans", plans);
        return ApiResponse.json(ApiResponse.OK, answer);
    }

    private ApiResponse heals() {
        JsonArray heals = new JsonArray();
        HealerAdmin.of(master.getConfiguration())
                .map(HealerAdmin::requestedHeals)
                .orElse(List.of())
                .forEach(heal -> heals.add(of(heal)));
        JsonObject answer = new JsonObject();
        answer.add("heals", heals);
        return ApiResponse.json(ApiResponse.OK, answer);
    }

    private static JsonObject of(HealCounts heal) {
        JsonObject json = new JsonObject();
        json.addProperty("id", heal.id());
        json.addProperty("openMoves", heal.openMoves());
        json.addProperty("verifiedMoves", heal.verifiedMoves());
        json.addProperty("verifiedBytes", heal.verifiedBytes());
        json.addProperty("failedMoves", heal.failedMoves());
        return json;
    }

    private ApiResponse explainRegions(JsonObject json) {
        Optional<BalanceEngine> engine = engine();
        if (engine.isEmpty()) {
            return ApiResponse.problem(ApiResponse.NOT_FOUND, AdminActionExecutor.NO_BALANCER);
        }
        Set<EncodedRegionName> asked = new LinkedHashSet<>();
        RegionStates states = master.getAssignmentManager().getRegionStates();
        for (String name : names(json)) {
            String encodedName = HBaseNames.encodedName(name);
            if (states.getRegionStateNodeFromEncodedRegionName(encodedName) == null) {
                return ApiResponse.problem(
                        ApiResponse.BAD_REQUEST, "the master has no region " + PrintableName.of(name));
            }
            asked.add(new EncodedRegionName(encodedName));
        }
        if (asked.isEmpty() || asked.size() > MOST_EXPLAINED) {
            return ApiResponse.problem(
                    ApiResponse.BAD_REQUEST,
                    "regions must be a list of 1 to " + MOST_EXPLAINED + " names of regions, and there are "
                            + asked.size() + ".");
        }
        return explain(engine.get(), asked);
    }

    private static List<String> names(JsonObject json) {
        List<String> names = new ArrayList<>();
        try {
            json.getAsJsonArray("regions").forEach(name -> names.add(name.getAsString()));
        } catch (RuntimeException noList) {
            return List.of();
        }
        return names;
    }

    private ApiResponse explain(BalanceEngine engine, Set<EncodedRegionName> asked) {
        RegionExplainer explainer = new RegionExplainer(
                engine,
                () -> master.balance(BalanceRequest.newBuilder().setDryRun(true).build())
                        .isBalancerRan(),
                new DirectedPlanner(() -> MOST_PLANNING_MS, System::nanoTime));
        try {
            JsonObject answer = new JsonObject();
            answer.add("reasons", DecisionJson.reasons(explainer.explain(asked)));
            return ApiResponse.json(ApiResponse.OK, answer);
        } catch (RegionExplainer.NoRunException notNow) {
            return ApiResponse.problem(ApiResponse.UNAVAILABLE, NO_RUN);
        } catch (IOException failure) {
            throw new UncheckedIOException("The dry run of HBase's balancer failed.", failure);
        }
    }

    private ApiResponse announceMoves(JsonObject json) {
        Optional<BalanceEngine> engine = engine();
        if (engine.isEmpty()) {
            return ApiResponse.problem(ApiResponse.NOT_FOUND, AdminActionExecutor.NO_BALANCER);
        }
        AnnouncedMoves moves;
        try {
            moves = AnnouncedMoves.read(json, regions());
        } catch (AnnouncedMoves.MalformedMovesException wrong) {
            return ApiResponse.problem(ApiResponse.BAD_REQUEST, String.valueOf(wrong.getMessage()));
        }
        engine.get().tracker().movedBy(caller.name(), moves.accepted(), EnvironmentEdgeManager.currentTime());
        JsonObject answer = new JsonObject();
        answer.addProperty("done", moves.accepted().size() + " moves are expected.");
        moves.firstRejection()
                .ifPresent(why -> answer.addProperty(
                        "refused",
                        moves.rejected() + " can't be made as the cluster is now; the first of them: " + why + "."));
        return ApiResponse.json(ApiResponse.OK, answer);
    }

    private AnnouncedMoves.RegionLookup regions() {
        RegionStates states = master.getAssignmentManager().getRegionStates();
        return new AnnouncedMoves.RegionLookup() {
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
        return MasterComponentRegistry.engine(master.getConfiguration());
    }
}
