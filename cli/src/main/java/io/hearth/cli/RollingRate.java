// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalLong;

/** Bytes per second over the last minute. Not thread-safe. */
final class RollingRate {

    private static final long WINDOW_MS = 60_000;

    private record Sample(long atMs, long bytes) {}

    private final Deque<Sample> samples = new ArrayDeque<>();

    /** Takes in how many bytes it is in all by now. */
    void add(long bytes, long nowMs) {
        samples.addLast(new Sample(nowMs, bytes));
        while (samples.size() > 2 && nowMs - samples.getFirst().atMs() > WINDOW_MS) {
            samples.removeFirst();
        }
    }

    long bytesPerSecond() {
        if (samples.isEmpty()) {
            return 0;
        }
        long ms = samples.getLast().atMs() - samples.getFirst().atMs();
        return ms <= 0 ? 0 : (samples.getLast().bytes() - samples.getFirst().bytes()) * 1_000 / ms;
    }

    /** How long so many bytes take at this rate; empty where there is none. */
    OptionalLong secondsFor(long bytes) {
        long rate = bytesPerSecond();
        return rate <= 0 ? OptionalLong.empty() : OptionalLong.of((bytes + rate - 1) / rate);
    }
}
