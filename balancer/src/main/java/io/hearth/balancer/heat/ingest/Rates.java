// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.heat.ingest;

import io.hearth.common.model.LoadDimension;
import java.util.Arrays;
import java.util.function.IntToDoubleFunction;

/**
 * How fast each counter of a region rises, per second. A counter is a {@link LoadDimension} that servers count, by its ordinal:
 * 0 to {@link #COUNTERS} - 1. Each report of each region goes through here: loops, since a lambda of many callers is not inlined.
 * Immutable.
 */
public final class Rates {

    public static final int COUNTERS = LoadDimension.counters();

    public static final Rates NONE = of(counter -> 0);

    private final double[] perSecond;

    private Rates(double[] perSecond) {
        this.perSecond = perSecond;
    }

    public static Rates of(IntToDoubleFunction rateOf) {
        double[] perSecond = new double[COUNTERS];
        for (int counter = 0; counter < COUNTERS; counter++) {
            perSecond[counter] = rateOf.applyAsDouble(counter);
        }
        return new Rates(perSecond);
    }

    /** Those of counters that came to these values from those in this time, which is above 0. */
    static Rates between(long[] before, long[] now, long elapsedMs) {
        double[] rates = new double[COUNTERS];
        for (int counter = 0; counter < COUNTERS; counter++) {
            rates[counter] = (now[counter] - before[counter]) * 1000.0 / elapsedMs;
        }
        return new Rates(rates);
    }

    /** Those that {@link #putFloats} left there. */
    public static Rates floatsIn(byte[] packed, int offset) {
        double[] rates = new double[COUNTERS];
        for (int counter = 0; counter < COUNTERS; counter++) {
            rates[counter] = PackedNumbers.getFloat(packed, offset + counter * Float.BYTES);
        }
        return new Rates(rates);
    }

    /** Those that {@link #putDoubles} left there. */
    public static Rates doublesIn(byte[] packed, int offset) {
        double[] rates = new double[COUNTERS];
        for (int counter = 0; counter < COUNTERS; counter++) {
            rates[counter] = PackedNumbers.getDouble(packed, offset + counter * Double.BYTES);
        }
        return new Rates(rates);
    }

    /** Leaves them there as floats, one after another. */
    public void putFloats(byte[] packed, int offset) {
        for (int counter = 0; counter < COUNTERS; counter++) {
            PackedNumbers.putFloat(packed, offset + counter * Float.BYTES, (float) perSecond[counter]);
        }
    }

    /** Leaves them there as doubles, one after another. */
    public void putDoubles(byte[] packed, int offset) {
        for (int counter = 0; counter < COUNTERS; counter++) {
            PackedNumbers.putDouble(packed, offset + counter * Double.BYTES, perSecond[counter]);
        }
    }

    /** Makes the floats there the mean of them and these, which have this share in it. */
    public void blendFloats(byte[] packed, int offset, double share) {
        for (int counter = 0; counter < COUNTERS; counter++) {
            int at = offset + counter * Float.BYTES;
            double older = PackedNumbers.getFloat(packed, at);
            PackedNumbers.putFloat(packed, at, (float) (older + (perSecond[counter] - older) * share));
        }
    }

    /** The same of doubles. */
    public void blendDoubles(byte[] packed, int offset, double share) {
        for (int counter = 0; counter < COUNTERS; counter++) {
            int at = offset + counter * Double.BYTES;
            double older = PackedNumbers.getDouble(packed, at);
            PackedNumbers.putDouble(packed, at, older + (perSecond[counter] - older) * share);
        }
    }

    public double get(int counter) {
        return perSecond[counter];
    }

    public double get(LoadDimension dimension) {
        return perSecond[dimension.ordinal()];
    }

    /** The mean of this and a newer one which has this share in it. */
    public Rates towards(Rates newer, double share) {
        double[] mean = new double[COUNTERS];
        for (int counter = 0; counter < COUNTERS; counter++) {
            mean[counter] = perSecond[counter] + (newer.perSecond[counter] - perSecond[counter]) * share;
        }
        return new Rates(mean);
    }

    public Rates plus(Rates other) {
        double[] sum = new double[COUNTERS];
        for (int counter = 0; counter < COUNTERS; counter++) {
            sum[counter] = perSecond[counter] + other.perSecond[counter];
        }
        return new Rates(sum);
    }

    /** How far this counter rose in so much time, rounded to whole requests. */
    public long requestsIn(LoadDimension counter, long elapsedMs) {
        return Math.round(get(counter) * elapsedMs / 1000);
    }

    /** All that is counted. */
    public double total() {
        double total = 0;
        for (double rate : perSecond) {
            total += rate;
        }
        return total;
    }

    public Rates times(double factor) {
        double[] product = new double[COUNTERS];
        for (int counter = 0; counter < COUNTERS; counter++) {
            product[counter] = perSecond[counter] * factor;
        }
        return new Rates(product);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Rates rates && Arrays.equals(perSecond, rates.perSecond);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(perSecond);
    }

    @Override
    public String toString() {
        return Arrays.toString(perSecond);
    }
}
