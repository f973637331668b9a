package io.hearth.balancer.hbase;

import io.hearth.balancer.engine.RunView;
import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.TableId;
import io.hearth.balancer.snapshot.LocalBytes;
import io.hearth.balancer.snapshot.RegionState;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionReplicaUtil;

/** Makes the planner's view of a region from HBase's and from what the engine knows of it. Confined to one run. */
public final class RegionReader {

    private final RunView view;
    private final Blocks blocks;
    private final Map<TableName, TableId> tables = new HashMap<>();

    /** Says where the bytes of a region are, by what is known already: the NameNode is not asked. */
    public interface Blocks {
        LocalBytes of(RegionInfo region);
    }

    public RegionReader(RunView view, Blocks blocks) {
        this.view = view;
        this.blocks = blocks;
    }

    /** The region as the planner sees it. */
    public RegionState read(RegionInfo region) {
        RegionId id = Names.region(region);
        RegionId primary = RegionReplicaUtil.isDefaultReplica(region)
                ? id
                : Names.region(RegionReplicaUtil.getRegionInfoForDefaultReplica(region));
        TableId table = tables.computeIfAbsent(region.getTable(), Names::table);
        return view.region(id, primary, table, blocks.of(region));
    }
}
