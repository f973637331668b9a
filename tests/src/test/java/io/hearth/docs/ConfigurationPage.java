// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.docs;

import io.hearth.balancer.config.BalancerSettings;
import io.hearth.balancer.config.GoalSettings;
import io.hearth.balancer.config.MoveTrackerSettings;
import io.hearth.common.config.Setting;
import io.hearth.common.model.LoadDimension;
import io.hearth.datanode.config.DataNodeSettings;
import io.hearth.healer.config.HealLimitSettings;
import io.hearth.healer.config.HealPolicySettings;
import io.hearth.healer.config.HealingSettings;
import io.hearth.healer.config.LoginSettings;
import io.hearth.ui.config.UiSettings;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The text of docs/configuration.md, made from the settings themselves. */
final class ConfigurationPage {

    /** What an operator sets first: what acts, how fast and when, and what counts as uneven. */
    private static final List<Setting<?>> FIRST = List.of(
            MoveTrackerSettings.MODE,
            HealPolicySettings.MODE,
            HealLimitSettings.DATANODE_BANDWIDTH,
            HealLimitSettings.RACK_BANDWIDTH,
            HealPolicySettings.WINDOWS,
            GoalSettings.SKEW_TRIGGER);

    private ConfigurationPage() {}

    static String text() {
        return """
                # Configuration

                <!-- Made from BalancerSettings, HealingSettings, LoginSettings, UiSettings and DataNodeSettings; ConfigurationPageTest says how to make it again. -->

                Keys go into `hbase-site.xml` of the HMasters. `update_config` and `update_all_config` read them again. Sizes may be written as `64m`, `1MB`, `1.5GB` (powers of 1024), times as `30s`, `10m`.

                A value that can't be used is one line in the master's log: key, value, what is allowed, what is used instead. `configProblems` counts it. The default is used instead, or for the healer's keys the value before. Where neither is safe, *Unreadable* says what counts. An unknown `hearth.` key is reported with its new name or the nearest one.

                ## The six keys that most operators need

                %s
                ## Balancer

                The weights of reads, writes and store size replace stock's `readRequestCost`, `writeRequestCost` and `storefileSizeCost`, which are not used. What has weight 0 is left out. [Algorithms](algorithms.md#goals) has the unit of costs and gains.

                %s
                ## Healer

                %s
                The healer's login, in the HMaster and in `bin/hearth healer run` and `healer daemon`. These two are read at the start of the process.

                %s
                ## Page

                %s
                ## DataNode

                In `hdfs-site.xml` of the DataNodes with `hearth-datanode.jar`, read again within 5 s of a change. Problems are in the DataNode's log and counted in `ConfigProblems`. Install says how to choose the [deletion delay](install.md#the-third-jar-for-datanodes) and the [read cache](install.md#a-read-cache-on-an-ssd).

                %s
                ## Tables

                The value of the table's descriptor wins over the site's key. [Settings of one table](operate.md#settings-of-one-table) says how to set either without reopening regions.

                | in the table | in hbase-site.xml, after `hearth.table.<namespace:table>` | default | allowed | meaning |
                |---|---|---|---|---|
                %s\
                | `HEARTH_MAX_MOVES_PER_HOUR` | `.max.moves.per.hour` | unlimited | whole, 0 to 1000000, or unlimited | moves of its regions for heat in any hour |
                | `HEARTH_CANARY` | | false | true or false | whether it is the canary table, if `hearth.slo.canary.table` names it |
                | `HEARTH_HEAL` | `.heal` | on | on, off or first | whether its blocks are made local, and whether before others |

                `hearth.server.<host>.capacity`, 0.01 to 100, 1 by default: a host of capacity 2 has twice the fair share of heat and of regions.

                A table of the default namespace is named without it: `hearth.table.t.read.weight`. Reads and writes of system tables (namespace `hbase`) weigh 0 by default.
                """
                .formatted(
                        table(FIRST),
                        table(without(BalancerSettings.all())),
                        table(without(HealingSettings.ALL)),
                        table(LoginSettings.ALL),
                        table(UiSettings.ALL),
                        table(DataNodeSettings.ALL),
                        tableWeights());
    }

    /** A row for each weight of a table, with the first dimension that it is of. */
    private static String tableWeights() {
        Map<String, String> rowByWeight = new LinkedHashMap<>();
        for (LoadDimension dimension : LoadDimension.values()) {
            String weight = dimension.tableWeight();
            rowByWeight.putIfAbsent(
                    weight,
                    "| `HEARTH_%s_WEIGHT` | `.%s.weight` | 1 | 0 to 1000 | how much its %s %s%s |\n"
                            .formatted(
                                    weight,
                                    weight.toLowerCase(Locale.ROOT),
                                    dimension.label(),
                                    dimension.isCounter() ? "count" : "counts",
                                    rowByWeight.isEmpty() ? "; 0 leaves them out" : ""));
        }
        return String.join("", rowByWeight.values());
    }

    private static List<Setting<?>> without(List<Setting<?>> settings) {
        return settings.stream().filter(setting -> !FIRST.contains(setting)).toList();
    }

    private static String table(List<Setting<?>> settings) {
        StringBuilder rows = new StringBuilder("| key | default | allowed | meaning |\n|---|---|---|---|\n");
        for (Setting<?> setting : settings) {
            rows.append("| `%s` | %s | %s | %s |%n"
                    .formatted(setting.key(), setting.defaultValue(), allowed(setting), setting.doc()));
        }
        return rows.toString();
    }

    /** What is allowed, without what the head of the page says once for all keys. */
    private static String allowed(Setting<?> setting) {
        return setting.allowed()
                .replaceFirst(" \\(a number, or one like .*\\)$", "")
                .replaceFirst("^a whole number from ", "whole, ")
                .replaceFirst("^a (number|time|size) from ", "");
    }
}
