// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.model;

/** What comes before what, whatever it is worth: regions are healed by rank first, and by benefit within a rank. */
public enum HealRank {
    /** hbase:meta. */
    META,
    /** Another system table. */
    SYSTEM,
    /** A user table with {@code HEARTH_HEAL} = first. */
    FIRST,
    /** Any other user table. */
    USER
}
