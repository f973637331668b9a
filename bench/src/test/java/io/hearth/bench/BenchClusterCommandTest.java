// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class BenchClusterCommandTest {

    @Test
    void aWrongArgumentIsOneLine() {
        String help = " (bin/hearth bench cluster --help shows the options)";
        assertThat(complaint("cluster", "--hosts", "3"))
                .isEqualTo("hearth bench cluster: --hosts is 3; allowed are 4 to 11" + help);
        assertThat(complaint("cluster", "--seeds", "0"))
                .isEqualTo("hearth bench cluster: --seeds is 0; allowed are 1 to 100" + help);
        assertThat(complaint("cluster", "--variant", "NOTHING", "--part", "RETURNED"))
                .isEqualTo("hearth bench cluster: --variant NOTHING has no rounds: they end when data is local,"
                        + " and nothing makes it local" + help);
        assertThat(complaint("cluster", "--set", "hearth.heal.cluster.bandwidth"))
                .isEqualTo(
                        "hearth bench cluster: Value for option '--set' (KEY=VALUE) should be in KEY=VALUE format but was"
                                + " hearth.heal.cluster.bandwidth" + help);
    }

    private static String complaint(String... args) {
        StringWriter err = new StringWriter();
        CommandLine commandLine = BenchCommand.commandLine().setErr(new PrintWriter(err));
        assertThat(commandLine.execute(args)).isEqualTo(2);
        return err.toString().trim();
    }
}
