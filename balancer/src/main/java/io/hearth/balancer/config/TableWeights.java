// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.config;

import io.hearth.common.config.ConfigProblem;
import io.hearth.common.config.RawSettings;
import io.hearth.common.config.Setting;
import io.hearth.common.config.SettingsReader;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.LoadVector;
import io.hearth.common.model.TableId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The weight of every table: what its descriptor says, else what the site says of it, else 1; for the requests of system
 * tables else 0. Immutable.
 *
 * <p>In the descriptor: {@code alter 't', METADATA => {'HEARTH_WRITE_WEIGHT' => '3'}}; in hbase-site.xml: {@code
 * hearth.table.<namespace:table>.write.weight}. A value that can't be used is a problem, and what would hold without it
 * holds.
 */
public final class TableWeights {

    /** Nobody has said anything of any table. */
    public static final TableWeights DEFAULTS = new TableWeights(new TreeMap<>(), List.of());

    /** What a table can have a weight of: READ, WRITE and so on, in the order of the dimensions. */
    private static final List<String> NAMES = Arrays.stream(LoadDimension.values())
            .map(LoadDimension::tableWeight)
            .distinct()
            .toList();

    private static final Pattern SITE_KEY = Pattern.compile(
            "hearth\\.table\\..+\\.((" + String.join("|", NAMES).toLowerCase(Locale.ROOT) + ")\\.weight|heal)");

    private static final TableWeight SYSTEM = new TableWeight(
            NAMES.stream().filter(TableWeights::isOfRequests).collect(Collectors.toMap(name -> name, name -> 0.0)));

    private static final String SITE_PREFIX = "hearth.table.";

    private final SortedMap<TableId, TableWeight> weightByTable;
    private final List<ConfigProblem> problems;

    private TableWeights(SortedMap<TableId, TableWeight> weightByTable, List<ConfigProblem> problems) {
        this.weightByTable = weightByTable;
        this.problems = List.copyOf(problems);
    }

    /**
     * Reads the weights of these tables.
     *
     * @param where the name of the site configuration in messages
     * @param descriptorByTable the values of each table's descriptor
     */
    public static TableWeights read(
            String where, RawSettings site, Map<TableId, ? extends RawSettings> descriptorByTable) {
        SortedMap<TableId, TableWeight> weights = new TreeMap<>();
        List<ConfigProblem> problems = new ArrayList<>();
        SettingsReader ofSite = new SettingsReader(where, site);
        descriptorByTable.forEach((table, descriptor) -> {
            SettingsReader ofTable = new SettingsReader("table " + table, descriptor);
            TableWeight otherwise = defaultOf(table);
            Map<String, Double> byName = new HashMap<>();
            for (String name : NAMES) {
                byName.put(name, read(ofTable, ofSite, table, name, otherwise.of(name)));
            }
            TableWeight weight = new TableWeight(byName);
            problems.addAll(ofTable.problems());
            if (!weight.equals(defaultOf(table))) {
                weights.put(table, weight);
            }
        });
        problems.addAll(ofSite.problems());
        return new TableWeights(weights, problems);
    }

    /** The weight of this table. */
    public TableWeight of(TableId table) {
        TableWeight set = weightByTable.get(table);
        return set == null ? defaultOf(table) : set;
    }

    private static TableWeight defaultOf(TableId table) {
        return table.isSystemTable() ? SYSTEM : TableWeight.ONE;
    }

    /** Every value that could not be used. */
    public List<ConfigProblem> problems() {
        return problems;
    }

    /** Whether this is the form of a site-wide key of a table, of whatever table: a weight, a budget ({@link TableBudgets}), healing. */
    public static boolean isSiteKey(String key) {
        return SITE_KEY.matcher(key).matches() || TableBudgets.isSiteKey(key);
    }

    /** Every key of a weight in a table's descriptor: {@code HEARTH_READ_WEIGHT} and so on. */
    public static List<String> tableKeys() {
        return NAMES.stream().map(TableWeights::tableKey).toList();
    }

    private static String tableKey(String name) {
        return "HEARTH_" + name + "_WEIGHT";
    }

    private static boolean isOfRequests(String name) {
        return Arrays.stream(LoadDimension.values())
                .anyMatch(dimension ->
                        dimension.isCounter() && dimension.tableWeight().equals(name));
    }

    private static double read(
            SettingsReader ofTable, SettingsReader ofSite, TableId table, String name, double otherwise) {
        String siteKey = SITE_PREFIX + table.name() + "." + name.toLowerCase(Locale.ROOT) + ".weight";
        double ofSiteOrOtherwise = ofSite.read(weight(siteKey), otherwise);
        return ofTable.read(weight(tableKey(name)), ofSiteOrOtherwise);
    }

    private static Setting<Double> weight(String key) {
        return Setting.decimal(key, 1.0, 0, 1000, "", "How much the table's heat counts in this dimension.");
    }

    /** How much a table's heat counts in each dimension: 1 as it is, 3 three times as much, 0 not at all. Immutable. */
    public static final class TableWeight {

        private static final LoadDimension[] DIMENSIONS = LoadDimension.values();

        /** Every dimension as it is. */
        public static final TableWeight ONE = new TableWeight(Map.of());

        private final double[] weights = new double[DIMENSIONS.length];

        /** @param byName at least 0 for each name of a weight; 1 for those that are not there */
        TableWeight(Map<String, Double> byName) {
            for (LoadDimension dimension : DIMENSIONS) {
                weights[dimension.ordinal()] = byName.getOrDefault(dimension.tableWeight(), 1.0);
            }
        }

        /** The load of a region of this table as it counts. */
        public LoadVector weigh(LoadVector load) {
            return this == ONE ? load : LoadVector.of(dimension -> load.get(dimension) * weights[dimension.ordinal()]);
        }

        private double of(String name) {
            for (LoadDimension dimension : DIMENSIONS) {
                if (dimension.tableWeight().equals(name)) {
                    return weights[dimension.ordinal()];
                }
            }
            return 1;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof TableWeight weight && Arrays.equals(weights, weight.weights);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(weights);
        }

        @Override
        public String toString() {
            return Arrays.toString(weights);
        }
    }
}
