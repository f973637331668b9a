// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.queue;

/** How the work on a region ended. */
public enum AttemptResult {
    /** Every block is local by the NameNode's word, or what is not local can't be moved at all. */
    COMPLETED,
    /** Something is left for later, and nothing was won: blocks that stay for now, or moves that did not end healed. */
    UNFINISHED,
    /** Something is left, and it is no sign of trouble: some of it was done, or nothing could be begun yet. */
    PROGRESSED,
    /** The NameNode could not say. */
    UNKNOWN,
    /** The region or its table is gone, or it is not served where it was. */
    OBSOLETE;

    /** Whether the region has to be looked at again, whatever its server reports. */
    boolean isOpen() {
        return switch (this) {
            case UNFINISHED, PROGRESSED, UNKNOWN -> true;
            case COMPLETED, OBSOLETE -> false;
        };
    }
}
