// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import io.hearth.balancer.config.TableBudgets;
import io.hearth.balancer.config.TableWeights;
import io.hearth.cli.client.NoReopenTableModifier;
import io.hearth.common.config.ConfigProblem;
import io.hearth.common.config.RawSettings.MapSettings;
import io.hearth.common.model.TableId;
import io.hearth.healer.config.TableHealing;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code bin/hearth table}: the settings of one table. */
@Command(
        name = "table",
        description = {"The settings of one table that Hearth reads from its descriptor.", ""},
        subcommands = TableCommand.Set.class,
        usageHelpAutoWidth = true,
        footerHeading = "%nExamples:%n",
        footer = "  bin/hearth table set usertable HEARTH_WRITE_WEIGHT=3")
final class TableCommand extends CommandGroup {

    private static final List<String> KEYS = Stream.concat(
                    Stream.of(TableHealing.KEY, TableBudgets.TABLE_KEY), TableWeights.tableKeys().stream())
            .sorted()
            .toList();

    TableCommand() {}

    /** {@code set}: changes values of the descriptor while every region stays open. */
    @Command(
            name = "set",
            description = {
                "Sets values of a table's descriptor without closing a region, which the shell's",
                "alter does with all of them. KEY= takes a value away. Refuses where the HMaster's",
                "HBase would reopen the regions all the same (before 2.5.7); the keys",
                "hearth.table.NAME... of hbase-site.xml do the same everywhere.",
                ""
            },
            sortOptions = false,
            usageHelpAutoWidth = true,
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {
                "0:the table says so now",
                "1:this HBase would reopen every region, or refuses, so nothing was changed",
                "2:a wrong argument, or there is no such table",
                "4:HBase can't be asked",
                "5:a login or a right to alter the table is missing"
            },
            footerHeading = "%nExamples:%n",
            footer = {
                "  bin/hearth table set usertable HEARTH_WRITE_WEIGHT=3 HEARTH_HEAL=first",
                "  bin/hearth table set usertable HEARTH_WRITE_WEIGHT="
            })
    static final class Set implements Callable<Integer> {

        @Spec
        private CommandSpec spec;

        @Parameters(index = "0", paramLabel = "TABLE", description = "the table, as namespace:table or table")
        private String table;

        @Parameters(index = "1..*", arity = "1..*", paramLabel = "KEY=VALUE", description = "what it is to say")
        private List<String> settings;

        @Mixin
        private OutputOptions output;

        @Mixin
        private ClusterOptions cluster;

        Set() {}

        @Override
        public Integer call() throws IOException {
            boolean isJson = output.isJson();
            SortedMap<String, Optional<String>> values = values();
            try (Connection connection = ConnectionFactory.createConnection(cluster.site())) {
                NoReopenTableModifier.Outcome outcome = NoReopenTableModifier.set(connection, name(), values);
                tell(outcome, isJson);
                return outcome.done() ? ExitCode.DONE.code() : ExitCode.INCOMPLETE.code();
            } catch (TableNotFoundException notThere) {
                throw problem("there is no table " + table);
            }
        }

        private TableName name() {
            try {
                return TableName.valueOf(table);
            } catch (IllegalArgumentException impossible) {
                throw problem(table + " can't be a table's name: " + impossible.getMessage());
            }
        }

        private SortedMap<String, Optional<String>> values() {
            SortedMap<String, Optional<String>> values = new TreeMap<>();
            for (String setting : settings) {
                int at = setting.indexOf('=');
                if (at <= 0) {
                    throw problem(setting + " is no KEY=VALUE");
                }
                String key = setting.substring(0, at);
                String value = setting.substring(at + 1).strip();
                if (!KEYS.contains(key)) {
                    throw problem(key + " is no setting of a table; there are " + String.join(", ", KEYS));
                }
                if (!value.isEmpty()) {
                    problemOf(key, value).ifPresent(message -> {
                        throw problem(message);
                    });
                }
                values.put(key, Optional.of(value).filter(text -> !text.isEmpty()));
            }
            return values;
        }

        /** What the balancer or the healer would say of it, without what they would use instead. */
        private Optional<String> problemOf(String key, String value) {
            TableId id = new TableId(table);
            MapSettings descriptor = new MapSettings(Map.of(key, value));
            MapSettings site = new MapSettings(Map.of());
            return Stream.of(
                            TableWeights.read("", site, Map.of(id, descriptor)).problems(),
                            TableBudgets.read("", site, Map.of(id, descriptor)).problems(),
                            TableHealing.read(id, descriptor.value(TableHealing.KEY), "", site)
                                    .problem()
                                    .map(List::of)
                                    .orElse(List.of()))
                    .flatMap(Collection::stream)
                    .map(ConfigProblem::message)
                    .map(message -> message.substring(0, message.lastIndexOf(". ")))
                    .findFirst();
        }

        private ParameterException problem(String message) {
            return new ParameterException(spec.commandLine(), message);
        }

        private void tell(NoReopenTableModifier.Outcome outcome, boolean isJson) {
            if (isJson) {
                JsonObject object = new JsonObject();
                object.addProperty("done", outcome.done());
                object.addProperty("text", outcome.text());
                spec.commandLine().getOut().println(object);
            } else if (outcome.done()) {
                spec.commandLine().getOut().println(outcome.text());
            } else {
                spec.commandLine().getErr().println("hearth table set: " + outcome.text());
            }
            spec.commandLine().getOut().flush();
        }
    }
}
