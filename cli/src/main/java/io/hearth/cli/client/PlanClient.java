// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.client;

import io.hearth.admin.rpc.AdminCall;
import io.hearth.balancer.engine.Decision;
import io.hearth.balancer.engine.RegionExplainer;
import io.hearth.balancer.engine.RegionExplainer.AskedRegion;
import io.hearth.balancer.hbase.DecisionJson;
import io.hearth.balancer.hbase.HBaseNames;
import io.hearth.balancer.plan.RegionReason;
import io.hearth.balancer.planner.DirectedPlanner;
import io.hearth.cli.plan.SavedPlan;
import io.hearth.cli.plan.SavedPlan.SavedMove;
import io.hearth.ui.hbase.ApiResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;

/**
 * Makes a plan for a live cluster and moves nothing: where Hearth plans in the master by a dry run of HBase's balancer, so that
 * it is the plan that the master would carry out; elsewhere by observing the cluster and planning in this process.
 */
public final class PlanClient {

    private static final TableName RS_GROUPS = TableName.valueOf("hbase", "rsgroup");

    private final ClusterClient client;

    public PlanClient(ClusterClient client) {
        this.client = client;
    }

    /**
     * What is planned.
     *
     * @param decisions in the form of the page's plans, each with every move and {@code explain}
     * @param notPlanned what there is no plan for and why, as a sentence without its full stop
     */
    public record PlanResult(JsonArray decisions, boolean byMaster, Optional<String> notPlanned) {

        /** Every move, in the order of the decisions. */
        public List<SavedMove> moves() {
            List<SavedMove> moves = new ArrayList<>();
            decisions.forEach(decision -> decision.getAsJsonObject()
                    .getAsJsonArray("moves")
                    .forEach(move -> moves.add(move(move.getAsJsonObject()))));
            return moves;
        }

        private static SavedMove move(JsonObject move) {
            return new SavedMove(
                    move.get("region").getAsString(),
                    move.get("table").getAsString(),
                    move.get("from").getAsString(),
                    move.get("to").getAsString());
        }
    }

    /** There is no plan, for a reason that is one line. */
    public static final class NoPlanException extends IOException {

        private static final long serialVersionUID = 1;

        NoPlanException(String why) {
            super(why);
        }
    }

    /**
     * The plan.
     *
     * @param seconds for how long to observe where the master does not plan
     * @param withBlocks whether to ask the NameNode for the blocks there
     * @throws NoPlanException if there can be none now
     */
    public PlanResult build(int seconds, boolean withBlocks) throws IOException {
        Optional<ApiResponse> answer = client.ask(AdminCall.GET_PLANS, new JsonObject());
        Optional<PlanResult> byMaster = answer.isPresent() ? byMaster(answer.get()) : Optional.empty();
        return byMaster.isPresent()
                ? byMaster.get()
                : new PlanResult(planInClient(seconds, withBlocks), false, Optional.empty());
    }

    /** What the master answers; empty where Hearth does not plan there. */
    static Optional<PlanResult> byMaster(ApiResponse answer) throws NoPlanException {
        JsonObject json = ClusterClient.object(answer);
        if (answer.status() != ApiResponse.OK) {
            throw new NoPlanException(json.get("problem").getAsString());
        }
        return json.get("balancer").getAsBoolean()
                ? Optional.of(new PlanResult(
                        json.getAsJsonArray("plans"),
                        true,
                        Optional.ofNullable(json.get("notPlanned")).map(JsonElement::getAsString)))
                : Optional.empty();
    }

    /** A region that somebody asked for is not there; the message names it. */
    public static final class UnknownRegionException extends IOException {

        private static final long serialVersionUID = 1;

        UnknownRegionException(String problem) {
            super(problem);
        }
    }

    /**
     * What would become of these regions, and why.
     *
     * @param names each its name or its encoded name
     * @throws UnknownRegionException if one of them is not there
     * @throws NoPlanException if there can be no run now
     */
    public List<RegionReason> reasons(List<String> names, int seconds, boolean withBlocks) throws IOException {
        JsonObject asked = new JsonObject();
        JsonArray regions = new JsonArray();
        names.forEach(regions::add);
        asked.add("regions", regions);
        Optional<ApiResponse> answer = client.ask(AdminCall.EXPLAIN_REGIONS, asked);
        if (answer.isEmpty() || answer.get().status() == ApiResponse.NOT_FOUND) {
            return reasonsInClient(names, seconds, withBlocks);
        }
        JsonObject json = ClusterClient.object(answer.get());
        switch (answer.get().status()) {
            case ApiResponse.OK -> {
                List<RegionReason> reasons = new ArrayList<>();
                json.getAsJsonArray("reasons").forEach(one -> reasons.add(reason(one.getAsJsonObject())));
                return reasons;
            }
            case ApiResponse.BAD_REQUEST ->
                throw new UnknownRegionException(json.get("problem").getAsString());
            default -> throw new NoPlanException(json.get("problem").getAsString());
        }
    }

    private static RegionReason reason(JsonObject json) {
        return new RegionReason(
                json.get("region").getAsString(),
                json.get("table").getAsString(),
                json.get("server").getAsString(),
                json.get("reason").getAsString(),
                json.get("text").getAsString());
    }

    private List<RegionReason> reasonsInClient(List<String> names, int seconds, boolean withBlocks) throws IOException {
        checkNoGroups();
        try (LiveCluster cluster = LiveCluster.forPlanning(client.connection(), client.site())) {
            cluster.observe(seconds);
            List<ServerName> draining = client.admin().listDecommissionedRegionServers();
            Set<AskedRegion> asked = new LinkedHashSet<>();
            for (String name : names) {
                asked.add(cluster.region(HBaseNames.encodedName(name), draining)
                        .orElseThrow(() -> new UnknownRegionException("no server reports a region " + name)));
            }
            RegionExplainer.DryRun dryRun = () -> {
                SnapshotCapture.decide(cluster, withBlocks);
                return true;
            };
            return new RegionExplainer(cluster.engine(), dryRun, new DirectedPlanner()).explain(asked);
        }
    }

    private void checkNoGroups() throws IOException {
        if (client.admin().tableExists(RS_GROUPS)) {
            throw new NoPlanException(
                    "this cluster has RSGroups, which only its master knows: install Hearth's balancer"
                            + " there to have plans");
        }
    }

    private JsonArray planInClient(int seconds, boolean withBlocks) throws IOException {
        checkNoGroups();
        try (LiveCluster cluster = LiveCluster.forPlanning(client.connection(), client.site())) {
            cluster.observe(seconds);
            Decision decision = SnapshotCapture.decide(cluster, withBlocks);
            JsonArray decisions = new JsonArray();
            decisions.add(DecisionJson.explained(decision));
            return decisions;
        }
    }

    /** The plan to be kept, with what it is made on. */
    public SavedPlan toSavedPlan(PlanResult made) throws IOException {
        List<SavedMove> moves = made.moves();
        return SavedPlan.of(
                clusterId(client.admin()),
                System.currentTimeMillis(),
                regionsByServer(client.admin(), SavedPlan.servers(moves)),
                moves);
    }

    /** Why a kept plan may not be carried out now; empty where it may. */
    public Optional<String> refusal(PlanFiles.ParsedPlan parsed) throws IOException {
        return parsed.plan()
                .refusal(
                        parsed.hash(),
                        clusterId(client.admin()),
                        regionsByServer(
                                client.admin(), SavedPlan.servers(parsed.plan().moves())),
                        System.currentTimeMillis());
    }

    private static String clusterId(Admin admin) throws IOException {
        return String.valueOf(admin.getClusterMetrics().getClusterId());
    }

    /** What each of these servers reports that it serves now; one that is gone is missing. */
    private static Map<String, Collection<String>> regionsByServer(Admin admin, Set<String> servers)
            throws IOException {
        Collection<ServerName> live = admin.getRegionServers();
        Map<String, Collection<String>> regions = new TreeMap<>();
        for (String server : servers) {
            ServerName name = ServerName.valueOf(server);
            if (live.contains(name)) {
                regions.put(
                        server,
                        admin.getRegions(name).stream()
                                .map(RegionInfo::getEncodedName)
                                .toList());
            }
        }
        return regions;
    }

    /** The reasons of the decisions. */
    public static List<String> explain(PlanResult made) {
        List<String> lines = new ArrayList<>();
        for (JsonElement decision : made.decisions()) {
            decision.getAsJsonObject().getAsJsonArray("explain").forEach(line -> lines.add(line.getAsString()));
        }
        return lines;
    }
}
