// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.value;

import java.util.function.DoubleBinaryOperator;

/** Bisects for the highest rate of requests that a cluster holds. Not thread-safe. */
final class RateSearch {

    private final double lowest;
    private final DoubleBinaryOperator middle;
    private double low;
    private double high;

    private RateSearch(double low, double high, DoubleBinaryOperator middle) {
        this.lowest = low;
        this.low = low;
        this.high = high;
        this.middle = middle;
    }

    /**
     * One that finds the rate to so many requests a second, whatever it is.
     *
     * @param low a rate that it may hold, in requests a second
     * @param high a rate that it does not
     */
    static RateSearch byDifference(double low, double high) {
        return new RateSearch(low, high, (below, above) -> (below + above) / 2);
    }

    /** The same to a share of the rate: for one that may be so far below {@code high} that the mean is much too high. */
    static RateSearch byRatio(double low, double high) {
        return new RateSearch(low, high, (below, above) -> Math.sqrt(below * above));
    }

    /** The rate that is to be tried next. */
    double next() {
        return middle.applyAsDouble(low, high);
    }

    /** Whether it held the rate of {@link #next}. */
    void tell(boolean held) {
        double tried = next();
        if (held) {
            low = tried;
        } else {
            high = tried;
        }
    }

    /** The highest rate that it held; 0 where it held none that was tried. */
    double highest() {
        return low > lowest ? low : 0;
    }
}
