// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.process.layout;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.testkit.process.layout.ClusterSpec.NetworkMode;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClusterSpecTest {

    @Test
    void theDefaultsMakeSense() {
        assertThat(ClusterSpecs.of(4, 2, 1).problems()).isEmpty();
        assertThat(ClusterSpecs.shaped(1, 1_000).problems()).isEmpty();
    }

    @Test
    void eachSenselessValueIsOneLine() {
        assertThat(new ClusterSpec(13, 14, 0, NetworkMode.NAMESPACES, -1, 5, true, Map.of()).problems())
                .containsExactly(
                        "--hosts is 13; allowed are 1 to 12",
                        "--racks is 14; allowed are 1 to 12",
                        "--masters is 0; allowed are 1 to 3",
                        "--latency-ms is -1.0; allowed are 0 to 1000",
                        "--nic-mbit is 5; allowed are 10 to 100000");
    }

    @Test
    void twoNameNodesAreEnoughAndADiskHoldsBlocks() {
        assertThat(ClusterSpecs.fragile(4).problems()).isEmpty();
        assertThat(new ClusterSpec(2, 2, 1, 3, NetworkMode.NAMESPACES, 0, 0, 20, 0, false, false, true, Map.of())
                        .problems())
                .containsExactly("--namenodes is 3; allowed are 1 to 2", "--disk-mb is 20; allowed are 128 to 100000");
    }

    @Test
    void anSsdIsForHearthsReadCache() {
        assertThat(new ClusterSpec(4, 2, 1, 1, NetworkMode.NAMESPACES, 0, 0, 0, 8, false, false, false, Map.of())
                        .problems())
                .containsExactly(
                        "--ssd-mb is 8; allowed are 16 to 100000",
                        "--ssd-mb is for Hearth's read cache, which a cluster with --stock does not have");
    }

    @Test
    void aRackNeedsAHost() {
        assertThat(ClusterSpecs.of(2, 3, 1).problems()).containsExactly("--racks is 3; allowed are 1 to 2");
    }

    @Test
    void theLoopbackDeviceCannotBeShaped() {
        assertThat(new ClusterSpec(2, 2, 1, NetworkMode.LOOPBACK, 1, 0, true, Map.of()).problems())
                .containsExactly(
                        "--latency-ms and --nic-mbit need network namespaces, which this cluster does not have;"
                                + " start it as root with iproute2 installed, or leave them out");
    }

    @Test
    void replicationIsThreeWhereThereAreThreeHosts() {
        assertThat(ClusterSpecs.of(2, 1, 1).replication()).isEqualTo(2);
        assertThat(ClusterSpecs.of(6, 1, 1).replication()).isEqualTo(3);
    }
}
