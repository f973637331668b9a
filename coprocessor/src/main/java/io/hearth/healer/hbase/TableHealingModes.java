// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hbase;

import io.hearth.balancer.config.SloSettings;
import io.hearth.balancer.hbase.CanaryTable;
import io.hearth.balancer.hbase.HBaseNames;
import io.hearth.common.config.ConfigProblem;
import io.hearth.common.config.RawSettings;
import io.hearth.common.config.SettingsReader;
import io.hearth.common.hadoop.ConfigurationSettings;
import io.hearth.healer.config.TableHealing;
import io.hearth.healer.hbase.HealerRuntime.TableDescriptorSource;
import io.hearth.healer.model.ServedRegion.TableHealingMode;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;

/**
 * What the tables' descriptors, and the site in their place, say about healing, each read once in a poll; a canary table is not healed
 * whatever they say. Made for one poll; not thread-safe.
 */
public final class TableHealingModes {

    private static final String SITE = "hbase-site.xml";

    private final RawSettings site;
    private final TableDescriptorSource tables;
    private final Consumer<ConfigProblem> problems;
    private final Predicate<TableName> isCanary;
    private final Map<TableName, TableHealingMode> modeByTable = new HashMap<>();

    /**
     * @param site the site's configuration as it is now
     * @param problems hears of what can't be read
     */
    public TableHealingModes(Configuration site, TableDescriptorSource tables, Consumer<ConfigProblem> problems) {
        this.site = new ConfigurationSettings(site);
        this.tables = tables;
        this.problems = problems;
        isCanary =
                new CanaryTable(new SettingsReader(SITE, this.site).read(SloSettings.CANARY_TABLE), tables::descriptor);
    }

    public TableHealingMode of(TableName table) {
        return modeByTable.computeIfAbsent(table, this::read);
    }

    /** A descriptor that can't be read says nothing: the store files of such a table can't be listed anyhow. */
    private TableHealingMode read(TableName table) {
        if (isCanary.test(table)) {
            return TableHealingMode.OFF;
        }
        TableHealing healing = TableHealing.read(HBaseNames.table(table), value(table), SITE, site);
        healing.problem().ifPresent(problems);
        return healing.mode();
    }

    private Optional<String> value(TableName table) {
        try {
            return tables.descriptor(table).map(known -> known.getValue(TableHealing.KEY));
        } catch (IOException unreadable) {
            return Optional.empty();
        }
    }
}
