// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.chaos;

import io.hearth.demo.ServerLoadReports;
import io.hearth.testkit.measure.ReportWindow;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.OptionalDouble;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;

/** Whether a table's requests are spread evenly over the RegionServers, by their own reports. */
final class RequestBalanceCheck {

    /** A twentieth is chance with as few requests as these, and Hearth leaves a tenth alone. */
    static final double EVEN = 1.25;

    private static final Duration LIMIT = Duration.ofMinutes(4);
    private static final long WINDOW_MS = 10_000;

    /** A RegionServer reports every second here. */
    private static final long LOOK_MS = 1_000;

    private static final int MOST_LOOKS = 20;

    private final ChaosTable table;
    private final Connection connection;

    RequestBalanceCheck(ChaosTable table, Connection connection) {
        this.table = table;
        this.connection = connection;
    }

    /** Has the balancer run, as an operator's {@code balancer} does, until they are even; returns the last busiest server's share of the average. */
    OptionalDouble await() throws IOException, InterruptedException {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        OptionalDouble seen = OptionalDouble.empty();
        try (Admin admin = connection.getAdmin()) {
            while (System.nanoTime() < deadline && !isEven(seen)) {
                admin.balance();
                OptionalDouble now = measure(admin);
                seen = now.isPresent() ? now : seen;
            }
        }
        return seen;
    }

    static boolean isEven(OptionalDouble maxOverMean) {
        return maxOverMean.isPresent() && maxOverMean.getAsDouble() < EVEN;
    }

    /** With two decimals; a dash where nothing was seen. */
    static String text(OptionalDouble maxOverMean) {
        return maxOverMean.isPresent() ? String.format(Locale.ROOT, "%.2f", maxOverMean.getAsDouble()) : "-";
    }

    /** Over the first seconds in which no region moves; empty where they do not come. */
    private OptionalDouble measure(Admin admin) throws IOException, InterruptedException {
        ReportWindow window = new ReportWindow(WINDOW_MS);
        OptionalDouble maxOverMean = OptionalDouble.empty();
        for (int look = 0; look < MOST_LOOKS && maxOverMean.isEmpty(); look++) {
            Thread.sleep(LOOK_MS);
            window.add(ServerLoadReports.of(admin, table.name()));
            maxOverMean = window.skew(server -> server.readsPerSecond() + server.writesPerSecond());
        }
        return maxOverMean;
    }
}
