// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.cli.view.Table;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class OutputOptionTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        return Commands.onCluster(new Cities())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(arguments);
    }

    @Test
    void aPersonReadsAllOfItInOnePlace() {
        assertThat(run()).isZero();
        assertThat(out.toString().lines())
                .containsExactly("counting ...", " city       in millions", " Köln, Rh.          1.1", "1 city.");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void aProgramReadsOneDocumentAndNothingElse() {
        assertThat(run("--output", "json")).isZero();
        assertThat(out.toString()).isEqualTo("[{\"city\":\"Köln, Rh.\",\"millions\":1.1}]" + System.lineSeparator());
        assertThat(err.toString().lines()).containsExactly("counting ...", "1 city.");
    }

    @Test
    void rowsAreCsvUnderTheirNames() {
        assertThat(run("--output", "csv")).isZero();
        assertThat(out.toString().lines()).containsExactly("city,millions", "\"Köln, Rh.\",1.1");
        assertThat(err.toString().lines()).containsExactly("counting ...", "1 city.");
    }

    @Test
    void anotherFormatIsOneLineAndNothingIsDone() {
        assertThat(run("--output", "xml")).isEqualTo(2);
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString().strip())
                .isEqualTo("hearth cities: Invalid value for option '--output': 'xml' is none of table, json, csv"
                        + " (bin/hearth cities --help shows the options)");
    }

    @Command(name = "bin/hearth cities")
    private static final class Cities implements Callable<Integer> {

        @Mixin
        private OutputOption output;

        @Override
        public Integer call() {
            output.say("counting ...");
            List<City> cities = List.of(new City("Köln, Rh.", 1.1, null));
            output.print(
                    Table.of(
                            cities,
                            List.of(
                                    Table.left("city", City::city),
                                    Table.right("millions", "in millions", city -> Double.toString(city.millions)))),
                    cities);
            output.say("1 city.");
            return 0;
        }

        private record City(String city, double millions, @Nullable String mayor) {}
    }
}
