// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.hbase;

import io.hearth.balancer.engine.RegionStateFactory;
import io.hearth.balancer.state.LocalBytes;
import io.hearth.balancer.state.RegionState;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.TableId;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionReplicaUtil;

/** Makes the planner's view of a region from HBase's and from what the engine knows of it. Confined to one run. */
public final class RegionStateReader {

    private final RegionStateFactory view;
    private final LocalBytesSource blocks;
    private final Map<TableName, TableId> tables = new HashMap<>();

    /** Says where the bytes of a region are, by what is known already: the NameNode is not asked. */
    public interface LocalBytesSource {
        LocalBytes of(RegionInfo region);
    }

    public RegionStateReader(RegionStateFactory view, LocalBytesSource blocks) {
        this.view = view;
        this.blocks = blocks;
    }

    /** The region as the planner sees it. */
    public RegionState read(RegionInfo region) {
        EncodedRegionName id = HBaseNames.region(region);
        EncodedRegionName primary = RegionReplicaUtil.isDefaultReplica(region)
                ? id
                : HBaseNames.region(RegionReplicaUtil.getRegionInfoForDefaultReplica(region));
        TableId table = tables.computeIfAbsent(region.getTable(), HBaseNames::table);
        return view.region(id, primary, table, blocks.of(region));
    }
}
