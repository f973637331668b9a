// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.measure;

/**
 * Numbers in [0, 1) that look random one by one and fall evenly in any short stretch: each is the one
 * before plus the golden ratio, without the whole part (Weyl's sequence).
 *
 * <p>A choice that is made with it gets its share every second and not only in the long run, so that
 * rates can be compared over seconds. Not thread-safe.
 */
public final class WeylSequence {
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
