// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.JsonObject;
import io.hearth.testkit.load.LoadTable;
import io.hearth.testkit.process.FastTimings;
import io.hearth.testkit.process.Network;
import io.hearth.testkit.process.layout.Daemon.DaemonRole;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The dashboards and the alert rules in use: a Prometheus with the jobs of {@code conf/} asks a cluster of processes and an SLO watch, and
 * each expression is put to it as Grafana does. Each has lines with numbers and with the labels that they are called by. What a person
 * would see is drawn into {@code target/boards}.
 *
 * <p>Broken, all at once, and each named: a ratio whose sides do not match ("found duplicate series"), a parenthesis that is not closed, a
 * label's value that nobody has ("has no line"), a legend by a label that is not there, a panel of one host, a division by 0, a variable of
 * a label that is not there.
 */
@Tag("release-checks")
@Tag("alone")
class BoardsIT {

    private static final Path PICTURES = Path.of("target", "boards");
    private static final List<Path> BOARDS = List.of(MonitoringFiles.DASHBOARD, MonitoringFiles.SLO_DASHBOARD);
    private static final String RATE_INTERVAL = "30s";

    private static final List<String> HOSTS = List.of("host1", "host2", "host3");
    private static final String REPLICATED = "replicated";
    private static final String LOOPBACK = "127.0.0.1:";
    private static final int MOVES = 4;

    /** Of reading at a stretch. */
    private static final int STRETCH_SECONDS = 30;

    private static final Duration PATIENCE = Duration.ofMinutes(3);

    /** The watch knows of no alert before it has probed for five minutes. */
    private static final Duration UNTIL_ALERTS_ARE_KNOWN = Duration.ofMinutes(9);

    @TempDir
    private Path temp;

    @TempDir
    private Path folder;

    private final List<Process> started = new ArrayList<>();
    private @Nullable ScriptedCluster cluster;
    private @Nullable AdminClientProcess client;
    private @Nullable PrometheusServer prometheus;

    @AfterEach
    void stop() throws Exception {
        for (Process process : started) {
            process.destroy();
            if (!process.waitFor(1, TimeUnit.MINUTES)) {
                process.destroyForcibly().waitFor();
            }
        }
        if (client != null) {
            client.close();
        }
        if (prometheus != null) {
            prometheus.close();
        }
        if (cluster != null) {
            cluster.run("cluster", "stop");
        }
    }

    @Test
    void everyPanelShowsWhatItIsCalledAndEveryRuleIsEvaluated() throws Exception {
        PrometheusServer.assumeInstalled();
        assumeTrue(
                Network.whyNoNamespaces().isEmpty(),
                "Skipped: an SSD for each DataNode's read cache takes root, as network namespaces do");
        startCluster();
        int metricsPort = PrometheusServer.freePort();
        prometheus = PrometheusServer.start(folder, targets(LOOPBACK + metricsPort));
        client = AdminClientProcess.start(folder, cluster.conf(), "");
        client.ask("create_replicated", REPLICATED, "2");
        for (String host : HOSTS) {
            client.ask("create_uncached", uncached(host), host);
        }
        startWatch(LOOPBACK + metricsPort);
        startLoad();

        moveRegions();
        readUntilAlertsAreKnown();

        everyTargetAnswers();
        everyRuleIsEvaluated();
        List<String> problems = new ArrayList<>();
        for (Path file : BOARDS) {
            BoardCheck check = new BoardCheck(GrafanaBoard.of(file, RATE_INTERVAL), prometheus, HOSTS);
            problems.addAll(check.problems());
            check.draw(PICTURES.resolve(file.getFileName().toString().replace(".json", ".png")));
        }
        assertThat(problems).isEmpty();
    }

    private void startCluster() throws Exception {
        cluster = new ScriptedCluster(temp);
        List<String> words = new ArrayList<>(List.of("cluster", "start", "--hosts", "" + HOSTS.size()));
        words.addAll(List.of("--racks", "3", "--clocks", "--hbase-user", "--ssd-mb", "64"));
        // Two replicas on three hosts, so that a region can be moved to where its blocks are not.
        Map<String, String> settings = FastTimings.with(Map.of(
                "dfs.replication", "2",
                "hadoop.prometheus.endpoint.enabled", "true",
                "hearth.heal.cluster.bandwidth", "50000000",
                "hearth.heal.namenode.share", "1"));
        settings.forEach((key, value) -> words.addAll(List.of("--set", key + "=" + value)));
        cluster.done(words.toArray(String[]::new));
    }

    private Map<String, List<String>> targets(String watch) throws IOException {
        return Map.of(
                "hbase-master", addresses(DaemonRole.MASTER, List.of("master1")),
                "hbase-regionserver", addresses(DaemonRole.REGIONSERVER, HOSTS),
                "hdfs-datanode", addresses(DaemonRole.DATANODE, HOSTS),
                "hearth-slo", List.of(watch));
    }

    private List<String> addresses(DaemonRole role, List<String> hosts) throws IOException {
        List<String> addresses = new ArrayList<>();
        for (String host : hosts) {
            addresses.add(cluster.address(host) + ":" + role.watchedPort());
        }
        return addresses;
    }

    /** The name of the table whose region is on that host, and is read from HDFS each time. */
    private static String uncached(String host) {
        return "uncached_" + host;
    }

    private void startWatch(String metrics) throws IOException {
        Path log = folder.resolve("slo.log");
        started.add(cluster.start(
                log,
                "slo",
                "run",
                "--config",
                cluster.conf().toString(),
                "--folder",
                folder.resolve("slo").toString(),
                "--objectives",
                ConfFilesTest.CONF.resolve("slo-objectives.txt").toString(),
                "--metrics",
                metrics,
                "--table",
                REPLICATED,
                "--timeline-timeouts",
                "1,100"));
    }

    private void startLoad() throws IOException {
        Path log = folder.resolve("load.log");
        String[] words = "load --workload a --rate 200 --seconds 3600 --data-mb 20 --regions 12".split(" ");
        started.add(cluster.start(log, words));
        await("the load")
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(log).content().contains("requests a second for"));
    }

    /** Some regions of the load's table, each to the next host. */
    private void moveRegions() throws IOException {
        List<String[]> regions = client.ask("regions").stream()
                .map(line -> line.split(" "))
                .filter(words -> words[0].equals(LoadTable.NAME.getNameAsString()))
                .limit(MOVES)
                .toList();
        assertThat(regions).hasSize(MOVES);
        for (String[] region : regions) {
            client.ask("move", region[1], HOSTS.get((HOSTS.indexOf(region[2]) + 1) % HOSTS.size()));
        }
    }

    /** Reads whole tables from HDFS, so that each server's reads, and each DataNode's read cache, have something to show. */
    private void readUntilAlertsAreKnown() throws Exception {
        String tables = HOSTS.stream().map(BoardsIT::uncached).collect(Collectors.joining(","));
        Instant end = Instant.now().plus(UNTIL_ALERTS_ARE_KNOWN);
        boolean areKnown = false;
        while (!areKnown) {
            assertThat(Instant.now())
                    .as(Files.readString(folder.resolve("slo.log")))
                    .isBefore(end);
            areKnown = !prometheus.drawn("hearth_slo_objective_alert").isEmpty();
            // Once more when they are, so that they have a line and not a point.
            client.ask("read_slowly", tables, "" + STRETCH_SECONDS);
        }
    }

    private void everyTargetAnswers() {
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(prometheus.targets())
                .hasSize(1 + 2 * HOSTS.size() + 1)
                .allSatisfy(target -> {
                    assertThat(target.get("health").getAsString())
                            .as(target.toString())
                            .isEqualTo("up");
                    assertThat(target.getAsJsonObject("labels").get("cluster").getAsString())
                            .isEqualTo("main");
                }));
    }

    private void everyRuleIsEvaluated() throws Exception {
        long rules = Stream.of(MonitoringFiles.ALERTS, PrometheusServer.SLO_ALERTS)
                .flatMap(file -> MonitoringFiles.maps(MonitoringFiles.yaml(file).get("groups")).stream())
                .mapToLong(group -> MonitoringFiles.maps(group.get("rules")).size())
                .sum();
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(prometheus.rules())
                .hasSize((int) rules)
                .allSatisfy(rule -> assertThat(rule.get("health").getAsString())
                        .as(rule.toString())
                        .isEqualTo("ok")));
        // An overloaded machine breaks objectives: that is no fault of a rule.
        for (JsonObject rule : prometheus.rules()) {
            if (rule.has("state") && !rule.get("state").getAsString().equals("inactive")) {
                System.out.println(rule.get("state").getAsString() + ": "
                        + rule.get("name").getAsString() + " " + rule.get("labels"));
            }
        }
    }
}
