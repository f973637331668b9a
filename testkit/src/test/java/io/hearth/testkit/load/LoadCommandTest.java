// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.testkit.load.LatencyRecorder.LatencySummary;
import io.hearth.testkit.load.LoadCommand.RampStep;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class LoadCommandTest {

    @TempDir
    private Path folder;

    private static String complaint(String... args) {
        StringWriter err = new StringWriter();
        CommandLine commandLine = LoadCommand.commandLine().setErr(new PrintWriter(err));
        assertThat(commandLine.execute(args)).isEqualTo(2);
        return err.toString().trim();
    }

    @Test
    void aWrongArgumentIsOneLine() {
        String help = " (bin/hearth load --help shows the options)";
        assertThat(complaint("--rate", "0")).isEqualTo("hearth load: --rate is 0; allowed are 1 to 100000" + help);
        assertThat(complaint("--hot-rows", "2")).isEqualTo("hearth load: --hot-rows is 2.0; allowed are 0 to 1" + help);
        assertThat(complaint("--ramp-from", "-3"))
                .isEqualTo("hearth load: --ramp-from is -3; allowed are 1 to 100000" + help);
        assertThat(complaint("--spacing", "even"))
                .isEqualTo(
                        "hearth load: Invalid value for option '--spacing': expected one of [STEADY, POISSON] (case-insensitive) but was 'even'"
                                + help);
        assertThat(complaint("--workload", "D"))
                .isEqualTo(
                        "hearth load: Invalid value for option '--workload': expected one of [A, B, C, E, F, W] (case-insensitive) but was 'D'"
                                + help);
        assertThat(complaint("--config", folder.toString()))
                .isEqualTo(
                        "hearth load: --config is " + folder + "; it must be a folder with an hbase-site.xml" + help);
        assertThat(complaint("--folder", folder.toString()))
                .isEqualTo("hearth load: there is no cluster in " + folder
                        + "; bin/hearth cluster start starts one, and --config names another" + help);
    }

    @Test
    void aRampHasALineForEachTenth() {
        assertThat(LoadCommand.rampTable(List.of(
                                new RampStep("gets", 290, 6_000, new LatencySummary(1_740, 1.04, 7.5, 20, 31.25)),
                                new RampStep("gets", 1_910, 6_000, new LatencySummary(9_000, 3, 900, 2_000, 2_100))))
                        .lines(" "))
                .containsExactly(
                        " requests a second        answered a second  p50 ms  p99 ms  p99.9 ms",
                        "               290  gets                290     1.0     7.5      20.0",
                        "              1910  gets               1500     3.0   900.0    2000.0");
    }

    @Test
    void theReportHasALineForEachKind() {
        Map<String, LatencySummary> summaries = new LinkedHashMap<>();
        summaries.put("gets", new LatencySummary(900, 1.04, 7.5, 20, 31.25));
        summaries.put("read-modify-writes", new LatencySummary(100, 3, 9, 25, 40));

        assertThat(LoadCommand.table(summaries).csv())
                .containsExactly(
                        "operation,requests,p50Ms,p99Ms,p999Ms,maxMs",
                        "gets,900,1.0,7.5,20.0,31.3",
                        "read-modify-writes,100,3.0,9.0,25.0,40.0");
        assertThat(LoadCommand.table(summaries).lines(" "))
                .containsExactly(
                        " ms from when it was due  answered  p50  p99  p99.9   max",
                        " gets                          900  1.0  7.5   20.0  31.3",
                        " read-modify-writes            100  3.0  9.0   25.0  40.0");
    }
}
