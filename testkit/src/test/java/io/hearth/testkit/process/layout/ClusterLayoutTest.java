// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.process.layout;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.testkit.embedded.ClusterHost;
import io.hearth.testkit.process.layout.Daemon.DaemonRole;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClusterLayoutTest {

    private final ClusterLayout layout = new ClusterLayout(ClusterSpecs.of(4, 2, 2), "07af", 9);

    @Test
    void hostsFillTheRacksInOrderAndHaveAddressesOfTheirOwn() {
        assertThat(layout.workers())
                .containsExactly(
                        new ClusterHost("host1", "10.77.9.21", "/rack1"),
                        new ClusterHost("host2", "10.77.9.22", "/rack1"),
                        new ClusterHost("host3", "10.77.9.23", "/rack2"),
                        new ClusterHost("host4", "10.77.9.24", "/rack2"));
        assertThat(layout.racks()).containsExactly("/rack1", "/rack2");
        assertThat(layout.clientAddress()).isEqualTo("10.77.9.1");
    }

    @Test
    void theMastersAndTheNameNodeHaveHostsWithoutADataNode() {
        assertThat(layout.hosts())
                .startsWith(
                        new ClusterHost("namenode", "10.77.9.2", "/core"),
                        new ClusterHost("master1", "10.77.9.11", "/core"),
                        new ClusterHost("master2", "10.77.9.12", "/core"))
                .hasSize(7);
    }

    @Test
    void manyHostsGetSmallHeaps() {
        ClusterLayout many = new ClusterLayout(ClusterSpecs.of(12, 1, 1), "07af", 9);

        assertThat(layout.heapMegabytes(DaemonRole.REGIONSERVER)).isEqualTo(384);
        assertThat(many.heapMegabytes(DaemonRole.REGIONSERVER)).isEqualTo(256);
        assertThat(many.heapMegabytes(DaemonRole.DATANODE)).isEqualTo(128);
        assertThat(many.heapMegabytes(DaemonRole.MASTER)).isEqualTo(384);
    }

    @Test
    void theNameNodeIsStartedFirstAndRegionServersLast() {
        assertThat(layout.daemons().stream().map(Daemon::name))
                .containsExactly(
                        "namenode",
                        "zookeeper",
                        "master1",
                        "master2",
                        "datanode1",
                        "datanode2",
                        "datanode3",
                        "datanode4",
                        "regionserver1",
                        "regionserver2",
                        "regionserver3",
                        "regionserver4");
    }

    @Test
    void aHostThatIsAddedIsInTheRackWithTheFewestAndMovesNoOther() {
        ClusterLayout five = new ClusterLayout(ClusterSpecs.of(5, 2, 1), "07af", 9);

        ClusterLayout seven = five.withAnotherHost().withAnotherHost();

        assertThat(seven.workers()).startsWith(five.workers().toArray(ClusterHost[]::new));
        assertThat(seven.workers().subList(5, 7))
                .containsExactly(
                        new ClusterHost("host6", "10.77.9.26", "/rack2"),
                        new ClusterHost("host7", "10.77.9.27", "/rack1"));
        assertThat(seven.daemons().stream().map(Daemon::name)).contains("datanode7", "regionserver7");
    }

    @Test
    void twoNameNodesShareTheirEditsAndAreWatched() {
        ClusterLayout pair = new ClusterLayout(ClusterSpecs.fragile(1), "07af", 9);

        assertThat(pair.hosts().stream().map(ClusterHost::name))
                .containsExactly("namenode", "namenode2", "master1", "host1");
        assertThat(pair.hosts().get(1)).isEqualTo(new ClusterHost("namenode2", "10.77.9.3", "/core"));
        assertThat(pair.daemons().stream()
                        .map(daemon -> daemon.name() + "@" + daemon.host().name()))
                .containsExactly(
                        "namenode@namenode",
                        "zookeeper@namenode",
                        "namenode2@namenode2",
                        "journalnode@namenode",
                        "zkfc1@namenode",
                        "zkfc2@namenode2",
                        "master1@master1",
                        "datanode1@host1",
                        "regionserver1@host1");
    }

    @Test
    void inTheLargestClusterNoTwoHostsShareAnAddress() {
        ClusterLayout largest = new ClusterLayout(ClusterSpecs.of(12, 12, 3), "0000", 254);

        List<String> addresses =
                largest.hosts().stream().map(ClusterHost::address).toList();
        assertThat(new HashSet<>(addresses)).hasSameSizeAs(addresses).doesNotContain(largest.clientAddress());
        assertThat(largest.racks()).hasSize(12);
    }

    @Test
    void withoutNamespacesTheAddressesAreThoseOfTheLoopbackDevice() {
        assertThat(new ClusterLayout(ClusterSpecs.onLoopback(1), "0000", 7).workers())
                .containsExactly(new ClusterHost("host1", "127.0.7.21", "/rack1"));
    }
}
