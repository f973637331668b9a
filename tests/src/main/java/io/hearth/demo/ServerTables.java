package io.hearth.demo;

import io.hearth.demo.report.ServerRow;
import io.hearth.demo.report.ServerTable;
import io.hearth.demo.report.TextTables;
import java.io.IOException;

/** Takes the table of servers over some seconds in which no region moved. */
final class ServerTables {
    private ServerTables() {}

    /** Watches for a while, prints the table, keeps it, and gives it. */
    static ServerTable take(Stage stage, String title) throws IOException, InterruptedException {
        ServerTable table = new ServerTable(
                title,
                ServerRow.of(
                        SteadyRates.take(stage.watch()::report),
                        stage.watch().report(),
                        stage.watch().census()));
        stage.console().print("   " + title);
        stage.console().print(TextTables.servers(table));
        stage.findings().add(table);
        return table;
    }
}
