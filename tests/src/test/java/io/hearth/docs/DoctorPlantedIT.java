// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.hearth.testkit.embedded.ClusterHost;
import io.hearth.testkit.process.ProcessCluster;
import io.hearth.testkit.process.layout.Daemon;
import io.hearth.testkit.process.layout.Daemon.DaemonRole;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code bin/hearth doctor} on a cluster of processes that somebody has misconfigured in eighteen ways. */
@Tag("soak")
class DoctorPlantedIT {

    private static final String COPROCESSORS = "hbase.coprocessor.master.classes";
    private static final String ANOTHER = "org.apache.hadoop.hbase.security.access.CoprocessorWhitelistMasterObserver";
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration AHEAD = Duration.ofSeconds(20);
    private static final int FOUND = 1;

    /** Lines that are there from the start, and what is found by each. */
    private static final Map<String, String> CHECK_BY_LINE = new TreeMap<>(Map.of(
            "dfs.client.read.shortcircuit.skip.checksum=true", "skip-checksum",
            "hbase.regionserver.checksum.verify=false", "checksum-verify",
            "dfs.replication=1", "replication",
            "dfs.datanode.max.transfer.threads=64", "transfer-threads",
            "hbase.regions.slop=10", "slop",
            "hbase.hstore.blockingStoreFiles=7", "blocking-store-files-limit",
            "dfs.client.refresh.read-block-locations.ms=0", "read-block-locations",
            "hbase.locality.inputstream.derive.enabled=false", "derived-locality"));

    @TempDir
    private Path temp;

    private ScriptedCluster script;
    private @Nullable AdminClientProcess client;

    @BeforeEach
    void nameIt() {
        script = new ScriptedCluster(temp);
    }

    @AfterEach
    void stop() throws Exception {
        try (AdminClientProcess ended = client) {
            script.done("cluster", "stop");
        }
    }

    @Test
    void eachIsFound() throws Exception {
        List<String> start = new ArrayList<>(List.of("cluster", "start", "--hosts", "3", "--masters", "2", "--clocks"));
        Stream.concat(
                        CHECK_BY_LINE.keySet().stream(),
                        Stream.of(
                                COPROCESSORS + "=" + ANOTHER + ",io.hearth.healer.hbase.LocalityHealingObserver,"
                                        + "io.hearth.admin.rpc.HearthAdminEndpoint",
                                "hearth.balancer.heat.min.observed.ms=10000"))
                .forEach(line -> start.addAll(List.of("--set", line)));
        script.done(start.toArray(String[]::new));
        assertThat(found().keySet())
                .as("found by its line")
                .containsAll(CHECK_BY_LINE.values())
                .doesNotContain(
                        "racks",
                        "backup-master",
                        "coprocessor-list",
                        "clock",
                        "dead-server",
                        "balancer-switch",
                        "region-replicas",
                        "heap-shares",
                        "hot-region");

        mastersDoNotKnowTheRacks();
        theBackupHasNothingOfHearth();
        ask("balance_switch", "false");
        ask("create_replicated", "replicated");
        withCluster(cluster -> cluster.setClock(host(cluster, "host1"), AHEAD));
        script.edit(
                "hbase-site.xml",
                lines -> lines.putAll(
                        Map.of("hfile.block.cache.size", "0.6", "hbase.regionserver.global.memstore.size", "0.4")));
        ask("update_servers_config");
        withCluster(cluster -> cluster.kill(cluster.daemon(DaemonRole.REGIONSERVER, "host3")));
        Process load = HearthScript.start(
                temp,
                Map.of("TMPDIR", temp.toString()),
                "load --rate 300 --seconds 600 --data-mb 1 --regions 1".split(" "));
        try {
            await("all of them are found").atMost(PATIENCE).untilAsserted(() -> {
                assertThat(load.isAlive()).as("the load goes on").isTrue();
                Map<String, String> found = found();
                assertThat(found.keySet())
                        .contains(
                                "racks",
                                "backup-master",
                                "coprocessor-list",
                                "balancer-switch",
                                "region-replicas",
                                "clock",
                                "dead-server",
                                "heap-shares",
                                "hot-region",
                                "files-of-one-replica")
                        .containsAll(CHECK_BY_LINE.values());
                assertThat(found.get("racks"))
                        .as("as the HMaster's page and the NameNode tell them")
                        .contains("host1 (HMaster /default-rack, NameNode /rack1)");
            });
        } finally {
            load.destroy();
            load.waitFor();
        }
    }

    /** The NameNode has the script that tells them. */
    private void mastersDoNotKnowTheRacks() throws Exception {
        script.edit("core-site.xml", lines -> lines.remove("net.topology.script.file.name"));
        script.done("cluster", "restart", "MASTER");
    }

    private void theBackupHasNothingOfHearth() throws Exception {
        // A line that the cluster was started with is in both.
        for (String file : List.of("hbase-site.xml", "hdfs-site.xml")) {
            script.edit(
                    file, lines -> lines.keySet().removeAll(List.of(COPROCESSORS, "hbase.master.loadbalancer.class")));
        }
        withCluster(cluster -> {
            Daemon active = await("a master is active")
                    .atMost(PATIENCE)
                    .until(cluster::activeMaster, master -> master.isPresent())
                    .orElseThrow();
            Daemon backup = cluster.layout().daemons(DaemonRole.MASTER).stream()
                    .filter(daemon -> !daemon.equals(active))
                    .findFirst()
                    .orElseThrow();
            cluster.kill(backup);
            cluster.start(backup);
        });
    }

    /** Something that is done to the cluster from outside. */
    private interface Deed {
        void to(ProcessCluster cluster) throws Exception;
    }

    private void withCluster(Deed deed) throws Exception {
        try (ProcessCluster cluster = ProcessCluster.open(script.folder()).orElseThrow()) {
            deed.to(cluster);
        }
    }

    private static ClusterHost host(ProcessCluster cluster, String name) {
        return cluster.daemon(DaemonRole.REGIONSERVER, name).host();
    }

    /** Where each check found something, but for what could not be examined. */
    private Map<String, String> found() throws Exception {
        HearthScript.Result result =
                script.run("doctor", "--config", script.conf().toString(), "--output", "json");
        assertThat(result.exitCode()).as(result.output()).isEqualTo(FOUND);
        JsonObject answer = JsonParser.parseString(result.output()
                        .lines()
                        .filter(line -> line.startsWith("{"))
                        .findFirst()
                        .orElseThrow(() -> new AssertionError(result.output())))
                .getAsJsonObject();
        Map<String, String> whereByCheck = new TreeMap<>();
        for (JsonElement each : answer.getAsJsonArray("findings")) {
            JsonObject finding = each.getAsJsonObject();
            if (!finding.get("severity").getAsString().equals("UNKNOWN")) {
                whereByCheck.put(
                        finding.get("check").getAsString(), finding.get("where").toString());
            }
        }
        return whereByCheck;
    }

    private void ask(String... words) throws IOException {
        if (client == null) {
            client = AdminClientProcess.start(temp, script.conf(), "");
        }
        client.ask(words);
    }
}
