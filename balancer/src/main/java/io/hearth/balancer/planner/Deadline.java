// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import java.util.function.LongSupplier;

/** The time limit of a search. Once it is over it stays over. Not thread-safe. */
final class Deadline {

    private static final long NANOS_OF_MS = 1_000_000;

    private final LongSupplier nanos;
    private final long beganNanos;
    private final long allowedNanos;
    private final boolean isNever;
    private boolean isOver;

    private Deadline(LongSupplier nanos, long allowedNanos, boolean isNever) {
        this.nanos = nanos;
        this.allowedNanos = allowedNanos;
        this.isNever = isNever;
        beganNanos = nanos.getAsLong();
    }

    /** No time limit. */
    static Deadline never() {
        return new Deadline(() -> 0, 0, true);
    }

    /**
     * A time limit that begins now.
     *
     * @param nanos a clock that never goes back, in nanoseconds
     */
    static Deadline after(long ms, LongSupplier nanos) {
        return new Deadline(nanos, ms * NANOS_OF_MS, false);
    }

    /** Whether the time limit is reached. */
    boolean isOver() {
        if (!isNever && !isOver) {
            isOver = nanos.getAsLong() - beganNanos >= allowedNanos;
        }
        return isOver;
    }
}
