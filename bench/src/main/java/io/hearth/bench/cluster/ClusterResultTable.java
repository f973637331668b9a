// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.cluster;

import io.hearth.bench.cluster.LinearityResult.SizedHeal;
import io.hearth.bench.cluster.MoveRoundsResult.CpuTimes;
import io.hearth.bench.cluster.MoveRoundsResult.Latencies;
import io.hearth.bench.cluster.MoveRoundsResult.Round;
import io.hearth.bench.cluster.Scale.BenchmarkStage;
import io.hearth.bench.cluster.VariantResult.EventResult;
import io.hearth.bench.cluster.VariantResult.HotSpotResult;
import io.hearth.bench.cluster.VariantResult.LatencyByPhase;
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
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
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
        List<RoundsRow> rounds = roundsRows(results);
        return Stream.of(
                        locality(rows),
                        latencies(latencies),
                        times(rounds),
                        ratios(rounds),
                        breakdowns(rounds),
                        hotSpot(results),
                        requests(results))
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

    private static List<RoundsRow> roundsRows(Map<Variant, VariantResult> results) {
        List<RoundsRow> rows = new ArrayList<>();
        for (BenchmarkStage stage : BenchmarkStage.values()) {
            results.forEach(
                    (variant, result) -> Optional.ofNullable(result.rounds().get(stage))
                            .ifPresent(rounds -> rows.add(new RoundsRow(stage, variant, rounds))));
        }
        return rows;
    }

    private static String times(List<RoundsRow> rows) {
        return table(
                rows,
                List.of(
                        Table.left("medians", row -> row.stage().title()),
                        Table.left("", row -> row.variant().description()),
                        Table.right("rounds", row -> row.rounds().rounds().size() + ""),
                        Table.right("MB remote", row -> megabytes(row.rounds().nonLocalBytes())),
                        Table.right("MB written", row -> megabytes(row.rounds().writtenBytes())),
                        Table.right("100 % after s", row -> seconds(row.rounds().medianSeconds())),
                        Table.right(
                                "confirmed s",
                                row -> seconds(row.rounds()
                                        .median(round -> round.times().confirmed())
                                        .orElseThrow())),
                        Table.right(
                                "read locally s", row -> ifKnown(row.rounds().medianReadLocally(), "%.1f")),
                        Table.right("x estimate", row -> ifKnown(row.rounds().medianOfEstimate(), "%.2f")),
                        Table.right("CPU ms/MB: DataNodes", row -> cpu(row, CpuTimes::dataNodes)),
                        Table.right("RegionServers", row -> cpu(row, CpuTimes::regionServers)),
                        Table.right("HMaster", row -> cpu(row, CpuTimes::master))));
    }

    private static String cpu(RoundsRow row, ToDoubleFunction<CpuTimes> servers) {
        return String.format(Locale.ROOT, "%.1f", row.rounds().cpuPerMegabyte(servers));
    }

    private static String ifKnown(OptionalDouble value, String format) {
        return value.isPresent() ? String.format(Locale.ROOT, format, value.getAsDouble()) : "-";
    }

    private record RatioRow(RoundsRow row, String requests, Latencies latencies) {}

    private static String ratios(List<RoundsRow> rounds) {
        List<RatioRow> rows = new ArrayList<>();
        for (RoundsRow row : rounds) {
            rows.add(new RatioRow(row, "gets", row.rounds().gets()));
            rows.add(new RatioRow(row, "multigets", row.rounds().multigets()));
        }
        return table(
                rows,
                List.of(
                        Table.left(
                                "p50 / p99 / p99.9 in ms",
                                row -> row.row().stage().title()),
                        Table.left("", row -> row.row().variant().description()),
                        Table.left("", RatioRow::requests),
                        Table.right("before", row -> millis(row.latencies().before())),
                        Table.right("remote", row -> millis(row.latencies().remote())),
                        Table.right("healing", row -> millis(row.latencies().healing())),
                        Table.right("p99 healing/before", row -> over(row, Latencies::healing, LatencySummary::p99Ms)),
                        Table.right("A/A (range)", row -> aa(row.latencies().p99())),
                        Table.right(
                                "p99.9 healing/before", row -> over(row, Latencies::healing, LatencySummary::p999Ms)),
                        Table.right("A/A (range)", row -> aa(row.latencies().p999())),
                        Table.right(
                                "old replicas deleted",
                                row -> millis(row.latencies().deleting())),
                        Table.right("p99 then/before", row -> over(row, Latencies::deleting, LatencySummary::p99Ms))));
    }

    private static String over(
            RatioRow row, Function<Latencies, LatencySummary> phase, ToDoubleFunction<LatencySummary> percentile) {
        return ratio(percentile.applyAsDouble(phase.apply(row.latencies()))
                / percentile.applyAsDouble(row.latencies().before()));
    }

    private static String aa(AaRatio aa) {
        return String.format(Locale.ROOT, "%.2f (%.2f to %.2f)", aa.ratio(), aa.low(), aa.high());
    }

    /** Of Hearth's alone: a compaction has no moves. */
    private static String breakdowns(List<RoundsRow> rows) {
        return table(
                rows.stream().filter(row -> row.variant() == Variant.HEARTH).toList(),
                List.of(
                        Table.left(
                                "a block's seconds, medians", row -> row.stage().title()),
                        Table.right("listed", row -> wait(row, HealBreakdown::planned)),
                        Table.right("waiting to start", row -> wait(row, HealBreakdown::waiting)),
                        Table.right("copying", row -> wait(row, HealBreakdown::copying)),
                        Table.right("confirming", row -> wait(row, HealBreakdown::confirming)),
                        Table.left("held back by", row -> row.rounds().rounds().stream()
                                .map(round -> round.breakdown().limit().label())
                                .distinct()
                                .collect(Collectors.joining(", ")))));
    }

    private static String wait(RoundsRow row, ToDoubleFunction<HealBreakdown> seconds) {
        return ratio(row.rounds()
                .median(round -> seconds.applyAsDouble(round.breakdown()))
                .orElseThrow());
    }

    /** What came of one round, in one line. */
    static String inShort(Round round) {
        return String.format(
                Locale.ROOT,
                "%s MB remote, local after %.1f s, confirmed after %.1f s%s",
                megabytes(round.nonLocalBytes()),
                round.times().copied(),
                round.times().confirmed(),
                said(round.times().estimated()));
    }

    /** What came of one heal of so many DataNodes, in one line. */
    static String inShort(SizedHeal heal) {
        return String.format(
                Locale.ROOT,
                "%d DataNodes: %s MB in %.1f s, %.2f MB/s each, confirmed after %.1f s%s",
                heal.dataNodes(),
                megabytes(heal.bytes()),
                heal.copiedSeconds(),
                heal.bytesPerSecond() / heal.dataNodes() / 1e6,
                heal.confirmedSeconds(),
                said(heal.estimated()));
    }

    private static String said(OptionalDouble estimated) {
        return estimated.isPresent()
                ? String.format(Locale.ROOT, ", the dry run said %.1f s", estimated.getAsDouble())
                : "";
    }

    /** Healing more and more DataNodes, as a table. */
    public static String of(LinearityResult result) {
        return table(
                List.copyOf(result.bytesPerSecondByDataNodes().entrySet()),
                List.of(
                        Table.left("DataNodes that take part", row -> row.getKey() + ""),
                        Table.right("MB/s, median", row -> String.format(Locale.ROOT, "%.1f", row.getValue() / 1e6)),
                        Table.right(
                                "for each",
                                row -> String.format(Locale.ROOT, "%.2f", row.getValue() / 1e6 / row.getKey()))));
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
