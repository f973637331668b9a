// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.heat;

import io.hearth.balancer.heat.ingest.RegionCounters.RegionSample;
import io.hearth.common.model.LoadDimension;
import java.util.Arrays;
import java.util.function.IntToDoubleFunction;

/**
 * How fast each counter of a region rises, per second. A counter is a {@link LoadDimension} that servers count, by its ordinal:
 * 0 to {@link #COUNTERS} - 1. Each report of each region goes through here: loops, since a lambda of many callers is not inlined.
 * Immutable.
 */
final class Rates {

    static final int COUNTERS = LoadDimension.counters();

    static final Rates NONE = of(counter -> 0);

    private static final LoadDimension[] DIMENSIONS = LoadDimension.values();

    private final double[] perSecond;

    private Rates(double[] perSecond) {
        this.perSecond = perSecond;
    }

    static Rates of(IntToDoubleFunction rateOf) {
        double[] perSecond = new double[COUNTERS];
        for (int counter = 0; counter < COUNTERS; counter++) {
            perSecond[counter] = rateOf.applyAsDouble(counter);
        }
        return new Rates(perSecond);
    }

    /** The rates of a sample that has them. */
    static Rates of(RegionSample sample) {
        double[] rates = new double[COUNTERS];
        for (int counter = 0; counter < COUNTERS; counter++) {
            rates[counter] = sample.counted().get(DIMENSIONS[counter]) * 1000.0 / sample.elapsedMs();
        }
        return new Rates(rates);
    }

    /** Those that {@link #putInto} left there. */
    static Rates in(float[] packed, int offset) {
        double[] rates = new double[COUNTERS];
        for (int counter = 0; counter < COUNTERS; counter++) {
            rates[counter] = packed[offset + counter];
        }
        return new Rates(rates);
    }

    static Rates in(double[] packed, int offset) {
        return new Rates(Arrays.copyOfRange(packed, offset, offset + COUNTERS));
    }

    void putInto(float[] packed, int offset) {
        for (int counter = 0; counter < COUNTERS; counter++) {
            packed[offset + counter] = (float) perSecond[counter];
        }
    }

    void putInto(double[] packed, int offset) {
        System.arraycopy(perSecond, 0, packed, offset, COUNTERS);
    }

    /** Makes what is there the mean of it and these, which have this share in it. */
    void blendInto(float[] packed, int offset, double share) {
        for (int counter = 0; counter < COUNTERS; counter++) {
            double older = packed[offset + counter];
            packed[offset + counter] = (float) (older + (perSecond[counter] - older) * share);
        }
    }

    void blendInto(double[] packed, int offset, double share) {
        for (int counter = 0; counter < COUNTERS; counter++) {
            packed[offset + counter] += (perSecond[counter] - packed[offset + counter]) * share;
        }
    }

    double get(int counter) {
        return perSecond[counter];
    }

    double get(LoadDimension dimension) {
        return perSecond[dimension.ordinal()];
    }

    /** The mean of this and a newer one which has this share in it. */
    Rates towards(Rates newer, double share) {
        double[] mean = new double[COUNTERS];
        for (int counter = 0; counter < COUNTERS; counter++) {
            mean[counter] = perSecond[counter] + (newer.perSecond[counter] - perSecond[counter]) * share;
        }
        return new Rates(mean);
    }

    Rates plus(Rates other) {
        double[] sum = new double[COUNTERS];
        for (int counter = 0; counter < COUNTERS; counter++) {
            sum[counter] = perSecond[counter] + other.perSecond[counter];
        }
        return new Rates(sum);
    }

    /** All that is counted. */
    double total() {
        double total = 0;
        for (double rate : perSecond) {
            total += rate;
        }
        return total;
    }

    Rates times(double factor) {
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
