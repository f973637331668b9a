package io.hearth.operate.client;

import io.hearth.balancer.hbase.ConfigurationSettings;
import io.hearth.balancer.hbase.Names;
import io.hearth.balancer.hbase.TableWeightsReader;
import io.hearth.balancer.load.TableId;
import io.hearth.healing.config.HealAction;
import io.hearth.healing.config.HealingConfig;
import io.hearth.healing.config.HealingSettings;
import io.hearth.healing.config.TableHealing;
import io.hearth.healing.model.HealMode;
import java.util.Arrays;
import java.util.Collection;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.coprocessor.CoprocessorHost;

/** Says which tables no healer brings home, by the configuration of the cluster and by what the tables say of themselves. */
final class HealedTables {

    private static final String SITE = "hbase-site.xml";
    private static final String HEALER = "io.hearth.healing.hbase.LocalityHealingObserver";

    private HealedTables() {}

    /** Those of these tables whose bytes stay remote where a move leaves them remote. */
    static Set<TableId> never(Configuration site, Collection<TableDescriptor> tables) {
        boolean heals = heals(site);
        return tables.stream()
                .filter(table -> !heals || isOff(table, site))
                .map(table -> Names.table(table.getTableName()))
                .collect(Collectors.toSet());
    }

    private static boolean heals(Configuration site) {
        HealingConfig config =
                HealingSettings.read(SITE, new ConfigurationSettings(site)).config();
        return Arrays.asList(site.getTrimmedStrings(CoprocessorHost.MASTER_COPROCESSOR_CONF_KEY))
                        .contains(HEALER)
                && config.enabled()
                && config.conduct().mode() == HealAction.ACT;
    }

    private static boolean isOff(TableDescriptor table, Configuration site) {
        return TableHealing.read(
                                Names.table(table.getTableName()),
                                TableWeightsReader.settings(table).value(TableHealing.KEY),
                                SITE,
                                new ConfigurationSettings(site))
                        .mode()
                == HealMode.OFF;
    }
}
