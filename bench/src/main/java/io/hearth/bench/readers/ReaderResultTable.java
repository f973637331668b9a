// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.readers;

import com.github.freva.asciitable.AsciiTable;
import com.github.freva.asciitable.Column;
import com.github.freva.asciitable.ColumnData;
import com.github.freva.asciitable.HorizontalAlign;
import io.hearth.bench.readers.ReaderResult.StreamReadStatistics;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The results as a table, a line for each setup. */
public final class ReaderResultTable {

    private ReaderResultTable() {}

    public static String of(Map<ReaderSetup, ReaderResult> results) {
        return AsciiTable.builder()
                .border(AsciiTable.NO_BORDERS)
                .data(
                        results.entrySet(),
                        List.of(
                                column("client settings", row -> row.getKey().title()),
                                column("blocks moved", row -> row.getValue().blocksMoved() + ""),
                                column("reads", row -> moving(row).reads() + ""),
                                column("failed", row -> moving(row).failed() + ""),
                                column("failovers", row -> moving(row).failovers() + ""),
                                column("stalls", row -> moving(row).stalls() + ""),
                                column(
                                        "> 100 ms (quiet)",
                                        row -> beside(
                                                moving(row).above100() + "",
                                                quiet(row).above100() + "")),
                                column(
                                        "> 250 ms (quiet)",
                                        row -> beside(
                                                moving(row).above250() + "",
                                                quiet(row).above250() + "")),
                                column("... in a failover", row -> moving(row).above250Met() + ""),
                                column(
                                        "worst ms (quiet)",
                                        row -> beside(
                                                millis(moving(row).worstMillis()),
                                                millis(quiet(row).worstMillis()))),
                                column(
                                        "local bytes, before",
                                        row -> percent(row.getValue().localShareBefore())),
                                column("after", row -> percent(row.getValue().localShareAfter())),
                                column(
                                        "short circuit",
                                        row -> percent(row.getValue().shortCircuitAfter()))))
                .asString()
                .lines()
                .map(String::stripTrailing)
                .collect(Collectors.joining("\n"));
    }

    /** A line for each RegionServer that has said something of its streams. */
    public static List<String> streams(Map<ReaderSetup, ReaderResult> results) {
        return results.entrySet().stream()
                .filter(row -> row.getValue().streams().isKnown())
                .map(row -> streams(row.getKey(), row.getValue().streams()))
                .toList();
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

    private static ColumnData<Map.Entry<ReaderSetup, ReaderResult>> column(
            String header, Function<Map.Entry<ReaderSetup, ReaderResult>, String> getter) {
        return new Column()
                .header(header)
                .headerAlign(HorizontalAlign.LEFT)
                .dataAlign(HorizontalAlign.LEFT)
                .maxWidth(40)
                .with(getter);
    }
}
