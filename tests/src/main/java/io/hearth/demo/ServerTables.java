package io.hearth.demo;

import io.hearth.demo.measure.ClusterReport;
import io.hearth.demo.measure.ServerRates;
import io.hearth.demo.report.ServerRow;
import io.hearth.demo.report.ServerTable;
import io.hearth.demo.report.TextTables;
import java.io.IOException;
import java.util.SortedMap;

/** Takes the table of servers over some seconds in which no region moved. */
final class ServerTables {
    private static final long WINDOW_MS = 10_000;
    private static final int ATTEMPTS = 3;

    private ServerTables() {}

    /** Watches for a while, prints the table, keeps it, and gives it. */
    static ServerTable take(Stage stage, String title) throws IOException, InterruptedException {
        ServerTable table = new ServerTable(
                title,
                ServerRow.of(
                        steadyRates(stage),
                        stage.watch().report(),
                        stage.watch().census()));
        stage.console().print("   " + title);
        stage.console().print(TextTables.servers(table));
        stage.findings().add(table);
        return table;
    }

    private static SortedMap<String, ServerRates> steadyRates(Stage stage) throws IOException, InterruptedException {
        for (int attempt = 1; ; attempt++) {
            ClusterReport before = stage.watch().report();
            Thread.sleep(WINDOW_MS);
            SortedMap<String, ServerRates> ratesByHost =
                    ServerRates.between(before, stage.watch().report());
            boolean steady = ratesByHost.values().stream().allMatch(rates -> rates.arrivals() == 0);
            if (steady || attempt == ATTEMPTS) {
                return ratesByHost;
            }
        }
    }
}
