package io.hearth.balancer.hbase;

import io.hearth.balancer.ingest.Origin;
import io.hearth.balancer.ingest.RegionReport;
import io.hearth.balancer.ingest.ServerReport;
import io.hearth.balancer.load.RegionId;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

    /** One report for each live server, with the time at which that server made it. */
    public static List<ServerReport> read(ClusterMetrics metrics) {
        return read(metrics, OpenSequences.UNKNOWN);
    }

    /** The same, with the lives of the counters as the master knows them. */
    public static List<ServerReport> read(ClusterMetrics metrics, OpenSequences sequences) {
        return read(metrics.getLiveServerMetrics(), sequences);
    }

    /** The same of the reports themselves. */
    public static List<ServerReport> read(Map<ServerName, ServerMetrics> live, OpenSequences sequences) {
        List<ServerReport> reports = new ArrayList<>(live.size());
        live.forEach((server, ofServer) -> {
            List<RegionReport> regions =
                    new ArrayList<>(ofServer.getRegionMetrics().size());
            ofServer.getRegionMetrics().values().forEach(region -> regions.add(read(server, region, sequences)));
            reports.add(new ServerReport(Names.server(server), ofServer.getReportTimestamp(), regions));
        });
        return reports;
    }

    private static RegionReport read(ServerName server, RegionMetrics region, OpenSequences sequences) {
        RegionId name = Names.region(region.getRegionName());
        return new RegionReport(
                name,
                Names.table(RegionInfo.getTable(region.getRegionName())),
                origin(region.getRegionName()),
                sequences.of(server, name.encodedName()),
                region.getReadRequestCount(),
                region.getWriteRequestCount(),
                (long) region.getStoreFileSize().get(Size.Unit.BYTE),
                (long) region.getMemStoreSize().get(Size.Unit.BYTE),
                nonLocalShare(region));
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

    private static Optional<Origin> origin(byte[] regionName) {
        byte[][] parts = RegionInfo.parseRegionNameOrReturnNull(regionName);
        if (parts == null || parts.length != PARTS_WITHOUT_REPLICA) {
            return Optional.empty();
        }
        try {
            long regionIdMs = Long.parseLong(Bytes.toString(parts[REGION_ID]));
            return Optional.of(new Origin(new String(parts[START_KEY], StandardCharsets.ISO_8859_1), regionIdMs));
        } catch (NumberFormatException notAnId) {
            return Optional.empty();
        }
    }
}
