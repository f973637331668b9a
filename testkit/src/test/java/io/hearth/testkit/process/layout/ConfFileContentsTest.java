// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.process.layout;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.testkit.process.layout.ClusterSpec.NetworkMode;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfFileContentsTest {

    private final ClusterLayout layout = new ClusterLayout(ClusterSpecs.of(2, 2, 1), "07af", 9);

    @TempDir
    private Path folder;

    @Test
    void hadoopReadsASiteFileAsItWasMeant() {
        Configuration read = new Configuration(false);
        read.addResource(new ByteArrayInputStream(
                ConfFileContents.site(Map.of("a.key", "1 < 2 & 3")).getBytes(StandardCharsets.UTF_8)));

        assertThat(read.get("a.key")).isEqualTo("1 < 2 & 3");
    }

    @Test
    void theHostsFileHasEveryHostAndTheMachineItself() {
        assertThat(ConfFileContents.hosts(layout).lines().skip(1))
                .containsExactly(
                        "127.0.0.1 localhost",
                        "10.77.9.2 namenode",
                        "10.77.9.11 master1",
                        "10.77.9.21 host1",
                        "10.77.9.22 host2",
                        "10.77.9.1 client");
    }

    @Test
    void theTopologyScriptSaysTheRackOfEachNameAndAddress() throws Exception {
        Path script = Files.writeString(folder.resolve("topology.sh"), ConfFileContents.topology(layout));
        Process run = new ProcessBuilder("sh", script.toString(), "host2", "10.77.9.21", "master1").start();

        assertThat(new String(run.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo("/rack2\n/rack1\n/default-rack\n");
    }

    @Test
    void clientsKnowTwoNameNodesByOneName() {
        ClusterSpec clusterSpec = ClusterSpecs.fragile(3);

        assertThat(SiteSettings.core(clusterSpec, "/data", "/topology.sh"))
                .containsEntry("fs.defaultFS", "hdfs://hearth");
        assertThat(SiteSettings.hbase(clusterSpec)).containsEntry("hbase.rootdir", "hdfs://hearth/hbase");
        assertThat(SiteSettings.hdfs(clusterSpec))
                .containsEntry("dfs.ha.namenodes.hearth", "namenode,namenode2")
                .containsEntry("dfs.namenode.rpc-address.hearth.namenode2", "namenode2:8020")
                .doesNotContainKey("dfs.namenode.rpc-address");
        assertThat(SiteSettings.hdfs(ClusterSpecs.of(3, 1, 1))).doesNotContainKey("dfs.nameservices");
    }

    @Test
    void aSettingOfTheUserComesOverAllOthers() {
        ClusterSpec clusterSpec =
                new ClusterSpec(4, 2, 1, NetworkMode.NAMESPACES, 0, 0, true, Map.of("dfs.replication", "2"));

        assertThat(SiteSettings.hdfs(clusterSpec)).containsEntry("dfs.replication", "2");
        assertThat(SiteSettings.hbase(clusterSpec)).containsEntry("dfs.replication", "2");
    }
}
