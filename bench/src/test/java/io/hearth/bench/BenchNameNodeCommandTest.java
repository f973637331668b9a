// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.bench.namenode.NameNodeBench;
import io.hearth.bench.threshold.ThresholdReport;
import io.hearth.cli.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class BenchNameNodeCommandTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void tooFewOrTooManyBlocksAreRefused() {
        CommandLine command =
                BenchCommand.commandLine().setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));

        assertThat(command.execute("namenode", "--blocks", "999")).isEqualTo(ExitCode.USAGE.code());
        assertThat(err.toString()).startsWith("hearth bench namenode: --blocks is 999; allowed are 1000 to 2000000 (");
    }

    /** Whether a few blocks hold the thresholds says nothing: each question is put to a NameNode that has just started. */
    @Test
    void eachQuestionIsPutInBothWays() throws IOException {
        new NameNodeBench(new PrintWriter(out, true), new ThresholdReport()).run(1_000, 500);

        List<String> lines = out.toString().lines().toList();
        assertThat(lines).first().asString().startsWith("A NameNode in this JVM with 992 blocks of 3 replicas each;");
        assertThat(lines)
                .contains(
                        "32 folders of 1 file of 3 blocks",
                        "32 folders of 2 files of 14 blocks",
                        "32 files of 3 blocks",
                        "32 files of 14 blocks");
        assertThat(lines)
                .filteredOn(line -> line.matches("  one by one +32 calls, .*"))
                .hasSize(4);
        assertThat(lines)
                .filteredOn(line -> line.matches("  several in a call +\\d+ calls, .*"))
                .hasSize(4);
        assertThat(lines)
                .last()
                .asString()
                .matches(
                        "of one handler's time while healing asks all it may +[0-2]\\.\\d\\d % +threshold +2\\.00 +holds");
    }
}
