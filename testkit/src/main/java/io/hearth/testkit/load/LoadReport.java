// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.load;

import io.hearth.cli.view.Table;
import io.hearth.testkit.command.Commands;
import io.hearth.testkit.load.LatencyRecorder.LatencySummary;
import io.hearth.testkit.load.Workload.Operation;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What a load came to, as text. */
final class LoadReport {

    private LoadReport() {}

    /** A line for each kind of request. */
    static String table(Map<Operation, LatencySummary> summaries) {
        return Table.of(
                        summaries.entrySet(),
                        List.of(
                                Table.left("ms from when it was due", row -> row.getKey()
                                        .plural()),
                                Table.right(
                                        "answered", row -> "" + row.getValue().requests()),
                                Table.right("p50", row -> millis(row.getValue().p50Ms())),
                                Table.right("p99", row -> millis(row.getValue().p99Ms())),
                                Table.right(
                                        "p99.9", row -> millis(row.getValue().p999Ms())),
                                Table.right("max", row -> millis(row.getValue().maxMs()))))
                .text();
    }

    /** How many requests failed, and how the first did. */
    static String errors(OutstandingRequests requests) {
        return requests.errors() == 0
                ? "No request failed."
                : requests.errors() + " requests failed, the first: "
                        + requests.firstError().map(Commands::firstLine).orElse("");
    }

    private static String millis(double millis) {
        return String.format(Locale.ROOT, "%.1f", millis);
    }
}
