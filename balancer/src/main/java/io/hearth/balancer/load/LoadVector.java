package io.hearth.balancer.load;

import java.util.Arrays;
import java.util.StringJoiner;

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
     * The load with these values.
     *
     * @throws IllegalArgumentException if a value is negative, infinite or not a number
     */
    public static LoadVector of(
            double readsPerSecond, double writesPerSecond, double storeBytes, double memstoreBytes) {
        double[] values = {readsPerSecond, writesPerSecond, storeBytes, memstoreBytes};
        for (LoadDimension dimension : DIMENSIONS) {
            double value = values[dimension.ordinal()];
            if (!(value >= 0) || Double.isInfinite(value)) {
                throw new IllegalArgumentException(
                        "The load in " + dimension.label() + " is " + value + ": it must be finite and at least 0.");
            }
        }
        return new LoadVector(values);
    }

    /** The load with these values and nothing in the memstores. */
    public static LoadVector of(double readsPerSecond, double writesPerSecond, double storeBytes) {
        return of(readsPerSecond, writesPerSecond, storeBytes, 0);
    }

    /** The value in this dimension, in its unit. */
    public double get(LoadDimension dimension) {
        return values[dimension.ordinal()];
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
