package io.hearth.healing.trigger;

/** What happened, by the word of a hook or a listener. */
public enum HintKind {
    /** A region was moved or assigned by a client's call. */
    REGION_ASSIGNED,
    /** The balancer has run. */
    BALANCED,
    /** A region was split, or regions were merged. */
    REGION_SPLIT_OR_MERGED,
    /** A table was created, enabled, truncated or altered. */
    TABLE_CHANGED,
    /** A RegionServer joined. */
    SERVER_ADDED,
    /** A RegionServer stopped, crashed or is drained. */
    SERVER_REMOVED,
    /** The configuration was read again. */
    CONFIGURATION_CHANGED
}
