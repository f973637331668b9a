package io.hearth.balancer.hbase;

import io.hearth.balancer.ingest.RegionReport;
import io.hearth.balancer.ingest.ServerReport;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.Size;
import org.apache.hadoop.hbase.client.RegionInfo;

/** Reads the last report of every live server out of HBase's cluster metrics. */
public final class ClusterMetricsReader {

    private ClusterMetricsReader() {}

    /** One report for each live server, with the time at which that server made it. */
    public static List<ServerReport> read(ClusterMetrics metrics) {
        List<ServerReport> reports = new ArrayList<>();
        metrics.getLiveServerMetrics().forEach((server, ofServer) -> {
            List<RegionReport> regions =
                    new ArrayList<>(ofServer.getRegionMetrics().size());
            ofServer.getRegionMetrics().values().forEach(region -> regions.add(read(region)));
            reports.add(new ServerReport(Names.server(server), ofServer.getReportTimestamp(), regions));
        });
        return reports;
    }

    private static RegionReport read(RegionMetrics region) {
        return new RegionReport(
                Names.region(region.getRegionName()),
                Names.table(RegionInfo.getTable(region.getRegionName())),
                region.getReadRequestCount(),
                region.getWriteRequestCount(),
                (long) region.getStoreFileSize().get(Size.Unit.BYTE));
    }
}
