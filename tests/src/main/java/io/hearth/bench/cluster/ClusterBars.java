package io.hearth.bench.cluster;

import io.hearth.load.LatencySummary;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** What Hearth has to reach beside the others. Pure functions of the results. */
public final class ClusterBars {

    static final double TIME_BAR = 0.2;
    static final double BYTES_BAR = 1.05;
    static final double P99_BAR = 1.2;
    static final double EVEN = 1.15;

    private ClusterBars() {}

    /** The bars that do not hold, each in one sentence with the number and the bar. */
    public static List<String> misses(Map<Variant, VariantResult> results) {
        List<String> misses = new ArrayList<>();
        results.forEach((variant, result) -> {
            if (result.errors() > 0) {
                misses.add(variant.words() + ": " + result.errors() + " requests failed, the first: "
                        + result.firstError());
            }
        });
        VariantResult hearth = results.get(Variant.HEARTH);
        if (hearth != null) {
            hearth.events().forEach((event, result) -> {
                locality(misses, event, result, compacted(results, event));
                bytes(misses, event, result);
                if (!result.isLocalInPlace()) {
                    p99(misses, event.words() + ", gets", result.gets());
                    p99(misses, event.words() + ", multigets", result.multigets());
                }
            });
            hearth.rounds().forEach((part, rounds) -> rounds(misses, part, rounds, compacted(results, part)));
            hearth.hotSpot()
                    .filter(hotSpot -> hotSpot.evenSeconds().isEmpty())
                    .ifPresent(hotSpot -> miss(
                            misses,
                            "%s: max/avg is %.2f at the end, not below %.2f",
                            Part.HOT_SPOT.title(),
                            hotSpot.last(),
                            EVEN));
        }
        return misses;
    }

    private static OptionalDouble compacted(Map<Variant, VariantResult> results, Event event) {
        VariantResult compacted = results.get(Variant.COMPACTION);
        // Chance may leave all regions where their blocks are: then there is nothing to compare with.
        return compacted == null || compacted.events().get(event).isLocalInPlace()
                ? OptionalDouble.empty()
                : compacted.events().get(event).to100Seconds();
    }

    private static Optional<RoundsResult> compacted(Map<Variant, VariantResult> results, Part part) {
        return Optional.ofNullable(results.get(Variant.COMPACTION))
                .map(compacted -> compacted.rounds().get(part));
    }

    private static void locality(
            List<String> misses, Event event, EventResult result, OptionalDouble compactionSeconds) {
        if (result.to100Seconds().isEmpty()) {
            miss(misses, "%s: not all is local after %.0f s", event.words(), result.watchedSeconds());
        } else if (compactionSeconds.isPresent()
                && result.to100Seconds().getAsDouble() > TIME_BAR * compactionSeconds.getAsDouble()) {
            miss(
                    misses,
                    "%s: all is local after %.1f s, above %.1f x the %.1f s of major compactions",
                    event.words(),
                    result.to100Seconds().getAsDouble(),
                    TIME_BAR,
                    compactionSeconds.getAsDouble());
        }
    }

    private static void bytes(List<String> misses, Event event, EventResult result) {
        if (result.healedBytes() > BYTES_BAR * result.nonLocalBytes()) {
            miss(
                    misses,
                    "%s: %,d bytes were moved for %,d that were away, above %.2f x",
                    event.words(),
                    result.healedBytes(),
                    result.nonLocalBytes(),
                    BYTES_BAR);
        }
    }

    private static void rounds(List<String> misses, Part part, RoundsResult rounds, Optional<RoundsResult> compacted) {
        double seconds = rounds.medianSeconds();
        if (Double.isInfinite(seconds)) {
            misses.add(part.title() + ": in half of them not all came home");
        } else if (compacted.isPresent() && seconds > TIME_BAR * compacted.get().medianSeconds()) {
            miss(
                    misses,
                    "%s: all is local after %.1f s in the median, above %.1f x the %.1f s of major compactions",
                    part.title(),
                    seconds,
                    TIME_BAR,
                    compacted.get().medianSeconds());
        }
        p99(misses, part.title() + ", gets", rounds.gets());
        p99(misses, part.title() + ", multigets", rounds.multigets());
    }

    private static void p99(List<String> misses, String what, Phases phases) {
        p99(misses, what, phases.before(), phases.healing());
    }

    private static void p99(List<String> misses, String what, RoundsResult.Times times) {
        p99(misses, what, times.before(), times.healing());
    }

    private static void p99(List<String> misses, String what, LatencySummary before, LatencySummary healing) {
        if (healing.p99Ms() > P99_BAR * before.p99Ms()) {
            miss(
                    misses,
                    "%s: p99 while healing is %.1f ms, above %.1f x the %.1f ms before",
                    what,
                    healing.p99Ms(),
                    P99_BAR,
                    before.p99Ms());
        }
    }

    private static void miss(List<String> misses, String format, Object... values) {
        misses.add(String.format(Locale.ROOT, format, values));
    }
}
