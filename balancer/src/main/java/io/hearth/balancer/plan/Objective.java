// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.plan;

import io.hearth.common.model.LoadDimension;
import java.util.ArrayList;
import java.util.List;

/**
 * One thing that a plan weighs when it compares moves: each dimension of heat, in their order, and then what else there is.
 * There is one object for each. Immutable.
 */
public final class Objective implements Comparable<Objective> {

    private static final List<Objective> HEAT = new ArrayList<>();
    private static final List<Objective> ALL = new ArrayList<>();

    static {
        for (LoadDimension dimension : LoadDimension.values()) {
            HEAT.add(new Objective(dimension.jsonName(), dimension.label()));
        }
    }

    public static final Objective READS = of(LoadDimension.READS);
    public static final Objective WRITES = of(LoadDimension.WRITES);

    /** How many regions a server has. */
    public static final Objective REGION_COUNT = new Objective("regionCount", "region count");
    /** How many regions of one table a server has. */
    public static final Objective TABLE_SKEW = new Objective("tableSkew", "table skew");
    /** Replicas of one region that share a host or a rack. */
    public static final Objective REPLICAS = new Objective("replicas", "region replicas");
    /** Bytes that will have to be brought to the target. */
    public static final Objective BYTES_TO_HEAL = new Objective("bytesToHeal", "bytes to heal");
    /** Reads that find an empty block cache. */
    public static final Objective COLD_CACHE = new Objective("coldCache", "cold cache");
    /** The moment in which the region is closed. */
    public static final Objective UNAVAILABILITY = new Objective("unavailability", "unavailability");

    private final String jsonName;
    private final String label;
    private final int order;

    private Objective(String jsonName, String label) {
        this.jsonName = jsonName;
        this.label = label;
        order = ALL.size();
        ALL.add(this);
    }

    /** All of them, in their order. */
    public static List<Objective> all() {
        return List.copyOf(ALL);
    }

    /** This dimension as a concern. */
    public static Objective of(LoadDimension dimension) {
        return HEAT.get(dimension.ordinal());
    }

    /** Its place among all of them, from 0. */
    int order() {
        return order;
    }

    /** Its name in JSON texts, as a field and as a value; that of a dimension is the dimension's. */
    public String jsonName() {
        return jsonName;
    }

    /** The name that operators read in logs and reports. */
    public String label() {
        return label;
    }

    /** Whether it is a dimension of heat. */
    public boolean isHeat() {
        return order < HEAT.size();
    }

    @Override
    public int compareTo(Objective other) {
        return Integer.compare(order, other.order);
    }

    @Override
    public String toString() {
        return jsonName;
    }
}
