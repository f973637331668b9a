// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.cluster;

import io.hearth.bench.cluster.MoveRoundsResult.CpuTimes;
import io.hearth.bench.cluster.MoveRoundsResult.HealTimes;
import io.hearth.bench.cluster.MoveRoundsResult.Latencies;
import io.hearth.bench.cluster.MoveRoundsResult.Round;
import io.hearth.bench.cluster.Scale.BenchmarkStage;
import io.hearth.bench.cluster.VariantResult.EventResult;
import io.hearth.bench.cluster.VariantResult.HotSpotResult;
import io.hearth.bench.cluster.VariantResult.LatencyByPhase;
import io.hearth.bench.cluster.VariantResult.TimeSeriesPoint;
import io.hearth.bench.cluster.VariantResult.TopologyEvent;
import io.hearth.bench.cluster.VariantResult.Traffic;
import io.hearth.bench.cluster.VariantRun.Variant;
import io.hearth.healer.metrics.HealLimit;
import io.hearth.testkit.load.LatencyRecorder.LatencySummary;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** Results as they might come out. */
final class SampleResults {

    private SampleResults() {}

    private static LatencySummary latency(double p99Ms) {
        return new LatencySummary(1_000, p99Ms / 5, p99Ms, 2 * p99Ms, 3 * p99Ms);
    }

    private static LatencyByPhase phases(double healingP99Ms) {
        return new LatencyByPhase(latency(10), latency(500), latency(healingP99Ms), latency(10));
    }

    static EventResult event(OptionalDouble to100Seconds, long healedBytes, double healingP99Ms) {
        return event(0.66, to100Seconds, healedBytes, healingP99Ms);
    }

    static EventResult event(
            double localityInPlace, OptionalDouble to100Seconds, long healedBytes, double healingP99Ms) {
        return new EventResult(
                12,
                25.5,
                25.5,
                100_000_000,
                localityInPlace,
                to100Seconds,
                to100Seconds,
                60,
                healedBytes,
                new Traffic(200_000_000, 100_000_000, 300_000_000),
                phases(healingP99Ms),
                phases(10),
                List.of(new TimeSeriesPoint(-1, 1), new TimeSeriesPoint(26, 0.66), new TimeSeriesPoint(30, 1)),
                List.of(
                        new TimeSeriesPoint(-2, 10),
                        new TimeSeriesPoint(0, 500),
                        new TimeSeriesPoint(2, 0),
                        new TimeSeriesPoint(4, 12)));
    }

    static VariantResult variant(EventResult event, OptionalDouble evenSeconds, long errors) {
        Map<TopologyEvent, EventResult> events = new EnumMap<>(TopologyEvent.class);
        for (TopologyEvent each : TopologyEvent.values()) {
            events.put(each, event);
        }
        return new VariantResult(
                events,
                Optional.of(new HotSpotResult(
                        evenSeconds,
                        60,
                        9,
                        2.5,
                        evenSeconds.isPresent() ? 1.1 : 2.4,
                        latency(10),
                        latency(11),
                        List.of(new TimeSeriesPoint(6, 2.5), new TimeSeriesPoint(20, 1.1)))),
                bothRounds(rounds(4, 12)),
                50_000,
                errors,
                errors > 0 ? "java.io.IOException: gone" : "");
    }

    /** Rounds of that median; readers are local, and moves confirmed, as soon as all is copied. */
    static MoveRoundsResult rounds(double medianSeconds, double healingP99Ms) {
        return new MoveRoundsResult(
                List.of(round(2 * medianSeconds), round(1), round(medianSeconds)),
                latencies(10, healingP99Ms, 2 * healingP99Ms),
                latencies(20, 2 * healingP99Ms, 4 * healingP99Ms));
    }

    /** It takes as long as the dry run said. */
    static Round round(double seconds) {
        return round(seconds, seconds);
    }

    static Round round(double seconds, double estimated) {
        return new Round(
                300_000_000,
                310_000_000,
                new HealTimes(seconds, seconds, OptionalDouble.of(seconds), OptionalDouble.of(estimated)),
                new CpuTimes(750, 30, 60),
                new HealBreakdown(0.5, 1, 0.1, 3, HealLimit.DATANODE_BANDWIDTH));
    }

    /** Chance takes the hundredth from 0.9 to 1.1 times itself, the thousandth to twice. */
    static Latencies latencies(double p99Ms, double healingP99Ms, double healingP999Ms) {
        return new Latencies(
                latency(p99Ms),
                latency(1.1 * p99Ms),
                new LatencySummary(1_000, healingP99Ms / 5, healingP99Ms, healingP999Ms, 3 * healingP99Ms),
                latency(p99Ms),
                new AaRatio(1, 0.9, 1.1),
                new AaRatio(1, 0.5, 2));
    }

    static Map<BenchmarkStage, MoveRoundsResult> bothRounds(MoveRoundsResult rounds) {
        return Map.of(BenchmarkStage.MOVED, rounds, BenchmarkStage.RETURNED, rounds);
    }

    /** The same with other rounds. */
    static VariantResult with(VariantResult result, Map<BenchmarkStage, MoveRoundsResult> rounds) {
        return new VariantResult(
                result.events(), result.hotSpot(), rounds, result.requests(), result.errors(), result.firstError());
    }

    /** Nothing but rounds of one kind. */
    static VariantResult only(BenchmarkStage stage, MoveRoundsResult rounds) {
        return new VariantResult(Map.of(), Optional.empty(), Map.of(stage, rounds), 1_000, 0, "");
    }

    /** Where every bar holds. */
    static Map<Variant, VariantResult> good() {
        Map<Variant, VariantResult> results = new EnumMap<>(Variant.class);
        results.put(
                Variant.NOTHING,
                with(variant(event(OptionalDouble.empty(), 0, 13), OptionalDouble.empty(), 0), Map.of()));
        results.put(
                Variant.COMPACTION,
                with(
                        variant(event(OptionalDouble.of(20), 0, 40), OptionalDouble.empty(), 0),
                        bothRounds(rounds(20, 40))));
        results.put(Variant.HEARTH, variant(event(OptionalDouble.of(4), 105_000_000, 12), OptionalDouble.of(20), 0));
        return results;
    }
}
