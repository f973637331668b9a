// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.cluster;

import io.hearth.bench.cluster.MoveRoundsResult.CpuTimes;
import io.hearth.bench.cluster.MoveRoundsResult.Latencies;
import io.hearth.bench.cluster.Scale.BenchmarkStage;
import io.hearth.bench.cluster.VariantResult.EventResult;
import io.hearth.bench.cluster.VariantResult.HotSpotResult;
import io.hearth.bench.cluster.VariantResult.LatencyByPhase;
import io.hearth.bench.cluster.VariantRun.Variant;
import io.hearth.bench.threshold.ThresholdReport;
import io.hearth.bench.threshold.ThresholdReport.Figure;
import io.hearth.testkit.load.LatencyRecorder.LatencySummary;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * What the tables of {@link ClusterResultTable} have, as figures for a program: those for which there is no threshold. The others are of
 * {@link ClusterThresholds}. Not thread-safe.
 */
final class ClusterFigures {

    private final ThresholdReport report;
    private final String of;

    private ClusterFigures(ThresholdReport report, String of) {
        this.report = report;
        this.of = of;
    }

    /** Adds those of each variant. */
    static void add(ThresholdReport report, Map<Variant, VariantResult> results) {
        results.forEach((variant, result) -> {
            result.events()
                    .forEach((event, one) ->
                            new ClusterFigures(report, ClusterThresholds.of(event.description(), variant)).event(one));
            result.rounds()
                    .forEach((stage, rounds) -> new ClusterFigures(report, ClusterThresholds.of(stage.title(), variant))
                            .rounds(rounds, variant));
            result.hotSpot().ifPresent(hotSpot -> new ClusterFigures(
                            report, ClusterThresholds.of(BenchmarkStage.HOT_SPOT.title(), variant))
                    .hotSpot(hotSpot));
        });
    }

    private void event(EventResult result) {
        add("regions moved", result.regions(), "");
        add("in place after", result.inPlaceSeconds(), "s");
        add("remote", result.nonLocalBytes() / 1e6, "MB");
        add("local once in place", 100 * result.localityInPlace(), "%");
        add("90 % after", result.to90Seconds().orElse(Double.NaN), "s");
        add("read", result.extra().read() / 1e6, "MB");
        add("written", result.extra().written() / 1e6, "MB");
        add("sent", result.extra().sent() / 1e6, "MB");
        phases("gets", result.gets());
        phases("multigets", result.multigets());
    }

    /** All but p99 while healing. */
    private void phases(String requests, LatencyByPhase phases) {
        latency(requests + " before", phases.before());
        latency(requests + " while regions move", phases.moving());
        latency(requests + " while healing, p50", phases.healing(), LatencySummary::p50Ms);
        latency(requests + " while healing, p99.9", phases.healing(), LatencySummary::p999Ms);
        latency(requests + " after", phases.after());
    }

    private void rounds(MoveRoundsResult rounds, Variant variant) {
        add("remote", rounds.nonLocalBytes() / 1e6, "MB");
        add("written", rounds.writtenBytes() / 1e6, "MB");
        median("confirmed after, median", rounds, round -> round.times().confirmed());
        add("CPU of DataNodes for a MB, median", rounds.cpuPerMegabyte(CpuTimes::dataNodes), "ms");
        add("CPU of RegionServers for a MB, median", rounds.cpuPerMegabyte(CpuTimes::regionServers), "ms");
        add("CPU of the HMaster for a MB, median", rounds.cpuPerMegabyte(CpuTimes::master), "ms");
        latencies("gets", rounds.gets());
        latencies("multigets", rounds.multigets());
        if (variant == Variant.HEARTH) {
            median("a block is listed, median", rounds, round -> round.breakdown()
                    .planned());
            median("a block waits to start, median", rounds, round -> round.breakdown()
                    .waiting());
            median("a block is copied, median", rounds, round -> round.breakdown()
                    .copying());
            median("a block is confirmed, median", rounds, round -> round.breakdown()
                    .confirming());
        }
    }

    private void median(String figure, MoveRoundsResult rounds, ToDoubleFunction<MoveRoundsResult.Round> seconds) {
        add(figure, rounds.median(seconds).orElse(Double.NaN), "s");
    }

    private void latencies(String requests, Latencies latencies) {
        latency(requests + " before", latencies.before());
        latency(requests + " while remote", latencies.remote());
        latency(requests + " while healing", latencies.healing());
        latency(requests + " while old replicas are deleted", latencies.deleting());
        aa(requests + ", p99", latencies.p99());
        aa(requests + ", p99.9", latencies.p999());
    }

    private void aa(String what, AaRatio ratio) {
        add(what + ", A/A", ratio.ratio(), "x");
        add(what + ", A/A at least", ratio.low(), "x");
        add(what + ", A/A at most", ratio.high(), "x");
    }

    private void hotSpot(HotSpotResult hotSpot) {
        add("max/mean at worst", hotSpot.worst(), "");
        add("below " + ClusterThresholds.EVEN + " after", hotSpot.evenSeconds().orElse(Double.NaN), "s");
        add("moves", hotSpot.moves(), "");
        latency("gets before", hotSpot.before());
        latency("gets after", hotSpot.after());
    }

    private void latency(String when, LatencySummary latencies) {
        latency(when + ", p50", latencies, LatencySummary::p50Ms);
        latency(when + ", p99", latencies, LatencySummary::p99Ms);
        latency(when + ", p99.9", latencies, LatencySummary::p999Ms);
    }

    private void latency(String figure, LatencySummary latencies, ToDoubleFunction<LatencySummary> percentileMs) {
        add(figure, ofAny(latencies, percentileMs), "ms");
    }

    /** A percentile in milliseconds; none of no requests. */
    static double ofAny(LatencySummary latencies, ToDoubleFunction<LatencySummary> percentileMs) {
        return latencies.requests() == 0 ? Double.NaN : percentileMs.applyAsDouble(latencies);
    }

    private void add(String figure, double value, String unit) {
        report.add(Figure.of(of, figure, value, unit));
    }
}
