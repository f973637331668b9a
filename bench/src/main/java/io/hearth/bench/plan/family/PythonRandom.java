// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.plan.family;

import org.apache.commons.math3.random.MersenneTwister;

/**
 * The numbers that Python's {@code random.Random(seed)} draws (CPython 3.11), so that the clusters on which a solver was measured
 * come out again. Not thread-safe.
 */
final class PythonRandom {

    /** {@code random.NV_MAGICCONST}. */
    private static final double RATIO = 4 * Math.exp(-0.5) / Math.sqrt(2);

    private final MersenneTwister bits = new MersenneTwister();

    /** @param seed at least 0; Python seeds with its 32-bit words, the lowest first */
    PythonRandom(long seed) {
        int low = (int) seed;
        int high = (int) (seed >>> 32);
        bits.setSeed(high == 0 ? new int[] {low} : new int[] {low, high});
    }

    /** {@code random()}: from 0 to below 1, of 53 bits. */
    double next() {
        long high = bits.nextInt() >>> 5;
        long low = bits.nextInt() >>> 6;
        return (high * 67_108_864.0 + low) / 9_007_199_254_740_992.0;
    }

    /** {@code randrange(bound)}: from 0 to below the bound. */
    int below(int bound) {
        int unused = Integer.numberOfLeadingZeros(bound);
        int drawn = bits.nextInt() >>> unused;
        while (drawn >= bound) {
            drawn = bits.nextInt() >>> unused;
        }
        return drawn;
    }

    /** {@code choice(values)}. */
    double choice(double... values) {
        return values[below(values.length)];
    }

    /** {@code uniform(from, to)}. */
    double uniform(double from, double to) {
        return from + (to - from) * next();
    }

    /** {@code lognormvariate(0, sigma)}: by the ratio of uniform deviates of Kinderman and Monahan (1977). */
    double lognormal(double sigma) {
        double z;
        double uniform;
        do {
            double first = next();
            uniform = 1.0 - next();
            z = RATIO * (first - 0.5) / uniform;
        } while (z * z / 4.0 > -Math.log(uniform));
        return Math.exp(z * sigma);
    }

    /** {@code shuffle(values)}. */
    void shuffle(int[] values) {
        for (int last = values.length - 1; last > 0; last--) {
            int other = below(last + 1);
            int swapped = values[last];
            values[last] = values[other];
            values[other] = swapped;
        }
    }
}
