package io.hearth.balancer.snapshot;

/** Whether a region may be moved for the sake of heat, and if not, why. */
public enum Pin {
    /** It may. */
    FREE("may be moved"),
    /** Its heat is not known yet. */
    HEAT_UNKNOWN("its heat is not known yet"),
    /** It belongs to a system table, which the stock balancer places. */
    SYSTEM_TABLE("it belongs to a system table"),
    /** It has region replicas, which the stock balancer keeps apart. */
    REGION_REPLICA("it has region replicas"),
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
