// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.cluster;

import io.hearth.bench.cluster.MoveRoundsResult.Latencies;
import io.hearth.bench.cluster.Scale.BenchmarkStage;
import io.hearth.bench.cluster.VariantResult.EventResult;
import io.hearth.bench.cluster.VariantResult.LatencyByPhase;
import io.hearth.bench.cluster.VariantResult.TopologyEvent;
import io.hearth.bench.cluster.VariantRun.Variant;
import io.hearth.testkit.load.LatencyRecorder.LatencySummary;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;

/** What Hearth has to reach beside the others. Pure functions of the results. */
public final class ClusterThresholds {

    static final double TIME_THRESHOLD = 0.2;
    static final double BYTES_THRESHOLD = 1.05;
    static final double P99_THRESHOLD = 1.2;
    static final double P999_THRESHOLD = 1.5;
    /** How far the time that a heal takes may be from what the dry run said, as a share of that. */
    static final double ESTIMATE_THRESHOLD = 0.25;

    static final double LINEAR_THRESHOLD = 0.9;
    static final double EVEN = 1.15;

    private ClusterThresholds() {}

    /** The thresholds that do not hold, each in one sentence with the number and the threshold. */
    public static List<String> violations(Map<Variant, VariantResult> results) {
        List<String> violations = new ArrayList<>();
        results.forEach((variant, result) -> {
            if (result.errors() > 0) {
                violations.add(variant.description() + ": " + result.errors() + " requests failed, the first: "
                        + result.firstError());
            }
        });
        VariantResult hearth = results.get(Variant.HEARTH);
        if (hearth != null) {
            hearth.events().forEach((event, result) -> {
                locality(violations, event, result, compacted(results, event));
                bytes(violations, event, result);
                if (!result.isLocalInPlace()) {
                    p99(violations, event.description() + ", gets", result.gets());
                    p99(violations, event.description() + ", multigets", result.multigets());
                }
            });
            hearth.rounds().forEach((stage, rounds) -> rounds(violations, stage, rounds, compacted(results, stage)));
            hearth.hotSpot()
                    .filter(hotSpot -> hotSpot.evenSeconds().isEmpty())
                    .ifPresent(hotSpot -> violation(
                            violations,
                            "%s: max/mean is %.2f at the end, not below %.2f",
                            BenchmarkStage.HOT_SPOT.title(),
                            hotSpot.last(),
                            EVEN));
        }
        return violations;
    }

    private static OptionalDouble compacted(Map<Variant, VariantResult> results, TopologyEvent event) {
        VariantResult compacted = results.get(Variant.COMPACTION);
        if (compacted == null) {
            return OptionalDouble.empty();
        }
        // Chance may leave all regions where their blocks are: then there is nothing to compare with.
        EventResult result = Objects.requireNonNull(compacted.events().get(event));
        return result.isLocalInPlace() ? OptionalDouble.empty() : result.to100Seconds();
    }

    private static Optional<MoveRoundsResult> compacted(Map<Variant, VariantResult> results, BenchmarkStage stage) {
        return Optional.ofNullable(results.get(Variant.COMPACTION))
                .map(compacted -> compacted.rounds().get(stage));
    }

    private static void locality(
            List<String> violations, TopologyEvent event, EventResult result, OptionalDouble compactionSeconds) {
        if (result.to100Seconds().isEmpty()) {
            violation(violations, "%s: not all is local after %.0f s", event.description(), result.watchedSeconds());
        } else if (compactionSeconds.isPresent()
                && result.to100Seconds().getAsDouble() > TIME_THRESHOLD * compactionSeconds.getAsDouble()) {
            violation(
                    violations,
                    "%s: all is local after %.1f s, above %.1f x the %.1f s of major compactions",
                    event.description(),
                    result.to100Seconds().getAsDouble(),
                    TIME_THRESHOLD,
                    compactionSeconds.getAsDouble());
        }
    }

    private static void bytes(List<String> violations, TopologyEvent event, EventResult result) {
        if (result.healedBytes() > BYTES_THRESHOLD * result.nonLocalBytes()) {
            violation(
                    violations,
                    "%s: %,d bytes were moved for %,d that were remote, above %.2f x",
                    event.description(),
                    result.healedBytes(),
                    result.nonLocalBytes(),
                    BYTES_THRESHOLD);
        }
    }

    private static void rounds(
            List<String> violations,
            BenchmarkStage stage,
            MoveRoundsResult rounds,
            Optional<MoveRoundsResult> compacted) {
        double seconds = rounds.medianSeconds();
        if (Double.isInfinite(seconds)) {
            violations.add(stage.title() + ": in half of them not all became local");
        } else if (compacted.isPresent()) {
            slower(violations, stage, "local", seconds, compacted.get().medianSeconds());
            OptionalDouble readLocally = rounds.medianReadLocally();
            OptionalDouble byCompaction = compacted.get().medianReadLocally();
            if (readLocally.isPresent() && byCompaction.isPresent()) {
                slower(violations, stage, "read locally", readLocally.getAsDouble(), byCompaction.getAsDouble());
            }
        }
        // Of what takes a second or two the dry run's whole seconds for confirmation are all.
        if (stage == BenchmarkStage.MOVED) {
            estimate(violations, stage, rounds.medianOfEstimate());
        }
        latencies(violations, stage.title() + ", gets", rounds.gets());
        latencies(violations, stage.title() + ", multigets", rounds.multigets());
    }

    private static void slower(
            List<String> violations, BenchmarkStage stage, String what, double seconds, double compactionSeconds) {
        if (seconds > TIME_THRESHOLD * compactionSeconds) {
            violation(
                    violations,
                    "%s: all is %s after %.1f s in the median, above %.1f x the %.1f s of major compactions",
                    stage.title(),
                    what,
                    seconds,
                    TIME_THRESHOLD,
                    compactionSeconds);
        }
    }

    private static void estimate(List<String> violations, BenchmarkStage stage, OptionalDouble times) {
        if (times.isPresent() && Math.abs(times.getAsDouble() - 1) > ESTIMATE_THRESHOLD) {
            violation(
                    violations,
                    "%s: healing takes %.2f x what the dry run says in the median, not within %.0f %% of it",
                    stage.title(),
                    times.getAsDouble(),
                    100 * ESTIMATE_THRESHOLD);
        }
    }

    /** The thresholds of healing more and more DataNodes that do not hold. */
    public static List<String> violations(LinearityResult result) {
        List<String> violations = new ArrayList<>();
        result.leastOfLinear().stream()
                .filter(least -> !(least >= LINEAR_THRESHOLD))
                .forEach(least -> violation(
                        violations,
                        "%s: bytes per second grow %.2f x linearly, below %.1f x",
                        BenchmarkStage.LINEARITY.title(),
                        least,
                        LINEAR_THRESHOLD));
        estimate(violations, BenchmarkStage.LINEARITY, result.medianOfEstimate());
        return violations;
    }

    private static void latencies(List<String> violations, String what, Latencies latencies) {
        double p99 = latencies.healing().p99Ms() / latencies.before().p99Ms();
        if (p99 > latencies.p99().high()) {
            p99(violations, what, latencies.before(), latencies.healing());
        }
        double p999 = latencies.healing().p999Ms() / latencies.before().p999Ms();
        if (p999 > P999_THRESHOLD && p999 > latencies.p999().high()) {
            violation(
                    violations,
                    "%s: p99.9 while healing is %.1f ms, above %.1f x the %.1f ms before",
                    what,
                    latencies.healing().p999Ms(),
                    P999_THRESHOLD,
                    latencies.before().p999Ms());
        }
    }

    private static void p99(List<String> violations, String what, LatencyByPhase phases) {
        p99(violations, what, phases.before(), phases.healing());
    }

    private static void p99(List<String> violations, String what, LatencySummary before, LatencySummary healing) {
        if (healing.p99Ms() > P99_THRESHOLD * before.p99Ms()) {
            violation(
                    violations,
                    "%s: p99 while healing is %.1f ms, above %.1f x the %.1f ms before",
                    what,
                    healing.p99Ms(),
                    P99_THRESHOLD,
                    before.p99Ms());
        }
    }

    private static void violation(List<String> violations, String format, Object... values) {
        violations.add(String.format(Locale.ROOT, format, values));
    }
}
