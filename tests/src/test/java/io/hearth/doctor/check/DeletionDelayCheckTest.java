// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.common.config.Setting;
import io.hearth.datanode.config.DeletionDelaySettings;
import io.hearth.datanode.hdfs.DeletionDelayRunner.DeletionDelayMetrics;
import io.hearth.doctor.check.ReaderChecks.DeletionDelayCheck;
import io.hearth.doctor.hbase.DeletionDelayBean;
import org.junit.jupiter.api.Test;

/** The doctor reads the DataNodes' keys as the DataNodes do: the two jars never share a process. */
class DeletionDelayCheckTest {

    @Test
    void theDelayIsReadAsDataNodesReadIt() {
        assertSame(DeletionDelayCheck.DELETION_DELAY, DeletionDelaySettings.DELAY_MS);
    }

    @Test
    void whetherDeletionsWaitIsReadAsDataNodesReadIt() {
        assertSame(DeletionDelayCheck.DELETION_DELAY_ENABLED, DeletionDelaySettings.ENABLED);
    }

    @Test
    void whatIsReadOfTheDelaysBeanIsShownByTheDataNode() {
        assertThat(DeletionDelayBean.NAME).isEqualTo("Hadoop:service=DataNode,name=" + DeletionDelayMetrics.NAME);
        assertThat(DeletionDelayBean.DELAY_MS).isEqualTo(DeletionDelayMetrics.DELAY_MS);
    }

    /** What is allowed has the bounds in words. */
    private static <T> void assertSame(Setting<T> ofDoctor, Setting<T> ofDataNode) {
        assertThat(ofDoctor.key()).isEqualTo(ofDataNode.key());
        assertThat(ofDoctor.defaultValue()).isEqualTo(ofDataNode.defaultValue());
        assertThat(ofDoctor.allowed()).isEqualTo(ofDataNode.allowed());
    }
}
