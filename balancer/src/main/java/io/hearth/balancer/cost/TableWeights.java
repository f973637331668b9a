// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.cost;

import io.hearth.common.config.ConfigProblem;
import io.hearth.common.config.RawSettings;
import io.hearth.common.config.Setting;
import io.hearth.common.config.SettingsReader;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.LoadVector;
import io.hearth.common.model.TableId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

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

    private static final TableWeight SYSTEM = new TableWeight(0, 0, 1);

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
            TableWeight weight = new TableWeight(
                    read(ofTable, ofSite, table, "READ", otherwise.reads()),
                    read(ofTable, ofSite, table, "WRITE", otherwise.writes()),
                    read(ofTable, ofSite, table, "SIZE", otherwise.storeSize()));
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
        return weightByTable.getOrDefault(table, defaultOf(table));
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
        return key.matches("hearth\\.table\\..+\\.((read|write|size)\\.weight|heal)") || TableBudgets.isSiteKey(key);
    }

    private static double read(
            SettingsReader ofTable, SettingsReader ofSite, TableId table, String dimension, double otherwise) {
        String siteKey = SITE_PREFIX + table.name() + "." + dimension.toLowerCase(Locale.ROOT) + ".weight";
        double ofSiteOrOtherwise = ofSite.read(weight(siteKey), otherwise);
        return ofTable.read(weight("HEARTH_" + dimension + "_WEIGHT"), ofSiteOrOtherwise);
    }

    private static Setting<Double> weight(String key) {
        return Setting.decimal(key, 1.0, 0, 1000, "", "How much the table's heat counts in this dimension.");
    }

    /**
     * How much a table's heat counts in each dimension: 1 as it is, 3 three times as much, 0 not at all. Immutable.
     *
     * @param reads weight of its reads, at least 0
     * @param writes weight of its writes and of what they leave in the memstores, at least 0
     * @param storeSize weight of its store size, at least 0
     */
    public record TableWeight(double reads, double writes, double storeSize) {

        /** Every dimension as it is. */
        public static final TableWeight ONE = new TableWeight(1, 1, 1);

        /** The load of a region of this table as it counts. */
        public LoadVector weigh(LoadVector load) {
            return LoadVector.of(dimension -> load.get(dimension) * weight(dimension));
        }

        private double weight(LoadDimension dimension) {
            return switch (dimension) {
                case READS -> reads;
                case WRITES, MEMSTORE -> writes;
                case STORE_SIZE -> storeSize;
            };
        }
    }
}
