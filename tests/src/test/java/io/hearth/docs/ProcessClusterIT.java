// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.hearth.testkit.process.Network;
import io.hearth.testkit.process.layout.ClusterLayout;
import io.hearth.testkit.process.layout.ClusterSpec.NetworkMode;
import io.hearth.testkit.process.layout.Daemon.DaemonRole;
import io.hearth.testkit.process.system.ProcessTable;
import io.hearth.testkit.process.system.ProcessTable.ProcessId;
import io.hearth.testkit.process.system.ProcessTable.ProcessState;
import io.hearth.testkit.process.system.SystemCommand;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real cluster, by the commands that a person types: in network namespaces where this user can make them, else on loopback addresses.
 * Broken, one after the other: DaemonProcesses leaves the network (it is found after the next start), ProcessCluster takes what a killed
 * start left for a running cluster ("a cluster runs in"), Tsd enables OpenTSDB's pages (500 by gnuplot for 404).
 */
class ProcessClusterIT {

    @TempDir
    private Path temp;

    @TempDir
    private Path scripts;

    private HearthScript.Result run(String... arguments) throws Exception {
        return HearthScript.run(temp, Map.of("TMPDIR", temp.toString()), 4, arguments);
    }

    @AfterEach
    void stop() throws Exception {
        run("cluster", "stop");
    }

    @Test
    @Tag("soak")
    void itLeavesNothingBehindHoweverHardItsStartWasKilledAndTakesGuests() throws Exception {
        Cluster killed = killAStartHalfWay();
        assertThat(killed.alive()).isNotEmpty();
        boolean hasNamespaces = Network.whyNoNamespaces().isEmpty();
        assertThat(killed.layout().clusterSpec().networkMode())
                .isEqualTo(hasNamespaces ? NetworkMode.NAMESPACES : NetworkMode.LOOPBACK);
        assertThat(killed.network().isEmpty()).as("%s", killed.network()).isNotEqualTo(hasNamespaces);

        Cluster cluster = start();
        assertThat(killed.alive()).as("processes of the start that was killed").isEmpty();
        assertThat(killed.network()).as("network of the start that was killed").isEmpty();

        itSaysWhatServes();
        itHealsAfterAFault();
        everyMetricIsPrintedByTheServersWhoseItIs(cluster);
        itIsAskedAtARate();
        itTakesGuests(cluster);

        // With the TSD that was kept.
        stopAndFindNothingOf(Cluster.of(stateFile()));
        assertThat(cluster.alive()).isEmpty();
    }

    private void itSaysWhatServes() throws Exception {
        // The tenth carries what goes between racks, where the kernel can't hold it back.
        assertThat(run("cluster", "status").output()).containsPattern("(9|10) of \\1 processes serve[.]");
        HearthScript.Result second = run("cluster", "start");
        assertThat(second.exitCode()).isEqualTo(2);
        assertThat(second.output()).contains("a cluster runs in ");
        assertThat(run("cluster", "status", "--output", "json").output())
                .contains(
                        "{\"process\":\"namenode\",\"host\":\"namenode\",",
                        "\"condition\":\"serving\",\"detail\":\"active\"}");
    }

    private void itHealsAfterAFault() throws Exception {
        Path kept = scripts.resolve("clients.json");
        HearthScript.Result healed = run("chaos", "--fault", "permission-lost", "--out", kept.toString());
        assertThat(healed.exitCode()).as(healed.output()).isZero();
        assertThat(kept).content().contains("permission-lost");
        assertThat(healed.output()).contains("Everything was as it must be after every fault.");
    }

    private void itIsAskedAtARate() throws Exception {
        HearthScript.Result load =
                run("load", "--rate", "100", "--seconds", "3", "--data-mb", "4", "--regions", "8", "--output", "json");
        assertThat(load.exitCode()).as(load.output()).isZero();
        assertThat(load.output())
                .containsPattern("\"latencies\":\\{\"gets\":\\{\"requests\":\\d+,\"p50Ms\":[0-9.]+,\"p99Ms\":")
                .contains("\"puts\":{", "\"errors\":0}", "No request failed.");
    }

    private void itTakesGuests(Cluster cluster) throws Exception {
        HearthScript.Result shell = run(
                "cluster",
                "shell",
                Files.writeString(scripts.resolve("status.rb"), "status\n").toString());
        assertPrinted(shell, "3 servers, 0 dead", "shell");

        HearthScript.Result added = run("cluster", "add-host");
        assertThat(added.exitCode()).as(added.output()).isZero();
        assertThat(added.output()).contains("Added host4, ").contains("/rack1; everything serves.");

        HearthScript.Result pe = run("cluster", "pe", "--rows=2000", "--presplit=4", "randomWrite", "2");
        assertPrinted(pe, "Summary of timings (ms): [", "pe");

        HearthScript.Result tsdb = run("bench", "opentsdb", "--check", "--salt", "--metrics", "8", "--keep");
        if (assertPrinted(tsdb, "Everything was as it must be.", "tsdb")) {
            openTsdbDrawsNoGraphs(cluster);
        }
    }

    /** What it draws them by is a shell, with files of its cache folder that a request fills. Of the TSD that was kept. */
    private void openTsdbDrawsNoGraphs(Cluster cluster) throws Exception {
        String tsd = "http://" + cluster.layout().clientAddress() + ":4242";
        assertThat(get(tsd + "/api/version").statusCode()).isEqualTo(200);

        HttpResponse<String> graph = get(tsd + "/q?start=1h-ago&m=sum:hearth.metric.000&png&nocache");

        assertThat(graph.statusCode()).as(graph.body()).isEqualTo(404);
        assertThat(get(tsd + "/").statusCode()).isEqualTo(404);
        try (Stream<Path> files = Files.walk(stateFile().resolveSibling("data/tsd/cache"))) {
            assertThat(files.filter(Files::isRegularFile))
                    .as("files for the shell")
                    .isEmpty();
        }
    }

    private static HttpResponse<String> get(String url) throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString());
    }

    /** Two replicas on three hosts, so that a region can be moved to where its blocks are not. */
    private Cluster start() throws Exception {
        List<String> arguments = new ArrayList<>(
                List.of("cluster", "start", "--hosts", "3", "--racks", "3", "--clocks", "--hbase-user"));
        arguments.addAll(List.of("--set", "dfs.replication=2"));
        if (Network.whyNoNamespaces().isEmpty()) {
            // Who can have namespaces can have disks.
            arguments.addAll(List.of("--disk-mb", "256"));
            if (Files.exists(Path.of("/dev/net/tun"))) {
                arguments.addAll(List.of("--latency-ms", "1"));
            }
        }
        HearthScript.Result start = run(arguments.toArray(String[]::new));
        assertThat(start.exitCode()).as(start.output()).isZero();
        assertThat(start.output()).contains("Everything serves").contains("bin/hearth cluster stop");
        return Cluster.of(stateFile());
    }

    private void stopAndFindNothingOf(Cluster cluster) throws Exception {
        HearthScript.Result stop = run("cluster", "stop");
        assertThat(stop.exitCode()).as(stop.output()).isZero();
        assertThat(cluster.alive()).isEmpty();
        assertThat(cluster.network()).isEmpty();
        assertThat(temp).isEmptyDirectory();
    }

    /** What it is to print; or, in one line, that Maven can't get the program, where Maven's own log says so. Says whether it ran. */
    private static boolean assertPrinted(HearthScript.Result result, String expected, String program)
            throws IOException {
        if (result.exitCode() == 2 && result.output().contains("which Maven can't get")) {
            assertThat(HearthScript.ROOT.resolve("target/" + program + ".log"))
                    .content()
                    .containsPattern("Could not (resolve|find|transfer) artifact|offline mode");
            System.out.println("Not tested: " + result.output());
            return false;
        }
        assertThat(result.output()).contains(expected);
        assertThat(result.exitCode()).as(result.output()).isZero();
        return true;
    }

    /**
     * Those of the dashboard and of the alert rules, with the labels that they ask for. A server on which a region has just opened or
     * closed prints nothing for some seconds, while HBase makes its metrics anew (JmxCacheBuster).
     */
    private static void everyMetricIsPrintedByTheServersWhoseItIs(Cluster cluster) {
        assertThat(MonitoringFiles.selectors())
                .as("metrics that are looked for")
                .hasSizeGreaterThan(20);
        await().atMost(Duration.ofMinutes(1)).untilAsserted(() -> {
            List<String> texts = new ArrayList<>();
            for (String server : cluster.mockMasterWebUis()) {
                texts.add(get(server + "/prometheus").body());
            }
            ExportedMetrics exported = ExportedMetrics.of(texts.toArray(String[]::new));
            assertThat(MonitoringFiles.selectors().filter(selector -> !exported.has(selector)))
                    .isEmpty();
        });
    }

    private Path stateFile() {
        return temp.resolve("hearth-cluster-" + System.getProperty("user.name")).resolve("state.json");
    }

    private Cluster killAStartHalfWay() throws Exception {
        Process start = HearthScript.start(temp, Map.of("TMPDIR", temp.toString()), "cluster", "start", "--hosts", "3");
        try {
            await().atMost(Duration.ofMinutes(4))
                    .until(() -> Files.exists(stateFile())
                            && Cluster.of(stateFile()).processes().size() >= 4);
        } finally {
            start.destroyForcibly().waitFor();
        }
        return Cluster.of(stateFile());
    }

    /** What its own state says of a cluster. */
    private record Cluster(ClusterLayout layout, List<ProcessId> processes) {

        static Cluster of(Path stateFile) throws IOException {
            JsonObject state =
                    JsonParser.parseString(Files.readString(stateFile)).getAsJsonObject();
            return new Cluster(
                    new Gson().fromJson(state.get("layout"), ClusterLayout.class),
                    state.getAsJsonObject("processByDaemon").asMap().values().stream()
                            .map(Cluster::process)
                            .toList());
        }

        List<String> mockMasterWebUis() {
            return layout.daemons().stream()
                    .filter(daemon -> daemon.role() == DaemonRole.MASTER || daemon.role() == DaemonRole.REGIONSERVER)
                    .map(daemon -> "http://" + daemon.host().address() + ":"
                            + daemon.role().watchedPort())
                    .toList();
        }

        private static ProcessId process(JsonElement json) {
            return new Gson().fromJson(json, ProcessId.class);
        }

        List<ProcessId> alive() throws IOException {
            ProcessTable system = new ProcessTable(Path.of("/proc"));
            return processes.stream()
                    .filter(process -> system.processState(process) != ProcessState.ENDED)
                    .toList();
        }

        /** Namespaces and devices; empty also where there is no iproute2. */
        List<String> network() throws IOException, InterruptedException {
            try {
                return (SystemCommand.run("ip", "netns", "list") + SystemCommand.run("ip", "-o", "link"))
                        .lines()
                        .filter(line -> line.contains("hearth-" + layout.id()))
                        .toList();
            } catch (IOException e) {
                return List.of();
            }
        }
    }
}
