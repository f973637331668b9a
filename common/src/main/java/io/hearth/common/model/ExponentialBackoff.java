// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.common.model;

/**
 * A wait that doubles with each attempt, up to a cap. Immutable.
 *
 * @param baseMs the wait after the first attempt
 * @param capMs the longest wait
 */
public record ExponentialBackoff(long baseMs, long capMs) {

    public ExponentialBackoff {
        if (baseMs <= 0 || capMs < baseMs) {
            throw new IllegalArgumentException(
                    "A back-off needs 0 < base <= cap, not base " + baseMs + " ms and cap " + capMs + " ms.");
        }
    }

    /** The wait after this many attempts in a row, at least 1. */
    public long delayMs(int attempts) {
        int doublings = Math.min(Math.max(0, attempts - 1), 40);
        return Math.min(capMs, baseMs > (capMs >> doublings) ? capMs : baseMs << doublings);
    }
}
