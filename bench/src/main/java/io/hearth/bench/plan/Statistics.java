// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.plan;

import java.util.Collection;
import java.util.function.ToDoubleFunction;

/** The median and the worst of what several runs came to. */
public final class Statistics {

    private Statistics() {}

    /** The middle one, or the mean of the two in the middle; 0 of none. */
    public static <T> double median(Collection<T> runs, ToDoubleFunction<T> number) {
        double[] sorted = runs.stream().mapToDouble(number).sorted().toArray();
        int middle = sorted.length / 2;
        if (sorted.length == 0) {
            return 0;
        }
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /** The largest, 0 of none. */
    public static <T> double worst(Collection<T> runs, ToDoubleFunction<T> number) {
        return runs.stream().mapToDouble(number).max().orElse(0);
    }
}
