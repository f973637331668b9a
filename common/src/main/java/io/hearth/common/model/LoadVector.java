// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.common.model;

import java.util.Arrays;
import java.util.StringJoiner;
import java.util.function.ToDoubleFunction;

/**
 * The load of one region or one server: a finite value of at least 0 in each {@link LoadDimension}, in that dimension's
 * unit. Immutable.
 */
public final class LoadVector {

    private static final LoadDimension[] DIMENSIONS = LoadDimension.values();

    /** No load at all. */
    public static final LoadVector ZERO = new LoadVector(new double[DIMENSIONS.length]);

    private final double[] values;

    private LoadVector(double[] values) {
        this.values = values;
    }

    /**
     * The load that has this value in each dimension, in that dimension's unit.
     *
     * @throws IllegalArgumentException if a value is negative, infinite or not a number
     */
    public static LoadVector of(ToDoubleFunction<LoadDimension> valueOf) {
        double[] values = new double[DIMENSIONS.length];
        for (LoadDimension dimension : DIMENSIONS) {
            values[dimension.ordinal()] = checked(dimension, valueOf.applyAsDouble(dimension));
        }
        return new LoadVector(values);
    }

    private static double checked(LoadDimension dimension, double value) {
        if (!(value >= 0) || Double.isInfinite(value)) {
            throw new IllegalArgumentException(
                    "The load in " + dimension.label() + " is " + value + ": it must be finite and at least 0.");
        }
        return value;
    }

    /** A load with only {@link LoadDimension#READS} set; every other dimension is 0. */
    public static LoadVector ofReads(double readsPerSecond) {
        return ZERO.with(LoadDimension.READS, readsPerSecond);
    }

    /** A load with only {@link LoadDimension#WRITES} set; every other dimension is 0. */
    public static LoadVector ofWrites(double writesPerSecond) {
        return ZERO.with(LoadDimension.WRITES, writesPerSecond);
    }

    /** A copy with {@link LoadDimension#READS} replaced. */
    public LoadVector withReads(double readsPerSecond) {
        return with(LoadDimension.READS, readsPerSecond);
    }

    /** A copy with {@link LoadDimension#WRITES} replaced. */
    public LoadVector withWrites(double writesPerSecond) {
        return with(LoadDimension.WRITES, writesPerSecond);
    }

    /** A copy with {@link LoadDimension#STORE_SIZE} replaced. */
    public LoadVector withStoreBytes(double storeBytes) {
        return with(LoadDimension.STORE_SIZE, storeBytes);
    }

    /** A copy with this dimension replaced. */
    public LoadVector with(LoadDimension dimension, double value) {
        double[] changed = values.clone();
        changed[dimension.ordinal()] = checked(dimension, value);
        return new LoadVector(changed);
    }

    /** The value in this dimension, in its unit. */
    public double get(LoadDimension dimension) {
        return values[dimension.ordinal()];
    }

    /** Reads and writes a second together. */
    public double requestsPerSecond() {
        return get(LoadDimension.READS) + get(LoadDimension.WRITES);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LoadVector vector && Arrays.equals(values, vector.values);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(values);
    }

    @Override
    public String toString() {
        StringJoiner text = new StringJoiner(", ", "[", "]");
        for (LoadDimension dimension : DIMENSIONS) {
            text.add(dimension.label() + " " + get(dimension) + " " + dimension.unit());
        }
        return text.toString();
    }
}
