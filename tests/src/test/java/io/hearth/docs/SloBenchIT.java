// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The benchmark of the SLO watch by the command that a person types: it ends, and its figures are of probes that were answered. */
@Tag("release-checks")
@Tag("alone")
class SloBenchIT {

    @TempDir
    private Path temp;

    /** Of a busy machine. A daemon that heeds no due time and wakes up each 10 ms has half of its probes over 5 ms late. */
    private static final double MOST_LATE_PERCENT = 25;

    private static final Pattern LATE_PERCENT = Pattern.compile("late probes +([0-9.]+) %");

    private HearthScript.Result bench(String... options) throws Exception {
        String[] words =
                Stream.concat(Stream.of("bench", "slo"), Stream.of(options)).toArray(String[]::new);
        return HearthScript.run(temp, Map.of("TMPDIR", temp.toString()), 12, words);
    }

    /** Whether 1 % of its probes are late is for a quiet machine to judge. */
    @Test
    void theDaemonProbesEachOfManyServers() throws Exception {
        HearthScript.Result result = bench("--servers", "100", "--seconds", "20");

        assertThat(result.output()
                        .lines()
                        .filter(line -> line.startsWith("MISSED"))
                        .toList())
                .as(result.output())
                .allMatch(violation -> violation.contains("late probes"));
        assertThat(latePercent(result)).as(result.output()).isLessThan(MOST_LATE_PERCENT);
        assertThat(result.output()).contains("good probes").contains("CPU of the daemon");
        assertThat(temp).isEmptyDirectory();
    }

    private static double latePercent(HearthScript.Result result) {
        Matcher found = LATE_PERCENT.matcher(result.output());
        assertThat(found.find()).as(result.output()).isTrue();
        return Double.parseDouble(found.group(1));
    }

    @Test
    void aServerThatIsStoppedIsSeenAsItWas() throws Exception {
        HearthScript.Result result = bench("--part", "STALL");

        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).contains("All thresholds hold.").contains("good by CanaryTool");
        assertThat(temp).isEmptyDirectory();
    }
}
