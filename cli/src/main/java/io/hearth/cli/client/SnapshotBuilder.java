// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.client;

import io.hearth.balancer.config.ServerCapacities;
import io.hearth.balancer.engine.ClusterStateBuilder;
import io.hearth.balancer.engine.RegionStateFactory;
import io.hearth.balancer.hbase.HBaseNames;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.LocalBytes;
import io.hearth.balancer.state.RegionState;
import io.hearth.balancer.state.ServerState;
import io.hearth.common.model.ServerId;
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
final class SnapshotBuilder {

    private SnapshotBuilder() {}

    /**
     * The snapshot of these servers.
     *
     * @param regionsByServer the names of the regions of every server that may serve regions
     * @param blocksByRegion where the bytes are, by encoded name; a region that is missing is unknown
     */
    static ClusterState snapshot(
            Map<ServerName, Set<byte[]>> regionsByServer,
            ServerCapacities capacities,
            RegionStateFactory view,
            Map<String, LocalBytes> blocksByRegion)
            throws IOException {
        ClusterStateBuilder states = new ClusterStateBuilder();
        for (Map.Entry<ServerName, Set<byte[]>> entry : regionsByServer.entrySet()) {
            ServerId id = HBaseNames.server(entry.getKey());
            states.add(new ServerState(id, ServerState.UNKNOWN_RACK, capacities.of(id.host())));
            for (byte[] name : entry.getValue()) {
                states.add(id, region(view, name, blocksByRegion));
            }
        }
        return states.all();
    }

    private static RegionState region(RegionStateFactory view, byte[] name, Map<String, LocalBytes> blocksByRegion)
            throws IOException {
        RegionInfo info = info(name);
        LocalBytes local = blocksByRegion.getOrDefault(HBaseNames.region(name).encodedName(), LocalBytes.UNKNOWN);
        return view.region(
                HBaseNames.region(name),
                HBaseNames.region(RegionReplicaUtil.getRegionInfoForDefaultReplica(info)),
                HBaseNames.table(info.getTable()),
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
