// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.heat.ingest;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Numbers of several types in one byte array, each at an offset in bytes. An array for each type, and an object for each group of numbers,
 * would take 16 bytes more apiece for every region that is followed. Stateless; throws {@link IndexOutOfBoundsException} beyond the array.
 */
public final class PackedNumbers {

    private static final VarHandle INTS = view(int[].class);
    private static final VarHandle LONGS = view(long[].class);
    private static final VarHandle FLOATS = view(float[].class);
    private static final VarHandle DOUBLES = view(double[].class);

    private PackedNumbers() {}

    private static VarHandle view(Class<?> arrayOfNumbers) {
        return MethodHandles.byteArrayViewVarHandle(arrayOfNumbers, ByteOrder.nativeOrder());
    }

    public static int getInt(byte[] packed, int offset) {
        return (int) INTS.get(packed, offset);
    }

    public static void putInt(byte[] packed, int offset, int value) {
        INTS.set(packed, offset, value);
    }

    public static long getLong(byte[] packed, int offset) {
        return (long) LONGS.get(packed, offset);
    }

    public static void putLong(byte[] packed, int offset, long value) {
        LONGS.set(packed, offset, value);
    }

    public static float getFloat(byte[] packed, int offset) {
        return (float) FLOATS.get(packed, offset);
    }

    public static void putFloat(byte[] packed, int offset, float value) {
        FLOATS.set(packed, offset, value);
    }

    public static double getDouble(byte[] packed, int offset) {
        return (double) DOUBLES.get(packed, offset);
    }

    public static void putDouble(byte[] packed, int offset, double value) {
        DOUBLES.set(packed, offset, value);
    }
}
