// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.probe;

import static java.util.Objects.requireNonNull;

/**
 * What came of one timeline-consistent read: one that asks the replicas of a region too if the primary has not answered in a given time, and
 * then may be answered with data that are older than the primary's. Immutable.
 *
 * @param timeoutMs for how long the client waits for the primary alone, in milliseconds
 * @param dueAtMs wall clock when it was due, in ms since 1970
 * @param latencyMicros from when it was due until it was answered or failed; microseconds, not negative
 */
public record TimelineRead(int timeoutMs, long dueAtMs, long latencyMicros, Answer answer) {

    /** Who answered. */
    public enum Answer {
        /** The primary: what it says is up to date. */
        FRESH,
        /** A replica: what it says may be old, and HBase marks it as stale whether it is or not. */
        STALE,
        /** Nobody: an error came, nothing within the time limit, or it could not be sent since too many were under way. */
        NONE
    }

    /** Checks that nothing is missing. */
    public TimelineRead {
        requireNonNull(answer);
        if (timeoutMs < 1 || latencyMicros < 0) {
            throw new IllegalArgumentException("timeout of " + timeoutMs + " ms, latency of " + latencyMicros + " us");
        }
    }
}
