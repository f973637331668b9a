package io.hearth.balancer.hbase;

import io.hearth.balancer.engine.RunView;
import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.ServerId;
import io.hearth.balancer.load.TableId;
import io.hearth.balancer.snapshot.ClusterSnapshot;
import io.hearth.balancer.snapshot.LocalBytes;
import io.hearth.balancer.snapshot.RegionState;
import io.hearth.balancer.snapshot.ServerState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionReplicaUtil;

/** Makes the planner's snapshot from HBase's assignments and what the engine knows of each region. */
public final class SnapshotReader {

    private final RunView view;
    private final Blocks blocks;
    private final Function<ServerName, ServerState> stateByServer;
    private final Map<TableName, TableId> tables = new HashMap<>();

    /** Says where the bytes of a region are, by what is known already: the NameNode is not asked. */
    public interface Blocks {
        LocalBytes of(RegionInfo region);
    }

    /**
     * @param blocks where a region's bytes are, by what is known already
     * @param stateByServer the rack and the capacity of a server
     */
    public SnapshotReader(RunView view, Blocks blocks, Function<ServerName, ServerState> stateByServer) {
        this.view = view;
        this.blocks = blocks;
        this.stateByServer = stateByServer;
    }

    /**
     * The snapshot of these assignments.
     *
     * @param isOfThisRun whether a region may be moved in this run: false for other tables in by-table mode
     */
    public ClusterSnapshot read(
            Map<ServerName, ? extends Collection<RegionInfo>> regionsByServer, Predicate<RegionInfo> isOfThisRun) {
        Map<ServerId, List<RegionState>> regions = new HashMap<>();
        Map<ServerId, ServerState> servers = new HashMap<>();
        regionsByServer.forEach((server, ofServer) -> {
            List<RegionState> states = new ArrayList<>(ofServer.size());
            ofServer.forEach(region -> states.add(read(region, isOfThisRun.test(region))));
            ServerState state = stateByServer.apply(server);
            regions.put(state.server(), states);
            servers.put(state.server(), state);
        });
        return ClusterSnapshot.of(regions, servers);
    }

    private RegionState read(RegionInfo region, boolean isOfThisRun) {
        RegionId id = Names.region(region);
        RegionId primary = RegionReplicaUtil.isDefaultReplica(region)
                ? id
                : Names.region(RegionReplicaUtil.getRegionInfoForDefaultReplica(region));
        TableId table = tables.computeIfAbsent(region.getTable(), Names::table);
        return view.region(id, primary, table, blocks.of(region), isOfThisRun);
    }
}
