// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class DemoCommandTest {
    private final StringWriter err = new StringWriter();
    private final StringWriter out = new StringWriter();

    @Test
    void numbers_out_of_range_are_one_line_each_with_what_is_allowed() {
        assertThat(execute("--hosts", "3", "--racks", "9", "--regions", "12", "--data-mb", "5000"))
                .isEqualTo(2);
        assertThat(err.toString().lines())
                .containsExactly(
                        "hearth demo: --hosts is 3; allowed are 6 to 12",
                        "hearth demo: --racks is 9; allowed are 2 to 3",
                        "hearth demo: --regions is 12; allowed are 40 to 400",
                        "hearth demo: --data-mb is 5000; allowed are 200 to 2000");
    }

    @Test
    void a_word_for_a_number_is_one_line() {
        assertThat(execute("--hosts", "six")).isEqualTo(2);
        assertThat(err.toString().lines())
                .containsExactly(
                        "hearth demo: Invalid value for option '--hosts': 'six' is not an int (bin/hearth demo --help shows the options)");
    }

    @Test
    void an_unknown_option_is_one_line() {
        assertThat(execute("--host", "6")).isEqualTo(2);
        assertThat(err.toString().lines()).hasSize(1).first().asString().contains("'--host'");
    }

    @Test
    void a_report_in_a_folder_that_is_not_there_is_refused(@TempDir Path folder) {
        Path report = folder.resolve("none/report.html");

        assertThat(execute("--report", report.toString())).isEqualTo(2);
        assertThat(err.toString().lines())
                .containsExactly("hearth demo: --report is " + report
                        + "; it must be a file in a folder that exists and can be written to");
    }

    @Test
    void help_shows_options_and_exit_codes() {
        assertThat(execute("--help")).isZero();
        assertThat(out.toString()).contains("--racks", "--keep", "130", "every threshold holds");
    }

    @Test
    void too_little_memory_is_one_line() {
        List<String> problems = new ArrayList<>();
        Preflight.memory(problems, OptionalLong.of(1_610_612_736L));
        Preflight.memory(problems, OptionalLong.of(1L << 40));
        Preflight.memory(problems, OptionalLong.empty());

        assertThat(problems)
                .containsExactly(
                        "memory: 1.5 GB are available, 4.0 GB are needed; end other programs or use a larger machine");
    }

    @Test
    void too_little_disk_is_one_line(@TempDir Path folder) {
        List<String> problems = new ArrayList<>();
        Preflight.disk(problems, folder, 1L << 20);
        assertThat(problems).isEmpty();

        Preflight.disk(problems, folder, 1L << 60);
        Preflight.disk(problems, folder.resolve("none"), 1);
        assertThat(problems).hasSize(2);
        assertThat(problems.get(0))
                .startsWith("disk: ")
                .endsWith(" GB are free in " + folder
                        + ", 1073741824.0 GB are needed; name another folder with TMPDIR=...");
        assertThat(problems.get(1)).startsWith("disk: cannot use " + folder.resolve("none"));
    }

    private int execute(String... args) {
        CommandLine commandLine = DemoCommand.commandLine();
        commandLine.setErr(new PrintWriter(err, true));
        commandLine.setOut(new PrintWriter(out, true));
        return commandLine.execute(args);
    }
}
