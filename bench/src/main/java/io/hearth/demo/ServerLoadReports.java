// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.demo;

import io.hearth.testkit.measure.ClusterLoadReport;
import io.hearth.testkit.measure.ClusterLoadReport.RegionLoadReport;
import io.hearth.testkit.measure.ClusterLoadReport.ServerLoadReport;
import io.hearth.testkit.measure.ServerRates;
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
public final class ServerLoadReports {

    private static final long WINDOW_MS = 10_000;
    private static final int ATTEMPTS = 3;

    /** Who has the latest reports. */
    @FunctionalInterface
    public interface ReportSource {
        ClusterLoadReport latest() throws IOException;
    }

    private ServerLoadReports() {}

    /** The latest one of every live RegionServer. */
    public static ClusterLoadReport of(Admin admin, TableName table) throws IOException {
        ClusterMetrics metrics = admin.getClusterMetrics(EnumSet.of(ClusterMetrics.Option.LIVE_SERVERS));
        return ClusterLoadReport.of(metrics.getLiveServerMetrics().values().stream()
                .map(server -> report(server, table))
                .toList());
    }

    private static ServerLoadReport report(ServerMetrics server, TableName table) {
        SortedMap<String, RegionLoadReport> countersByRegion = new TreeMap<>();
        for (RegionMetrics region : server.getRegionMetrics().values()) {
            if (RegionInfo.getTable(region.getRegionName()).equals(table)) {
                countersByRegion.put(
                        RegionInfo.encodeRegionName(region.getRegionName()),
                        new RegionLoadReport(
                                region.getReadRequestCount(),
                                region.getWriteRequestCount(),
                                (long) region.getStoreFileSize().get(Size.Unit.BYTE),
                                region.getDataLocality()));
            }
        }
        return new ServerLoadReport(
                server.getServerName().getHostname(), server.getReportTimestamp(), countersByRegion);
    }

    /** What each server served over some seconds in which no region moved, or after a few attempts in which some did. */
    public static SortedMap<String, ServerRates> steadyRates(ReportSource reports)
            throws IOException, InterruptedException {
        for (int attempt = 1; ; attempt++) {
            ClusterLoadReport before = reports.latest();
            Thread.sleep(WINDOW_MS);
            SortedMap<String, ServerRates> ratesByHost = ServerRates.between(before, reports.latest());
            boolean steady = ratesByHost.values().stream().allMatch(rates -> rates.arrivedRegions() == 0);
            if (steady || attempt == ATTEMPTS) {
                return ratesByHost;
            }
        }
    }
}
