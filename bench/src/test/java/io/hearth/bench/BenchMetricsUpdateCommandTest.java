// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.HashSet;
import java.util.Set;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** What {@code bench metrics-update} measures does what it says; how long it takes is no test's business. */
class BenchMetricsUpdateCommandTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        CommandLine command =
                BenchCommand.commandLine().setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        return command.execute(arguments);
    }

    @Test
    void bothBalancersAreShownTheClusterAtEachPace() {
        int exitCode = run("metrics-update", "--servers", "3", "--regions", "100", "--updates", "3");

        long missed = out.toString()
                .lines()
                .filter(line -> line.startsWith("MISSED  an update every "))
                .count();
        assertThat(exitCode).isEqualTo(missed == 0 ? 0 : 1);
        assertThat(out.toString().strip())
                .endsWith(missed == 0 ? "All thresholds hold." : missed + " thresholds do not hold.");
        assertThat(out.toString().lines())
                .anyMatch(
                        line -> line.matches("an update every 10 s, mean +[0-9.,]+ x +threshold +1.10  (holds|MISSED)"))
                .anyMatch(line ->
                        line.matches("an update every 1 s, median +[0-9.,]+ x +threshold +1.10  (holds|MISSED)"))
                .anyMatch(line -> line.matches(
                        "an update every 60 s    stock +[0-9.]+    hearth +[0-9.]+    x [0-9.]+    mean x [0-9.]+"));
        assertThat(err.toString()).isEmpty();
    }

    /** Standard output is one document, with each figure and what missed; progress is on standard error. */
    @Test
    void aProgramReadsAllFiguresInOneDocument() {
        int exitCode =
                run("metrics-update", "--servers", "3", "--regions", "100", "--updates", "3", "--output", "json");

        assertThat(out.toString().lines()).hasSize(1);
        JsonObject report = JsonParser.parseString(out.toString()).getAsJsonObject();
        assertThat(report.getAsJsonArray("figures"))
                .extracting(figure -> figure.getAsJsonObject().get("figure").getAsString())
                .containsExactly(
                        "an update every 1 s, stock's CPU",
                        "an update every 1 s, Hearth's CPU",
                        "an update every 1 s, median",
                        "an update every 1 s, mean",
                        "an update every 10 s, stock's CPU",
                        "an update every 10 s, Hearth's CPU",
                        "an update every 10 s, median",
                        "an update every 10 s, mean",
                        "an update every 60 s, stock's CPU",
                        "an update every 60 s, Hearth's CPU",
                        "an update every 60 s, median",
                        "an update every 60 s, mean");
        assertThat(report.get("holds").getAsBoolean()).isEqualTo(exitCode == 0);
        assertThat(report.getAsJsonArray("missed").isEmpty()).isEqualTo(exitCode == 0);
        assertThat(err.toString())
                .startsWith("3 servers, 100 regions; cpu ms of one update, median of 3 or more")
                .contains(exitCode == 0 ? "All thresholds hold." : " thresholds do not hold.");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "cluster",
                "crash",
                "heal",
                "heat",
                "metrics-update",
                "month",
                "namenode",
                "opentsdb",
                "plan",
                "read-cache",
                "readers",
                "value"
            })
    void anotherFormatIsOneLineAndNothingIsMeasured(String benchmark) {
        assertThat(run(benchmark, "--output", "xml")).isEqualTo(2);
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString().strip())
                .isEqualTo("hearth bench " + benchmark
                        + ": Invalid value for option '--output': 'xml' is none of table, json, csv (bin/hearth bench "
                        + benchmark + " --help shows the options)");
    }

    @Test
    void aWrongArgumentIsOneLine() {
        assertThat(run("metrics-update", "--servers", "1")).isEqualTo(2);
        assertThat(err.toString()).startsWith("hearth bench metrics-update: --servers is 1; allowed are 2 to 10000 (");
    }

    /** A third of the servers report again within a second, all of them within three. */
    @Test
    void serversReportEveryThreeSecondsEachAtItsTime() {
        StubMasterCluster cluster = new StubMasterCluster(9, 90);
        Set<Long> seen = new HashSet<>(times(cluster.later(60_000)));
        Set<Long> aSecondLater = times(cluster.later(1_000));
        assertThat(aSecondLater).hasSize(9);
        aSecondLater.removeAll(seen);
        assertThat(aSecondLater).hasSize(3);
        assertThat(times(cluster.later(3_000))).doesNotContainAnyElementsOf(seen);
    }

    private static Set<Long> times(ClusterMetrics metrics) {
        Set<Long> times = new HashSet<>();
        metrics.getLiveServerMetrics().values().forEach(server -> times.add(server.getReportTimestamp()));
        return times;
    }
}
