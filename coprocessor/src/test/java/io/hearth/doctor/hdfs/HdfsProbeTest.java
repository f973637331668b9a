// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.doctor.capacity.ObservedCluster.NodeSpace;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.AdminStates;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.junit.jupiter.api.Test;

class HdfsProbeTest {

    private static DatanodeInfo node(String host, AdminStates state, long remaining) {
        return new DatanodeInfoBuilder()
                .setIpAddr("10.0.0.1")
                .setHostName(host)
                .setDatanodeUuid(host)
                .setAdminState(state)
                .setCapacity(1_000)
                .setRemaining(remaining)
                .build();
    }

    /** Broken (all that are live): the one that was decommissioned is full first, today. */
    @Test
    void aDataNodeThatGetsNoNewBlocksIsNoneOfThoseThatFill() {
        assertThat(HdfsProbe.inService(new DatanodeInfo[] {
                    node("host3", AdminStates.NORMAL, 300),
                    node("host1", AdminStates.DECOMMISSIONED, 0),
                    node("host2", AdminStates.NORMAL, 400),
                    node("host4", AdminStates.DECOMMISSION_INPROGRESS, 10),
                    node("host5", AdminStates.ENTERING_MAINTENANCE, 20)
                }))
                .containsExactly(new NodeSpace("host2", 1_000, 400), new NodeSpace("host3", 1_000, 300));
    }
}
