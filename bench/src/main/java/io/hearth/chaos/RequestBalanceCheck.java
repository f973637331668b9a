// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.chaos;

import io.hearth.demo.ServerLoadReports;
import io.hearth.testkit.measure.ClusterLoadReport;
import io.hearth.testkit.measure.LoadSkew;
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

    private OptionalDouble measure(Admin admin) throws IOException, InterruptedException {
        ClusterLoadReport before = ServerLoadReports.of(admin, table.name());
        Thread.sleep(WINDOW_MS);
        return LoadSkew.between(
                before,
                ServerLoadReports.of(admin, table.name()),
                server -> server.readsPerSecond() + server.writesPerSecond());
    }
}
