// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.hearth.testkit.embedded.ClusterHost;
import io.hearth.testkit.embedded.Directories;
import io.hearth.testkit.process.Network;
import io.hearth.testkit.process.ProcessCluster;
import io.hearth.testkit.process.layout.Daemon;
import io.hearth.testkit.process.layout.Daemon.DaemonRole;
import io.hearth.testkit.process.layout.NamespaceCommands;
import io.hearth.testkit.process.layout.SiteSettings;
import io.hearth.testkit.process.system.SystemCommand;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.regionserver.DisabledRegionSplitPolicy;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code bin/hearth doctor} on a cluster of processes in which thirty-two things are wrong. */
@Tag("soak")
class DoctorPlantedIT {

    private static final String COPROCESSORS = "hbase.coprocessor.master.classes";
    private static final String ANOTHER = "org.apache.hadoop.hbase.security.access.CoprocessorWhitelistMasterObserver";
    private static final String SHORT_CIRCUIT = "dfs.client.read.shortcircuit";
    private static final String REGION_BYTES = "hbase.hregion.max.filesize";
    private static final String SOCKET = "dfs.domain.socket.path";
    private static final String CACHES = "dfs.client.short.circuit.num";
    private static final String SOMAXCONN = "net.core.somaxconn";

    /** More than half of what this leaves of a RegionServer's heap for memstores: eight regions are safe. */
    private static final long FLUSH_BYTES = 64 << 20;

    private static final int REGIONS = 30;
    private static final List<String> HOSTS = List.of("client", "master1", "master2", "host1", "host2", "host3");
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration AHEAD = Duration.ofSeconds(20);
    private static final int RESTARTS = 3;
    private static final int FOUND = 1;

    /** Lines that are there from the start, and what is found by each. */
    private static final Map<String, String> CHECK_BY_LINE = new TreeMap<>(Map.ofEntries(
            Map.entry("dfs.client.read.shortcircuit.skip.checksum=true", "skip-checksum"),
            Map.entry("hbase.regionserver.checksum.verify=false", "checksum-verify"),
            Map.entry("dfs.replication=1", "replication"),
            Map.entry("dfs.datanode.max.transfer.threads=64", "transfer-threads"),
            Map.entry("hbase.regions.slop=10", "slop"),
            Map.entry("hbase.hstore.blockingStoreFiles=7", "blocking-store-files-limit"),
            Map.entry("dfs.client.refresh.read-block-locations.ms=0", "read-block-locations"),
            Map.entry("hbase.locality.inputstream.derive.enabled=false", "derived-locality"),
            Map.entry("dfs.client.deadnode.detection.enabled=true", "dead-node-detection"),
            Map.entry("dfs.client.socketcache.capacity=16", "peer-cache"),
            Map.entry("dfs.client.socket-timeout=60000", "socket-timeout"),
            Map.entry("dfs.datanode.socket.write.timeout=480000", "write-timeout"),
            Map.entry("ipc.server.listen.queue.size=64", "listen-backlog")));

    @TempDir
    private Path temp;

    /** Of the DataNodes: libhadoop takes none below a folder that everybody may write, as that for temporary files. */
    private Path sockets;

    private ScriptedCluster script;
    private @Nullable AdminClientProcess client;

    @BeforeEach
    void nameIt() throws IOException {
        sockets = Files.createTempDirectory(Path.of(System.getProperty("user.home")), ".hearth-");
        String machine = System.getProperty("os.name") + "-" + System.getProperty("os.arch");
        Path libraries = HearthScript.ROOT.resolve("tests/target/nativelib").resolve(machine);
        assertThat(libraries.resolve("libhadoop.so")).exists();
        script = new ScriptedCluster(temp, Map.of("LD_LIBRARY_PATH", libraries.toString()));
    }

    @AfterEach
    void stop() throws Exception {
        try (AdminClientProcess ended = client) {
            script.done("cluster", "stop");
        } finally {
            Directories.delete(sockets);
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
                                SHORT_CIRCUIT + "=true",
                                SOCKET + "=" + sockets.resolve(SiteSettings.MY_HOST),
                                CACHES + "=3",
                                "dfs.datanode.data.dir=${hadoop.tmp.dir}/dfs/data,[ARCHIVE]"
                                        + archive(SiteSettings.MY_HOST),
                                "dfs.datanode.failed.volumes.tolerated=1",
                                // Else it looks at no disk again within a quarter of an hour.
                                "dfs.datanode.disk.check.min.gap=1s",
                                // The balancer sees each restart.
                                "hbase.balancer.statusPeriod=1000",
                                "hbase.hregion.memstore.flush.size=" + FLUSH_BYTES,
                                // Regions stay where they are planted.
                                "hbase.balancer.period=600000",
                                "hearth.balancer.heat.min.observed.ms=10000"))
                .forEach(line -> start.addAll(List.of("--set", line)));
        script.done(start.toArray(String[]::new));
        letFewConnectionsWaitOn("host1");
        haveNoShortCircuitCacheOn("host3");
        mend(plantOnServers());
        mastersDoNotKnowTheRacks();
        theBackupHasNothingOfHearth();
        ask("balance_switch", "false");
        ask("create_replicated", "replicated", "4");
        restartAgainAndAgain("host3");
        withCluster(cluster -> cluster.setClock(host(cluster, "host1"), AHEAD));
        script.edit(
                "hbase-site.xml",
                lines -> lines.putAll(
                        Map.of("hfile.block.cache.size", "0.6", "hbase.regionserver.global.memstore.size", "0.4")));
        ask("update_servers_config");
        withCluster(cluster -> cluster.kill(cluster.daemon(DaemonRole.REGIONSERVER, "host3")));
        Path loadOutput = temp.resolve("load.out");
        Process load = HearthScript.start(
                temp,
                Map.of("TMPDIR", temp.toString()),
                ProcessBuilder.Redirect.to(loadOutput.toFile()),
                "load --rate 300 --seconds 600 --data-mb 1 --regions 1".split(" "));
        try {
            await("all of them are found").atMost(PATIENCE).untilAsserted(() -> {
                assertThat(load.isAlive())
                        .as("the load goes on: %s", Files.readString(loadOutput))
                        .isTrue();
                Map<String, List<JsonObject>> found = found();
                assertThat(found.keySet())
                        .as("their printed changes have been made")
                        .doesNotContain(
                                "short-circuit",
                                "short-circuit-socket",
                                "short-circuit-num",
                                "failed-volumes",
                                "regions-per-server")
                        .contains(
                                "racks",
                                "backup-master",
                                "coprocessor-list",
                                "balancer-switch",
                                "region-replicas",
                                "region-replica-count",
                                "clock",
                                "dead-server",
                                "flapping-server",
                                "heap-shares",
                                "hot-region",
                                "files-of-one-replica")
                        .containsAll(CHECK_BY_LINE.values());
                assertThat(where(found, "racks"))
                        .as("as the HMaster's page and the NameNode tell them")
                        .contains("host1 (HMaster /default-rack, NameNode /rack1)");
                assertThat(where(found, "dead-server")).contains("host3").doesNotContain("host1", "host2");
                assertThat(where(found, "flapping-server")).isEqualTo("[\"RegionServer host3:16020\"]");
            });
            assertThat(ask("regions"))
                    .as("open after the larger region size")
                    .anyMatch(region -> region.matches("crowd .* host[12]"));
        } finally {
            load.destroy();
            load.waitFor();
        }
    }

    /** In the kernel, of which a doctor on the same host alone can know; then its printed command is run. */
    private void letFewConnectionsWaitOn(String host) throws Exception {
        if (Network.whyNoNamespaces().isPresent()) {
            System.out.println("Without network namespaces all hosts have this machine's kernel, which is left alone.");
            return;
        }
        List<String> there = new ArrayList<>();
        withCluster(cluster -> there.addAll(new NamespaceCommands(cluster.layout()).runOn(host(cluster, host))));
        assertThat(ofKernel(found(there))).isEmpty();
        // One less than its DataNode asks for.
        run(there, "sysctl -w " + SOMAXCONN + "=63");
        assertThat(ofKernel(found(there))).singleElement().satisfies(finding -> {
            assertThat(finding.get("what").getAsString())
                    .isEqualTo(
                            "The kernel lets fewer connections wait than the DataNode asks for: net.core.somaxconn is"
                                    + " below ipc.server.listen.queue.size.");
            assertThat(finding.get("where").toString()).isEqualTo("[\"DataNode " + host + "\"]");
            run(
                    there,
                    finding.getAsJsonArray("fixes")
                            .get(0)
                            .getAsJsonObject()
                            .get("command")
                            .getAsString());
        });
        assertThat(ofKernel(found(there))).isEmpty();
    }

    private static void run(List<String> there, String command) throws IOException, InterruptedException {
        SystemCommand.run(
                Stream.concat(there.stream(), Stream.of(command.split(" "))).toArray(String[]::new));
    }

    private static List<JsonObject> ofKernel(Map<String, List<JsonObject>> found) {
        return found.getOrDefault("listen-backlog", List.of()).stream()
                .filter(finding -> finding.get("what").getAsString().contains(SOMAXCONN))
                .toList();
    }

    /** By a reload, since a RegionServer that is started with it ends; then the printed line is pasted. */
    private void haveNoShortCircuitCacheOn(String host) throws Exception {
        script.edit("hbase-site.xml", lines -> {
            ofEachHost(lines, CACHES);
            lines.put(CACHES + "." + host, "0");
        });
        ask("update_servers_config");
        Map<String, List<JsonObject>> found = found();
        assertThat(where(found, "short-circuit-num")).isEqualTo("[\"RegionServer " + host + "\"]");
        Map<String, String> pasted = linesOf(found, "short-circuit-num", host);
        assertThat(pasted).isEqualTo(Map.of(CACHES + "." + host, "3"));
        script.edit("hbase-site.xml", lines -> lines.putAll(pasted));
        ask("update_servers_config");
        assertThat(found())
                .as("it is mended, and nothing is found that comes later")
                .doesNotContainKeys("short-circuit-num", "failed-volumes", "flapping-server");
    }

    /** Has a value that all share be one for each host, as it would be in files of their own. */
    private static void ofEachHost(Map<String, String> lines, String key) {
        HOSTS.forEach(host -> lines.put(key + "." + host, lines.get(key)));
        lines.put(key, "${" + key + "." + SiteSettings.MY_HOST + "}");
    }

    /** Short circuit, sockets, a disk and regions; returns what is found then. */
    private Map<String, List<JsonObject>> plantOnServers() throws Exception {
        Files.delete(sockets.resolve("host3"));
        breakTheArchiveOf("host3");
        ask("create_uncached", "uncached", "host3");
        ask("create", "crowd", "" + REGIONS, DisabledRegionSplitPolicy.class.getName());
        script.edit("hbase-site.xml", lines -> {
            ofEachHost(lines, SHORT_CIRCUIT);
            ofEachHost(lines, SOCKET);
            lines.put(SHORT_CIRCUIT + ".host1", "false");
            lines.put(SOCKET + ".host2", sockets.resolve("another").toString());
        });
        restartServers();
        Map<String, List<JsonObject>> latest = new TreeMap<>();
        try (AdminClientProcess reader = AdminClientProcess.start(temp, script.conf(), "")) {
            CompletableFuture<Void> reads = CompletableFuture.runAsync(() -> {
                try {
                    reader.ask("read_slowly", "uncached", "600");
                } catch (IOException ended) {
                    throw new UncheckedIOException(ended);
                }
            });
            await("what is planted on servers is found").atMost(PATIENCE).untilAsserted(() -> {
                assertThat(reads.isDone()).as("the reader has ended").isFalse();
                latest.clear();
                latest.putAll(found());
                assertThat(latest.keySet())
                        .containsAll(CHECK_BY_LINE.values())
                        .doesNotContain(
                                "balancer-switch",
                                "racks",
                                "backup-master",
                                "coprocessor-list",
                                "clock",
                                "dead-server",
                                "flapping-server",
                                "region-replicas",
                                "heap-shares",
                                "hot-region");
                assertThat(where(latest, "short-circuit")).isEqualTo("[\"RegionServer host1\"]");
                assertThat(where(latest, "short-circuit-socket")).isEqualTo("[\"RegionServer host2\"]");
                assertThat(where(latest, "failed-volumes")).isEqualTo("[\"DataNode host3 (1)\"]");
                assertThat(where(latest, "short-circuit-use")).contains("RegionServer host3 (", " in the last ");
                assertThat(where(latest, "regions-per-server")).contains("RegionServer host3");
            });
        }
        return latest;
    }

    /** The second disk of its DataNode, which goes on without it; nothing but what is archived is there. */
    private void breakTheArchiveOf(String host) throws IOException {
        Files.move(archive(host), archive(host + "-away"));
        Files.createFile(archive(host));
        // A DataNode looks at a disk when it has failed to write there.
        ask("archive", host);
    }

    private Path archive(String host) {
        return temp.resolve("archive-" + host);
    }

    private void replaceTheArchiveOf(String host) throws Exception {
        Files.delete(archive(host));
        Files.move(archive(host + "-away"), archive(host));
        withCluster(cluster -> {
            cluster.kill(cluster.daemon(DaemonRole.DATANODE, host));
            cluster.start(cluster.daemon(DaemonRole.DATANODE, host));
        });
    }

    /** As a person does who pastes each line into the file of the server that it is for, merges regions, replaces the disk and restarts. */
    private void mend(Map<String, List<JsonObject>> found) throws Exception {
        String advice = found.get("regions-per-server").get(0).get("fixes").toString();
        assertThat(advice).contains("merge_region", "larger " + REGION_BYTES).doesNotContain("\"line\"");
        ask("merge", "crowd");
        Map<String, String> pasted = new TreeMap<>(Map.of(REGION_BYTES, "" + (20L << 30)));
        pasted.putAll(linesOf(found, "short-circuit", "host1"));
        pasted.putAll(linesOf(found, "short-circuit-socket", "host2"));
        assertThat(pasted)
                .as("and no more is to be pasted")
                .containsOnlyKeys(REGION_BYTES, SHORT_CIRCUIT + ".host1", SOCKET + ".host2");
        script.edit("hbase-site.xml", lines -> lines.putAll(pasted));
        assertThat(found.get("failed-volumes").get(0).get("fixes").toString()).contains("Replace the disk");
        replaceTheArchiveOf("host3");
        restartServers();
    }

    /** The printed lines, under the names that they have for this host in the file that all share. */
    private static Map<String, String> linesOf(Map<String, List<JsonObject>> found, String check, String host) {
        Map<String, String> lines = new TreeMap<>();
        for (JsonElement fix : found.get(check).get(0).getAsJsonArray("fixes")) {
            JsonObject line = fix.getAsJsonObject();
            assertThat(line.get("process").getAsString()).isEqualTo("RegionServer");
            lines.put(
                    line.get("key").getAsString() + "." + host,
                    line.get("value").getAsString());
        }
        return lines;
    }

    /** Those on host1 and host2, which read their files anew. */
    private void restartServers() throws Exception {
        withCluster(cluster -> {
            List<Daemon> servers = Stream.of("host1", "host2")
                    .map(host -> cluster.daemon(DaemonRole.REGIONSERVER, host))
                    .toList();
            for (Daemon server : servers) {
                cluster.kill(server);
            }
            for (Daemon server : servers) {
                cluster.start(server);
            }
        });
    }

    /** As a script does that starts again whatever dies. */
    private void restartAgainAndAgain(String host) throws Exception {
        for (int restart = 0; restart < RESTARTS; restart++) {
            List<String> before = serversOn(host);
            assertThat(before).isNotEmpty();
            withCluster(cluster -> {
                cluster.kill(cluster.daemon(DaemonRole.REGIONSERVER, host));
                cluster.start(cluster.daemon(DaemonRole.REGIONSERVER, host));
            });
            await(host + " serves again")
                    .atMost(PATIENCE)
                    .until(() -> serversOn(host), servers -> !before.containsAll(servers));
        }
    }

    /** Each process of it is another one to the HMaster. */
    private List<String> serversOn(String host) throws IOException {
        return ask("servers").stream()
                .filter(server -> server.startsWith(host + ","))
                .toList();
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

    /** What each check found, but for what could not be examined. */
    private Map<String, List<JsonObject>> found() throws Exception {
        return found(List.of());
    }

    private Map<String, List<JsonObject>> found(List<String> there) throws Exception {
        HearthScript.Result result =
                script.runWithin(there, "doctor", "--config", script.conf().toString(), "--output", "json");
        assertThat(result.exitCode()).as(result.output()).isEqualTo(FOUND);
        JsonObject answer = JsonParser.parseString(result.output()
                        .lines()
                        .filter(line -> line.startsWith("{"))
                        .findFirst()
                        .orElseThrow(() -> new AssertionError(result.output())))
                .getAsJsonObject();
        Map<String, List<JsonObject>> byCheck = new TreeMap<>();
        for (JsonElement each : answer.getAsJsonArray("findings")) {
            JsonObject finding = each.getAsJsonObject();
            if (!finding.get("severity").getAsString().equals("UNKNOWN")) {
                byCheck.computeIfAbsent(finding.get("check").getAsString(), first -> new ArrayList<>())
                        .add(finding);
            }
        }
        return byCheck;
    }

    private static String where(Map<String, List<JsonObject>> found, String check) {
        return found.getOrDefault(check, List.of()).stream()
                .map(finding -> finding.get("where").toString())
                .collect(Collectors.joining());
    }

    private List<String> ask(String... words) throws IOException {
        if (client == null) {
            client = AdminClientProcess.start(temp, script.conf(), "");
        }
        return client.ask(words);
    }
}
