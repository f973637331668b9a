// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.cluster;

import io.hearth.bench.cluster.Scale.BenchmarkStage;
import io.hearth.bench.cluster.VariantResult.EventResult;
import io.hearth.bench.cluster.VariantResult.HotSpotResult;
import io.hearth.bench.cluster.VariantResult.LatencyByPhase;
import io.hearth.bench.cluster.VariantResult.MoveRoundsResult;
import io.hearth.bench.cluster.VariantResult.TopologyEvent;
import io.hearth.bench.cluster.VariantRun.Variant;
import io.hearth.cli.view.Table;
import io.hearth.testkit.load.LatencyRecorder.LatencySummary;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The results as tables: locality and bytes, latencies, and the hot spot; a line for each variant. */
public final class ClusterResultTable {

    private ClusterResultTable() {}

    private record Row(TopologyEvent event, Variant variant, EventResult result) {}

    private record LatencyRow(Row row, String requests, LatencyByPhase phases) {}

    public static String of(Map<Variant, VariantResult> results) {
        List<Row> rows = new ArrayList<>();
        List<LatencyRow> latencies = new ArrayList<>();
        for (TopologyEvent event : TopologyEvent.values()) {
            results.forEach(
                    (variant, result) -> Optional.ofNullable(result.events().get(event))
                            .ifPresent(one -> rows.add(new Row(event, variant, one))));
        }
        for (Row row : rows) {
            latencies.add(new LatencyRow(row, "gets", row.result().gets()));
            latencies.add(new LatencyRow(row, "multigets", row.result().multigets()));
        }
        return Stream.of(locality(rows), latencies(latencies), rounds(results), hotSpot(results), requests(results))
                .filter(table -> !table.isEmpty())
                .collect(Collectors.joining("\n\n"));
    }

    /** What came of one event, in one line. */
    static String inShort(EventResult result) {
        return String.format(
                Locale.ROOT,
                "%d regions in place after %.1f s, %.0f %% local; all of it %s s after that; %s MB were remote",
                result.regions(),
                result.inPlaceSeconds(),
                100 * result.localityInPlace(),
                seconds(result.to100Seconds(), result),
                megabytes(result.nonLocalBytes()));
    }

    private static String locality(List<Row> rows) {
        return table(
                rows,
                List.of(
                        Table.left(BenchmarkStage.EVENTS.title(), row -> row.event()
                                .description()),
                        Table.left("", row -> row.variant().description()),
                        Table.right("regions moved", row -> row.result().regions() + ""),
                        Table.right("in place s", row -> seconds(row.result().inPlaceSeconds())),
                        Table.right("MB remote", row -> megabytes(row.result().nonLocalBytes())),
                        Table.right(
                                "local then",
                                row -> String.format(
                                        Locale.ROOT,
                                        "%.0f %%",
                                        100 * row.result().localityInPlace())),
                        Table.right("90 % after s", row -> seconds(row.result().to90Seconds(), row.result())),
                        Table.right("100 % after s", row -> seconds(row.result().to100Seconds(), row.result())),
                        Table.right(
                                "read MB", row -> megabytes(row.result().extra().read())),
                        Table.right(
                                "written MB",
                                row -> megabytes(row.result().extra().written())),
                        Table.right(
                                "sent MB", row -> megabytes(row.result().extra().sent()))));
    }

    private static String latencies(List<LatencyRow> rows) {
        return table(
                rows,
                List.of(
                        Table.left(
                                "p50 / p99 / p99.9 in ms",
                                row -> row.row().event().description()),
                        Table.left("", row -> row.row().variant().description()),
                        Table.left("", LatencyRow::requests),
                        Table.right("before", row -> millis(row.phases().before())),
                        Table.right("regions move", row -> millis(row.phases().moving())),
                        Table.right("healing", row -> millis(row.phases().healing())),
                        Table.right("after", row -> millis(row.phases().after()))));
    }

    private record RoundsRow(BenchmarkStage stage, Variant variant, MoveRoundsResult rounds) {}

    private static String rounds(Map<Variant, VariantResult> results) {
        List<RoundsRow> rows = new ArrayList<>();
        for (BenchmarkStage stage : BenchmarkStage.values()) {
            results.forEach(
                    (variant, result) -> Optional.ofNullable(result.rounds().get(stage))
                            .ifPresent(rounds -> rows.add(new RoundsRow(stage, variant, rounds))));
        }
        return table(
                rows,
                List.of(
                        Table.left("together", row -> row.stage().title()),
                        Table.left("", row -> row.variant().description()),
                        Table.right("rounds", row -> row.rounds().seconds().size() + ""),
                        Table.right("MB remote", row -> megabytes(row.rounds().nonLocalBytes())),
                        Table.right("MB written", row -> megabytes(row.rounds().writtenBytes())),
                        Table.right(
                                "100 % after s, median",
                                row -> seconds(row.rounds().medianSeconds())),
                        Table.right(
                                "gets before, ms",
                                row -> millis(row.rounds().gets().before())),
                        Table.right("remote", row -> millis(row.rounds().gets().remote())),
                        Table.right("healing", row -> millis(row.rounds().gets().healing())),
                        Table.right(
                                "multigets before, ms",
                                row -> millis(row.rounds().multigets().before())),
                        Table.right(
                                "remote", row -> millis(row.rounds().multigets().remote())),
                        Table.right(
                                "healing",
                                row -> millis(row.rounds().multigets().healing()))));
    }

    private record HotSpotRow(Variant variant, HotSpotResult hotSpot) {

        String even() {
            return hotSpot.evenSeconds().stream()
                    .mapToObj(ClusterResultTable::seconds)
                    .findFirst()
                    .orElse("not in " + seconds(hotSpot.watchedSeconds()));
        }
    }

    private static String hotSpot(Map<Variant, VariantResult> results) {
        List<HotSpotRow> rows = new ArrayList<>();
        results.forEach(
                (variant, result) -> result.hotSpot().ifPresent(hotSpot -> rows.add(new HotSpotRow(variant, hotSpot))));
        return table(
                rows,
                List.of(
                        Table.left(BenchmarkStage.HOT_SPOT.title(), row -> row.variant()
                                .description()),
                        Table.right(
                                "max/mean at worst", row -> ratio(row.hotSpot().worst())),
                        Table.right("at the end", row -> ratio(row.hotSpot().last())),
                        Table.right("below 1.15 after s", HotSpotRow::even),
                        Table.right("moves", row -> row.hotSpot().moves() + ""),
                        Table.right(
                                "gets before, ms", row -> millis(row.hotSpot().before())),
                        Table.right("after", row -> millis(row.hotSpot().after()))));
    }

    private static String requests(Map<Variant, VariantResult> results) {
        return table(
                List.copyOf(results.entrySet()),
                List.of(
                        Table.left(
                                "requests of the whole run", row -> row.getKey().description()),
                        Table.right("answered", row -> row.getValue().requests() + ""),
                        Table.right("failed", row -> row.getValue().errors() + "")));
    }

    /** Nothing where there are no rows. */
    private static <T> String table(List<T> rows, List<Table.RowColumn<T>> columns) {
        if (rows.isEmpty()) {
            return "";
        }
        return Table.of(rows, columns).text();
    }

    private static String millis(LatencySummary latency) {
        return latency.requests() == 0
                ? "-"
                : String.format(Locale.ROOT, "%.1f / %.1f / %.1f", latency.p50Ms(), latency.p99Ms(), latency.p999Ms());
    }

    private static String seconds(OptionalDouble seconds, EventResult result) {
        return seconds.isPresent() ? seconds(seconds.getAsDouble()) : "not in " + seconds(result.watchedSeconds());
    }

    private static String seconds(double seconds) {
        return String.format(Locale.ROOT, "%.1f", seconds);
    }

    private static String ratio(double ratio) {
        return String.format(Locale.ROOT, "%.2f", ratio);
    }

    private static String megabytes(long bytes) {
        return String.format(Locale.ROOT, "%,.1f", bytes / 1e6);
    }
}
