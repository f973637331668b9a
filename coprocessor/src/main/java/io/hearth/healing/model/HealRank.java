package io.hearth.healing.model;

/** The order in which regions are healed: first by rank, then by the bytes that are not local. */
public enum HealRank {
    /** hbase:meta. */
    META,
    /** Another system table. */
    SYSTEM,
    /** A user table with {@code HEARTH_HEAL} = priority. */
    PRIORITY,
    /** Any other user table. */
    USER
}
