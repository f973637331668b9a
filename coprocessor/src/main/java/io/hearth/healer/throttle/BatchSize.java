// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.throttle;

/**
 * How many paths one call asks the NameNode for: as many as it usually answers in half of {@value #LONGEST_MICROS} microseconds, so
 * that hardly any call takes longer than that, since it holds the lock of its whole namespace meanwhile. Thread-safe.
 *
 * <p><b>Algorithm.</b> Additive increase, multiplicative decrease: a call that was asked for as many as allowed, and would have taken
 * no more than half of that with {@value #STEP} more, allows so many more; one that took too long halves what is allowed. A NameNode
 * that refuses so many ({@code dfs.batched.ls.limit}) is never asked for as many again.
 */
public final class BatchSize {

    /** The longest call that healing means to make: a NameNode's other callers wait for no longer. */
    public static final long LONGEST_MICROS = 20_000;

    /** Folders differ: those of the next call may have twice the blocks of the last ones. */
    private static final long AIMED_AT_MICROS = LONGEST_MICROS / 2;

    /** HDFS's default of {@code dfs.batched.ls.limit}. */
    public static final int MOST = 100;

    /** A call for so many is short with any folders that HBase has. */
    static final int FIRST = 8;

    static final int STEP = 4;

    private int most = MOST;
    private int paths = FIRST;

    /** The most paths that the next call may ask for, at least 1. */
    public synchronized int paths() {
        return paths;
    }

    /** A call for so many paths, at least 1, was answered after so many microseconds. */
    public synchronized void answered(int asked, long tookMicros) {
        if (tookMicros > LONGEST_MICROS) {
            paths = Math.max(1, Math.min(paths, asked / 2));
        } else if (asked >= paths && tookMicros * (asked + STEP) / asked <= AIMED_AT_MICROS) {
            paths = Math.min(most, paths + STEP);
        }
    }

    /** The NameNode would not answer a call for so many paths, more than 1, because they are too many. */
    public synchronized void refused(int asked) {
        most = Math.max(1, Math.min(most, asked - 1));
        paths = Math.max(1, Math.min(most, asked / 2));
    }
}
