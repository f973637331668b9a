// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.hbase;

import io.hearth.balancer.heat.ingest.ServerReport.RegionNameInfo;
import io.hearth.balancer.heat.ingest.ServerReport.RegionReport;
import io.hearth.balancer.heat.ingest.ServerReport.ReportedLoad;
import io.hearth.balancer.heat.ingest.ServerReport;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.Size;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.util.Bytes;

/** Reads the last report of every live server out of HBase's cluster metrics. */
public final class ClusterMetricsReader {

    private static final int PARTS_WITHOUT_REPLICA = 3;
    private static final int START_KEY = 1;
    private static final int REGION_ID = 2;

    private ClusterMetricsReader() {}

    /**
     * One report for each live server, with the time at which that server made it and the lives of the counters as the
     * HMaster knows them.
     */
    public static List<ServerReport> read(ClusterMetrics metrics, OpenSeqNumSource sequences) {
        return read(metrics.getLiveServerMetrics(), sequences);
    }

    /** The same of the reports themselves. */
    public static List<ServerReport> read(Map<ServerName, ServerMetrics> live, OpenSeqNumSource sequences) {
        return read(live, live.keySet(), sequences);
    }

    /** The reports of some of the live servers, in the order of all. */
    public static List<ServerReport> read(
            Map<ServerName, ServerMetrics> live, Set<ServerName> wanted, OpenSeqNumSource sequences) {
        List<ServerReport> reports = new ArrayList<>(wanted.size());
        live.forEach((server, ofServer) -> {
            if (!wanted.contains(server)) {
                return;
            }
            List<RegionReport> regions =
                    new ArrayList<>(ofServer.getRegionMetrics().size());
            ofServer.getRegionMetrics().values().forEach(region -> regions.add(read(server, region, sequences)));
            reports.add(new ServerReport(HBaseNames.server(server), ofServer.getReportTimestamp(), regions));
        });
        return reports;
    }

    private static RegionReport read(ServerName server, RegionMetrics region, OpenSeqNumSource sequences) {
        EncodedRegionName name = HBaseNames.region(region.getRegionName());
        return new RegionReport(
                name,
                HBaseNames.table(RegionInfo.getTable(region.getRegionName())),
                nameInfo(region.getRegionName()),
                sequences.of(server, name.encodedName()),
                ReportedLoad.of(dimension -> value(region, dimension)),
                nonLocalShare(region));
    }

    private static long value(RegionMetrics region, LoadDimension dimension) {
        return switch (dimension) {
            case READS -> region.getReadRequestCount();
            case WRITES -> region.getWriteRequestCount();
            case STORE_SIZE -> (long) region.getStoreFileSize().get(Size.Unit.BYTE);
            case MEMSTORE -> (long) region.getMemStoreSize().get(Size.Unit.BYTE);
        };
    }

    /** By bytes where the server gives them, or by its share of local blocks, which is 0 as well where it is not known. */
    private static double nonLocalShare(RegionMetrics region) {
        long bytes = region.getBlocksTotalWeight();
        if (bytes > 0) {
            return Math.min(1, Math.max(0, 1 - (double) region.getBlocksLocalWeight() / bytes));
        }
        float locality = region.getDataLocality();
        return locality > 0 && locality <= 1 ? 1 - locality : 0;
    }

    private static Optional<RegionNameInfo> nameInfo(byte[] regionName) {
        byte[][] parts = RegionInfo.parseRegionNameOrReturnNull(regionName);
        if (parts == null || parts.length != PARTS_WITHOUT_REPLICA) {
            return Optional.empty();
        }
        try {
            long regionIdMs = Long.parseLong(Bytes.toString(parts[REGION_ID]));
            return Optional.of(
                    new RegionNameInfo(new String(parts[START_KEY], StandardCharsets.ISO_8859_1), regionIdMs));
        } catch (NumberFormatException notAnId) {
            return Optional.empty();
        }
    }
}
