// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.opentsdb;

import io.hearth.demo.NameNodeInspector.ServedRegion;
import io.hearth.demo.ServerLoadReports;
import io.hearth.testkit.measure.ReportWindow;
import io.hearth.testkit.measure.ServerRates;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
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
    private static final long WINDOW_MS = 10_000;
    private static final int POLLS_PER_RUN = 5;

    /** A TSD writes once a second: one poll may show a server a second short of writes. */
    private static final int EVEN_POLLS = 5;

    /** Switches the balancer on and lets it work until writes are even, or so long; it stays on. */
    static BalanceRun awaitEven(Admin admin, TsdbTables tables, Duration limit)
            throws IOException, InterruptedException {
        long start = System.nanoTime();
        ReportWindow window = new ReportWindow(WINDOW_MS);
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
            evenPolls =
                    window.skew(ServerRates::writesPerSecond).orElse(Double.MAX_VALUE) < THRESHOLD ? evenPolls + 1 : 0;
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
}
