// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.common.model;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * One thing of which a server can have more than its share. Every name under which operators and programs meet a dimension is
 * here. The order is that of {@link LoadVector}'s values, of columns and of JSON fields: what is counted comes before sizes.
 */
public enum LoadDimension {
    /** Read requests. */
    READS(Kind.COUNTER, "reads", "readsPerSecond", "readHeatCost", "READ", Optional.of("readShare")),
    /** Write requests (mutations). */
    WRITES(Kind.COUNTER, "writes", "writesPerSecond", "writeHeatCost", "WRITE", Optional.of("writeShare")),
    /** Store file bytes. */
    STORE_SIZE(Kind.SIZE, "store size", "storeBytes", "storeSizeCost", "SIZE", Optional.of("storeShare")),
    /** Bytes in the memstores, which are not in store files yet. A table's weight of writes holds for what they leave there. */
    MEMSTORE(Kind.SIZE, "memstore", "memstoreBytes", "memstoreHeatCost", "WRITE", Optional.empty());

    /** What a RegionServer reports of a region in a dimension. */
    public enum Kind {
        /** A counter that begins at 0 when the region is opened; the load is the rate at which it rises. */
        COUNTER("ops/s"),
        /** A number of bytes, which is the load. */
        SIZE("bytes");

        private final String unit;

        Kind(String unit) {
            this.unit = unit;
        }
    }

    private static final int COUNTERS =
            (int) Arrays.stream(values()).filter(LoadDimension::isCounter).count();

    private final Kind kind;
    private final String label;
    private final String jsonName;
    private final String costName;
    private final String tableWeight;
    private final Optional<String> shareName;

    LoadDimension(
            Kind kind, String label, String jsonName, String costName, String tableWeight, Optional<String> shareName) {
        this.kind = kind;
        this.label = label;
        this.jsonName = jsonName;
        this.costName = costName;
        this.tableWeight = tableWeight;
        this.shareName = shareName;
    }

    /** How many dimensions are counters; their ordinals are the numbers below it. */
    public static int counters() {
        return COUNTERS;
    }

    /** The dimensions that an operator sees as a column, each with the share of a server. */
    public static List<LoadDimension> shown() {
        return Arrays.stream(values())
                .filter(dimension -> dimension.shareName.isPresent())
                .toList();
    }

    public Kind kind() {
        return kind;
    }

    /** Whether servers count it, so that its load is a rate. */
    public boolean isCounter() {
        return kind == Kind.COUNTER;
    }

    /** The name that operators read in logs and reports. */
    public String label() {
        return label;
    }

    /** The label as the head of a column. */
    public String title() {
        return label.substring(0, 1).toUpperCase(Locale.ROOT) + label.substring(1);
    }

    /** The unit of a value in this dimension. */
    public String unit() {
        return kind.unit;
    }

    /** Its name in every JSON text, as a field and as a value; the unit is in it. */
    public String jsonName() {
        return jsonName;
    }

    /** What the key of its weight ends with, after {@code hbase.master.balancer.stochastic.}. */
    public String costName() {
        return costName;
    }

    /** The weight of a table that holds for it: {@code READ} of {@code HEARTH_READ_WEIGHT}. Two dimensions may have one weight. */
    public String tableWeight() {
        return tableWeight;
    }

    /** The JSON field of a server's load in multiples of its fair share; empty where operators are not shown that. */
    public Optional<String> shareName() {
        return shareName;
    }

    /** The name of the gauge of its max/mean over the servers: {@code storeSizeMaxOverMean}. */
    public String gauge() {
        return gauge("MaxOverMean");
    }

    /** The name of a gauge of this of it: {@code storeSizeShareP90}. */
    public String gauge(String what) {
        StringBuilder name = new StringBuilder();
        for (String word : label.split(" ")) {
            name.append(name.isEmpty() ? word : word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1));
        }
        return name.append(what).toString();
    }
}
