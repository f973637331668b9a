// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.throttle;

/**
 * What the throttle remembers. Immutable.
 *
 * @param bytesPerSecond the rate that holds; 0 before the first step
 * @param raisedMs when it was last raised, held or set
 * @param cutMs when it was last halved
 * @param usedMs when it was last used
 */
public record ThrottleState(long bytesPerSecond, long raisedMs, long cutMs, long usedMs) {

    /** Nothing is known. */
    public static final ThrottleState START =
            new ThrottleState(0, Long.MIN_VALUE / 2, Long.MIN_VALUE / 2, Long.MIN_VALUE / 2);
}
