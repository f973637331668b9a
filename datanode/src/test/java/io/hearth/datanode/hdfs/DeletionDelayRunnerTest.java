// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.util.VersionInfo;
import org.junit.jupiter.api.Test;

class DeletionDelayRunnerTest {

    /** The tests run it with the Hadoop that they are built with. */
    @Test
    void aHadoopThatItWasNotRunWithIsNamed() {
        assertThat(DeletionDelayRunner.untried(VersionInfo.getVersion())).isEmpty();
        assertThat(DeletionDelayRunner.untried("3.3.1"))
                .contains(
                        "hearth-datanode.jar was run with Hadoop 3.2.4, 3.3.6, 3.4.3, 3.5.0, and this is 3.3.1: try it on one"
                                + " DataNode first. Without dfs.datanode.fsdataset.factory HDFS is as it was.");
    }
}
