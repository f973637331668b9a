package io.hearth.operate.client;

import io.hearth.balancer.config.ServerCapacities;
import io.hearth.balancer.engine.RunStates;
import io.hearth.balancer.engine.RunView;
import io.hearth.balancer.hbase.Names;
import io.hearth.balancer.load.ServerId;
import io.hearth.balancer.snapshot.ClusterSnapshot;
import io.hearth.balancer.snapshot.LocalBytes;
import io.hearth.balancer.snapshot.RegionState;
import io.hearth.balancer.snapshot.ServerState;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.RegionReplicaUtil;

/** Makes a snapshot of what servers have reported, as the master would plan on it. */
final class CapturedCluster {

    private CapturedCluster() {}

    /**
     * The snapshot of these servers.
     *
     * @param regionsByServer the names of the regions of every server that may serve regions
     * @param blocksByRegion where the bytes are, by encoded name; a region that is missing is unknown
     */
    static ClusterSnapshot snapshot(
            Map<ServerName, Set<byte[]>> regionsByServer,
            ServerCapacities capacities,
            RunView view,
            Map<String, LocalBytes> blocksByRegion)
            throws IOException {
        RunStates states = new RunStates();
        for (Map.Entry<ServerName, Set<byte[]>> entry : regionsByServer.entrySet()) {
            ServerId id = Names.server(entry.getKey());
            states.add(new ServerState(id, ServerState.UNKNOWN_RACK, capacities.of(id.host())));
            for (byte[] name : entry.getValue()) {
                states.add(id, region(view, name, blocksByRegion));
            }
        }
        return states.all();
    }

    private static RegionState region(RunView view, byte[] name, Map<String, LocalBytes> blocksByRegion)
            throws IOException {
        RegionInfo info = info(name);
        LocalBytes local = blocksByRegion.getOrDefault(Names.region(name).encodedName(), LocalBytes.UNKNOWN);
        return view.region(
                Names.region(name),
                Names.region(RegionReplicaUtil.getRegionInfoForDefaultReplica(info)),
                Names.table(info.getTable()),
                local);
    }

    /** As much of a region as its name says; its end key is not in it. */
    private static RegionInfo info(byte[] name) throws IOException {
        byte[][] parts = RegionInfo.parseRegionName(name);
        int replica = parts.length > 3 ? Integer.parseInt(new String(parts[3], StandardCharsets.UTF_8), 16) : 0;
        return RegionInfoBuilder.newBuilder(TableName.valueOf(parts[0]))
                .setStartKey(parts[1])
                .setRegionId(Long.parseLong(new String(parts[2], StandardCharsets.UTF_8)))
                .setReplicaId(replica)
                .build();
    }
}
