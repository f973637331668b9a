// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.embedded;

import static java.util.stream.Collectors.counting;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ClusterHostTest {
    @Test
    void sixHostsInThreeRacksAreTwoInEach() {
        assertThat(ClusterHost.layOut(6, 3))
                .containsExactly(
                        new ClusterHost("host1", "127.0.0.11", "/rack1"),
                        new ClusterHost("host2", "127.0.0.12", "/rack1"),
                        new ClusterHost("host3", "127.0.0.13", "/rack2"),
                        new ClusterHost("host4", "127.0.0.14", "/rack2"),
                        new ClusterHost("host5", "127.0.0.15", "/rack3"),
                        new ClusterHost("host6", "127.0.0.16", "/rack3"));
    }

    @Test
    void noRackIsEmptyAndNoneIsMoreThanOneHostLarger() {
        for (int hosts = 1; hosts <= ClusterHost.MAX_HOSTS; hosts++) {
            for (int racks = 1; racks <= hosts; racks++) {
                var sizes = ClusterHost.layOut(hosts, racks).stream()
                        .collect(java.util.stream.Collectors.groupingBy(ClusterHost::rack, counting()))
                        .values();
                assertThat(sizes).as("%d hosts in %d racks", hosts, racks).hasSize(racks);
                assertThat(sizes).allMatch(size -> size >= 1);
                assertThat(sizes.stream().mapToLong(Long::longValue).max().orElseThrow()
                                - sizes.stream()
                                        .mapToLong(Long::longValue)
                                        .min()
                                        .orElseThrow())
                        .as("%d hosts in %d racks", hosts, racks)
                        .isLessThanOrEqualTo(1);
            }
        }
    }

    @Test
    void theHostsFileNamesEveryHost() throws IOException {
        assertThat(Files.readAllLines(Path.of("src/main/conf/embedded-hosts")))
                .contains("127.0.0.1 localhost")
                .containsAll(ClusterHost.layOut(ClusterHost.MAX_HOSTS, 1).stream()
                        .map(host -> host.address() + " " + host.name())
                        .toList());
    }

    /** Unit tests run without the flag. */
    @Test
    void withoutTheFlagTheClusterSaysWhichOneToAdd() {
        assertThatThrownBy(() -> EmbeddedCluster.builder().start())
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("The embedded cluster's host1 does not resolve to 127.0.0.11 in this JVM: start it with "
                        + "-Djdk.net.hosts.file=testkit/src/main/conf/embedded-hosts"
                        + " (the path as seen from the working directory)");
    }

    @Test
    void sizesOutOfRangeAreRefused() {
        assertThatThrownBy(() -> EmbeddedCluster.builder().hosts(17).start())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("hosts is 17, allowed are 1 to 16");
        assertThatThrownBy(() -> EmbeddedCluster.builder().hosts(3).racks(4).start())
                .hasMessage("racks is 4, allowed are 1 to 3");
        assertThatThrownBy(() -> EmbeddedCluster.builder().hosts(2).racks(2).start())
                .hasMessage("replication is 3, allowed are 1 to 2");
    }
}
