package io.hearth.healing.hbase;

import io.hearth.balancer.config.ConfigProblem;
import io.hearth.balancer.heat.RegionHeat;
import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.ServerId;
import io.hearth.healing.metrics.HealingGauge;
import io.hearth.healing.metrics.HealingMetrics;
import io.hearth.healing.model.Compaction;
import io.hearth.healing.model.HealMode;
import io.hearth.healing.model.HealRank;
import io.hearth.healing.model.ReportedLocality;
import io.hearth.healing.model.ServedRegion;
import io.hearth.healing.observe.Assignments;
import io.hearth.healing.observe.ClusterLook;
import io.hearth.healing.observe.Observed;
import io.hearth.healing.observe.UnknownReason;
import java.util.ArrayList;
import java.util.HashMap;
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
    private final MasterHeat heat;
    private final HealingMetrics metrics;
    private final Consumer<ConfigProblem> problems;

    MasterAssignments(
            MasterServices services, MasterHeat heat, HealingMetrics metrics, Consumer<ConfigProblem> problems) {
        this.services = services;
        this.heat = heat;
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

    @Override
    public RegionHeat heat(RegionId region) {
        return heat.heat(region);
    }

    @Override
    public boolean mayAct() {
        return services.isActiveMaster() && !services.isStopped() && !services.isAborted();
    }

    private ClusterLook lookNow() {
        Map<ServerName, ServerMetrics> online = services.getServerManager().getOnlineServers();
        heat.learn(online);
        TableModes modes = new TableModes(services.getTableDescriptors(), problems);
        List<ServedRegion> served = new ArrayList<>();
        List<RegionId> unserved = new ArrayList<>();
        Map<ServerName, ServerId> ids = new HashMap<>();
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
                served.add(servedRegion(
                        node.getRegionInfo(),
                        ids.computeIfAbsent(server, HBaseIds::serverId),
                        online.get(server),
                        modes));
            } else {
                unserved.add(HBaseIds.regionId(node.getRegionInfo()));
            }
        }
        return ClusterLook.of(served, unserved);
    }

    private static ServedRegion servedRegion(
            RegionInfo region, ServerId server, ServerMetrics ofServer, TableModes modes) {
        HealMode mode = modes.of(region.getTable());
        Optional<RegionMetrics> reported = Optional.ofNullable(ofServer)
                .map(known -> known.getRegionMetrics().get(region.getRegionName()));
        return new ServedRegion(
                HBaseIds.regionId(region),
                HBaseIds.tableId(region.getTable()),
                rank(region.getTable(), mode),
                mode,
                server,
                reported.map(MasterAssignments::locality),
                reported.map(word -> ReportedCompaction.of(word, ofServer.getReportTimestamp()))
                        .orElse(Compaction.UNKNOWN));
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
