// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.plan;

import io.hearth.common.model.LoadDimension;

/** One thing that a plan weighs when it compares moves. The first four are the dimensions of heat, in their order. */
public enum Objective {
    READS("reads"),
    WRITES("writes"),
    STORE_SIZE("store size"),
    MEMSTORE("memstore"),
    /** How many regions a server has. */
    REGION_COUNT("region count"),
    /** How many regions of one table a server has. */
    TABLE_SKEW("table skew"),
    /** Replicas of one region that share a host or a rack. */
    REPLICAS("region replicas"),
    /** Bytes that will have to be brought to the target. */
    BYTES_TO_HEAL("bytes to heal"),
    /** Reads that find an empty block cache. */
    COLD_CACHE("cold cache"),
    /** The moment in which the region is closed. */
    UNAVAILABILITY("unavailability");

    private final String label;

    Objective(String label) {
        this.label = label;
    }

    /** The name that operators read in logs and reports. */
    public String label() {
        return label;
    }

    /** Whether it is a dimension of heat. */
    public boolean isHeat() {
        return compareTo(REGION_COUNT) < 0;
    }

    /** This dimension as a concern. */
    public static Objective of(LoadDimension dimension) {
        return switch (dimension) {
            case READS -> READS;
            case WRITES -> WRITES;
            case STORE_SIZE -> STORE_SIZE;
            case MEMSTORE -> MEMSTORE;
        };
    }
}
