// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.value;

/** Bisects for the highest rate of requests that a cluster holds. Not thread-safe. */
final class RateSearch {

    private final double lowest;
    private double low;
    private double high;

    /**
     * @param low a rate that it may hold, in requests a second
     * @param high a rate that it does not
     */
    RateSearch(double low, double high) {
        this.lowest = low;
        this.low = low;
        this.high = high;
    }

    /** The rate that is to be tried next. */
    double next() {
        return (low + high) / 2;
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
