// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.admin.rpc;

import io.hearth.balancer.engine.BalanceEngine;
import io.hearth.balancer.engine.DryRunPlans;
import io.hearth.balancer.engine.RegionExplainer;
import io.hearth.balancer.engine.RegionExplainer.AskedRegion;
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
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.BalanceRequest;
import org.apache.hadoop.hbase.master.HMaster;
import org.apache.hadoop.hbase.master.RegionState.State;
import org.apache.hadoop.hbase.master.assignment.RegionStateNode;
import org.apache.hadoop.hbase.master.assignment.RegionStates;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
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

    static final String BUSY =
            "HBase's balancer makes moves just now, for up to hbase.balancer.max.balancing (5 minutes),"
                    + " plans for somebody else, or plans for longer than a third of hbase.rpc.timeout. Try again"
                    + " when it is over";

    private static final String STOPPING = "the master is stopping";

    /** Shorter than a client waits, which asks again otherwise, and takes another handler of the master. */
    private static final double SHARE_OF_RPC_TIMEOUT = 1.0 / 3;

    /** One at a time: what nobody waits for any more ends with the run that it waits for. */
    private static final Semaphore DRY_RUN = new Semaphore(1);

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

    /** Where HBase's search may take a minute (hbase.master.balancer.stochastic.maxRunningTime), clients are told to wait longer as well. */
    private long mostDryRunMs() {
        long clientMs = master.getConfiguration()
                .getLong(HConstants.HBASE_RPC_TIMEOUT_KEY, HConstants.DEFAULT_HBASE_RPC_TIMEOUT);
        return (long) (SHARE_OF_RPC_TIMEOUT * (clientMs > 0 ? clientMs : HConstants.DEFAULT_HBASE_RPC_TIMEOUT));
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
            case GET_PLANS -> plans();
            case GET_HEALS -> heals();
            case EXPLAIN_REGIONS -> explainRegions(json);
            case ANNOUNCE_MOVES -> announceMoves(json);
            case BRAKE ->
                BrakeRequest.answer(json, master.getConfiguration(), caller.name(), System.nanoTime() / 1_000_000);
            case REPORT_DATANODES -> {
                Optional<HealerAdmin> healer = HealerAdmin.of(master.getConfiguration());
                yield DataNodeReportRequest.answer(
                        json,
                        healer.map(HealerAdmin::dataNodeStates),
                        healer.map(HealerAdmin::nowMs).orElse(0L));
            }
            case PAUSE_HEALING, RESUME_HEALING, HEAL, REMOVE_PIN, ADVISE, ACT ->
                new AdminActionExecutor(master).act(ask.action().orElseThrow(), json, caller);
        };
    }

    private ApiResponse plans() {
        if (MasterComponentRegistry.whyBalancerRests(master.getConfiguration()).isPresent()) {
            return AdminActionExecutor.noBalancer(master);
        }
        // Where it is off there is no plan to be told of: whoever asks can make one from outside.
        Optional<BalanceEngine> engine =
                engine().filter(known -> !known.tracker().isOff());
        try {
            Optional<DryRunPlans> made =
                    engine.isPresent() ? Optional.of(DryRunPlans.of(engine.get(), this::dryRun)) : Optional.empty();
            return made.isPresent()
                            && !made.get().isAnyMade()
                            && made.get().notPlanned().isPresent()
                    ? ApiResponse.problem(
                            ApiResponse.UNAVAILABLE, made.get().notPlanned().get())
                    : ApiResponse.json(ApiResponse.OK, json(made));
        } catch (RegionExplainer.NoRunException notNow) {
            return ApiResponse.problem(ApiResponse.UNAVAILABLE, NO_RUN);
        } catch (IOException failure) {
            return dryRunFailed(failure);
        }
    }

    private static JsonObject json(Optional<DryRunPlans> made) {
        JsonObject answer = new JsonObject();
        answer.addProperty("balancer", made.isPresent());
        JsonArray plans = new JsonArray();
        made.map(DryRunPlans::decisions)
                .orElse(List.of())
                .forEach(decision -> plans.add(DecisionJson.explained(decision)));
        answer.add("plans", plans);
        made.flatMap(DryRunPlans::notPlanned).ifPresent(why -> answer.addProperty("notPlanned", why));
        return answer;
    }

    /** HBase makes it under the balancer's lock, which a run holds until its last move has begun: no handler waits that long. */
    private boolean dryRun() throws IOException {
        long mostMs = mostDryRunMs();
        try {
            if (!DRY_RUN.tryAcquire(mostMs, TimeUnit.MILLISECONDS)) {
                throw new BusyException();
            }
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            throw new IOException(STOPPING, stopping);
        }
        return awaited(startedDryRun(), mostMs);
    }

    private FutureTask<Boolean> startedDryRun() {
        FutureTask<Boolean> ran = new FutureTask<>(() -> {
            try {
                return master.balance(
                                BalanceRequest.newBuilder().setDryRun(true).build())
                        .isBalancerRan();
            } finally {
                DRY_RUN.release();
            }
        });
        // Not by a name of Hearth's threads: what HBase's own search takes of it is not Hearth's.
        Thread thread = new Thread(ran, "dry-run-for-hearth");
        thread.setDaemon(true);
        try {
            thread.start();
        } catch (Error noThread) {
            // Nothing else gives it back: whoever asks would be told until the master's end that its balancer is busy.
            DRY_RUN.release();
            throw noThread;
        }
        return ran;
    }

    private static boolean awaited(FutureTask<Boolean> ran, long mostMs) throws IOException {
        try {
            return ran.get(mostMs, TimeUnit.MILLISECONDS);
        } catch (TimeoutException stillWaits) {
            throw new BusyException();
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            throw new IOException(STOPPING, stopping);
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof IOException cause ? cause : new IOException(failed.getCause());
        }
    }

    /** A run of the balancer, or another dry run, is under way. */
    private static final class BusyException extends IOException {

        private static final long serialVersionUID = 1;
    }

    private static ApiResponse dryRunFailed(IOException failure) {
        if (failure instanceof BusyException) {
            return ApiResponse.problem(ApiResponse.UNAVAILABLE, BUSY);
        }
        throw new UncheckedIOException("The dry run of HBase's balancer failed.", failure);
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
        heal.bytesAcrossRacks().ifPresent(bytes -> json.addProperty("bytesAcrossRacks", bytes));
        return json;
    }

    private ApiResponse explainRegions(JsonObject json) {
        Optional<BalanceEngine> engine = engine();
        if (engine.isEmpty()) {
            return AdminActionExecutor.noBalancer(master);
        }
        Set<AskedRegion> asked = new LinkedHashSet<>();
        RegionStates states = master.getAssignmentManager().getRegionStates();
        for (String name : names(json)) {
            String encodedName = HBaseNames.encodedName(name);
            RegionStateNode node = states.getRegionStateNodeFromEncodedRegionName(encodedName);
            if (node == null) {
                return ApiResponse.problem(
                        ApiResponse.BAD_REQUEST, "the master has no region " + PrintableName.of(name));
            }
            asked.add(asked(encodedName, node));
        }
        if (asked.isEmpty() || asked.size() > MOST_EXPLAINED) {
            return ApiResponse.problem(
                    ApiResponse.BAD_REQUEST,
                    "regions must be a list of 1 to " + MOST_EXPLAINED + " names of regions, and there are "
                            + asked.size() + ".");
        }
        return explain(engine.get(), asked);
    }

    private AskedRegion asked(String encodedName, RegionStateNode node) {
        Optional<ServerName> server =
                node.isInState(State.OPEN) ? Optional.ofNullable(node.getRegionLocation()) : Optional.empty();
        List<ServerName> draining = master.getServerManager().getDrainingServersList();
        return new AskedRegion(
                new EncodedRegionName(encodedName),
                HBaseNames.table(node.getTable()),
                server.map(HBaseNames::server),
                server.filter(draining::contains).isPresent());
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

    private ApiResponse explain(BalanceEngine engine, Set<AskedRegion> asked) {
        RegionExplainer explainer = new RegionExplainer(
                engine, this::dryRun, new DirectedPlanner(() -> MOST_PLANNING_MS, System::nanoTime));
        try {
            JsonObject answer = new JsonObject();
            answer.add("reasons", DecisionJson.reasons(explainer.explain(asked)));
            return ApiResponse.json(ApiResponse.OK, answer);
        } catch (RegionExplainer.NoRunException notNow) {
            return ApiResponse.problem(ApiResponse.UNAVAILABLE, NO_RUN);
        } catch (IOException failure) {
            return dryRunFailed(failure);
        }
    }

    private ApiResponse announceMoves(JsonObject json) {
        Optional<BalanceEngine> engine = engine();
        if (engine.isEmpty()) {
            return AdminActionExecutor.noBalancer(master);
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
