// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.common.model;

import java.util.Arrays;
import java.util.OptionalDouble;

/**
 * Quantiles of a set of values by nearest rank: that of a share is the smallest value that at least this share of all do not exceed, so it is
 * always one of them. Immutable.
 *
 * <p><b>Example.</b> Of 0.4, 0.8, 0.9, 0.95 and 1 the quantile of 0.25 is 0.8: two of five, and not one of five, are at least a quarter.
 */
public final class Quantiles {

    /** What a product of a share and a number may be above a whole number, and mean that number. */
    private static final double ROUNDING = 1e-9;

    private final double[] sorted;

    private Quantiles(double[] sorted) {
        this.sorted = sorted;
    }

    /**
     * Those of these values, in any order.
     *
     * @throws IllegalArgumentException if one of them is no number
     */
    public static Quantiles of(double... values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        if (sorted.length > 0 && Double.isNaN(sorted[sorted.length - 1])) {
            throw new IllegalArgumentException("A value is no number: " + Arrays.toString(values));
        }
        return new Quantiles(sorted);
    }

    /** How many values there are. */
    public int count() {
        return sorted.length;
    }

    /**
     * The quantile of this share: the minimum of 0, the maximum of 1; empty where there is no value.
     *
     * @param share from 0 to 1
     */
    public OptionalDouble quantile(double share) {
        if (!(share >= 0 && share <= 1)) {
            throw new IllegalArgumentException("A share is " + share + "; it must be from 0 to 1.");
        }
        int rank = (int) Math.ceil(share * sorted.length - ROUNDING);
        return sorted.length == 0 ? OptionalDouble.empty() : OptionalDouble.of(sorted[Math.max(0, rank - 1)]);
    }

    /** The smallest value; empty where there is none. */
    public OptionalDouble min() {
        return quantile(0);
    }

    /** How many values are less than this. */
    public int below(double limit) {
        int count = 0;
        while (count < sorted.length && sorted[count] < limit) {
            count++;
        }
        return count;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Quantiles quantiles && Arrays.equals(sorted, quantiles.sorted);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(sorted);
    }

    @Override
    public String toString() {
        return Arrays.toString(sorted);
    }
}
