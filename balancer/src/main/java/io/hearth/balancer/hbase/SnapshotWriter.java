package io.hearth.balancer.hbase;

import io.hearth.balancer.plan.DimensionGoal;
import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.LocalBytes;
import io.hearth.balancer.state.RegionState;
import io.hearth.balancer.state.ServerState;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import java.io.IOException;
import java.io.Writer;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hbase.thirdparty.com.google.gson.stream.JsonWriter;

/**
 * Writes a snapshot file: one JSON text with a snapshot and the goals of its plan, which is all that the planner looks at (it
 * draws no lots, so there is no seed). Regions are named by their encoded names, which are digests; there is no row data and
 * no row key in it, for no plan needs one. The same snapshot and goals give the same text.
 */
public final class SnapshotWriter {

    /** What the file says that it is. */
    public static final String FORMAT = "hearth-snapshot";

    /** Raised with each change of the form that a reader must know of. */
    public static final int VERSION = 1;

    private final Writer out;
    private final JsonWriter json;

    private SnapshotWriter(Writer out) {
        this.out = out;
        json = new JsonWriter(out);
    }

    /** Writes the whole file. */
    public static void write(Writer out, SnapshotProvenance provenance, ClusterState snapshot, PlanGoals goals)
            throws IOException {
        new SnapshotWriter(out).write(provenance, snapshot, goals);
        out.append('\n');
    }

    private void write(SnapshotProvenance provenance, ClusterState snapshot, PlanGoals goals) throws IOException {
        json.beginObject();
        json.name("format").value(FORMAT);
        json.name("version").value(VERSION);
        json.name("takenAtMs").value(provenance.takenAtMs());
        json.name("takenBy").value(provenance.takenBy());
        json.name("hbaseVersion").value(provenance.hbaseVersion());
        newLine().name("goals");
        goals(goals);
        newLine().name("servers").beginArray();
        for (int server = 0; server < snapshot.servers().size(); server++) {
            server(snapshot, server);
        }
        json.endArray().endObject();
    }

    /** Begins another line, for a person who looks at the file. */
    private JsonWriter newLine() throws IOException {
        out.write('\n');
        return json;
    }

    private void goals(PlanGoals goals) throws IOException {
        json.beginObject().name("heat").beginObject();
        for (Map.Entry<LoadDimension, DimensionGoal> heat : new TreeMap<>(goals.goalByDimension()).entrySet()) {
            DimensionGoal goal = heat.getValue();
            json.name(heat.getKey().name()).beginObject();
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
        limits(goals);
        json.endObject();
    }

    private void limits(PlanGoals goals) throws IOException {
        json.name("limits").beginObject();
        json.name("maxMoves").value(goals.limits().maxMoves());
        if (goals.limits().maxHeatMoves() != Integer.MAX_VALUE) {
            json.name("maxHeatMoves").value(goals.limits().maxHeatMoves());
        }
        json.name("minGain").value(goals.limits().minGain());
        json.name("minRelief").value(goals.limits().minHotspotReduction());
        json.name("plan.min.marginal.gain.ratio").value(goals.limits().minMarginalGainRatio());
        json.name("movesLeftByTable").beginObject();
        for (Map.Entry<TableId, Integer> left : new TreeMap<>(goals.limits().movesLeftByTable()).entrySet()) {
            json.name(left.getKey().name()).value(left.getValue());
        }
        json.endObject().endObject();
    }

    private void server(ClusterState snapshot, int server) throws IOException {
        ServerId id = snapshot.serverId(server);
        ServerState state = snapshot.server(server);
        newLine().beginObject();
        json.name("host").value(id.host());
        json.name("port").value(id.port());
        json.name("startCode").value(id.startCode());
        json.name("rack").value(state.rack());
        json.name("capacity").value(state.capacity());
        json.name("target").value(state.mayReceiveRegions());
        json.name("regions").beginArray();
        for (RegionState region : snapshot.regionsOf(server)) {
            region(region);
        }
        json.endArray().endObject();
    }

    private void region(RegionState region) throws IOException {
        newLine().beginObject();
        json.name("region").value(region.region().encodedName());
        if (!region.primary().equals(region.region())) {
            json.name("primary").value(region.primary().encodedName());
        }
        json.name("table").value(region.table().name());
        json.name("pin").value(region.pin().name());
        json.name("load").beginObject();
        for (LoadDimension dimension : LoadDimension.values()) {
            json.name(dimension.name()).value(region.plannedLoad().get(dimension));
        }
        json.endObject();
        if (region.bytesByHost().isKnown()) {
            local(region.bytesByHost());
        }
        json.endObject();
    }

    private void local(LocalBytes local) throws IOException {
        json.name("blocks").beginObject();
        json.name("bytes").value(local.totalBytes().orElse(0));
        json.name("bytesByHost").beginObject();
        for (Map.Entry<String, Long> host : local.bytesByHost().entrySet()) {
            json.name(host.getKey()).value(host.getValue());
        }
        json.endObject().endObject();
    }
}
