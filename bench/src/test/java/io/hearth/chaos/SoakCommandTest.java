// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** What soaks nothing. */
class SoakCommandTest {

    private final StringWriter err = new StringWriter();

    @TempDir
    private Path folder;

    private int run(String... arguments) {
        CommandLine command = ChaosCommand.commandLine();
        command.setErr(new PrintWriter(err, true));
        return command.execute(arguments);
    }

    @ParameterizedTest
    @CsvSource({
        "--hours, 0.1, --hours is 0.1; allowed are 0.2 to 168.0",
        "--hours, NaN, --hours is NaN; allowed are 0.2 to 168.0",
        "--every-minutes, 0, --every-minutes is 0.0; allowed are 1.0 to 60.0",
        "--rate, 0, --rate is 0.0; allowed are 1.0 to 100000.0",
    })
    void aValueOutOfRangeIsOneLine(String option, String value, String problem) {
        assertThat(run("soak", option, value)).isEqualTo(2);
        assertThat(err.toString())
                .isEqualTo("hearth chaos soak: " + problem + " (bin/hearth chaos soak --help shows the options)\n");
    }

    @Test
    void withoutAClusterNothingIsDone() {
        assertThat(run("soak", "--folder", folder.toString())).isEqualTo(2);
        assertThat(err.toString())
                .isEqualTo("hearth chaos soak: there is no cluster in " + folder
                        + "; bin/hearth cluster start starts one (bin/hearth chaos soak --help shows the options)\n");
        assertThat(folder).isEmptyDirectory();
    }
}
