package io.hearth.operate.client;

import io.hearth.balancer.engine.Decision;
import io.hearth.balancer.hbase.DecisionJson;
import io.hearth.operate.plan.KeptMove;
import io.hearth.operate.plan.KeptPlan;
import io.hearth.operate.rpc.Ask;
import io.hearth.web.hbase.Answer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.BalanceRequest;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;

/**
 * Makes a plan for a live cluster and moves nothing: where Hearth plans in the master by a dry run of HBase's balancer, so that
 * it is the plan that the master would carry out; elsewhere by looking at the cluster and planning in this process.
 */
public final class PlanMaker {

    private static final TableName RS_GROUPS = TableName.valueOf("hbase", "rsgroup");

    private final ClusterEye eye;

    public PlanMaker(ClusterEye eye) {
        this.eye = eye;
    }

    /**
     * What is planned.
     *
     * @param decisions in the form of the page's plans, each with every move and {@code explain}
     */
    public record Made(JsonArray decisions, boolean byMaster) {

        /** Every move, in the order of the decisions. */
        public List<KeptMove> moves() {
            List<KeptMove> moves = new ArrayList<>();
            decisions.forEach(decision -> decision.getAsJsonObject()
                    .getAsJsonArray("moves")
                    .forEach(move -> moves.add(move(move.getAsJsonObject()))));
            return moves;
        }

        private static KeptMove move(JsonObject move) {
            return new KeptMove(
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
     * @param seconds for how long to look where the master does not plan
     * @param withBlocks whether to ask the NameNode for the blocks there
     * @throws NoPlanException if there can be none now
     */
    public Made make(int seconds, boolean withBlocks) throws IOException {
        Optional<Answer> before = eye.ask(Ask.PLANS, new JsonObject());
        boolean plansInMaster = before.isPresent()
                && ClusterEye.object(before.get()).get("balancer").getAsBoolean();
        return plansInMaster
                ? new Made(dryRun(ClusterEye.object(before.get()).get("nowMs").getAsLong()), true)
                : new Made(ownPlan(seconds, withBlocks), false);
    }

    private JsonArray dryRun(long sinceMs) throws IOException {
        if (!eye.admin()
                .balance(BalanceRequest.newBuilder().setDryRun(true).build())
                .isBalancerRan()) {
            throw new NoPlanException("HBase's balancer does not run now: regions are in transition, servers are being"
                    + " processed, or the master has only just started. Try again in a minute");
        }
        JsonObject since = new JsonObject();
        since.addProperty("sinceMs", sinceMs);
        Answer answer = eye.ask(Ask.PLANS, since)
                .orElseThrow(() -> new NoPlanException("the master has changed meanwhile. Try again"));
        return ClusterEye.object(answer).getAsJsonArray("plans");
    }

    private JsonArray ownPlan(int seconds, boolean withBlocks) throws IOException {
        if (eye.admin().tableExists(RS_GROUPS)) {
            throw new NoPlanException(
                    "this cluster has RSGroups, which only its master knows: install Hearth's balancer"
                            + " there to have plans");
        }
        try (LiveCluster cluster = LiveCluster.forAPlan(eye.connection(), eye.site())) {
            cluster.look(seconds);
            Decision decision = ClusterCapture.decide(cluster, withBlocks);
            JsonArray decisions = new JsonArray();
            decisions.add(DecisionJson.explained(decision));
            return decisions;
        }
    }

    /** The plan to be kept, with what it is made on. */
    public KeptPlan keep(Made made) throws IOException {
        List<KeptMove> moves = made.moves();
        return KeptPlan.of(
                clusterId(eye.admin()),
                System.currentTimeMillis(),
                regionsByServer(eye.admin(), KeptPlan.servers(moves)),
                moves);
    }

    static String clusterId(Admin admin) throws IOException {
        return String.valueOf(admin.getClusterMetrics().getClusterId());
    }

    /** What each of these servers serves now by its own word; one that is gone is missing. */
    static Map<String, Collection<String>> regionsByServer(Admin admin, Set<String> servers) throws IOException {
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

    /** The decisions' own words. */
    public static List<String> explain(Made made) {
        List<String> lines = new ArrayList<>();
        for (JsonElement decision : made.decisions()) {
            decision.getAsJsonObject().getAsJsonArray("explain").forEach(line -> lines.add(line.getAsString()));
        }
        return lines;
    }
}
