// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.ui.hbase;

import io.hearth.balancer.hbase.HBaseNames;
import io.hearth.balancer.heat.RegionHeats;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.TableId;
import io.hearth.ui.model.RegionStatus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.Size;
import org.apache.hadoop.hbase.client.RegionInfo;

/** Looks at servers' reports; a table's name is kept once for one look. One thread's. */
public final class RegionStatusReader {

    private final Map<String, TableId> tables = new HashMap<>();

    /** The regions of this server. */
    public List<RegionStatus> regions(ServerMetrics metrics, RegionHeats heats) {
        List<RegionStatus> regions = new ArrayList<>(metrics.getRegionMetrics().size());
        for (RegionMetrics region : metrics.getRegionMetrics().values()) {
            EncodedRegionName id = HBaseNames.region(region.getRegionName());
            TableId table = tables.computeIfAbsent(
                    RegionInfo.getTable(region.getRegionName()).getNameAsString(), TableId::new);
            regions.add(new RegionStatus(
                    id,
                    table,
                    (long) region.getStoreFileSize().get(Size.Unit.BYTE),
                    region.getBlocksLocalWeight(),
                    region.getBlocksTotalWeight(),
                    heats.heat(id)));
        }
        return regions;
    }
}
