// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.spi;

import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;

/**
 * What healing has asked of the NameNode since the process began: calls for files and blocks, which can wait, and the time that they took;
 * and the time of its regular calls, for DataNodes and to measure the NameNode, which are made every few seconds while there is work.
 * Thread-safe.
 */
public final class NameNodeUsage {

    /** No handler is busy with one call for longer, in microseconds: what goes beyond it was waiting for a NameNode that is away. */
    public static final long MOST_MICROS = 100_000;

    private final LongAdder calls = new LongAdder();
    private final LongAdder micros = new LongAdder();
    private final LongAdder regularMicros = new LongAdder();
    private final LongAccumulator longestMicros = new LongAccumulator(Long::max, 0);

    /** A call for files or blocks has been answered, or has failed, after so many microseconds; {@link #MOST_MICROS} count at most. */
    public void called(long tookMicros) {
        calls.increment();
        micros.add(counted(tookMicros));
    }

    /** The same of a regular call. */
    public void calledRegularly(long tookMicros) {
        regularMicros.add(counted(tookMicros));
    }

    private long counted(long tookMicros) {
        longestMicros.accumulate(tookMicros);
        return Math.min(MOST_MICROS, tookMicros);
    }

    /** Those for files and blocks. */
    public long calls() {
        return calls.sum();
    }

    /** Microseconds of those from here and back: no less than a handler of the NameNode had to do with them. */
    public long micros() {
        return micros.sum();
    }

    /** The same of regular calls. */
    public long regularMicros() {
        return regularMicros.sum();
    }

    /** How long the longest call of both kinds since the last time took, in full; 0 where there was none. */
    public long takeLongestMicros() {
        return longestMicros.getThenReset();
    }
}
