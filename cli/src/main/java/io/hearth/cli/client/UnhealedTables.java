// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.client;

import io.hearth.balancer.hbase.HBaseNames;
import io.hearth.balancer.hbase.TableWeightsReader;
import io.hearth.common.hadoop.ConfigurationSettings;
import io.hearth.common.model.TableId;
import io.hearth.healer.config.HealPolicySettings.HealingMode;
import io.hearth.healer.config.HealingSettings;
import io.hearth.healer.config.HealingSettings.HealingConfig;
import io.hearth.healer.config.TableHealing;
import io.hearth.healer.model.ServedRegion.TableHealingMode;
import java.util.Arrays;
import java.util.Collection;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.coprocessor.CoprocessorHost;

/** Says which tables no healer brings home, by the configuration of the cluster and by what the tables say of themselves. */
final class UnhealedTables {

    private static final String SITE = "hbase-site.xml";
    private static final String HEALER = "io.hearth.healer.hbase.LocalityHealingObserver";

    private UnhealedTables() {}

    /** Those of these tables whose bytes stay remote where a move leaves them remote. */
    static Set<TableId> never(Configuration site, Collection<TableDescriptor> tables) {
        boolean heals = heals(site);
        return tables.stream()
                .filter(table -> !heals || isOff(table, site))
                .map(table -> HBaseNames.table(table.getTableName()))
                .collect(Collectors.toSet());
    }

    private static boolean heals(Configuration site) {
        HealingConfig config =
                HealingSettings.read(SITE, new ConfigurationSettings(site)).config();
        return Arrays.asList(site.getTrimmedStrings(CoprocessorHost.MASTER_COPROCESSOR_CONF_KEY))
                        .contains(HEALER)
                && config.enabled()
                && config.policy().mode() == HealingMode.ACT;
    }

    private static boolean isOff(TableDescriptor table, Configuration site) {
        return TableHealing.read(
                                HBaseNames.table(table.getTableName()),
                                TableWeightsReader.settings(table).value(TableHealing.KEY),
                                SITE,
                                new ConfigurationSettings(site))
                        .mode()
                == TableHealingMode.OFF;
    }
}
