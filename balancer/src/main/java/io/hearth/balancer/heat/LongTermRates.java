// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.heat;

import io.hearth.balancer.heat.ingest.PackedNumbers;
import io.hearth.balancer.heat.ingest.Rates;

/**
 * What one region carries in the long run, and by how much its rates swing around that: a mean over hours ({@link
 * RateDecays#longTerm}), and the variance of the rates of the last minute, from the differences of rates that are {@link
 * RateDecays#intervalMs} apart (half the mean square successive difference, von Neumann 1941), which a slow rise or fall hardly touches. It
 * begins anew where a shift was found that is no swing. A view of the packed numbers of one region; not thread-safe.
 */
final class LongTermRates {

    /** What nothing is known of yet counts as this many differences. */
    private static final double DIFFERENCES_BEFORE = 3;

    /** The standard deviation of something that is anywhere between 40 and 160 % of its mean. */
    private static final double SWING_BEFORE = 0.35;

    /** A mean over this many half-lives is as good as one over any more. */
    private static final double WEIGHT_OF_ALL = 2 / Math.log(2);

    private static final int RATES_BYTES = Rates.COUNTERS * Float.BYTES;

    // What is packed: three times rates, then times.
    private static final int MEAN = 0;
    private static final int VARIANCE = RATES_BYTES;
    private static final int PREVIOUS = 2 * RATES_BYTES;
    private static final int OBSERVED_MS = 3 * RATES_BYTES;
    private static final int COMPARED_MS = OBSERVED_MS + Long.BYTES;
    private static final int INTERVAL_MS = COMPARED_MS + Long.BYTES;

    /** How many bytes are packed. */
    static final int BYTES = INTERVAL_MS + Integer.BYTES;

    private final byte[] packed;
    private final int offset;

    /** Those of a region of which nothing is known, in an array of their own. */
    LongTermRates() {
        this(new byte[BYTES], 0);
    }

    /**
     * Those that are packed there.
     *
     * @param packed {@link #BYTES} from the offset on, all of them 0 where nothing is known
     */
    LongTermRates(byte[] packed, int offset) {
        this.packed = packed;
        this.offset = offset;
    }

    /** Adds what was seen in this time. */
    void learn(Rates seen, Rates recent, long elapsedMs, RateDecays decays) {
        seen.blendFloats(packed, offset + MEAN, decays.longTerm().shareOfNewer(observedMs(), elapsedMs));
        setObservedMs(observedMs() + elapsedMs);
        long intervalMs = intervalMs() + elapsedMs;
        if (intervalMs < decays.intervalMs()) {
            setInterval(intervalMs, hasPrevious());
            return;
        }
        if (hasPrevious()) {
            compare(recent, intervalMs, decays);
        }
        recent.putFloats(packed, offset + PREVIOUS);
        setInterval(0, true);
    }

    private void compare(Rates recent, long intervalMs, RateDecays decays) {
        double share = decays.longTerm().shareOfNewer(comparedMs(), intervalMs);
        for (int counter = 0; counter < Rates.COUNTERS; counter++) {
            float compared = towards(
                    rate(VARIANCE, counter), recent.get(counter) - rate(PREVIOUS, counter), rate(MEAN, counter), share);
            PackedNumbers.putFloat(packed, at(VARIANCE, counter), compared);
        }
        setComparedMs(comparedMs() + intervalMs);
    }

    /** A difference of more than the mean is a shift, and counts as one of the mean. */
    private static float towards(float variance, double difference, float mean, double share) {
        double most = Math.min(Math.abs(difference), mean);
        return (float) (variance + (most * most / 2 - variance) * share);
    }

    /**
     * From now on these rates are what is known, as if seen for one {@link RateDecays#intervalMs}. How much they swing stays, unless
     * they are so much more or less that nothing is known of that.
     */
    void restart(Rates recent, RateDecays decays) {
        for (int counter = 0; counter < Rates.COUNTERS; counter++) {
            if (isOfAnotherSize(recent.get(counter), rate(MEAN, counter))) {
                Rates.NONE.putFloats(packed, offset + VARIANCE);
                setComparedMs(0);
            }
        }
        setMean(recent);
        setObservedMs(decays.intervalMs());
        setInterval(0, false);
    }

    private static boolean isOfAnotherSize(double now, double before) {
        return now > 2 * before || now < before / 2;
    }

    /** Puts what was known before under what has been learnt here; where nothing is known of either, {@code rates} are what is known. */
    void mergeOlder(Prior inherited, Rates rates, RateDecays decays) {
        if (inherited.observedMs() == 0) {
            if (observedMs() == 0) {
                restart(rates, decays);
            }
            return;
        }
        if (observedMs() == 0) {
            setMean(inherited.mean());
        } else {
            setMean(inherited
                    .mean()
                    .towards(mean(), decays.longTerm().shareOfNewer(inherited.observedMs(), observedMs())));
        }
        Rates variance = comparedMs() == 0
                ? inherited.variance()
                : inherited
                        .variance()
                        .towards(variance(), decays.longTerm().shareOfNewer(inherited.comparedMs(), comparedMs()));
        variance.putFloats(packed, offset + VARIANCE);
        setObservedMs(observedMs() + inherited.observedMs());
        setComparedMs(comparedMs() + inherited.comparedMs());
    }

    /** What is known now, for the next master. */
    Prior toInherited(long shiftedAtMs) {
        return new Prior(mean(), variance(), observedMs(), comparedMs(), shiftedAtMs);
    }

    /** The mean of this counter. */
    double mean(int counter) {
        return rate(MEAN, counter);
    }

    Rates mean() {
        return Rates.floatsIn(packed, offset + MEAN);
    }

    /**
     * The variance of the rates of the last minute around this mean, that of the mean itself included. A few differences say little:
     * swings of {@value #SWING_BEFORE} of the mean count as {@value #DIFFERENCES_BEFORE} more.
     */
    Rates varianceOfDifference(RateDecays decays) {
        double lags = (double) comparedMs() / decays.intervalMs();
        double before = DIFFERENCES_BEFORE / (lags + DIFFERENCES_BEFORE);
        Rates swing = Rates.of(counter -> square(SWING_BEFORE * rate(MEAN, counter)));
        return variance().towards(swing, before).times(1 + 1 / independentSamples(decays));
    }

    /** The variance of the mean, by what was seen. */
    Rates varianceOfMean(RateDecays decays) {
        return variance().times(1 / independentSamples(decays));
    }

    private static double square(double value) {
        return value * value;
    }

    /** How many rates that are independent of each other the mean is made of. */
    private double independentSamples(RateDecays decays) {
        double most = WEIGHT_OF_ALL * decays.longTerm().halfLifeMs();
        return Math.max(1, Math.min(observedMs(), most) / decays.intervalMs());
    }

    /**
     * What was known of a region over hours before it was followed here. Immutable.
     *
     * @param mean rates per second
     * @param variance of the rates of a minute, in rates squared
     * @param observedMs observed time that the mean is made of, in milliseconds; 0 where nothing is known
     * @param comparedMs observed time that the variance is made of, in milliseconds
     * @param shiftedAtMs when its load was last certain to be another, in milliseconds since 1970; {@link Long#MIN_VALUE} for never
     */
    record Prior(Rates mean, Rates variance, long observedMs, long comparedMs, long shiftedAtMs) {

        static final Prior NONE = new Prior(Rates.NONE, Rates.NONE, 0, 0, Long.MIN_VALUE);

        /** The same after so much time in which nobody looked. */
        Prior aged(RateDecays decays, long ageMs) {
            return new Prior(
                    mean,
                    variance,
                    decays.longTerm().discounted(observedMs, ageMs),
                    decays.longTerm().discounted(comparedMs, ageMs),
                    shiftedAtMs);
        }
    }

    private Rates variance() {
        return Rates.floatsIn(packed, offset + VARIANCE);
    }

    private void setMean(Rates rates) {
        rates.putFloats(packed, offset + MEAN);
    }

    private float rate(int which, int counter) {
        return PackedNumbers.getFloat(packed, at(which, counter));
    }

    private int at(int which, int counter) {
        return offset + which + counter * Float.BYTES;
    }

    private long observedMs() {
        return PackedNumbers.getLong(packed, offset + OBSERVED_MS);
    }

    private void setObservedMs(long ms) {
        PackedNumbers.putLong(packed, offset + OBSERVED_MS, ms);
    }

    private long comparedMs() {
        return PackedNumbers.getLong(packed, offset + COMPARED_MS);
    }

    private void setComparedMs(long ms) {
        PackedNumbers.putLong(packed, offset + COMPARED_MS, ms);
    }

    /** Whether there are rates to compare with: the time since they were seen is then packed as a number below 0. */
    private boolean hasPrevious() {
        return PackedNumbers.getInt(packed, offset + INTERVAL_MS) < 0;
    }

    private int intervalMs() {
        int interval = PackedNumbers.getInt(packed, offset + INTERVAL_MS);
        return interval < 0 ? -1 - interval : interval;
    }

    /** @param ms below {@link RateDecays#intervalMs}, which is two days at most */
    private void setInterval(long ms, boolean hasPrevious) {
        int interval = Math.toIntExact(ms);
        PackedNumbers.putInt(packed, offset + INTERVAL_MS, hasPrevious ? -1 - interval : interval);
    }
}
