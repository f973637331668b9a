package io.hearth.chaos;

import io.hearth.demo.ServerReports;
import io.hearth.demo.measure.ClusterReport;
import io.hearth.demo.measure.Skew;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.OptionalDouble;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;

/** Whether a table's requests are spread evenly over the RegionServers, by their own reports. */
final class Evenness {

    /** A twentieth is chance with as few requests as these, and Hearth leaves a tenth alone. */
    static final double EVEN = 1.25;

    private static final Duration LIMIT = Duration.ofMinutes(4);
    private static final long WINDOW_MS = 10_000;

    private final ChaosTable table;
    private final Connection connection;

    Evenness(ChaosTable table, Connection connection) {
        this.table = table;
        this.connection = connection;
    }

    /** Has the balancer run, as an operator's {@code balancer} does, and looks until they are even; returns the last busiest server's share of the average. */
    OptionalDouble await() throws IOException, InterruptedException {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        OptionalDouble seen = OptionalDouble.empty();
        try (Admin admin = connection.getAdmin()) {
            while (System.nanoTime() < deadline && !isEven(seen)) {
                OptionalDouble now = look(admin);
                seen = now.isPresent() ? now : seen;
                if (!isEven(seen)) {
                    admin.balance();
                }
            }
        }
        return seen;
    }

    static boolean isEven(OptionalDouble maxOverAverage) {
        return maxOverAverage.isPresent() && maxOverAverage.getAsDouble() < EVEN;
    }

    /** With two decimals; a dash where nothing was seen. */
    static String text(OptionalDouble maxOverAverage) {
        return maxOverAverage.isPresent() ? String.format(Locale.ROOT, "%.2f", maxOverAverage.getAsDouble()) : "-";
    }

    private OptionalDouble look(Admin admin) throws IOException, InterruptedException {
        ClusterReport before = ServerReports.of(admin, table.name());
        Thread.sleep(WINDOW_MS);
        return Skew.between(
                before,
                ServerReports.of(admin, table.name()),
                server -> server.readsPerSecond() + server.writesPerSecond());
    }
}
