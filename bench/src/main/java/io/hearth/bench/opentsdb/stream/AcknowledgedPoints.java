// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.opentsdb.stream;

import java.util.BitSet;
import java.util.stream.LongStream;

/** The numbers of the points whose write was acknowledged. Thread-safe. */
public final class AcknowledgedPoints {

    private final BitSet numbers = new BitSet();

    /** Those from the first to before the second number. */
    public synchronized void add(long from, long to) {
        numbers.set(Math.toIntExact(from), Math.toIntExact(to));
    }

    public synchronized long count() {
        return numbers.cardinality();
    }

    /** Those from the first to before the second number that were acknowledged by now. */
    public synchronized LongStream between(long from, long to) {
        return numbers.get(Math.toIntExact(from), Math.toIntExact(to)).stream().mapToLong(number -> from + number);
    }

    /** All that were acknowledged by now. */
    public synchronized LongStream all() {
        return between(0, numbers.length());
    }
}
