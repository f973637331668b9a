package io.hearth.demo;

import io.hearth.demo.report.ServerTable;
import io.hearth.demo.report.ServerTableRow;
import io.hearth.demo.report.TextTables;
import java.io.IOException;

/** Takes the table of servers over some seconds in which no region moved. */
final class ServerTableSampler {
    private ServerTableSampler() {}

    /** Watches for a while, prints the table, keeps it, and gives it. */
    static ServerTable take(DemoContext context, String title) throws IOException, InterruptedException {
        ServerTable table = new ServerTable(
                title,
                ServerTableRow.of(
                        SteadyRates.take(context.inspector()::report),
                        context.inspector().report(),
                        context.inspector().localitySnapshot()));
        context.console().print("   " + title);
        context.console().print(TextTables.servers(table));
        context.reportBuilder().add(table);
        return table;
    }
}
