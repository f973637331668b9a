// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.heat.ingest;

import io.hearth.common.model.LoadDimension;
import java.util.Arrays;
import java.util.function.ToLongFunction;

/**
 * What a RegionServer says of one region in each {@link LoadDimension}: how far a counter has come since the region was opened
 * there, or a size in bytes. Also the difference of two of them. Immutable.
 */
public final class ReportedLoad {

    private static final LoadDimension[] DIMENSIONS = LoadDimension.values();

    /** 0 in each dimension. */
    public static final ReportedLoad NONE = new ReportedLoad(new long[DIMENSIONS.length]);

    private final long[] values;

    private ReportedLoad(long[] values) {
        this.values = values;
    }

    public static ReportedLoad of(ToLongFunction<LoadDimension> valueOf) {
        long[] values = new long[DIMENSIONS.length];
        for (LoadDimension dimension : DIMENSIONS) {
            values[dimension.ordinal()] = valueOf.applyAsLong(dimension);
        }
        return new ReportedLoad(values);
    }

    /** The same with this value in this dimension. */
    public ReportedLoad with(LoadDimension dimension, long value) {
        long[] changed = values.clone();
        changed[dimension.ordinal()] = value;
        return new ReportedLoad(changed);
    }

    public long get(LoadDimension dimension) {
        return values[dimension.ordinal()];
    }

    /** What has been counted since the counters were here; 0 for sizes. */
    ReportedLoad since(long[] counters) {
        long[] difference = new long[DIMENSIONS.length];
        for (int counter = 0; counter < counters.length; counter++) {
            difference[counter] = values[counter] - counters[counter];
        }
        return new ReportedLoad(difference);
    }

    /** Whether a counter is below what it was here. */
    boolean hasFallenFrom(long[] counters) {
        for (int counter = 0; counter < counters.length; counter++) {
            if (values[counter] < counters[counter]) {
                return true;
            }
        }
        return false;
    }

    /** Puts the counters, which come first of all dimensions, there. */
    void putCounters(long[] into) {
        System.arraycopy(values, 0, into, 0, into.length);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ReportedLoad load && Arrays.equals(values, load.values);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(values);
    }

    @Override
    public String toString() {
        return Arrays.toString(values);
    }
}
