// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.common.model;

/** One thing of which a server can have more than its share. The order is the order of {@link LoadVector}'s values. */
public enum LoadDimension {
    /** Read requests, in operations per second. */
    READS("reads", "ops/s", "readsPerSecond"),
    /** Write requests (mutations), in operations per second. */
    WRITES("writes", "ops/s", "writesPerSecond"),
    /** Store file bytes. */
    STORE_SIZE("store size", "bytes", "storeBytes"),
    /** Bytes in the memstores, which are not in store files yet. */
    MEMSTORE("memstore", "bytes", "memstoreBytes");

    private final String label;
    private final String unit;
    private final String jsonName;

    LoadDimension(String label, String unit, String jsonName) {
        this.label = label;
        this.unit = unit;
        this.jsonName = jsonName;
    }

    /** The name that operators read in logs and reports. */
    public String label() {
        return label;
    }

    /** The unit of a value in this dimension. */
    public String unit() {
        return unit;
    }

    /** Its name in every JSON text, as a field and as a value; the unit is in it. */
    public String jsonName() {
        return jsonName;
    }
}
