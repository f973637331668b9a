// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumingThat;

import org.apache.hadoop.util.VersionInfo;
import org.junit.jupiter.api.Test;

class DeletionDelayRunnerTest {

    /** The tests run it with the Hadoop that they are built with. */
    @Test
    void aHadoopThatItWasNotRunWithIsNamed() {
        // The line of HBase 3 has Hadoop 3.2.
        assumingThat(!VersionInfo.getVersion().startsWith("3.2."), () -> assertThat(
                        DeletionDelayRunner.untried(VersionInfo.getVersion()))
                .isEmpty());
        assertThat(DeletionDelayRunner.untried("3.3.6"))
                .contains(
                        "hearth-datanode.jar was run with Hadoop 3.4.3, and this is 3.3.6: try it on one DataNode first."
                                + " Without dfs.datanode.fsdataset.factory HDFS is as it was.");
    }
}
