// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.state;

/** Whether a region may be moved for the sake of heat, and if not, why. */
public enum Pin {
    /** It may. */
    FREE("may be moved"),
    /** Its heat is not known yet. */
    HEAT_UNKNOWN("its heat is not known yet"),
    /** It belongs to a system table, which the stock balancer places. */
    SYSTEM_TABLE("it belongs to a system table"),
    /** It is in flight: its server's report does not name it yet. */
    IN_FLIGHT("a move of it is in flight"),
    /** It was moved a short while ago. */
    COOL_DOWN("it was moved a short while ago"),
    /** A plan for heat moved it within a day, and no shift of load has been found since. */
    RESTING("it was moved within the last day, and its load has not shifted since"),
    /** Somebody moved it manually, and that is respected for a time. */
    MOVED_MANUALLY("it was moved here manually"),
    /** It moved back and forth: it is frozen for a time. */
    OSCILLATING("it moved back and forth and is frozen for a time"),
    /** It has not been busy enough, for long enough, to be worth a move. */
    INACTIVE("it has not been hot for long enough to be worth a move"),
    /** It belongs to another table than the one that this run is about (by-table mode). */
    OTHER_TABLE("this run is about another table");

    private final String reason;

    Pin(String reason) {
        this.reason = reason;
    }

    /** The reason, as the end of a sentence. */
    public String reason() {
        return reason;
    }
}
