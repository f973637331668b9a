// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.hearth.testkit.process.FastTimings;
import io.hearth.testkit.process.JmxClient;
import io.hearth.testkit.process.layout.Daemon.DaemonRole;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Healing where the processes of HDFS are of another Hadoop, with its own libraries. HBase with its client of HDFS, and Hearth's jars, are as
 * everywhere. Broken: HDFS's processes are not the release's (they say 3.4.3), the healer is off (no block follows).
 */
@Tag("release-checks")
class ForeignHdfsIT {

    private static final String VERSION = "3.5.0";
    private static final List<String> HOSTS = List.of("host1", "host2", "host3");
    private static final long BYTES = 2_000_000;
    private static final List<String> NOT_WHOLE =
            List.of("UnderReplicatedBlocks", "ExcessBlocks", "CorruptBlocks", "MissingBlocks");

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir
    private Path temp;

    @TempDir
    private Path home;

    private ScriptedCluster script;

    @BeforeEach
    void nameIt() {
        script = new ScriptedCluster(temp);
    }

    @AfterEach
    void stop() throws Exception {
        script.run("cluster", "stop");
    }

    @Test
    void blocksFollowTheirRegionsAndAllAreThere() throws Exception {
        HadoopRelease.layOut(home, VERSION);
        start();
        assertThat(versions()).containsExactly(VERSION, VERSION, VERSION, VERSION);

        try (HBaseFiles files = HBaseFiles.of(script);
                AdminClientProcess client = AdminClientProcess.start(temp, script.conf(), "")) {
            client.ask("balance_switch", "false");
            for (String host : HOSTS) {
                client.ask("create_uncached", "of_" + host, host);
            }
            awaitLocal(client, files);
            for (ServedRegion region : regions(client)) {
                client.ask("move", region.name, hostWithout(region.hosts(files)));
            }
            assertThat(regions(client))
                    .allSatisfy(region -> assertThat("of_" + region.host).isNotEqualTo(region.table));

            awaitLocal(client, files);
            await("the healer has done that, and seen it").atMost(PATIENCE).untilAsserted(() -> assertThat(
                            bean("master1", DaemonRole.MASTER, "HBase,name=Master,sub=HearthHealing")
                                    .get("BytesVerified")
                                    .getAsLong())
                    .isGreaterThan(HOSTS.size() * BYTES));
            client.ask("read", "of_host1,of_host2,of_host3", "1");
        }
        await("every block is there as often as it is to be").atMost(PATIENCE).untilAsserted(() -> {
            JsonObject blocks = bean("namenode", DaemonRole.NAMENODE, "NameNode,name=FSNamesystem");
            assertThat(NOT_WHOLE)
                    .allSatisfy(count ->
                            assertThat(blocks.get(count).getAsLong()).as(count).isZero());
        });
        assertThat(versions()).as("after healing").containsExactly(VERSION, VERSION, VERSION, VERSION);
    }

    /** Two replicas on three hosts, so that a region can be moved to where its blocks are not. */
    private void start() throws Exception {
        String hosts = "" + HOSTS.size();
        List<String> words = new ArrayList<>(
                List.of("cluster", "start", "--hosts", hosts, "--racks", hosts, "--hadoop", home.toString()));
        FastTimings.with(Map.of("dfs.replication", "2"))
                .forEach((key, value) -> words.addAll(List.of("--set", key + "=" + value)));
        script.done(words.toArray(String[]::new));
    }

    /** The NameNode's, and those of the DataNodes that serve. */
    private List<String> versions() throws Exception {
        JsonObject info = bean("namenode", DaemonRole.NAMENODE, "NameNode,name=NameNodeInfo");
        List<String> versions =
                new ArrayList<>(List.of(info.get("SoftwareVersion").getAsString()));
        for (JsonElement dataNode : JsonParser.parseString(info.get("LiveNodes").getAsString())
                .getAsJsonObject()
                .asMap()
                .values()) {
            versions.add(dataNode.getAsJsonObject().get("version").getAsString());
        }
        return versions;
    }

    /** As soon as it is there. */
    private JsonObject bean(String host, DaemonRole role, String name) throws Exception {
        String address = script.address(host);
        JmxClient jmx = new JmxClient();
        return await(name)
                .atMost(PATIENCE)
                .until(() -> jmx.bean(address, role.watchedPort(), "Hadoop:service=" + name), Optional::isPresent)
                .orElseThrow();
    }

    private static void awaitLocal(AdminClientProcess client, HBaseFiles files) {
        await("every block is on its region's host, and on one more")
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(regions(client))
                        .hasSize(HOSTS.size())
                        .allSatisfy(region ->
                                assertThat(region.hosts(files)).hasSize(2).contains(region.host)));
    }

    private static List<ServedRegion> regions(AdminClientProcess client) throws IOException {
        return client.ask("regions").stream()
                .map(line -> line.split(" "))
                .filter(words -> words[0].startsWith("of_"))
                .map(words -> new ServedRegion(words[0], words[1], words[2]))
                .toList();
    }

    private static String hostWithout(Set<String> hosts) {
        return HOSTS.stream().filter(host -> !hosts.contains(host)).findFirst().orElseThrow();
    }

    /** A region of one block, and the host whose RegionServer serves it. */
    private record ServedRegion(String table, String name, String host) {

        Set<String> hosts(HBaseFiles files) throws IOException {
            return files.hostsWithAllBlocks(table, name);
        }
    }
}
