// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.plan.family;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A kind of cluster that is hard to make even. The first eight are those on which the solver was measured. */
public enum ClusterFamily {
    /** Heat by key range, as FAST'20 measured it: neighbours are alike, they lie together, and writes are hot where reads are cold. */
    FAST20("fast20"),
    /** Servers of capacity 1/2, 1 and 2. */
    CAPS("caps"),
    /** Regions hot in reads are cold in writes. */
    ANTI("anti"),
    /** Few regions of twenty times the reads, ten times the writes or a hundred times the bytes. */
    BIMODAL("bimodal"),
    /** A third of the regions have a second replica, in three racks; many pairs share one. */
    REPLICAS("replicas"),
    /** Random heat: reads, writes and bytes lognormal with sigma 1. */
    SIGMA1("sigma1"),
    /** The same, of which the reads alone count. */
    READS1("reads1"),
    /** Random heat with sigma 1.5. */
    SIGMA15("sigma15"),
    /** A table with a twentieth of the regions, all on a quarter of the servers, has ten times the heat. */
    HOT_TABLE("hottable"),
    /** One region in twenty has twenty times the load. */
    GIANTS("giants"),
    /** Half of the servers have been added and are empty. */
    DOUBLED("doubled"),
    /** The servers of one rack of three are empty. */
    EMPTY_RACK("emptyrack"),
    /** An rsgroup of three servers, whose regions have blocks all over the cluster. */
    GROUP3("group3"),
    /** An rsgroup of sixty servers, whose regions have blocks all over the cluster. */
    GROUP60("group60");

    private static final double GIANT = 20;
    private static final double HOT = 10;
    private static final int KEY_RANGES = 30;

    private final String label;

    ClusterFamily(String label) {
        this.label = label;
    }

    /** The name on the command line and in the files of figures. */
    public String label() {
        return label;
    }

    /** The family of this name; empty where there is none. */
    public static Optional<ClusterFamily> labelled(String name) {
        return Arrays.stream(values())
                .filter(family -> family.label.equals(name.toLowerCase(Locale.ROOT)))
                .findFirst();
    }

    /** Every name. */
    public static List<String> labels() {
        return Arrays.stream(values()).map(ClusterFamily::label).toList();
    }

    /** How many of a cluster's servers are planned together: those of the group, where that is what the family is about. */
    int plannedServers(int servers) {
        return switch (this) {
            case GROUP3 -> 3;
            case GROUP60 -> 60;
            case FAST20,
                    CAPS,
                    ANTI,
                    BIMODAL,
                    REPLICAS,
                    SIGMA1,
                    READS1,
                    SIGMA15,
                    HOT_TABLE,
                    GIANTS,
                    DOUBLED,
                    EMPTY_RACK -> servers;
        };
    }

    /** Whether the servers that are planned together are a part of a larger cluster. */
    boolean isGroup() {
        return this == GROUP3 || this == GROUP60;
    }

    /** Whether the first regions lie together on the first servers, not dealt at random. */
    boolean liesInOrder() {
        return this == FAST20;
    }

    /** What the regions of a cluster have, in no unit: reads, writes and bytes of each, drawn in this order. */
    record Loads(double[] reads, double[] writes, double[] bytes) {}

    Loads draw(PythonRandom random, int regions) {
        return switch (this) {
            case FAST20 -> {
                double[] reads = keyRanges(random, regions);
                double[] writes = reversed(keyRanges(random, regions));
                yield new Loads(reads, writes, lognormal(random, regions, 0.3));
            }
            case ANTI -> {
                double[] reads = lognormal(random, regions, 1.2);
                double[] writes = Arrays.stream(reads).map(load -> 1 / load).toArray();
                yield new Loads(reads, writes, reads.clone());
            }
            case BIMODAL ->
                new Loads(
                        drawn(regions, () -> random.choice(1, 1, 1, 20) * random.uniform(0.5, 1.5)),
                        drawn(regions, () -> random.choice(1, 1, 10) * random.uniform(0.5, 1.5)),
                        drawn(regions, () -> random.choice(0.1, 0.1, 0.1, 10)));
            case CAPS, REPLICAS -> lognormal(random, regions, 1, 0.5);
            case SIGMA15 -> lognormal(random, regions, 1.5, 1);
            case HOT_TABLE -> hotTable(lognormal(random, regions, 0.7, 0.5));
            case GIANTS -> giants(random, lognormal(random, regions, 1, 0.5));
            case SIGMA1, READS1, DOUBLED, EMPTY_RACK, GROUP3, GROUP60 -> lognormal(random, regions, 1, 1);
        };
    }

    private interface Draw {
        double next();
    }

    private static double[] drawn(int regions, Draw draw) {
        double[] drawn = new double[regions];
        for (int region = 0; region < regions; region++) {
            drawn[region] = draw.next();
        }
        return drawn;
    }

    private static Loads lognormal(PythonRandom random, int regions, double ofRequests, double ofBytes) {
        double[] reads = lognormal(random, regions, ofRequests);
        double[] writes = lognormal(random, regions, ofRequests);
        return new Loads(reads, writes, lognormal(random, regions, ofBytes));
    }

    private static double[] lognormal(PythonRandom random, int regions, double sigma) {
        return drawn(regions, () -> random.lognormal(sigma));
    }

    /**
     * The two-term exponential of key-range hotness of Z. Cao et al., <i>Characterizing, Modeling, and Benchmarking RocksDB
     * Key-Value Workloads at Facebook</i>, FAST'20, over thirty ranges.
     */
    private static double[] keyRanges(PythonRandom random, int regions) {
        double[] loads = new double[regions];
        double perRange = regions / (double) KEY_RANGES;
        for (int region = 0; region < regions; region++) {
            int range = 1 + Math.min(KEY_RANGES - 1, (int) (region / perRange));
            double hotness = 14.18 * Math.exp(-2.917 * range) + 0.0164 * Math.exp(-0.08082 * range);
            loads[region] = Math.max(1e-6, hotness) * random.lognormal(0.5);
        }
        return loads;
    }

    private static double[] reversed(double[] loads) {
        double[] reversed = new double[loads.length];
        for (int region = 0; region < loads.length; region++) {
            reversed[region] = loads[loads.length - 1 - region];
        }
        return reversed;
    }

    /** How many of the first regions are the hot table's. */
    static int regionsOfHotTable(int regions) {
        return regions / 20;
    }

    private static Loads hotTable(Loads loads) {
        for (int region = 0; region < regionsOfHotTable(loads.reads.length); region++) {
            loads.reads[region] *= HOT;
            loads.writes[region] *= HOT;
        }
        return loads;
    }

    private static Loads giants(PythonRandom random, Loads loads) {
        int[] order = new int[loads.reads.length];
        Arrays.setAll(order, region -> region);
        random.shuffle(order);
        for (int place = 0; place < order.length / 20; place++) {
            int region = order[place];
            loads.reads[region] *= GIANT;
            loads.writes[region] *= GIANT;
            loads.bytes[region] *= GIANT;
        }
        return loads;
    }
}
