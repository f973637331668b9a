package io.hearth.healing.trigger;

/** How the work on a region ended. */
public enum LookResult {
    /** Every block is local by the NameNode's word, or what is not local can't be moved at all. */
    SETTLED,
    /** Something is left for later: a block that stays for now, or a move that did not end healed. */
    UNFINISHED,
    /** The NameNode could not say. */
    UNKNOWN,
    /** The region or its table is gone, or it is not served where it was. */
    OVERTAKEN
}
