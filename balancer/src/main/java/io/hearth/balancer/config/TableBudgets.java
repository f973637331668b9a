// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.config;

import io.hearth.common.config.ConfigProblem;
import io.hearth.common.config.RawSettings;
import io.hearth.common.config.Setting;
import io.hearth.common.config.SettingsReader;
import io.hearth.common.model.TableId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How many moves for the sake of heat each table allows in any hour: what its descriptor says, else what the site says of it,
 * else as many as are planned. 0 allows none. Immutable.
 *
 * <p>In the descriptor: {@code alter 't', METADATA => {'HEARTH_MAX_MOVES_PER_HOUR' => '3'}}; in hbase-site.xml: {@code
 * hearth.table.<namespace:table>.max.moves.per.hour}. A value that can't be used is a problem, and what would hold without it
 * holds.
 */
public final class TableBudgets {

    /** Nobody has limited any table. */
    public static final TableBudgets UNLIMITED = new TableBudgets(new TreeMap<>(), List.of());

    /** The value of a table's descriptor. */
    public static final String TABLE_KEY = "HEARTH_MAX_MOVES_PER_HOUR";

    /** What a value must be, in words. */
    public static final String ALLOWED = "a whole number from 0 to " + MovesPerHour.MOST + ", or unlimited";

    private static final String SITE_SUFFIX = ".max.moves.per.hour";

    private final SortedMap<TableId, MovesPerHour> limitByTable;
    private final List<ConfigProblem> problems;

    private TableBudgets(SortedMap<TableId, MovesPerHour> limitByTable, List<ConfigProblem> problems) {
        this.limitByTable = Collections.unmodifiableSortedMap(limitByTable);
        this.problems = List.copyOf(problems);
    }

    /**
     * Reads the budgets of these tables.
     *
     * @param where the name of the site configuration in messages
     * @param descriptorByTable the values of each table's descriptor
     */
    public static TableBudgets read(
            String where, RawSettings site, Map<TableId, ? extends RawSettings> descriptorByTable) {
        SortedMap<TableId, MovesPerHour> limits = new TreeMap<>();
        List<ConfigProblem> problems = new ArrayList<>();
        SettingsReader ofSite = new SettingsReader(where, site);
        descriptorByTable.forEach((table, descriptor) -> {
            SettingsReader ofTable = new SettingsReader("table " + table, descriptor);
            MovesPerHour bySite = ofSite.read(budget("hearth.table." + table.name() + SITE_SUFFIX));
            MovesPerHour limit = ofTable.read(budget(TABLE_KEY), bySite);
            problems.addAll(ofTable.problems());
            if (limit.isLimited()) {
                limits.put(table, limit);
            }
        });
        problems.addAll(ofSite.problems());
        return new TableBudgets(limits, problems);
    }

    /** Every table with a limit, sorted. */
    public SortedMap<TableId, MovesPerHour> limitByTable() {
        return limitByTable;
    }

    /** Every value that could not be used. */
    public List<ConfigProblem> problems() {
        return problems;
    }

    /** Whether this is the form of a site-wide budget, of whatever table. */
    public static boolean isSiteKey(String key) {
        return key.matches("hearth\\.table\\..+\\.max\\.moves\\.per\\.hour");
    }

    private static Setting<MovesPerHour> budget(String key) {
        return Setting.of(
                key,
                MovesPerHour.UNLIMITED,
                ALLOWED,
                "How many moves for the sake of heat the table allows in any hour.",
                MovesPerHour::parse);
    }

    /**
     * How many moves for the sake of heat a table allows in any hour. Immutable.
     *
     * @param most at least 0; {@link Integer#MAX_VALUE} where there is no limit
     */
    public record MovesPerHour(int most) {

        /** No limit. */
        public static final MovesPerHour UNLIMITED = new MovesPerHour(Integer.MAX_VALUE);

        static final int MOST = 1_000_000;

        /** Reads a whole number, or {@code unlimited}, so that a table can lift what the site says. */
        static Optional<MovesPerHour> parse(String text) {
            if (text.toLowerCase(Locale.ROOT).equals(UNLIMITED.toString())) {
                return Optional.of(UNLIMITED);
            }
            return text.matches("[0-9]{1,7}")
                    ? Optional.of(new MovesPerHour(Integer.parseInt(text))).filter(moves -> moves.most <= MOST)
                    : Optional.empty();
        }

        /** Whether there is a limit at all. */
        public boolean isLimited() {
            return most != Integer.MAX_VALUE;
        }

        /** In the form that {@link #parse} reads. */
        @Override
        public String toString() {
            return isLimited() ? Integer.toString(most) : "unlimited";
        }
    }
}
