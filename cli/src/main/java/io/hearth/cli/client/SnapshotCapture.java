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
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.HDFSBlocksDistribution;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes of what was seen of a live cluster all that a plan is made from, and the plan. Where the file system can be reached it
 * has the blocks of each region. Servers that are being emptied are left out with their regions, as the master does. Stateless.
 */
public final class SnapshotCapture {

    private static final Logger LOG = LoggerFactory.getLogger(SnapshotCapture.class);

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

    private static Map<String, LocalBytes> blocks(Admin admin, LiveCluster cluster) throws IOException {
        Map<String, LocalBytes> all = new HashMap<>();
        for (TableDescriptor table : cluster.tables()) {
            boolean isAnswered = addBlocks(
                    admin.getRegions(table.getTableName()),
                    region -> HRegion.computeHDFSBlocksDistribution(cluster.site(), table, region),
                    all);
            if (!isAnswered) {
                return Map.of();
            }
        }
        return all;
    }

    /** Where the blocks of a region are. */
    interface BlockLocations {
        HDFSBlocksDistribution of(RegionInfo region) throws IOException;
    }

    /**
     * Adds the blocks of these regions, by encoded name, but for regions of which the NameNode says that they can't be read, such as one
     * that is just being split. Once it says nothing it is asked no more: each time may last as long as HDFS's client tries.
     *
     * @return whether the NameNode can be asked
     */
    static boolean addBlocks(List<RegionInfo> regions, BlockLocations locations, Map<String, LocalBytes> all) {
        int failures = 0;
        for (RegionInfo region : regions) {
            try {
                all.put(region.getEncodedName(), LocalBytesReader.read(locations.of(region)));
            } catch (FileNotFoundException | AccessControlException | RemoteException unreadable) {
                failures++;
            } catch (IOException unreachable) {
                LOG.warn("Where blocks are can't be read, and no plan counts it: {}", unreachable.toString());
                return false;
            }
        }
        if (failures > 0) {
            LOG.warn("Where blocks are can't be read of {} regions, for which no plan counts it.", failures);
        }
        return true;
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
