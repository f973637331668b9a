// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
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

    private HearthScript.Result bench(String... options) throws Exception {
        String[] words =
                Stream.concat(Stream.of("bench", "slo"), Stream.of(options)).toArray(String[]::new);
        return HearthScript.run(temp, Map.of("TMPDIR", temp.toString()), 12, words);
    }

    /** How late its probes are is for a quiet machine to judge. */
    @Test
    void theDaemonProbesEachOfManyServers() throws Exception {
        HearthScript.Result result = bench("--servers", "100", "--seconds", "20");

        assertThat(result.output()
                        .lines()
                        .filter(line -> line.startsWith("MISSED"))
                        .toList())
                .as(result.output())
                .allMatch(violation -> violation.contains("late probes"));
        assertThat(result.output()).contains("good probes").contains("CPU of the daemon");
        assertThat(temp).isEmptyDirectory();
    }

    @Test
    void aServerThatIsStoppedIsSeenAsItWas() throws Exception {
        HearthScript.Result result = bench("--part", "STALL");

        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).contains("All thresholds hold.").contains("good by CanaryTool");
        assertThat(temp).isEmptyDirectory();
    }
}
