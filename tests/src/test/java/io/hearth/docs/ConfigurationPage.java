package io.hearth.docs;

import io.hearth.balancer.config.BalancerSettings;
import io.hearth.balancer.config.Setting;
import io.hearth.datanode.config.GraceSettings;
import io.hearth.healing.config.HealingSettings;
import io.hearth.healing.config.LoginSettings;
import io.hearth.web.config.PageSettings;
import java.util.List;

/** The text of docs/configuration.md, made from the settings themselves. */
final class ConfigurationPage {

    private ConfigurationPage() {}

    static String text() {
        return """
                # Configuration

                <!-- Made from BalancerSettings, HealingSettings, LoginSettings, PageSettings and GraceSettings; ConfigurationPageTest says how to make it again. -->

                Keys of `hbase-site.xml` on the HMasters. All of them are read again by `update_config` and `update_all_config`. A size may be
                written as HBase and Hadoop take it (`64m`, `1MB`, `1.5GB`: powers of 1024), a time too (`30s`, `10m`). A value that can't be used is reported in the
                master's log (the key, the value, what is allowed, what is used instead) and counted in `configProblems`. What is used instead is the
                default when the master starts; when the healer's keys are read again it is what held before. Keys without a safe default hold Hearth back: `hearth.heal.enabled` and
                `hearth.page.enabled` count as false, `hearth.heal.paused` as true, `hearth.heal.mode` as advise, `hearth.heal.windows` as never. A `hearth.` key that nobody knows is reported with the nearest known one, and a key of a jar that is not installed
                as that.

                ## Balancer

                Reads, writes and store size take the place of the stock balancer's read, write and store file costs
                (`hbase.master.balancer.stochastic.readRequestCost`, `.writeRequestCost`, `.storefileSizeCost`), which are not used.

                %s
                ## Healer

                %s
                As whom healing speaks to HDFS, in the HMaster and in `bin/hearth heal` and `healer`. These two are read when healing
                starts; an HMaster has to be restarted for them.

                %s
                ## Page

                Of the page in the master's web UI, where it is installed: [page.md](page.md). A value of `hearth.page.enabled` that can't be used
                counts as false.

                %s
                ## DataNode

                Keys of `hdfs-site.xml` on the DataNodes that have `hearth-datanode.jar`. That file and `core-site.xml` are read again within
                five seconds of a change, without a restart. A value that can't be used is reported in the DataNode's log and counted in
                `ConfigProblems`.

                %s
                ## Tables

                The key of the site takes effect with `update_all_config`, and no region notices. The value of the table's descriptor wins over it; `bin/hearth table set t
                HEARTH_WRITE_WEIGHT=3` sets one without reopening a region, while the shell's `alter 't', METADATA => {'HEARTH_WRITE_WEIGHT' => '3'}`
                closes and opens every region of the table ([install.md](install.md#settings-of-one-table)).

                | in the table | in hbase-site.xml | default | allowed | meaning |
                |---|---|---|---|---|
                | `HEARTH_READ_WEIGHT` | `hearth.table.<namespace:table>.read.weight` | 1 | a number from 0 to 1000 | how much the table's reads count; 0 takes it out |
                | `HEARTH_WRITE_WEIGHT` | `hearth.table.<namespace:table>.write.weight` | 1 | a number from 0 to 1000 | how much its writes count |
                | `HEARTH_SIZE_WEIGHT` | `hearth.table.<namespace:table>.size.weight` | 1 | a number from 0 to 1000 | how much its store size counts |
                | `HEARTH_MAX_MOVES_PER_HOUR` | `hearth.table.<namespace:table>.max.moves.per.hour` | unlimited | a whole number from 0 to 1000000, or unlimited | how many of its regions may be moved for heat in any hour; 0 moves none for heat. What mends replicas or evens numbers of regions is neither limited nor counted |
                | `HEARTH_HEAL` | `hearth.table.<namespace:table>.heal` | on | on, off or first | whether its blocks are moved home, and whether before others |

                A host with more or less power than the others: `hearth.server.<host>.capacity`, a number from 0.01 to 100, 1 by default. A host of
                capacity 2 has twice the fair share of heat (not of regions) of a host of capacity 1.

                A table of the default namespace is named without it: `hearth.table.t.read.weight`. Reads and writes of system tables (namespace
                `hbase`) have the default 0: clients read `hbase:meta` because regions move, and that must not move more of them.
                """
                .formatted(
                        table(BalancerSettings.all()),
                        table(HealingSettings.ALL),
                        table(LoginSettings.ALL),
                        table(PageSettings.ALL),
                        table(GraceSettings.ALL));
    }

    private static String table(List<Setting<?>> settings) {
        StringBuilder rows = new StringBuilder("| key | default | allowed | meaning |\n|---|---|---|---|\n");
        for (Setting<?> setting : settings) {
            rows.append("| `%s` | %s | %s | %s |%n"
                    .formatted(setting.key(), setting.defaultValue(), setting.allowed(), setting.doc()));
        }
        return rows.toString();
    }
}
