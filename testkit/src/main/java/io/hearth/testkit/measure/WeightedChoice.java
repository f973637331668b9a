// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.measure;

import java.util.List;

/** A choice among 0..n-1 with a weight each; immutable, so that many threads may choose at once. */
public final class WeightedChoice {
    private final double[] upperBounds;

    /** A choice with these weights, which are 0 or more and not all 0. */
    public WeightedChoice(List<Double> weights) {
        upperBounds = new double[weights.size()];
        double sum = 0;
        for (int i = 0; i < upperBounds.length; i++) {
            sum += weights.get(i);
            upperBounds[i] = sum;
        }
        for (int i = 0; i < upperBounds.length; i++) {
            upperBounds[i] /= sum;
        }
    }

    /** The index that a uniform number in [0, 1) stands for. */
    public int at(double uniform) {
        int low = 0;
        int high = upperBounds.length - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (uniform < upperBounds[middle]) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    /**
     * Numbers in [0, 1) that look random one by one and fall evenly in any short stretch: each is the one
     * before plus the golden ratio, without the whole part (Weyl's sequence).
     *
     * <p>A choice that is made with it gets its share every second and not only in the long run, so that
     * rates can be compared over seconds. Not thread-safe.
     */
    public static final class WeylSequence {
        private static final double GOLDEN_RATIO = 0.618033988749895;

        private double last;

        /** The sequence from this number in [0, 1) on. */
        public WeylSequence(double start) {
            last = start;
        }

        /** The next number. */
        public double next() {
            last += GOLDEN_RATIO;
            last -= Math.floor(last);
            return last;
        }
    }
}
