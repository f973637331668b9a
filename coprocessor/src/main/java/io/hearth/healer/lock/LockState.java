// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.lock;

import java.util.EnumSet;
import java.util.Set;

/** Where a healer stands with the lock. {@link #successors()} is the table of legal changes. */
public enum LockState {
    /** It does not want the lock, or has not asked. */
    IDLE,
    /** It has the lock. */
    HELD,
    /** It wants the lock, and another has it. */
    HELD_BY_OTHER,
    /** It wants the lock, and its user may not have it. */
    REFUSED,
    /** It wants the lock, and nobody can say whose it is. */
    UNKNOWN;

    /** The states to which a healer in this state may change. */
    public Set<LockState> successors() {
        return switch (this) {
            case HELD -> EnumSet.of(IDLE);
            case IDLE, HELD_BY_OTHER, REFUSED, UNKNOWN -> EnumSet.complementOf(EnumSet.of(this));
        };
    }

    /** This change, if it is legal; staying is. */
    LockState to(LockState next) {
        if (next != this && !successors().contains(next)) {
            throw new IllegalStateException("The lock can't change from " + this + " to " + next + ".");
        }
        return next;
    }
}
