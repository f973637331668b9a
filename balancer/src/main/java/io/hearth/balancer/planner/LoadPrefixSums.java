// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import java.util.Arrays;
import java.util.stream.DoubleStream;

/** The loads of the regions that a server could give, the hottest first: how many it takes to be rid of so much. Immutable. */
final class LoadPrefixSums {

    /** A hair, for the rounding of sums that loads went in and out of. */
    static final double ROUNDING = 1e-9;

    private final double[] hottestFirst;
    /** {@code sum[count]} is the load of so many of the hottest. */
    private final double[] sum;

    LoadPrefixSums(double[] loads) {
        double[] ascending =
                Arrays.stream(loads).filter(load -> load > 0).sorted().toArray();
        hottestFirst = new double[ascending.length];
        sum = new double[ascending.length + 1];
        for (int place = 0; place < ascending.length; place++) {
            hottestFirst[place] = ascending[ascending.length - 1 - place];
            sum[place + 1] = sum[place] + hottestFirst[place];
        }
    }

    double total() {
        return sum[hottestFirst.length];
    }

    int size() {
        return hottestFirst.length;
    }

    /** The load of the region than which so many others are hotter. */
    double load(int place) {
        return hottestFirst[place];
    }

    /** The loads above this one. */
    DoubleStream largerThan(double load) {
        return Arrays.stream(hottestFirst).takeWhile(hot -> hot > load);
    }

    /** The fewest regions that are this load together, not counting so many of the hottest; infinite where all are less. */
    double fewest(int withoutHottest, double excess) {
        if (excess <= ROUNDING) {
            return 0;
        }
        double wanted = excess - ROUNDING + sum[withoutHottest];
        int place = Arrays.binarySearch(sum, wanted);
        int count = place >= 0 ? place : -place - 1;
        return count > hottestFirst.length ? Double.POSITIVE_INFINITY : count - withoutHottest;
    }

    /** The same where a region can be given in part: never more, and convex in the load. */
    double fewestInParts(int withoutHottest, double excess) {
        double whole = fewest(withoutHottest, excess);
        if (whole == 0 || Double.isInfinite(whole)) {
            return whole;
        }
        int last = withoutHottest + (int) whole - 1;
        double before = sum[last] - sum[withoutHottest];
        return whole - 1 + Math.max(0, excess - ROUNDING - before) / hottestFirst[last];
    }
}
