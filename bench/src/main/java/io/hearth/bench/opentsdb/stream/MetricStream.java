// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.opentsdb.stream;

import io.hearth.testkit.measure.WeightedChoice;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Points of many series at a steady rate, each a pure function of its sequence number: so the number is all that has to be remembered of a
 * point to know later whether it is there with its value. Immutable.
 *
 * <p>Each metric gets its share in any short stretch (Weyl's sequence), so that rates can be compared over seconds; the hosts report in
 * turn. No two points of a series have the same time.
 */
public final class MetricStream {

    private static final double GOLDEN_RATIO = 0.618033988749895;
    private static final int MS_PER_SECOND = 1_000;
    private static final int VALUES = 1_000_000;

    /** YCSB's. */
    private static final double ZIPFIAN_CONSTANT = 0.99;

    private final long startMs;
    private final int pointsPerSecond;
    private final int hosts;
    private final int metrics;
    private final WeightedChoice metric;

    /**
     * A stream from this time on.
     *
     * @param shares each metric's share of the points, 0 or more and not all 0
     * @throws IllegalArgumentException if so many points a second need more hosts, as times are whole milliseconds
     */
    public MetricStream(long startMs, int pointsPerSecond, int hosts, List<Double> shares) {
        if (pointsPerSecond < 1 || pointsPerSecond > MS_PER_SECOND * hosts) {
            throw new IllegalArgumentException(pointsPerSecond + " points a second of " + hosts
                    + " hosts; allowed are 1 to " + MS_PER_SECOND * hosts);
        }
        this.startMs = startMs;
        this.pointsPerSecond = pointsPerSecond;
        this.hosts = hosts;
        this.metrics = shares.size();
        this.metric = new WeightedChoice(shares);
    }

    public long startMs() {
        return startMs;
    }

    public int metrics() {
        return metrics;
    }

    /** How many points are due by that time. */
    public long dueBy(long timeMs) {
        return Math.max(0, (timeMs - startMs) * pointsPerSecond / MS_PER_SECOND);
    }

    /** When a point is due, which is its time too. */
    public long dueMs(long number) {
        return startMs + number * MS_PER_SECOND / pointsPerSecond;
    }

    /** The point of that number, from 0. */
    public DataPoint point(long number) {
        return new DataPoint(metricOf(number), (int) (number % hosts), dueMs(number), value(number));
    }

    /** The metric of the point of that number. */
    public int metricOf(long number) {
        double turns = (number + 1) * GOLDEN_RATIO;
        return metric.at(turns - Math.floor(turns));
    }

    /** Murmur3's finalizer: neighbours have nothing in common. */
    private static long value(long number) {
        long bits = number;
        bits = (bits ^ bits >>> 33) * 0xff51afd7ed558ccdL;
        bits = (bits ^ bits >>> 33) * 0xc4ceb9fe1a85ec53L;
        return Long.remainderUnsigned(bits ^ bits >>> 33, VALUES);
    }

    /**
     * One value of one series at one time.
     *
     * @param metric which metric, from 0
     * @param host which of the hosts that report it, from 0
     * @param timestampMs milliseconds since 1970
     * @param value a whole number from 0 to 999,999
     */
    public record DataPoint(int metric, int host, long timestampMs, long value) {}

    /** The numbers of the points whose write was acknowledged. Thread-safe. */
    public static final class AcknowledgedPoints {

        private final BitSet numbers = new BitSet();

        /** Those from the first to before the second number. */
        public synchronized void add(long from, long to) {
            numbers.set(Math.toIntExact(from), Math.toIntExact(to));
        }

        public synchronized long count() {
            return numbers.cardinality();
        }

        /** Those from the first to before the second number that were acknowledged by now. */
        public synchronized LongStream between(long from, long to) {
            return numbers.get(Math.toIntExact(from), Math.toIntExact(to)).stream()
                    .mapToLong(number -> from + number);
        }

        /** All that were acknowledged by now. */
        public synchronized LongStream all() {
            return between(0, numbers.length());
        }
    }

    /**
     * Which share of all points each metric has: few have most, by Zipf's law with YCSB's constant, and those that are wanted hot come
     * first. They sum to 1.
     *
     * @param isHot the metrics that have the first ranks among themselves, as those whose regions one server has
     * @param seed shuffles the ranks of the hot ones, and those of the others
     */
    public static List<Double> shares(int metrics, IntPredicate isHot, long seed) {
        Random random = new Random(seed);
        List<Integer> byRank = new ArrayList<>();
        for (boolean hot : new boolean[] {true, false}) {
            List<Integer> some = new ArrayList<>(IntStream.range(0, metrics)
                    .filter(metric -> isHot.test(metric) == hot)
                    .boxed()
                    .toList());
            Collections.shuffle(some, random);
            byRank.addAll(some);
        }
        double sum =
                IntStream.range(0, metrics).mapToDouble(MetricStream::weight).sum();
        Double[] shares = new Double[metrics];
        for (int rank = 0; rank < metrics; rank++) {
            shares[byRank.get(rank)] = weight(rank) / sum;
        }
        return List.of(shares);
    }

    private static double weight(int rank) {
        return Math.pow(rank + 1, -ZIPFIAN_CONSTANT);
    }
}
