// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.load;

import io.hearth.testkit.load.Workload.Operation;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * How long requests took, by kind and by the second in which they were due. A latency runs from the time at which a request was due, not
 * from the one at which it was sent: what had to wait because others did is counted as long as a user would have waited (coordinated
 * omission). Times are of {@link System#nanoTime}; to within a hundredth of a latency. Thread-safe.
 */
public final class LatencyRecorder {

    private static final long SLICE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int DIGITS = 2;

    private final long startNanos;
    private final NavigableMap<Long, Map<Operation, ConcurrentHistogram>> slices = new ConcurrentSkipListMap<>();
    private final NavigableMap<Long, LongAdder> sent = new ConcurrentSkipListMap<>();

    public LatencyRecorder(long startNanos) {
        this.startNanos = startNanos;
    }

    /** A request that was due then and is sent now, whatever becomes of it. */
    void sent(long dueNanos) {
        sent.computeIfAbsent(sliceOf(dueNanos), slice -> new LongAdder()).increment();
    }

    /** A request that was due then and is answered now. */
    void add(Operation operation, long dueNanos, long answeredNanos) {
        Objects.requireNonNull(slices.computeIfAbsent(sliceOf(dueNanos), slice -> histograms())
                        .get(operation))
                .recordValue(TimeUnit.NANOSECONDS.toMicros(Math.max(0, answeredNanos - dueNanos)));
    }

    private static Map<Operation, ConcurrentHistogram> histograms() {
        Map<Operation, ConcurrentHistogram> histograms = new EnumMap<>(Operation.class);
        for (Operation operation : Operation.values()) {
            histograms.put(operation, new ConcurrentHistogram(DIGITS));
        }
        return histograms;
    }

    /** The requests that were due in this time, to whole seconds since the start. */
    public LatencySummary between(Operation operation, long fromNanos, long toNanos) {
        return within(operation, List.of(new NanoInterval(fromNanos, toNanos)));
    }

    /** The requests that were due in any of these times, which share none, to whole seconds since the start. */
    public LatencySummary within(Operation operation, List<NanoInterval> intervals) {
        Histogram all = new Histogram(DIGITS);
        for (NanoInterval interval : intervals) {
            in(slices, interval).values().forEach(slice -> all.add(slice.get(operation)));
        }
        return LatencySummary.of(all);
    }

    /** All of them so far. */
    public LatencySummary of(Operation operation) {
        Histogram all = new Histogram(DIGITS);
        slices.values().forEach(slice -> all.add(slice.get(operation)));
        return LatencySummary.of(all);
    }

    /**
     * The share of the requests that were due in this time, of any kind and to whole seconds since the start, that took no longer than
     * this; 1 of none. Those that were sent and failed, or have not been answered yet, took longer.
     */
    public double shareWithin(double limitMs, NanoInterval interval) {
        Histogram all = new Histogram(DIGITS);
        in(slices, interval).values().forEach(slice -> slice.values().forEach(all::add));
        long due = Math.max(
                all.getTotalCount(),
                in(sent, interval).values().stream().mapToLong(LongAdder::sum).sum());
        return due == 0
                ? 1
                : (double) all.getCountBetweenValues(0, (long) (limitMs * LatencySummary.MICROS_OF_A_MILLI)) / due;
    }

    private <T> NavigableMap<Long, T> in(NavigableMap<Long, T> bySlice, NanoInterval interval) {
        long from = sliceOf(interval.fromNanos());
        return bySlice.subMap(from, true, Math.max(from, sliceOf(interval.toNanos())), false);
    }

    private long sliceOf(long nanos) {
        return Math.floorDiv(nanos - startNanos, SLICE_NANOS);
    }

    /**
     * What the latencies of some requests come to, in milliseconds; all 0 where there were none.
     *
     * @param requests how many were answered
     */
    public record LatencySummary(long requests, double p50Ms, double p99Ms, double p999Ms, double maxMs) {

        private static final double MICROS_OF_A_MILLI = 1_000;

        /** @param micros latencies in microseconds */
        static LatencySummary of(Histogram micros) {
            return new LatencySummary(
                    micros.getTotalCount(),
                    micros.getValueAtPercentile(50) / MICROS_OF_A_MILLI,
                    micros.getValueAtPercentile(99) / MICROS_OF_A_MILLI,
                    micros.getValueAtPercentile(99.9) / MICROS_OF_A_MILLI,
                    micros.getMaxValue() / MICROS_OF_A_MILLI);
        }
    }

    /**
     * A time from one moment to another, by {@link System#nanoTime}.
     *
     * @param toNanos exclusive
     */
    public record NanoInterval(long fromNanos, long toNanos) {}
}
