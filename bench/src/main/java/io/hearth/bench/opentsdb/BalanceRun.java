// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.opentsdb;

import io.hearth.demo.NameNodeInspector.ServedRegion;
import io.hearth.demo.ServerLoadReports;
import io.hearth.testkit.measure.ClusterLoadReport;
import io.hearth.testkit.measure.ClusterLoadReport.ServerLoadReport;
import io.hearth.testkit.measure.LoadSkew;
import io.hearth.testkit.measure.ServerRates;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalDouble;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.BalanceRequest;

/**
 * What came of running HBase's balancer as an operator does, again and again.
 *
 * @param isEven whether the busiest server's writes came below the threshold
 * @param seconds until they were
 * @param moves changes of a region's server that were seen meanwhile
 */
record BalanceRun(boolean isEven, long seconds, int moves) {

    /** Largest over average: an even cluster. */
    static final double THRESHOLD = 1.15;

    private static final long POLL_MS = 1_000;
    private static final int POLLS_PER_RUN = 5;

    /** A TSD writes once a second: one poll may show a server a second short of writes. */
    private static final int EVEN_POLLS = 5;

    /** Switches the balancer on and lets it work until writes are even, or so long; it stays on. */
    static BalanceRun awaitEven(Admin admin, TsdbTables tables, Duration limit)
            throws IOException, InterruptedException {
        long start = System.nanoTime();
        ReportWindow window = new ReportWindow();
        Map<String, String> hostByRegion = hostByRegion(tables);
        int moves = 0;
        int evenPolls = 0;
        admin.balancerSwitch(true, true);
        for (int poll = 0; evenPolls < EVEN_POLLS && System.nanoTime() - start < limit.toNanos(); poll++) {
            if (poll % POLLS_PER_RUN == 0) {
                admin.balance(BalanceRequest.defaultInstance());
            }
            Thread.sleep(POLL_MS);
            for (Map.Entry<String, String> now : hostByRegion(tables).entrySet()) {
                String before = hostByRegion.put(now.getKey(), now.getValue());
                moves += now.getValue().equals(before) ? 0 : 1;
            }
            window.add(ServerLoadReports.of(admin, TsdbTables.DATA));
            evenPolls = window.writeSkew().orElse(Double.MAX_VALUE) < THRESHOLD ? evenPolls + 1 : 0;
        }
        return new BalanceRun(evenPolls == EVEN_POLLS, (System.nanoTime() - start) / 1_000_000_000, moves);
    }

    private static Map<String, String> hostByRegion(TsdbTables tables) throws IOException {
        Map<String, String> hostByRegion = new HashMap<>();
        for (ServedRegion region : tables.served()) {
            hostByRegion.put(region.info().getEncodedName(), region.host());
        }
        return hostByRegion;
    }

    String summary() {
        return (isEven ? "even (writes below " + THRESHOLD + ") after " : "not even within ") + seconds + " s, " + moves
                + " moves of regions";
    }

    /** The last seconds of the RegionServers' reports. Not thread-safe. */
    static final class ReportWindow {

        private static final long LENGTH_MS = 10_000;

        private final Deque<ClusterLoadReport> reports = new ArrayDeque<>();

        void add(ClusterLoadReport report) {
            reports.addLast(report);
            while (reports.size() > 2 && timeMs(report) - timeMs(second()) >= LENGTH_MS) {
                reports.removeFirst();
            }
        }

        /** Largest over average of the servers' writes; empty before the window is full, and for as long as a region that moved is in it. */
        OptionalDouble writeSkew() {
            if (reports.isEmpty() || timeMs(reports.getLast()) - timeMs(reports.getFirst()) < LENGTH_MS) {
                return OptionalDouble.empty();
            }
            return LoadSkew.between(reports.getFirst(), reports.getLast(), ServerRates::writesPerSecond);
        }

        private ClusterLoadReport second() {
            var all = reports.iterator();
            all.next();
            return all.next();
        }

        private static long timeMs(ClusterLoadReport report) {
            return report.serversByHost().values().stream()
                    .mapToLong(ServerLoadReport::reportTimeMs)
                    .max()
                    .orElse(0);
        }
    }
}
