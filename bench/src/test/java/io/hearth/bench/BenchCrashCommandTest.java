// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.bench.crash.CrashResult;
import io.hearth.bench.threshold.PrintedReport;
import io.hearth.testkit.measure.BlockSnapshot;
import io.hearth.testkit.measure.FsckReport;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class BenchCrashCommandTest {

    private static CrashResult result(long verified, long healMs, double locality, boolean healthy, int racksLost) {
        return new CrashResult(
                10,
                1_000,
                100_000,
                verified,
                healMs,
                locality,
                new BlockSnapshot.Comparison(90, 0, 0, racksLost, 0, racksLost),
                new FsckReport(healthy, OptionalLong.of(90), OptionalLong.of(0), OptionalLong.of(0)));
    }

    @Test
    void theBarsThatHold() {
        assertThat(result(101_900, 129_000, 1, true, 0).thresholds().violations())
                .isEmpty();
    }

    @Test
    void eachBarIsHeld() {
        assertThat(result(103_000, 131_000, 0.999, false, 2).thresholds().violations())
                .containsExactly(
                        "locality is 0.9990, below 1",
                        "verified bytes are 1.030 x those that were remote, above 1.02",
                        "it takes 1.31 x bytes / bandwidth, above 1.3",
                        "fsck does not say HEALTHY",
                        "2 blocks span fewer racks than before",
                        "2 blocks have not exactly their replication");
    }

    @Test
    void aProgramReadsEachFigureAndWhatMissed() {
        CrashResult result = result(103_000, 129_000, 1, true, 2);

        assertThat(PrintedReport.json(output -> BenchCrashCommand.report(result, output)))
                .startsWith("{\"figures\":[")
                .contains(
                        "{\"of\":\"\",\"figure\":\"time until all is local\",\"value\":129.0,\"unit\":\"s\"}",
                        "{\"of\":\"\",\"figure\":\"time / (bytes / bandwidth)\",\"value\":1.29,\"unit\":\"x\",\"atMost\":1.3,\"holds\":true}",
                        "{\"of\":\"\",\"figure\":\"verified / remote at first\",\"value\":1.03,\"unit\":\"x\",\"atMost\":1.02,\"holds\":false}",
                        "{\"of\":\"\",\"figure\":\"blocks that span fewer racks than before\",\"value\":2.0,\"unit\":\"\",\"atMost\":0.0,\"holds\":false}")
                .endsWith(
                        "],\"holds\":false,\"missed\":[\"verified bytes are 1.030 x those that were remote, above 1.02\","
                                + "\"2 blocks span fewer racks than before\",\"2 blocks have not exactly their replication\"]}");
    }

    @Test
    void figuresAreCsvAndWhatAPersonReadsIsOnStandardError() {
        PrintedReport printed = PrintedReport.of(
                "csv", output -> BenchCrashCommand.report(result(101_900, 129_000, 1, true, 0), output));

        assertThat(printed.exitCode()).isZero();
        assertThat(printed.out())
                .startsWith("of,figure,value,unit,atLeast,atMost,holds")
                .contains(",locality,1.0,,1.0,,true", ",blocks compared,90.0,,,,");
        assertThat(printed.err())
                .containsExactly(
                        "locality 1 again after 129.0 s = 1.29 x bytes / bandwidth (threshold 1.3);"
                                + " verified 101,900 of 100,000 bytes = 1.019 x (threshold 1.02)",
                        "fsck HEALTHY; 90 blocks compared: 0 span fewer racks, 0 have not exactly their replication",
                        "All thresholds hold.");
    }

    @Test
    void aPersonReadsTheSameOnStandardOutput() {
        PrintedReport printed = PrintedReport.of(
                "table", output -> BenchCrashCommand.report(result(101_900, 129_000, 1, true, 0), output));

        assertThat(printed.out()).hasSize(3).endsWith("All thresholds hold.");
        assertThat(printed.err()).isEmpty();
    }

    @Test
    void aRatioToNothingHasNoValue() {
        CrashResult nothing = new CrashResult(
                0,
                1_000,
                0,
                0,
                0,
                1,
                new BlockSnapshot.Comparison(90, 0, 0, 0, 0, 0),
                result(0, 0, 1, true, 0).fsck());

        assertThat(PrintedReport.json(output -> BenchCrashCommand.report(nothing, output)))
                .contains(
                        "{\"of\":\"\",\"figure\":\"verified / remote at first\",\"unit\":\"x\",\"atMost\":1.02,\"holds\":true}");
    }

    @Test
    void aWrongArgumentIsOneLine() {
        assertThat(complaint("crash", "--data-mb", "5"))
                .isEqualTo(
                        "hearth bench crash: --data-mb is 5, allowed are 60 to 4000 (bin/hearth bench crash --help shows the options)");
        assertThat(complaint("crash", "--bandwidth", "5"))
                .isEqualTo("hearth bench crash: --bandwidth is 5, allowed are 50000 to 1000000000"
                        + " (bin/hearth bench crash --help shows the options)");
    }

    private static String complaint(String... args) {
        StringWriter err = new StringWriter();
        CommandLine commandLine = BenchCommand.commandLine().setErr(new PrintWriter(err));
        assertThat(commandLine.execute(args)).isEqualTo(2);
        return err.toString().trim();
    }
}
