// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.spi;

import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;

/** What was asked of the NameNode for files and blocks since the process began: calls, and the time that they took. Thread-safe. */
public final class NameNodeUsage {

    /** No handler is busy with one call for longer, in microseconds: what goes beyond it was waiting for a NameNode that is away. */
    public static final long MOST_MICROS = 100_000;

    private final LongAdder calls = new LongAdder();
    private final LongAdder micros = new LongAdder();
    private final LongAccumulator longestMicros = new LongAccumulator(Long::max, 0);

    /** One call has been answered, or has failed, after so many microseconds, of which {@link #MOST_MICROS} count at most. */
    public void called(long tookMicros) {
        calls.increment();
        micros.add(Math.min(MOST_MICROS, tookMicros));
        longestMicros.accumulate(tookMicros);
    }

    public long calls() {
        return calls.sum();
    }

    /** How long the longest call since the last time took, in full; 0 where there was none. */
    public long takeLongestMicros() {
        return longestMicros.getThenReset();
    }

    /** Microseconds from here and back: no less than a handler of the NameNode had to do with them. */
    public long micros() {
        return micros.sum();
    }
}
