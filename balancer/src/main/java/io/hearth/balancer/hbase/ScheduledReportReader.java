// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.hbase;

import io.hearth.balancer.heat.ingest.ServerReport.ReportBatch;
import io.hearth.balancer.heat.ingest.ReportReadScheduler;
import io.hearth.common.model.ServerId;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerName;

/**
 * The servers' reports as HBase shows them to its balancer: once a minute, before each run, and after each executed move. What is
 * read of them, and when, is for {@link ReportReadScheduler} to say. Confined to the balancer's lock.
 */
public final class ScheduledReportReader {

    /** How often HBase's chore shows the reports, in milliseconds. */
    private static final String STATUS_PERIOD = "hbase.balancer.statusPeriod";

    private static final int DEFAULT_STATUS_PERIOD_MS = 60_000;

    private final ReportReadScheduler<ServerName> readScheduler = new ReportReadScheduler<>();
    private final OpenSeqNumSource sequences;
    private long readEveryMs = readEveryMs(DEFAULT_STATUS_PERIOD_MS);
    private Map<ServerName, ServerMetrics> live = Map.of();
    private boolean isReceived;
    private long receivedMs;

    public ScheduledReportReader(OpenSeqNumSource sequences) {
        this.sequences = sequences;
    }

    /** A tenth less than the time between two of HBase's chore, whose look then finds all of them due. */
    public static long readEveryMs(Configuration site) {
        return readEveryMs(site.getInt(STATUS_PERIOD, DEFAULT_STATUS_PERIOD_MS));
    }

    private static long readEveryMs(int statusPeriodMs) {
        return Math.max(1, statusPeriodMs / 10 * 9L);
    }

    /** Takes the time after which the reports are read again, in milliseconds. */
    public void readEvery(long ms) {
        readEveryMs = ms;
    }

    /** HBase shows the reports; until it does so again, they are what {@link #due} and {@link #rest} read. */
    public void show(ClusterMetrics metrics, long nowMs) {
        live = metrics.getLiveServerMetrics();
        isReceived = true;
        receivedMs = nowMs;
    }

    /** When the reports were shown, in milliseconds by our clock. */
    public long receivedMs() {
        return receivedMs;
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
        Set<ServerId> all = new LinkedHashSet<>();
        live.keySet().forEach(server -> all.add(HBaseNames.server(server)));
        return new ReportBatch(ClusterMetricsReader.read(live, servers, sequences), all);
    }

    /** The time of each server's last report, by that server's clock. */
    public static Map<ServerName, Long> reportMsByServer(Map<ServerName, ServerMetrics> live) {
        Map<ServerName, Long> reportMs = new LinkedHashMap<>();
        live.forEach((server, ofServer) -> reportMs.put(server, ofServer.getReportTimestamp()));
        return reportMs;
    }
}
