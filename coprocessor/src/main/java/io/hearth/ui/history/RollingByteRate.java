// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.ui.history;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalDouble;

/**
 * How fast a counter of bytes has grown of late: its values of the last {@value #WINDOW_MS} ms. A counter that went back
 * begins anew. Not thread-safe.
 */
public final class RollingByteRate {

    /** Long enough for a few blocks of the usual size, short enough to be called now; milliseconds. */
    static final long WINDOW_MS = 120_000;

    private record Reading(long atMs, long bytes) {}

    private final Deque<Reading> readings = new ArrayDeque<>();

    /** Takes the counter's value; a time that is not after the last one is left out. */
    public void add(long nowMs, long bytes) {
        if (!readings.isEmpty() && bytes < readings.getLast().bytes()) {
            readings.clear();
        }
        if (readings.isEmpty() || nowMs > readings.getLast().atMs()) {
            readings.addLast(new Reading(nowMs, bytes));
        }
        while (readings.size() > 2 && readings.getFirst().atMs() < nowMs - WINDOW_MS) {
            readings.removeFirst();
        }
    }

    /** Bytes per second over the window; empty before the second reading. */
    public OptionalDouble bytesPerSecond() {
        if (readings.size() < 2) {
            return OptionalDouble.empty();
        }
        Reading first = readings.getFirst();
        Reading last = readings.getLast();
        return OptionalDouble.of((last.bytes() - first.bytes()) * 1_000.0 / (last.atMs() - first.atMs()));
    }
}
