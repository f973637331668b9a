package io.hearth.healing.hbase;

import io.hearth.balancer.config.ConfigProblem;
import io.hearth.balancer.load.RegionId;
import io.hearth.healing.metrics.HealingGauge;
import io.hearth.healing.metrics.HealingMetrics;
import io.hearth.healing.model.HealMode;
import io.hearth.healing.model.HealRank;
import io.hearth.healing.model.ReportedLocality;
import io.hearth.healing.model.ServedRegion;
import io.hearth.healing.observe.Assignments;
import io.hearth.healing.observe.ClusterLook;
import io.hearth.healing.observe.Observed;
import io.hearth.healing.observe.UnknownReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionReplicaUtil;
import org.apache.hadoop.hbase.master.MasterServices;
import org.apache.hadoop.hbase.master.RegionState;
import org.apache.hadoop.hbase.master.assignment.RegionStateNode;

/**
 * The assignments in the master's memory, with the locality that each region's own server reported last. What another server
 * still reports of a region after a move is not used. Read replicas are passed over: they read the primary's files.
 */
final class MasterAssignments implements Assignments {

    private final MasterServices services;
    private final HealingMetrics metrics;
    private final Consumer<ConfigProblem> problems;

    MasterAssignments(MasterServices services, HealingMetrics metrics, Consumer<ConfigProblem> problems) {
        this.services = services;
        this.metrics = metrics;
        this.problems = problems;
    }

    @Override
    public Observed<ClusterLook> look() {
        if (!services.isActiveMaster() || !services.isInitialized()) {
            return Observed.unknown(UnknownReason.MASTER_NOT_READY, "the master is not active and initialised");
        }
        long startNanos = System.nanoTime();
        ClusterLook look = lookNow();
        metrics.set(HealingGauge.POLL_MS, (System.nanoTime() - startNanos) / 1_000_000);
        return Observed.known(look);
    }

    private ClusterLook lookNow() {
        Map<ServerName, ServerMetrics> online = services.getServerManager().getOnlineServers();
        TableModes modes = new TableModes(services.getTableDescriptors(), problems);
        List<ServedRegion> served = new ArrayList<>();
        List<RegionId> unserved = new ArrayList<>();
        for (RegionStateNode node :
                services.getAssignmentManager().getRegionStates().getRegionStateNodes()) {
            if (!RegionReplicaUtil.isDefaultReplica(node.getRegionInfo())) {
                continue;
            }
            ServerName server = node.getRegionLocation();
            boolean isServed = server != null
                    && online.containsKey(server)
                    && node.isInState(RegionState.State.OPEN)
                    && !node.isInTransition();
            if (isServed) {
                served.add(servedRegion(node.getRegionInfo(), server, online.get(server), modes));
            } else {
                unserved.add(HBaseIds.regionId(node.getRegionInfo()));
            }
        }
        return ClusterLook.of(served, unserved);
    }

    private static ServedRegion servedRegion(
            RegionInfo region, ServerName server, ServerMetrics reported, TableModes modes) {
        HealMode mode = modes.of(region.getTable());
        return new ServedRegion(
                HBaseIds.regionId(region),
                HBaseIds.tableId(region.getTable()),
                rank(region.getTable(), mode),
                mode,
                HBaseIds.serverId(server),
                locality(region, reported));
    }

    private static Optional<ReportedLocality> locality(RegionInfo region, ServerMetrics reported) {
        return Optional.ofNullable(reported)
                .map(server -> server.getRegionMetrics().get(region.getRegionName()))
                .map(MasterAssignments::locality);
    }

    private static ReportedLocality locality(RegionMetrics region) {
        return new ReportedLocality(region.getBlocksLocalWeight(), region.getBlocksTotalWeight());
    }

    private static HealRank rank(TableName table, HealMode mode) {
        if (TableName.isMetaTableName(table)) {
            return HealRank.META;
        }
        if (table.isSystemTable()) {
            return HealRank.SYSTEM;
        }
        return mode == HealMode.FIRST ? HealRank.FIRST : HealRank.USER;
    }
}
