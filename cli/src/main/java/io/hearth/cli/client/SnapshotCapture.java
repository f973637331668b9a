// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.client;

import io.hearth.balancer.config.ServerCapacities;
import io.hearth.balancer.engine.BalanceEngine;
import io.hearth.balancer.engine.ClusterStateBuilder;
import io.hearth.balancer.engine.Decision;
import io.hearth.balancer.engine.HBasePlanLimits;
import io.hearth.balancer.hbase.HBaseNames;
import io.hearth.balancer.hbase.LocalBytesReader;
import io.hearth.balancer.hbase.ReportedStateReader;
import io.hearth.balancer.hbase.SnapshotFile;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.LocalBytes;
import io.hearth.balancer.state.ServerState;
import io.hearth.common.model.ServerId;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.RegionInfo;
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
            Map<ServerName, ServerMetrics> reports = new HashMap<>(cluster.lastReports());
            reports.keySet().removeAll(admin.listDecommissionedRegionServers());
            ClusterState snapshot = snapshot(
                    reports,
                    cluster.capacities(),
                    cluster.engine().view(nowMs),
                    withBlocks ? blocks(admin, cluster) : Map.of(),
                    cluster::isCanary);
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
     * @param reports of every server that may serve regions, the last ones
     * @param states nothing is added yet
     * @param blocksByRegion where the bytes are, by encoded name; a region that is missing is unknown
     * @param isCanary whose regions are left out
     */
    static ClusterState snapshot(
            Map<ServerName, ServerMetrics> reports,
            ServerCapacities capacities,
            ClusterStateBuilder states,
            Map<String, LocalBytes> blocksByRegion,
            Predicate<TableName> isCanary)
            throws IOException {
        ReportedStateReader reader = new ReportedStateReader(
                states, region -> blocksByRegion.getOrDefault(region.encodedName(), LocalBytes.UNKNOWN), isCanary);
        for (Map.Entry<ServerName, ServerMetrics> entry : reports.entrySet()) {
            ServerId id = HBaseNames.server(entry.getKey());
            ServerState server = new ServerState(id, ServerState.UNKNOWN_RACK, capacities.of(id.host()));
            states.add(server);
            reader.read(server, entry.getValue()).regions().forEach(region -> states.add(id, region));
        }
        return states.all();
    }
}
