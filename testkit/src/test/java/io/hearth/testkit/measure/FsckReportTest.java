// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.measure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FsckReportTest {
    private static final String HEALTHY =
            """
            Status: HEALTHY
             Number of data-nodes:\t6
             Number of racks:\t\t3
             Total dirs:\t\t\t190
             Total symlinks:\t\t0

            Replicated Blocks:
             Total size:\t233420413 B
             Total files:\t88 (Files currently being written: 7)
             Total blocks (validated):\t267 (avg. block size 874233 B)
             Minimally replicated blocks:\t267 (100.0 %)
             Mis-replicated blocks:\t\t0 (0.0 %)
             Missing blocks:\t\t0
             Corrupt blocks:\t\t0
             Missing replicas:\t\t0 (0.0 %)

            Erasure Coded Block Groups:
             Missing block groups:\t\t5
             Corrupt block groups:\t\t5

            The filesystem under path '/hbase' is HEALTHY
            """;

    @Test
    void the_figures_of_replicated_blocks_are_read() {
        FsckReport report = FsckReport.parse(HEALTHY);

        assertThat(report.healthy()).isTrue();
        assertThat(report.blocks()).hasValue(267);
        assertThat(report.corruptBlocks()).hasValue(0);
        assertThat(report.missingBlocks()).hasValue(0);
    }

    @Test
    void damage_is_read() {
        FsckReport report = FsckReport.parse(HEALTHY.replace("Status: HEALTHY", "Status: CORRUPT")
                .replace("Corrupt blocks:\t\t0", "Corrupt blocks:\t\t2")
                .replace("Missing blocks:\t\t0", "Missing blocks:\t\t17"));

        assertThat(report.healthy()).isFalse();
        assertThat(report.corruptBlocks()).hasValue(2);
        assertThat(report.missingBlocks()).hasValue(17);
    }

    @Test
    void what_fsck_did_not_say_is_absent() {
        assertThat(FsckReport.parse("Connection refused").corruptBlocks()).isEmpty();
        assertThat(FsckReport.parse("Connection refused").healthy()).isFalse();
    }
}
