// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.queue;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Where the master's hooks leave word that something happened. A hint only makes the next poll come early: what has changed
 * is found by polling, so that hints may be lost, doubled or wrong, and say nothing more. Thread-safe; leaving a hint takes no time and
 * can't fail.
 */
public final class PollHints {

    private final Runnable wake;
    private final AtomicBoolean hinted = new AtomicBoolean();

    /** @param wake called after each hint, from the thread that leaves it; it must return at once */
    public PollHints(Runnable wake) {
        this.wake = wake;
    }

    public void leave() {
        hinted.set(true);
        wake.run();
    }

    /** Forgets the hints that were left: they are followed now. */
    public void clear() {
        hinted.set(false);
    }

    public boolean isEmpty() {
        return !hinted.get();
    }
}
