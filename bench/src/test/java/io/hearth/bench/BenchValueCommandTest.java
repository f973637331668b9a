// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class BenchValueCommandTest {

    @Test
    void aWrongArgumentIsOneLine() {
        String help = " (bin/hearth bench value --help shows the options)";
        assertThat(complaint("--draws", "2")).isEqualTo("hearth bench value: --draws is 2; allowed are 1 and 3" + help);
        assertThat(complaint("--draw", "0"))
                .isEqualTo("hearth bench value: --draw is 0; allowed are 1, 2 and 3" + help);
        assertThat(complaint("--draw", "4"))
                .isEqualTo("hearth bench value: --draw is 4; allowed are 1, 2 and 3" + help);
        assertThat(complaint("--draw", "2", "--draws", "3"))
                .isEqualTo("hearth bench value: --draw and --draws are one too many; allowed is either" + help);
        assertThat(complaint("--distribution", "zipfian"))
                .isEqualTo("hearth bench value: --distribution is ZIPFIAN; allowed are those over regions,"
                        + " lognormal_regions and zipfian_regions" + help);
        assertThat(complaint("--workload", "e"))
                .isEqualTo("hearth bench value: --workload is E; allowed are A, B, C and W" + help);
        assertThat(complaint("--out", "src"))
                .isEqualTo("hearth bench value: --out is the folder src; it has to be a file" + help);
    }

    @Test
    void oneDrawOfTheThreeCanBeRunAlone() {
        assertThat(draws()).as("the median").containsExactly(2);
        assertThat(draws("--draws", "1")).containsExactly(2);
        assertThat(draws("--draws", "3")).containsExactly(1, 2, 3);
        assertThat(draws("--draw", "1")).containsExactly(1);
        assertThat(draws("--draw", "2")).containsExactly(2);
        assertThat(draws("--draw", "3")).containsExactly(3);
    }

    private static List<Integer> draws(String... options) {
        BenchValueCommand command = new BenchValueCommand();
        new CommandLine(command).parseArgs(options);
        return command.draws();
    }

    private static String complaint(String... options) {
        StringWriter err = new StringWriter();
        CommandLine commandLine = BenchCommand.commandLine().setErr(new PrintWriter(err));
        String[] args = new String[options.length + 1];
        args[0] = "value";
        System.arraycopy(options, 0, args, 1, options.length);
        assertThat(commandLine.execute(args)).isEqualTo(2);
        return err.toString().trim();
    }
}
