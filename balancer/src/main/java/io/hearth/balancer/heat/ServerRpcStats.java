// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.heat;

import java.util.Locale;

/**
 * What a RegionServer says of its own calls. Immutable.
 *
 * @param callsInQueue calls that wait for a handler
 * @param meanCallMs mean time of a call from its arrival to its answer, in milliseconds; 0 where there was none
 */
public record ServerRpcStats(long callsInQueue, double meanCallMs) {

    /** A healthy server answers in a few milliseconds; one with a failing disk or long collections does not come below this. */
    static final double FAST_CALL_MS = 20;

    /** Whether nobody waits for it: what it does not serve is not asked of it. */
    boolean hasNoBacklog() {
        return callsInQueue == 0 && meanCallMs <= FAST_CALL_MS;
    }

    /** Whether calls wait for it, and are slow: more is asked of it than it serves. */
    boolean hasBacklog() {
        return callsInQueue > 0 && meanCallMs > FAST_CALL_MS;
    }

    /** As a part of a sentence: {@code 312 calls wait there, and one takes 480 ms}. */
    public String text() {
        return String.format(
                Locale.ROOT,
                "%d call%s there, and one takes %.0f ms",
                callsInQueue,
                callsInQueue == 1 ? " waits" : "s wait",
                meanCallMs);
    }
}
