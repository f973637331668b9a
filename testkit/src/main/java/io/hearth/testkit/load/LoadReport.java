// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.load;

import com.github.freva.asciitable.AsciiTable;
import com.github.freva.asciitable.Column;
import com.github.freva.asciitable.HorizontalAlign;
import io.hearth.testkit.command.Commands;
import io.hearth.testkit.load.LatencyRecorder.LatencySummary;
import io.hearth.testkit.load.Workload.Operation;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** What a load came to, as text. */
final class LoadReport {

    private LoadReport() {}

    /** A line for each kind of request. */
    static String table(Map<Operation, LatencySummary> summaries) {
        return AsciiTable.builder()
                .border(AsciiTable.NO_BORDERS)
                .data(
                        summaries.entrySet(),
                        List.of(
                                new Column()
                                        .header("ms from when it was due")
                                        .headerAlign(HorizontalAlign.LEFT)
                                        .dataAlign(HorizontalAlign.LEFT)
                                        .with(row -> row.getKey().plural()),
                                right("answered")
                                        .with(row -> "" + row.getValue().requests()),
                                right("p50").with(row -> millis(row.getValue().p50Ms())),
                                right("p99").with(row -> millis(row.getValue().p99Ms())),
                                right("p99.9").with(row -> millis(row.getValue().p999Ms())),
                                right("max").with(row -> millis(row.getValue().maxMs()))))
                .asString()
                .lines()
                .map(String::stripTrailing)
                .collect(Collectors.joining("\n"));
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

    private static Column right(String header) {
        return new Column().header(header).headerAlign(HorizontalAlign.RIGHT).dataAlign(HorizontalAlign.RIGHT);
    }
}
