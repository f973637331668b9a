// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class BenchValueCommandTest {

    @Test
    void aWrongArgumentIsOneLine() {
        String help = " (bin/hearth bench value --help shows the options)";
        assertThat(complaint("--draws", "2")).isEqualTo("hearth bench value: --draws is 2; allowed are 1 and 3" + help);
        assertThat(complaint("--distribution", "zipfian"))
                .isEqualTo("hearth bench value: --distribution is ZIPFIAN; allowed are those over regions,"
                        + " lognormal_regions and zipfian_regions" + help);
        assertThat(complaint("--workload", "e"))
                .isEqualTo("hearth bench value: --workload is E; allowed are A, B, C and W" + help);
        assertThat(complaint("--out", "src"))
                .isEqualTo("hearth bench value: --out is the folder src; it has to be a file" + help);
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
