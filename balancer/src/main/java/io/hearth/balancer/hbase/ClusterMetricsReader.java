// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.hbase;

import io.hearth.balancer.heat.ingest.ReportReadScheduler;
import io.hearth.balancer.heat.ingest.ServerReport;
import io.hearth.balancer.heat.ingest.ServerReport.RegionNameInfo;
import io.hearth.balancer.heat.ingest.ServerReport.RegionReport;
import io.hearth.balancer.heat.ingest.ServerReport.ReportBatch;
import io.hearth.balancer.heat.ingest.ServerReport.ReportedLoad;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.Size;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Reads the servers' reports out of HBase's cluster metrics. HBase shows them to its balancer once a minute, before each run, and
 * after each executed move; what is read of them then is for {@link ReportReadScheduler} to say. Confined to the balancer's lock;
 * the static methods are for any thread.
 */
public final class ClusterMetricsReader {

    private static final double BYTES_PER_MEGABYTE = 1 << 20;

    private static final int PARTS_WITHOUT_REPLICA = 3;
    private static final int START_KEY = 1;
    private static final int REGION_ID = 2;

    /** How often HBase's chore shows the reports, in milliseconds. */
    private static final String STATUS_PERIOD = "hbase.balancer.statusPeriod";

    private static final int DEFAULT_STATUS_PERIOD_MS = 60_000;

    private final ReportReadScheduler<ServerName> readScheduler = new ReportReadScheduler<>();
    private final OpenSeqNumSource sequences;
    private Predicate<TableName> isCanary = CanaryTable.NONE;
    private long readEveryMs = readEveryMs(DEFAULT_STATUS_PERIOD_MS);
    private Map<ServerName, ServerMetrics> live = Map.of();
    private boolean isReceived;
    private long receivedMs;
    private long receivedMonotonicMs;

    public ClusterMetricsReader(OpenSeqNumSource sequences) {
        this.sequences = sequences;
    }

    /**
     * A tenth less than the time between two of HBase's chore, whose look then finds all of them due. HBase reads that when the HMaster
     * starts; what is no number after a reload ({@code 60s}) counts as the default.
     */
    public static long readEveryMs(Configuration site) {
        try {
            return readEveryMs(site.getInt(STATUS_PERIOD, DEFAULT_STATUS_PERIOD_MS));
        } catch (NumberFormatException notReadByHBaseEither) {
            return readEveryMs(DEFAULT_STATUS_PERIOD_MS);
        }
    }

    private static long readEveryMs(int statusPeriodMs) {
        return Math.max(1, statusPeriodMs / 10 * 9L);
    }

    /** Takes the time after which the reports are read again, in milliseconds. */
    public void readEvery(long ms) {
        readEveryMs = ms;
    }

    /** Takes whose regions are left out of the reports, since an SLO watch makes their requests. */
    public void leaveOut(Predicate<TableName> canaryTable) {
        isCanary = canaryTable;
    }

    /**
     * HBase shows the reports; until it does so again, they are what {@link #due} and {@link #rest} read.
     *
     * @param monotonicMs our own time by a clock that nobody sets, in milliseconds
     */
    public void show(ClusterMetrics metrics, long nowMs, long monotonicMs) {
        live = metrics.getLiveServerMetrics();
        isReceived = true;
        receivedMs = nowMs;
        receivedMonotonicMs = monotonicMs;
    }

    /** When the reports were shown, in milliseconds by our clock. */
    public long receivedMs() {
        return receivedMs;
    }

    /** The same by the clock that nobody sets. */
    public long receivedMonotonicMs() {
        return receivedMonotonicMs;
    }

    /** The reports that are to be read in this look. */
    public ReportBatch due() {
        return read(readScheduler.due(reportMsByServer(live), readEveryMs, receivedMs));
    }

    /** All reports that were not read yet; empty where none is left. */
    public Optional<ReportBatch> rest() {
        Set<ServerName> rest = isReceived ? readScheduler.rest(reportMsByServer(live)) : Set.of();
        return rest.isEmpty() ? Optional.empty() : Optional.of(read(rest));
    }

    private ReportBatch read(Set<ServerName> servers) {
        Map<ServerId, Long> all = new HashMap<>();
        reportMsByServer(live).forEach((server, reportMs) -> all.put(HBaseNames.server(server), reportMs));
        return new ReportBatch(read(live, servers, sequences, isCanary), all);
    }

    /** The time of each server's last report, by that server's clock. */
    public static Map<ServerName, Long> reportMsByServer(Map<ServerName, ServerMetrics> live) {
        Map<ServerName, Long> reportMs = new LinkedHashMap<>();
        live.forEach((server, ofServer) -> reportMs.put(server, ofServer.getReportTimestamp()));
        return reportMs;
    }

    /**
     * One report for each live server, with the time at which that server made it and the lives of the counters as the
     * HMaster knows them.
     */
    public static List<ServerReport> read(ClusterMetrics metrics, OpenSeqNumSource sequences) {
        return read(metrics.getLiveServerMetrics(), sequences);
    }

    /** The same of the reports themselves. */
    public static List<ServerReport> read(Map<ServerName, ServerMetrics> live, OpenSeqNumSource sequences) {
        return read(live, live.keySet(), sequences, CanaryTable.NONE);
    }

    /** The reports of some of the live servers, in the order of all. */
    private static List<ServerReport> read(
            Map<ServerName, ServerMetrics> live,
            Set<ServerName> wanted,
            OpenSeqNumSource sequences,
            Predicate<TableName> isLeftOut) {
        List<ServerReport> reports = new ArrayList<>(wanted.size());
        OpenSeqNumSource ofMany = sequences.forMany(live.entrySet().stream()
                .filter(entry -> wanted.contains(entry.getKey()))
                .mapToInt(entry -> entry.getValue().getRegionMetrics().size())
                .sum());
        TableLookup tables = new TableLookup(isLeftOut);
        live.forEach((server, ofServer) -> {
            if (!wanted.contains(server)) {
                return;
            }
            List<RegionReport> regions =
                    new ArrayList<>(ofServer.getRegionMetrics().size());
            ofServer.getRegionMetrics().values().forEach(region -> tables.of(region.getRegionName())
                    .ifPresent(table -> regions.add(read(server, table, region, ofMany))));
            reports.add(new ServerReport(HBaseNames.server(server), ofServer.getReportTimestamp(), regions));
        });
        return reports;
    }

    /**
     * Tables by the names of their regions. A report has its regions in the order of their names, so that a table's come one after
     * another: only the first is looked up, since HBase compares its name with those of all tables.
     */
    private static final class TableLookup {

        private final Predicate<TableName> isLeftOut;
        private Found last = new Found(new byte[0], Optional.empty());

        TableLookup(Predicate<TableName> isLeftOut) {
            this.isLeftOut = isLeftOut;
        }

        /** Empty where the table is left out. */
        Optional<TableId> of(byte[] regionName) {
            if (!last.isOf(regionName)) {
                TableName table = RegionInfo.getTable(regionName);
                byte[] prefix = Arrays.copyOf(regionName, Bytes.indexOf(regionName, (byte) HConstants.DELIMITER) + 1);
                last = new Found(
                        prefix, Optional.of(table).filter(isLeftOut.negate()).map(HBaseNames::table));
            }
            return last.table;
        }

        /** The prefix of its regions' names ends with the delimiter. */
        private record Found(byte[] prefix, Optional<TableId> table) {

            boolean isOf(byte[] regionName) {
                int length = prefix.length;
                return length > 0
                        && regionName.length > length
                        && Arrays.equals(regionName, 0, length, prefix, 0, length);
            }
        }
    }

    private static RegionReport read(
            ServerName server, TableId table, RegionMetrics region, OpenSeqNumSource sequences) {
        EncodedRegionName name = HBaseNames.region(region.getRegionName());
        return new RegionReport(
                name,
                table,
                nameInfo(region.getRegionName()),
                sequences.of(server, name.encodedName()),
                ReportedLoad.of(dimension -> value(region, dimension)),
                nonLocalShare(region));
    }

    private static long value(RegionMetrics region, LoadDimension dimension) {
        return switch (dimension) {
            case READS -> region.getReadRequestCount();
            case WRITES -> region.getWriteRequestCount();
            case STORE_SIZE -> bytes(region.getStoreFileSize());
            case MEMSTORE -> bytes(region.getMemStoreSize());
        };
    }

    /** Servers report whole megabytes, and HBase makes another unit of them by two decimal numbers. */
    private static long bytes(Size size) {
        return (long) (size.get(Size.Unit.MEGABYTE) * BYTES_PER_MEGABYTE);
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
