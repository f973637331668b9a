// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.bench.crash.CrashResult;
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
        assertThat(result(101_900, 129_000, 1, true, 0).violations()).isEmpty();
    }

    @Test
    void eachBarIsHeld() {
        assertThat(result(103_000, 131_000, 0.999, false, 2).violations())
                .containsExactly(
                        "locality is 0.9990, below 1",
                        "verified bytes are 1.030 x those that were remote, above 1.02",
                        "it takes 1.31 x bytes / bandwidth, above 1.3",
                        "fsck does not say HEALTHY",
                        "2 blocks span fewer racks than before",
                        "2 blocks have not exactly their replication");
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
