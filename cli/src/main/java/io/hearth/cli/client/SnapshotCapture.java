// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.client;

import io.hearth.balancer.config.ServerCapacities;
import io.hearth.balancer.engine.BalanceEngine;
import io.hearth.balancer.engine.ClusterStateBuilder;
import io.hearth.balancer.engine.Decision;
import io.hearth.balancer.engine.HBasePlanLimits;
import io.hearth.balancer.engine.RegionStateFactory;
import io.hearth.balancer.hbase.HBaseNames;
import io.hearth.balancer.hbase.LocalBytesReader;
import io.hearth.balancer.hbase.SnapshotFile;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.LocalBytes;
import io.hearth.balancer.state.RegionState;
import io.hearth.balancer.state.ServerState;
import io.hearth.common.model.ServerId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.RegionReplicaUtil;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.regionserver.HRegion;

/**
 * Makes of what was seen of a live cluster all that a plan is made from, and the plan. Where the file system can be reached it
 * has the blocks of each region. Servers that are being emptied are left out with their regions, as the master does. Stateless.
 */
public final class SnapshotCapture {

    private SnapshotCapture() {}

    /** What was seen last, with the blocks where they are wanted. */
    public static SnapshotFile of(LiveCluster cluster, String takenBy, boolean withBlocks) throws IOException {
        long nowMs = System.currentTimeMillis();
        try (Admin admin = cluster.connection().getAdmin()) {
            Map<ServerName, Set<byte[]>> regionsByServer = new HashMap<>();
            cluster.lastReports()
                    .forEach((server, report) -> regionsByServer.put(
                            server, report.getRegionMetrics().keySet()));
            regionsByServer.keySet().removeAll(admin.listDecommissionedRegionServers());
            ClusterState snapshot = snapshot(
                    regionsByServer,
                    cluster.capacities(),
                    cluster.engine().view(nowMs),
                    withBlocks ? blocks(admin, cluster) : Map.of());
            Configuration site = cluster.site();
            HBasePlanLimits limits = HBasePlanLimits.of(
                    site.getFloat("hbase.regions.slop", 0.2f),
                    snapshot,
                    site.getFloat("hbase.master.balancer.stochastic.maxMovePercent", 1f));
            return new SnapshotFile(
                    snapshot.foundOut(nowMs, takenBy, admin.getClusterMetrics().getHBaseVersion()),
                    cluster.engine().goals(limits, nowMs));
        }
    }

    /** Hearth's plan for what was seen last. */
    public static Decision decide(LiveCluster cluster, boolean withBlocks) throws IOException {
        SnapshotFile captured = of(cluster, "bin/hearth balancer plan", withBlocks);
        BalanceEngine engine = cluster.engine();
        return engine.decide(
                HConstants.ENSEMBLE_TABLE_NAME.getNameAsString(),
                captured.state(),
                captured.goals(),
                captured.state().atMs());
    }

    /** By encoded name; none where the NameNode can't be asked. */
    private static Map<String, LocalBytes> blocks(Admin admin, LiveCluster cluster) throws IOException {
        Map<String, LocalBytes> all = new HashMap<>();
        for (TableDescriptor table : cluster.tables()) {
            for (RegionInfo region : admin.getRegions(table.getTableName())) {
                try {
                    all.put(
                            region.getEncodedName(),
                            LocalBytesReader.read(
                                    HRegion.computeHDFSBlocksDistribution(cluster.site(), table, region)));
                } catch (IOException unreachable) {
                    return Map.of();
                }
            }
        }
        return all;
    }

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
