// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.testkit.process.Network;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Readers on a cluster of processes while Hearth's healer moves every block under them, by the command that a person types. Broken, one
 * after the other: StaleReaderGuard allows every move ("48 moves could stall a reader", by the log of the DataNode that they go to, though
 * no reader did), BlockMovePlanner takes local blocks for those to move ("healing of every block" does not end in 4 minutes), conf/ has no
 * refresh of block locations (no row). It passes with one block's locations prefetched.
 */
@Tag("release-checks")
@Tag("alone")
class ProcessReadersIT {

    @TempDir
    private Path temp;

    @Test
    void noReadFailsAndTheRegionServerReadsLocallyInTheEnd() throws Exception {
        HearthScript.Result result = HearthScript.run(
                temp,
                Map.of("TMPDIR", temp.toString()),
                8,
                "bench",
                "readers",
                "--processes",
                "--quick",
                "--setup",
                "HEARTH");

        // Where the hosts can have no network of their own, that is one line.
        if (Network.whyNoNamespaces().isPresent()) {
            assertThat(result.output()).contains("--processes needs network namespaces");
            assertThat(result.exitCode()).as(result.output()).isEqualTo(2);
        } else {
            // How long a read takes is for the benchmark on a quiet machine to judge: here a failover may take 250 ms
            // by chance.
            List<String> violations = result.output()
                    .lines()
                    .filter(line -> line.startsWith("MISSED"))
                    .toList();
            assertThat(violations)
                    .as(result.output())
                    .allMatch(violation -> violation.contains("reads above 250 ms met a failover"));
            assertThat(result.output())
                    .contains(violations.isEmpty() ? "All thresholds hold." : "1 thresholds do not hold.");
            assertThat(result.exitCode()).as(result.output()).isEqualTo(violations.isEmpty() ? 0 : 1);
        }
        assertThat(temp).isEmptyDirectory();
    }
}
