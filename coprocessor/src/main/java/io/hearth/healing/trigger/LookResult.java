package io.hearth.healing.trigger;

/** How the work on a region ended. */
public enum LookResult {
    /** Every block is local by the NameNode's word, or what is not local can't be moved at all. */
    SETTLED,
    /** Something is left for later, and nothing was won: blocks that stay for now, or moves that did not end healed. */
    UNFINISHED,
    /** Something is left, and it is no sign of trouble: some of it was done, or nothing could be begun yet. */
    TO_BE_CONTINUED,
    /** The NameNode could not say. */
    UNKNOWN,
    /** The region or its table is gone, or it is not served where it was. */
    OVERTAKEN;

    /** Whether the region has to be looked at again, whatever its server reports. */
    boolean isOpen() {
        return switch (this) {
            case UNFINISHED, TO_BE_CONTINUED, UNKNOWN -> true;
            case SETTLED, OVERTAKEN -> false;
        };
    }
}
