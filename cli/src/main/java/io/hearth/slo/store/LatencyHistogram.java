// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.store;

import io.hearth.slo.probe.ProbeResult;
import io.hearth.slo.probe.ProbeResult.Outcome;
import java.nio.ByteBuffer;
import java.util.OptionalLong;
import org.HdrHistogram.Histogram;

/**
 * How long probes took: an HdrHistogram of those that were answered, in microseconds to within a hundredth, and beside it the number of
 * those that were not. One that was not answered counts as slower than any that was: a percentile is of all due probes, so that a server
 * that refuses at once does not look fast. An answer after more than an hour counts as one after an hour. Not thread-safe.
 */
public final class LatencyHistogram {

    /** The longest latency that is told from longer ones. */
    public static final long MAX_MICROS = 3_600_000_000L;

    private static final int DIGITS = 2;

    private final Histogram answered;
    private long unanswered;

    /** Makes an empty one. */
    public LatencyHistogram() {
        answered = new Histogram(DIGITS);
        answered.setAutoResize(true);
    }

    private LatencyHistogram(Histogram answered, long unanswered) {
        this.answered = answered;
        this.unanswered = unanswered;
    }

    /** Counts this probe. */
    public void add(ProbeResult result) {
        add(result.outcome() == Outcome.ANSWERED, result.latencyMicros());
    }

    /** Counts one that took so long, if it was answered. */
    void add(boolean isAnswered, long latencyMicros) {
        if (isAnswered) {
            answered.recordValue(Math.min(MAX_MICROS, latencyMicros));
        } else {
            unanswered++;
        }
    }

    /** Counts the probes of another histogram too: as if each had been added here. */
    public void add(LatencyHistogram other) {
        answered.add(other.answered);
        unanswered += other.unanswered;
    }

    /** All probes, answered or not. */
    public long due() {
        return answered.getTotalCount() + unanswered;
    }

    /** Those that were answered. */
    public long answered() {
        return answered.getTotalCount();
    }

    /** Those that were answered within this time; some of those that took up to a hundredth longer are among them. */
    public long answeredWithin(long limitMicros) {
        return limitMicros < 0 ? 0 : answered.getCountBetweenValues(0, Math.min(MAX_MICROS, limitMicros));
    }

    /**
     * The time within which this share of all due probes was answered, in microseconds, rounded up by up to a hundredth; empty if fewer
     * were answered or none was due.
     *
     * @param percent above 0, at most 100
     */
    public OptionalLong percentileMicros(double percent) {
        // The rank first: a hundredth of a probe more by rounding would be another probe.
        long rank = (long) Math.max(1, Math.ceil(due() * percent / 100 - 1e-9));
        if (rank > answered()) {
            return OptionalLong.empty();
        }
        return OptionalLong.of(answered.getValueAtPercentile(100.0 * rank / answered()));
    }

    /** The slowest answer in microseconds, rounded up by up to a hundredth; empty if there was none. */
    public OptionalLong maxMicros() {
        return answered() == 0 ? OptionalLong.empty() : OptionalLong.of(answered.getMaxValue());
    }

    /** The sum of the latencies of those that were answered, in microseconds, to within a hundredth. */
    public double answeredSumMicros() {
        return answered() == 0 ? 0 : answered.getMean() * answered();
    }

    /** The answered ones in HdrHistogram's own encoding (V2); the others are stored beside. */
    byte[] encoded() {
        ByteBuffer bytes = ByteBuffer.allocate(answered.getNeededByteBufferCapacity());
        byte[] encoded = new byte[answered.encodeIntoByteBuffer(bytes)];
        bytes.flip().get(encoded);
        return encoded;
    }

    /** What {@link #encoded} was made from. */
    static LatencyHistogram decoded(ByteBuffer bytes, long unanswered) {
        Histogram histogram = Histogram.decodeFromByteBuffer(bytes, 0);
        histogram.setAutoResize(true);
        return new LatencyHistogram(histogram, unanswered);
    }
}
