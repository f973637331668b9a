// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.cluster;

import io.hearth.bench.cluster.MoveRoundsResult.Latencies;
import io.hearth.bench.cluster.Scale.BenchmarkStage;
import io.hearth.bench.cluster.VariantResult.EventResult;
import io.hearth.bench.cluster.VariantResult.HotSpotResult;
import io.hearth.bench.cluster.VariantResult.LatencyByPhase;
import io.hearth.bench.cluster.VariantResult.TopologyEvent;
import io.hearth.bench.cluster.VariantRun.Variant;
import io.hearth.bench.threshold.ThresholdReport;
import io.hearth.bench.threshold.ThresholdReport.Figure;
import io.hearth.testkit.load.LatencyRecorder.LatencySummary;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What Hearth has to reach beside the others. What does not hold is one sentence with the number and the threshold. Pure functions of the
 * results.
 */
public final class ClusterThresholds {

    static final double TIME_THRESHOLD = 0.2;
    static final double BYTES_THRESHOLD = 1.05;
    static final double P99_THRESHOLD = 1.2;
    static final double P999_THRESHOLD = 1.5;
    /** How far the time that a heal takes may be from what the dry run said, as a share of that. */
    static final double ESTIMATE_THRESHOLD = 0.25;

    static final double LINEAR_THRESHOLD = 0.9;
    static final double EVEN = 1.15;

    /** With fewer requests it says nothing that none of them failed. */
    static final long LEAST_REQUESTS = 150_000;

    /** With fewer pairs of phases without healing chance may take a percentile further than they tell. */
    static final int LEAST_PAIRS = 6;

    private static final String REQUESTS = "requests of the whole run";

    private final Map<Variant, VariantResult> results;
    private final ThresholdReport report = new ThresholdReport();

    private ClusterThresholds(Map<Variant, VariantResult> results) {
        this.results = results;
    }

    /** All figures of the variants, Hearth's beside their thresholds. */
    public static ThresholdReport of(Map<Variant, VariantResult> results) {
        ClusterThresholds thresholds = new ClusterThresholds(results);
        results.forEach(thresholds::requests);
        results.forEach(
                (variant, result) -> result.events().forEach((event, one) -> thresholds.event(variant, event, one)));
        results.forEach((variant, result) ->
                result.rounds().forEach((stage, rounds) -> thresholds.rounds(variant, stage, rounds)));
        results.forEach(
                (variant, result) -> result.hotSpot().ifPresent(hotSpot -> thresholds.hotSpot(variant, hotSpot)));
        ClusterFigures.add(thresholds.report, results);
        return thresholds.report;
    }

    /** How much there is of what has to be enough for a run's figures to count, beside the least that counts. */
    public static ThresholdReport counts(Map<Variant, VariantResult> results) {
        ThresholdReport report = new ThresholdReport();
        long requests =
                results.values().stream().mapToLong(VariantResult::requests).sum();
        report.add(
                Figure.of(REQUESTS, "answered", (double) requests, "")
                        .atLeast((double) LEAST_REQUESTS, requests >= LEAST_REQUESTS),
                text("the run does not count: %,d requests were answered, fewer than %,d", requests, LEAST_REQUESTS));
        results.forEach((variant, result) -> result.rounds().forEach((stage, rounds) -> {
            int pairs = rounds.rounds().size();
            Figure figure = Figure.of(of(stage.title(), variant), "rounds", pairs, "");
            report.add(
                    variant == Variant.HEARTH ? figure.atLeast(LEAST_PAIRS, pairs >= LEAST_PAIRS) : figure,
                    text(
                            "%s: p99 and p99.9 do not count: %d pairs of phases without healing, fewer than %d",
                            stage.title(), pairs, LEAST_PAIRS));
        }));
        return report;
    }

    /** What figures of a variant are of. */
    static String of(String what, Variant variant) {
        return what + ", " + variant.description();
    }

    private void requests(Variant variant, VariantResult result) {
        String of = of(REQUESTS, variant);
        report.add(Figure.of(of, "answered", (double) result.requests(), ""));
        report.add(
                Figure.of(of, "failed", (double) result.errors(), "").none(),
                variant.description() + ": " + result.errors() + " requests failed, the first: " + result.firstError());
    }

    private void event(Variant variant, TopologyEvent event, EventResult result) {
        locality(variant, event, result);
        if (variant == Variant.HEARTH) {
            bytes(event, result);
        }
        boolean isHeld = variant == Variant.HEARTH && !result.isLocalInPlace();
        p99(variant, event, "gets", result.gets(), isHeld);
        p99(variant, event, "multigets", result.multigets(), isHeld);
    }

    private OptionalDouble compacted(TopologyEvent event) {
        VariantResult compacted = results.get(Variant.COMPACTION);
        if (compacted == null) {
            return OptionalDouble.empty();
        }
        // Chance may leave all regions where their blocks are: then there is nothing to compare with.
        EventResult result = Objects.requireNonNull(compacted.events().get(event));
        return result.isLocalInPlace() ? OptionalDouble.empty() : result.to100Seconds();
    }

    private Optional<MoveRoundsResult> compacted(BenchmarkStage stage) {
        return Optional.ofNullable(results.get(Variant.COMPACTION))
                .map(compacted -> compacted.rounds().get(stage));
    }

    private void locality(Variant variant, TopologyEvent event, EventResult result) {
        double seconds = result.to100Seconds().orElse(Double.NaN);
        Figure figure = Figure.of(of(event.description(), variant), "100 % after", seconds, "s");
        if (variant != Variant.HEARTH) {
            report.add(figure);
            return;
        }
        OptionalDouble compacted = compacted(event);
        if (result.to100Seconds().isEmpty()) {
            report.add(
                    figure.atMost(result.watchedSeconds(), false),
                    text("%s: not all is local after %.0f s", event.description(), result.watchedSeconds()));
        } else if (compacted.isPresent()) {
            double most = TIME_THRESHOLD * compacted.getAsDouble();
            report.add(
                    figure.atMost(most, seconds <= most),
                    text(
                            "%s: all is local after %.1f s, above %.1f x the %.1f s of major compactions",
                            event.description(), seconds, TIME_THRESHOLD, compacted.getAsDouble()));
        } else {
            report.add(figure.atMost(result.watchedSeconds(), true));
        }
    }

    private void bytes(TopologyEvent event, EventResult result) {
        double most = BYTES_THRESHOLD * result.nonLocalBytes();
        report.add(
                Figure.of(of(event.description(), Variant.HEARTH), "healed", result.healedBytes() / 1e6, "MB")
                        .atMost(most / 1e6, result.healedBytes() <= most),
                text(
                        "%s: %,d bytes were moved for %,d that were remote, above %.2f x",
                        event.description(), result.healedBytes(), result.nonLocalBytes(), BYTES_THRESHOLD));
    }

    /** While healing; an event's other latencies are no figures with a threshold. */
    private void p99(Variant variant, TopologyEvent event, String requests, LatencyByPhase phases, boolean isHeld) {
        double healing = phases.healing().p99Ms();
        double most = P99_THRESHOLD * phases.before().p99Ms();
        Figure figure = Figure.of(
                of(event.description(), variant),
                requests + " while healing, p99",
                ClusterFigures.ofAny(phases.healing(), LatencySummary::p99Ms),
                "ms");
        report.add(
                isHeld ? figure.atMost(most, healing <= most) : figure,
                p99Missed(event.description() + ", " + requests, phases.before(), "while healing", phases.healing()));
    }

    private static String p99Missed(String what, LatencySummary before, String when, LatencySummary then) {
        return text(
                "%s: p99 %s is %.1f ms, above %.1f x the %.1f ms before",
                what, when, then.p99Ms(), P99_THRESHOLD, before.p99Ms());
    }

    private void rounds(Variant variant, BenchmarkStage stage, MoveRoundsResult rounds) {
        times(variant, stage, rounds);
        // Of what takes a second or two the dry run's whole seconds for confirmation are all.
        estimate(
                of(stage.title(), variant),
                stage,
                rounds.medianOfEstimate(),
                variant == Variant.HEARTH && stage == BenchmarkStage.MOVED);
        latencies(variant, stage, "gets", rounds.gets());
        latencies(variant, stage, "multigets", rounds.multigets());
    }

    private void times(Variant variant, BenchmarkStage stage, MoveRoundsResult rounds) {
        String of = of(stage.title(), variant);
        double seconds = rounds.medianSeconds();
        Figure local = Figure.of(of, "100 % after, median", seconds, "s");
        OptionalDouble readLocally = rounds.medianReadLocally();
        Figure read = Figure.of(of, "read locally after, median", readLocally.orElse(Double.NaN), "s");
        Optional<MoveRoundsResult> compacted = variant == Variant.HEARTH ? compacted(stage) : Optional.empty();
        if (variant == Variant.HEARTH && Double.isInfinite(seconds)) {
            report.add(
                    local.atMost(Double.POSITIVE_INFINITY, false),
                    stage.title() + ": in half of them not all became local");
            report.add(read);
        } else if (compacted.isPresent()) {
            slower(local, stage, "local", seconds, compacted.get().medianSeconds());
            OptionalDouble byCompaction = compacted.get().medianReadLocally();
            if (readLocally.isPresent() && byCompaction.isPresent()) {
                slower(read, stage, "read locally", readLocally.getAsDouble(), byCompaction.getAsDouble());
            } else {
                report.add(read);
            }
        } else {
            report.add(variant == Variant.HEARTH ? local.atMost(Double.POSITIVE_INFINITY, true) : local);
            report.add(read);
        }
    }

    private void slower(Figure figure, BenchmarkStage stage, String what, double seconds, double compactionSeconds) {
        double most = TIME_THRESHOLD * compactionSeconds;
        report.add(
                figure.atMost(most, seconds <= most),
                text(
                        "%s: all is %s after %.1f s in the median, above %.1f x the %.1f s of major compactions",
                        stage.title(), what, seconds, TIME_THRESHOLD, compactionSeconds));
    }

    private void estimate(String of, BenchmarkStage stage, OptionalDouble times, boolean isHeld) {
        Figure figure = Figure.of(of, "time / the dry run's estimate, median", times.orElse(Double.NaN), "x");
        if (!isHeld || times.isEmpty()) {
            report.add(figure);
            return;
        }
        boolean holds = !(Math.abs(times.getAsDouble() - 1) > ESTIMATE_THRESHOLD);
        report.add(
                figure.atLeast(1 - ESTIMATE_THRESHOLD, holds).atMost(1 + ESTIMATE_THRESHOLD, holds),
                text(
                        "%s: healing takes %.2f x what the dry run says in the median, not within %.0f %% of it",
                        stage.title(), times.getAsDouble(), 100 * ESTIMATE_THRESHOLD));
    }

    /** Healing more and more DataNodes. */
    public static ThresholdReport of(LinearityResult result) {
        ClusterThresholds thresholds = new ClusterThresholds(Map.of());
        String title = BenchmarkStage.LINEARITY.title();
        result.bytesPerSecondByDataNodes().forEach((dataNodes, perSecond) -> {
            String of = title + ", " + dataNodes + " DataNodes";
            thresholds.report.add(Figure.of(of, "median", perSecond / 1e6, "MB/s"));
            thresholds.report.add(Figure.of(of, "median for each", perSecond / 1e6 / dataNodes, "MB/s"));
        });
        result.leastOfLinear()
                .ifPresent(least -> thresholds.report.add(
                        Figure.of(title, "bytes per second / linear ones, least", least, "x")
                                .atLeast(LINEAR_THRESHOLD, least >= LINEAR_THRESHOLD),
                        text(
                                "%s: bytes per second grow %.2f x linearly, below %.1f x",
                                title, least, LINEAR_THRESHOLD)));
        thresholds.estimate(title, BenchmarkStage.LINEARITY, result.medianOfEstimate(), true);
        return thresholds.report;
    }

    private void latencies(Variant variant, BenchmarkStage stage, String requests, Latencies latencies) {
        latencies(variant, stage, requests, latencies, "while healing", latencies.healing());
        latencies(variant, stage, requests, latencies, "while old replicas are deleted", latencies.deleting());
    }

    private void latencies(
            Variant variant,
            BenchmarkStage stage,
            String requests,
            Latencies latencies,
            String when,
            LatencySummary then) {
        LatencySummary before = latencies.before();
        ratio(
                Figure.of(
                        of(stage.title(), variant),
                        requests + ", p99 " + when + " / before",
                        then.p99Ms() / before.p99Ms(),
                        "x"),
                variant,
                Math.max(P99_THRESHOLD, latencies.p99().high()),
                p99Missed(stage.title() + ", " + requests, before, when, then));
        ratio(
                Figure.of(
                        of(stage.title(), variant),
                        requests + ", p99.9 " + when + " / before",
                        then.p999Ms() / before.p999Ms(),
                        "x"),
                variant,
                Math.max(P999_THRESHOLD, latencies.p999().high()),
                text(
                        "%s, %s: p99.9 %s is %.1f ms, above %.1f x the %.1f ms before",
                        stage.title(), requests, when, then.p999Ms(), P999_THRESHOLD, before.p999Ms()));
    }

    private void ratio(Figure figure, Variant variant, double most, String missed) {
        boolean isMissed = figure.value() == null || figure.value() > most;
        report.add(variant == Variant.HEARTH ? figure.atMost(most, !isMissed) : figure, missed);
    }

    private void hotSpot(Variant variant, HotSpotResult hotSpot) {
        Figure figure =
                Figure.of(of(BenchmarkStage.HOT_SPOT.title(), variant), "max/mean at the end", hotSpot.last(), "");
        report.add(
                variant == Variant.HEARTH
                        ? figure.atMost(EVEN, hotSpot.evenSeconds().isPresent())
                        : figure,
                text(
                        "%s: max/mean is %.2f at the end, not below %.2f",
                        BenchmarkStage.HOT_SPOT.title(), hotSpot.last(), EVEN));
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
