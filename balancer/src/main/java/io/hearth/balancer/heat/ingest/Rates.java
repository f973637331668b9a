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

    /** Those that {@link #putInto} left there. */
    public static Rates in(float[] packed, int offset) {
        double[] rates = new double[COUNTERS];
        for (int counter = 0; counter < COUNTERS; counter++) {
            rates[counter] = packed[offset + counter];
        }
        return new Rates(rates);
    }

    public static Rates in(double[] packed, int offset) {
        return new Rates(Arrays.copyOfRange(packed, offset, offset + COUNTERS));
    }

    public void putInto(float[] packed, int offset) {
        for (int counter = 0; counter < COUNTERS; counter++) {
            packed[offset + counter] = (float) perSecond[counter];
        }
    }

    public void putInto(double[] packed, int offset) {
        System.arraycopy(perSecond, 0, packed, offset, COUNTERS);
    }

    /** Makes what is there the mean of it and these, which have this share in it. */
    public void blendInto(float[] packed, int offset, double share) {
        for (int counter = 0; counter < COUNTERS; counter++) {
            double older = packed[offset + counter];
            packed[offset + counter] = (float) (older + (perSecond[counter] - older) * share);
        }
    }

    public void blendInto(double[] packed, int offset, double share) {
        for (int counter = 0; counter < COUNTERS; counter++) {
            packed[offset + counter] += (perSecond[counter] - packed[offset + counter]) * share;
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
