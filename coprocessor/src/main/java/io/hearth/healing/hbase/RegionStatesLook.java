package io.hearth.healing.hbase;

import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.ServerId;
import io.hearth.healing.model.Compaction;
import io.hearth.healing.model.HealMode;
import io.hearth.healing.model.HealRank;
import io.hearth.healing.model.ReportedLocality;
import io.hearth.healing.model.ServedRegion;
import io.hearth.healing.observe.ClusterLook;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionReplicaUtil;
import org.apache.hadoop.hbase.master.RegionState;
import org.apache.hadoop.hbase.master.assignment.RegionStateNode;

/**
 * Makes a look of the master's region states and the servers' last reports. What another server still reports of a region
 * after a move is not used. Read replicas are passed over: they read the primary's files. Made for one look.
 */
public final class RegionStatesLook {

    private final Map<ServerName, ServerMetrics> online;
    private final Function<TableName, HealMode> modes;
    private final Map<ServerName, ServerId> idByServer = new HashMap<>();
    private final List<ServedRegion> served = new ArrayList<>();
    private final List<RegionId> unserved = new ArrayList<>();

    private RegionStatesLook(Map<ServerName, ServerMetrics> online, Function<TableName, HealMode> modes) {
        this.online = online;
        this.modes = modes;
    }

    /**
     * Every region, served or not.
     *
     * @param online the last report of each live server
     * @param modes what a table asks of healing
     */
    public static ClusterLook of(
            Collection<RegionStateNode> nodes,
            Map<ServerName, ServerMetrics> online,
            Function<TableName, HealMode> modes) {
        RegionStatesLook look = new RegionStatesLook(online, modes);
        nodes.forEach(look::take);
        return ClusterLook.of(look.served, look.unserved);
    }

    private void take(RegionStateNode node) {
        RegionInfo region = node.getRegionInfo();
        if (!RegionReplicaUtil.isDefaultReplica(region)) {
            return;
        }
        ServerName server = node.getRegionLocation();
        ServerMetrics ofServer = server == null ? null : online.get(server);
        if (ofServer != null && node.isInState(RegionState.State.OPEN) && !node.isInTransition()) {
            served.add(servedRegion(region, server, ofServer));
        } else {
            unserved.add(HBaseIds.regionId(region));
        }
    }

    private ServedRegion servedRegion(RegionInfo region, ServerName server, ServerMetrics ofServer) {
        HealMode mode = modes.apply(region.getTable());
        Optional<RegionMetrics> reported =
                Optional.ofNullable(ofServer.getRegionMetrics().get(region.getRegionName()));
        return new ServedRegion(
                HBaseIds.regionId(region),
                HBaseIds.tableId(region.getTable()),
                rank(region.getTable(), mode),
                mode,
                idByServer.computeIfAbsent(server, HBaseIds::serverId),
                reported.map(RegionStatesLook::locality),
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
