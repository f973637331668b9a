// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.versions;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An HBase that lacks a class, field or method that Hearth uses gets the stock balancer's plans and serves its own pages, and a Hadoop's
 * DataNode does what it does with HDFS's own dataset. No exception leaves a hook, and one line says what is missing and both versions. One in
 * twelve of them is tried here, all in {@link MissingUseIT}.
 */
class MissingUseTest {

    @Test
    void withoutOneInTwelveTheStockBalancerPlansAndNothingLeavesAHook() throws Exception {
        try (MasterWithoutOneUse master = new MasterWithoutOneUse()) {
            MissingUseTrials.Result result = master.tryWithoutOneIn(12);

            assertThat(result.wrong()).isEmpty();
            assertThat(result.tried()).isGreaterThan(20);
            assertThat(result.missed()).as("what was reached and missed").hasSizeGreaterThan(3);
        }
    }

    @Test
    void withoutOneInTwelveADataNodeReadsAndDeletesAsWithHdfssOwnDataset(@TempDir Path folder) throws Exception {
        try (DataNodeWithoutOneUse dataNode = new DataNodeWithoutOneUse(folder)) {
            MissingUseTrials.Result result = dataNode.tryWithoutOneIn(12);

            assertThat(result.wrong()).isEmpty();
            assertThat(result.tried()).isGreaterThan(5);
            assertThat(result.missed()).as("what was reached and missed").hasSizeGreaterThan(3);
        }
    }
}
