// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.testkit.process.layout.ClusterSpec;
import io.hearth.testkit.process.layout.ClusterSpec.NetworkMode;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FaultTest {

    private static ClusterSpec clusterSpec(int hosts, int racks, int masters, NetworkMode networkMode) {
        return new ClusterSpec(hosts, racks, masters, networkMode, 0, 0, true, Map.of());
    }

    @Test
    void aFullClusterHasWhatEveryFaultTakesButOneThatIsForSuperusers() {
        assertThat(Arrays.stream(Fault.values())
                        .filter(fault -> fault.lackingIn(full(true, Map.of())).isPresent()))
                .containsExactly(Fault.NAMENODES_ROLLED);
        assertThat(Fault.NAMENODES_ROLLED.lackingIn(full(false, Map.of("dfs.block.access.token.enable", "true"))))
                .isEmpty();
    }

    private static ClusterSpec full(boolean hbaseUser, Map<String, String> settings) {
        return new ClusterSpec(4, 2, 2, 2, NetworkMode.NAMESPACES, 0, 0, 512, 64, true, hbaseUser, true, settings);
    }

    @Test
    void theSmallestClusterHasWhatManualMovesTake() {
        assertThat(Fault.NONE.lackingIn(clusterSpec(3, 1, 1, NetworkMode.LOOPBACK)))
                .isEmpty();
    }

    @Test
    void whatIsLackingIsSaidWithTheCommandThatHasIt() {
        assertThat(Fault.MASTER_KILLED.lackingIn(clusterSpec(4, 2, 1, NetworkMode.NAMESPACES)))
                .contains("a backup HMaster: bin/hearth cluster start --masters 2");
        assertThat(Fault.RACK_CUT.lackingIn(clusterSpec(4, 2, 2, NetworkMode.LOOPBACK)))
                .contains("network namespaces (root) and two racks");
        ClusterSpec plain = clusterSpec(4, 2, 2, NetworkMode.NAMESPACES);
        assertThat(Fault.NAMENODE_FAILED_OVER.lackingIn(plain))
                .contains("a second NameNode: bin/hearth cluster start --namenodes 2");
        assertThat(Fault.NAMENODES_ROLLED.lackingIn(full(true, Map.of())))
                .isEqualTo(
                        Fault.NAMENODES_ROLLED.lackingIn(full(true, Map.of("dfs.block.access.token.enable", "true"))))
                .contains("block access tokens, and HBase as a superuser of HDFS: bin/hearth cluster start"
                        + " --namenodes 2 --set dfs.block.access.token.enable=true");
        assertThat(Fault.DISK_FULL.lackingIn(plain))
                .contains("disks of the DataNodes' own: bin/hearth cluster start --disk-mb 512");
        assertThat(Fault.SSD_SICK.lackingIn(plain))
                .contains("SSDs of the DataNodes' own: bin/hearth cluster start --ssd-mb 64");
        assertThat(Fault.PERMISSION_LOST.lackingIn(plain))
                .contains("HBase as a user of its own: bin/hearth cluster start --hbase-user");
        assertThat(Fault.CLOCK_STEPPED.lackingIn(plain))
                .contains("clocks that can be set: bin/hearth cluster start --clocks");
        assertThat(Fault.HOST_FROZEN.lackingIn(clusterSpec(3, 2, 2, NetworkMode.NAMESPACES)))
                .contains("four hosts: bin/hearth cluster start --hosts 4");
    }

    @Test
    void whatPeopleDoIsRunWithWhatPeopleDo() {
        assertThat(Arrays.stream(Fault.values()).filter(Fault::isDoneByAPerson).map(Fault::toString))
                .containsExactly(
                        "table-dropped",
                        "datanode-full",
                        "regions-split",
                        "regions-merged",
                        "files-compacted",
                        "bad-reload",
                        "switched-off",
                        "replication-changed",
                        "namenodes-rolled",
                        "coprocessors-changed");
    }

    @Test
    void afterAChangeOfReplicationTheAlarmMustBeOffAndKnownToBe() {
        assertThat(ChaosRun.falseAlarm(Optional.of(false))).isEmpty();
        assertThat(ChaosRun.falseAlarm(Optional.of(true)))
                .containsExactly("setrep has raised the alarm of reverted moves");
        assertThat(ChaosRun.falseAlarm(Optional.empty())).hasSize(1);
    }
}
