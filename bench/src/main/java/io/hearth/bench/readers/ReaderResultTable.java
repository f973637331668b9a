// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.readers;

import io.hearth.bench.readers.ReaderResult.StreamReadStatistics;
import io.hearth.bench.threshold.ThresholdReport;
import io.hearth.cli.view.Table;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The results as a table, a line for each setup. */
public final class ReaderResultTable {

    private ReaderResultTable() {}

    public static String of(Map<ReaderSetup, ReaderResult> results) {
        return Table.of(
                        results.entrySet(),
                        List.of(
                                Table.left(
                                        "client settings", row -> row.getKey().title()),
                                Table.left(
                                        "blocks moved",
                                        row -> row.getValue().moves().blocks() + ""),
                                Table.left("reads", row -> moving(row).reads() + ""),
                                Table.left("failed", row -> moving(row).failed() + ""),
                                Table.left("failovers", row -> moving(row).failovers() + ""),
                                Table.left("stalls", row -> moving(row).stalls() + ""),
                                Table.left(
                                        "> 100 ms (quiet)",
                                        row -> beside(
                                                moving(row).above100() + "",
                                                quiet(row).above100() + "")),
                                Table.left(
                                        "> 250 ms (quiet)",
                                        row -> beside(
                                                moving(row).above250() + "",
                                                quiet(row).above250() + "")),
                                Table.left(
                                        "... in a failover", row -> moving(row).above250Met() + ""),
                                Table.left(
                                        "worst ms (quiet)",
                                        row -> beside(
                                                millis(moving(row).worstMillis()),
                                                millis(quiet(row).worstMillis()))),
                                Table.left(
                                        "local bytes, before",
                                        row -> percent(row.getValue().localShareBefore())),
                                Table.left(
                                        "after", row -> percent(row.getValue().localShareAfter())),
                                Table.left(
                                        "short circuit",
                                        row -> percent(row.getValue().shortCircuitAfter()))))
                .text();
    }

    /** A line for each RegionServer that has said something of its streams. */
    public static List<String> streams(Map<ReaderSetup, ReaderResult> results) {
        return results.entrySet().stream()
                .filter(row -> row.getValue().streams().isKnown())
                .map(row -> streams(row.getKey(), row.getValue().streams()))
                .toList();
    }

    /** The figures of all of them beside their thresholds. */
    public static ThresholdReport thresholds(Map<ReaderSetup, ReaderResult> results) {
        ThresholdReport report = new ThresholdReport();
        results.forEach(
                (setup, result) -> report.addAll(result.thresholds(setup), setup.title(), setup.title() + ": "));
        return report;
    }

    private static String streams(ReaderSetup setup, StreamReadStatistics streams) {
        return String.format(
                Locale.ROOT,
                "%s: the RegionServer's own count, from the opening of the streams to their end: %d MB, %.1f %% local, %.1f %% short-circuit.",
                setup.title(),
                streams.total() / 1_000_000,
                100 * streams.localShare(),
                100 * streams.shortCircuitShare());
    }

    private static ReaderResult.Phase moving(Map.Entry<ReaderSetup, ReaderResult> row) {
        return row.getValue().moving();
    }

    private static ReaderResult.Phase quiet(Map.Entry<ReaderSetup, ReaderResult> row) {
        return row.getValue().quiet();
    }

    private static String beside(String moving, String quiet) {
        return moving + " (" + quiet + ")";
    }

    private static String millis(double millis) {
        return String.format(Locale.ROOT, "%.0f", millis);
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.1f %%", 100 * share);
    }
}
