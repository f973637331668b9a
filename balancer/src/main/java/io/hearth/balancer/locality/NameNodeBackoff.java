// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.locality;

import java.util.HashSet;
import java.util.Set;

/**
 * Whether whoever is asked is to be left alone for a time, because it could not be asked a short while ago.
 *
 * <p>One key that can't be answered says nothing of the others; {@value #CONSECUTIVE_FAILURES} different ones with no answer between
 * them do. A pause that began after now, by a clock that was set back, is over. Thread-safe; no method blocks.
 *
 * @param <K> what is asked about
 */
public final class NameNodeBackoff<K> {

    /** So many keys are hardly all broken themselves. */
    static final int CONSECUTIVE_FAILURES = 10;

    private final long pauseMs;
    private final Set<K> consecutiveFailures = new HashSet<>();
    private boolean hasBegun;
    private long sinceMs;

    /** @param pauseMs how long it is left alone, in milliseconds */
    public NameNodeBackoff(long pauseMs) {
        this.pauseMs = pauseMs;
    }

    /** Whether it is to be left alone now. */
    public synchronized boolean isOn(long nowMs) {
        return hasBegun && nowMs >= sinceMs && nowMs < sinceMs + pauseMs;
    }

    /** It answered, be it that there is no answer. */
    public synchronized void answered() {
        consecutiveFailures.clear();
    }

    /** There was no answer for this key, and nobody knows whose fault that is; says whether a pause begins. */
    public synchronized boolean failed(K key, long nowMs) {
        consecutiveFailures.add(key);
        if (consecutiveFailures.size() < CONSECUTIVE_FAILURES) {
            return false;
        }
        away(nowMs);
        return true;
    }

    /** It can't be asked: a pause begins. */
    public synchronized void away(long nowMs) {
        consecutiveFailures.clear();
        hasBegun = true;
        sinceMs = nowMs;
    }
}
