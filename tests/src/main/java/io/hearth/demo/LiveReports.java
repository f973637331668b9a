package io.hearth.demo;

import io.hearth.demo.measure.ClusterReport;
import io.hearth.demo.measure.RegionCounters;
import io.hearth.demo.measure.ServerReport;
import java.io.IOException;
import java.util.EnumSet;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.Size;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.RegionInfo;

/** The RegionServers' reports as the master hands them to any client, cut down to one table. */
public final class LiveReports {

    private LiveReports() {}

    /** The latest report of every live RegionServer. */
    public static ClusterReport of(Admin admin, TableName table) throws IOException {
        ClusterMetrics metrics = admin.getClusterMetrics(EnumSet.of(ClusterMetrics.Option.LIVE_SERVERS));
        return ClusterReport.of(metrics.getLiveServerMetrics().values().stream()
                .map(server -> report(server, table))
                .toList());
    }

    private static ServerReport report(ServerMetrics server, TableName table) {
        SortedMap<String, RegionCounters> countersByRegion = new TreeMap<>();
        for (RegionMetrics region : server.getRegionMetrics().values()) {
            if (RegionInfo.getTable(region.getRegionName()).equals(table)) {
                countersByRegion.put(
                        RegionInfo.encodeRegionName(region.getRegionName()),
                        new RegionCounters(
                                region.getReadRequestCount(),
                                region.getWriteRequestCount(),
                                (long) region.getStoreFileSize().get(Size.Unit.BYTE),
                                region.getDataLocality()));
            }
        }
        return new ServerReport(server.getServerName().getHostname(), server.getReportTimestamp(), countersByRegion);
    }
}
