// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.opentsdb.stream;

import io.hearth.testkit.measure.WeightedChoice;
import java.util.List;

/**
 * Points of many series at a steady rate, each of which follows from its number: so the number is all that has to be remembered of a
 * point to know later whether it is there with its value. Immutable.
 *
 * <p>Each metric gets its share in any short stretch (Weyl's sequence), so that rates can be compared over seconds; the hosts report in
 * turn. No two points of a series have the same time.
 */
public final class MetricStream {

    private static final double GOLDEN_RATIO = 0.618033988749895;
    private static final int MS_PER_SECOND = 1_000;
    private static final int VALUES = 1_000_000;

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
}
