// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.probe;

import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * When each target is due to be asked next. A target is asked once in a period of its kind, at a place within it that a seed chooses, so
 * that a thousand servers are not asked at once. No answer changes when the next one is due (open loop). Times are of a monotonic clock,
 * in nanoseconds. Not thread-safe.
 */
final class ProbeSchedule {

    private static final Comparator<Target> BY_DUE_TIME =
            (one, other) -> Long.signum(one.nextDueNanos - other.nextDueNanos);

    private final Map<ProbeKind, ProbeRate> rateByKind;
    private final long seed;
    private final Map<ProbeKind, Map<String, Target>> targets = new EnumMap<>(ProbeKind.class);
    private final PriorityQueue<Target> queue = new PriorityQueue<>(BY_DUE_TIME);

    ProbeSchedule(Map<ProbeKind, ProbeRate> rateByKind, long seed) {
        this.rateByKind = Map.copyOf(rateByKind);
        this.seed = seed;
    }

    /** One server that is asked for one kind of thing. */
    static final class Target {

        private final ProbeKind kind;
        private final String name;
        private final ProbeRate rate;
        private long nextDueNanos;
        private boolean gone;
        private int outstanding;

        private Target(ProbeKind kind, String name, ProbeRate rate, long firstDueNanos) {
            this.kind = kind;
            this.name = name;
            this.rate = rate;
            this.nextDueNanos = firstDueNanos;
        }

        ProbeKind kind() {
            return kind;
        }

        String name() {
            return name;
        }

        ProbeRate rate() {
            return rate;
        }

        boolean isFull() {
            return outstanding >= rate.maxOutstanding();
        }

        void sent() {
            outstanding++;
        }

        void ended() {
            outstanding--;
        }
    }

    /** A probe that is due. */
    record DueProbe(Target target, long dueNanos) {}

    /** From now on these are the targets of this kind; those that were before stay where they are in their period. */
    void targets(ProbeKind kind, Set<String> names, long nowNanos) {
        Map<String, Target> known = targets.computeIfAbsent(kind, any -> new HashMap<>());
        known.values().removeIf(target -> {
            target.gone = !names.contains(target.name);
            return target.gone;
        });
        names.forEach(name -> known.computeIfAbsent(name, fresh -> added(kind, fresh, nowNanos)));
    }

    private Target added(ProbeKind kind, String name, long nowNanos) {
        @Nullable ProbeRate rate = rateByKind.get(kind);
        if (rate == null) {
            throw new IllegalArgumentException("no rate is known for " + kind);
        }
        long place = new SplittableRandom(seed ^ (31L * name.hashCode() + kind.ordinal())).nextLong(rate.periodNanos());
        Target target = new Target(kind, name, rate, nowNanos + place);
        queue.add(target);
        return target;
    }

    /** When the next probe is due; empty if there are no targets. */
    OptionalLong nextDueNanos() {
        Target first = first();
        return first == null ? OptionalLong.empty() : OptionalLong.of(first.nextDueNanos);
    }

    /**
     * Drops the probes that were due before this time.
     *
     * @param dropped is told of each target how many
     */
    void dropDueBefore(long nanos, BiConsumer<ProbeKind, Long> dropped) {
        for (Target first = first(); first != null && first.nextDueNanos - nanos < 0; first = first()) {
            queue.remove();
            long period = first.rate.periodNanos();
            long probes = Math.floorDiv(nanos - first.nextDueNanos - 1, period) + 1;
            first.nextDueNanos += probes * period;
            queue.add(first);
            dropped.accept(first.kind, probes);
        }
    }

    /** Takes the probe that is due first, if it is due by now. */
    Optional<DueProbe> poll(long nowNanos) {
        Target first = first();
        if (first == null || first.nextDueNanos - nowNanos > 0) {
            return Optional.empty();
        }
        queue.remove();
        DueProbe due = new DueProbe(first, first.nextDueNanos);
        first.nextDueNanos += first.rate.periodNanos();
        queue.add(first);
        return Optional.of(due);
    }

    private @Nullable Target first() {
        while (!queue.isEmpty() && queue.element().gone) {
            queue.remove();
        }
        return queue.peek();
    }
}
