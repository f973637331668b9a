package io.hearth.web.hbase;

import io.hearth.balancer.hbase.Names;
import io.hearth.balancer.heat.RegionHeats;
import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.TableId;
import io.hearth.web.model.SeenRegion;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.Size;
import org.apache.hadoop.hbase.client.RegionInfo;

/** Looks at servers' reports; a table's name is kept once for one look. One thread's. */
public final class ReportSight {

    private final Map<String, TableId> tables = new HashMap<>();

    /** The regions of this server. */
    public List<SeenRegion> regions(ServerMetrics metrics, RegionHeats heats) {
        List<SeenRegion> regions = new ArrayList<>(metrics.getRegionMetrics().size());
        for (RegionMetrics region : metrics.getRegionMetrics().values()) {
            RegionId id = Names.region(region.getRegionName());
            TableId table = tables.computeIfAbsent(
                    RegionInfo.getTable(region.getRegionName()).getNameAsString(), TableId::new);
            regions.add(new SeenRegion(
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
