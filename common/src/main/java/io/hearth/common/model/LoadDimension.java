package io.hearth.common.model;

/** One thing of which a server can have more than its share. The order is the order of {@link LoadVector}'s values. */
public enum LoadDimension {
    /** Read requests, in operations per second. */
    READS("reads", "ops/s"),
    /** Write requests (mutations), in operations per second. */
    WRITES("writes", "ops/s"),
    /** Store file bytes. */
    STORE_SIZE("store size", "bytes"),
    /** Bytes in the memstores, which are not in store files yet. */
    MEMSTORE("memstore", "bytes");

    private final String label;
    private final String unit;

    LoadDimension(String label, String unit) {
        this.label = label;
        this.unit = unit;
    }

    /** The name that operators read in logs and reports. */
    public String label() {
        return label;
    }

    /** The unit of a value in this dimension. */
    public String unit() {
        return unit;
    }
}
