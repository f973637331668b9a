// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.opentsdb;

import io.hearth.bench.opentsdb.stream.ReadBackResult;
import io.hearth.bench.threshold.ThresholdReport.Figure;
import io.hearth.demo.report.ServerTable;
import io.hearth.demo.report.ServerTable.ServerTableRow;
import io.hearth.testkit.load.LatencyRecorder.LatencySummary;
import java.util.ArrayList;
import java.util.List;

/** What a run prints, as figures for a program. Pure. */
final class TsdbFigures {

    private TsdbFigures() {}

    /** Of all servers over one interval. */
    static List<Figure> of(ServerTable table) {
        List<Figure> figures = new ArrayList<>();
        figures.add(
                Figure.of(table.title(), "max/mean of reads", table.readSkew().orElse(Double.NaN), ""));
        figures.add(
                Figure.of(table.title(), "max/mean of writes", table.writeSkew().orElse(Double.NaN), ""));
        for (ServerTableRow row : table.rows()) {
            String of = table.title() + ", " + row.host();
            figures.add(Figure.of(of, "regions", row.regions(), ""));
            figures.add(Figure.of(of, "reads", row.readsPerSecond(), "1/s"));
            figures.add(Figure.of(of, "writes", row.writesPerSecond(), "1/s"));
            figures.add(Figure.of(of, "store", (double) row.storeBytes(), "bytes"));
            figures.add(Figure.of(of, "locality", row.locality(), ""));
            figures.add(Figure.of(of, "locality as reported", row.reportedLocality(), ""));
        }
        return figures;
    }

    /** Of requests of one kind; without times where there were none. */
    static List<Figure> of(String when, String kind, LatencySummary latencies) {
        String of = when + ", " + kind;
        boolean isAny = latencies.requests() > 0;
        return List.of(
                Figure.of(of, "requests", (double) latencies.requests(), ""),
                Figure.of(of, "p50", isAny ? latencies.p50Ms() : Double.NaN, "ms"),
                Figure.of(of, "p99", isAny ? latencies.p99Ms() : Double.NaN, "ms"),
                Figure.of(of, "p99.9", isAny ? latencies.p999Ms() : Double.NaN, "ms"),
                Figure.of(of, "max", isAny ? latencies.maxMs() : Double.NaN, "ms"));
    }

    /** Of a balancer that must even the writes. */
    static List<Figure> ofHearth(String when, BalanceRun run) {
        return List.of(
                evenAfter(when, run).atMost(Double.POSITIVE_INFINITY, run.isEven()),
                Figure.of(when, "moves of regions", run.moves(), ""));
    }

    /** Of a balancer that is there to compare with. */
    static List<Figure> ofStock(String when, BalanceRun run) {
        return List.of(evenAfter(when, run), Figure.of(when, "moves of regions", run.moves(), ""));
    }

    private static Figure evenAfter(String when, BalanceRun run) {
        return Figure.of(when, "writes even after", run.isEven() ? (double) run.seconds() : Double.NaN, "s");
    }

    /** Of points that were looked for. */
    static List<Figure> of(String where, ReadBackResult found) {
        return List.of(
                Figure.of(where, "points looked for", (double) found.expected(), ""),
                Figure.of(where, "points missing", (double) found.missing(), "").none(),
                Figure.of(where, "points with another value", (double) found.wrong(), "")
                        .none());
    }
}
