// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.lock;

/**
 * The one thing of a cluster that no two healers can hold at a time. A holder that dies loses it. Asked by the healing loop's
 * thread alone; the answers come from outside of the process and may take long. Never throws.
 */
public interface HealerLock {

    /** How long it stays with a holder that is not heard of any more. */
    long LEASE_MS = 60_000;

    /** A lock that nobody else wants. */
    HealerLock UNCONTESTED = new HealerLock() {
        @Override
        public LockResult take(LockHolder self) {
            return new LockResult.Held();
        }

        @Override
        public LockResult confirm() {
            return new LockResult.Held();
        }

        @Override
        public void release() {}
    };

    /** Takes it if it is free, and leaves this word with it. Answers with anything but {@link LockResult.Lost}. */
    LockResult take(LockHolder self);

    /** Renews it and makes sure that it is held; asked by its holder: held, lost or unknown. */
    LockResult confirm();

    /** Gives it back, or what is left of it after it was lost. */
    void release();
}
