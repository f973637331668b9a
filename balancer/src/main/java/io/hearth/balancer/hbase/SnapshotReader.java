package io.hearth.balancer.hbase;

import io.hearth.balancer.cost.TableWeights;
import io.hearth.balancer.heat.HeatModel;
import io.hearth.balancer.heat.RegionHeat;
import io.hearth.balancer.load.LoadVector;
import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.ServerId;
import io.hearth.balancer.load.TableId;
import io.hearth.balancer.snapshot.ClusterSnapshot;
import io.hearth.balancer.snapshot.LocalBytes;
import io.hearth.balancer.snapshot.Pin;
import io.hearth.balancer.snapshot.RegionState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionReplicaUtil;

/** Makes the planner's snapshot from HBase's assignments, the heat model and the tables' weights. */
public final class SnapshotReader {

    private final HeatModel heat;
    private final TableWeights weights;
    private final Predicate<RegionInfo> isOfThisRun;

    /** @param isOfThisRun whether a region may be moved in this run: false for other tables in by-table mode */
    public SnapshotReader(HeatModel heat, TableWeights weights, Predicate<RegionInfo> isOfThisRun) {
        this.heat = heat;
        this.weights = weights;
        this.isOfThisRun = isOfThisRun;
    }

    /** The snapshot of these assignments. */
    public ClusterSnapshot read(Map<ServerName, ? extends Collection<RegionInfo>> regionsByServer) {
        Map<ServerId, List<RegionState>> states = new HashMap<>();
        regionsByServer.forEach((server, regions) -> {
            List<RegionState> ofServer = new ArrayList<>(regions.size());
            regions.forEach(region -> ofServer.add(read(region)));
            states.put(Names.server(server), ofServer);
        });
        return ClusterSnapshot.of(states);
    }

    /** The load of a region as it counts; none where its heat is unknown. */
    public LoadVector load(RegionInfo region) {
        return load(Names.table(region.getTable()), heat.heat(Names.region(region)));
    }

    /** The load of a region as it counts; empty where its heat is unknown. */
    public static Optional<LoadVector> load(HeatModel heat, TableWeights weights, RegionId region, TableId table) {
        return heat.heat(region) instanceof RegionHeat.Known known
                ? Optional.of(weights.of(table).weigh(known.load()))
                : Optional.empty();
    }

    private LoadVector load(TableId table, RegionHeat ofRegion) {
        return ofRegion instanceof RegionHeat.Known known ? weights.of(table).weigh(known.load()) : LoadVector.ZERO;
    }

    private RegionState read(RegionInfo region) {
        TableId table = Names.table(region.getTable());
        RegionHeat ofRegion = heat.heat(Names.region(region));
        RegionId id = Names.region(region);
        RegionId primary = RegionReplicaUtil.isDefaultReplica(region)
                ? id
                : Names.region(RegionReplicaUtil.getRegionInfoForDefaultReplica(region));
        return new RegionState(id, primary, table, load(table, ofRegion), pin(region, ofRegion), LocalBytes.UNKNOWN);
    }

    private Pin pin(RegionInfo region, RegionHeat ofRegion) {
        if (!isOfThisRun.test(region)) {
            return Pin.OTHER_TABLE;
        }
        if (Names.table(region.getTable()).isSystemTable()) {
            return Pin.SYSTEM_TABLE;
        }
        return ofRegion instanceof RegionHeat.Known ? Pin.FREE : Pin.HEAT_UNKNOWN;
    }
}
