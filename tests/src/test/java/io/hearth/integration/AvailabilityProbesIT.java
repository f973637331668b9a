// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hearth.slo.probe.ProbeCounts.Event;
import io.hearth.slo.probe.ProbeKind;
import io.hearth.slo.probe.ProbeResult;
import io.hearth.slo.probe.ProbeResult.Outcome;
import io.hearth.slo.store.DataNodeMinute;
import io.hearth.slo.store.SloReader;
import io.hearth.testkit.embedded.EmbeddedCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The probes of the SLO watch, in a cluster whose servers stall and die. */
@Tag("shared")
class AvailabilityProbesIT {

    private static final TableName CANARY = TableName.valueOf("hearth_canary");
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final int GETS_PER_SECOND = 40;

    @TempDir
    private Path folder;

    private static EmbeddedCluster cluster() throws IOException {
        return EmbeddedCluster.builder()
                .hosts(3)
                .racks(1)
                .property("hbase.coprocessor.user.region.classes", GetStallObserver.class.getName())
                // Gets that stand still take all handlers else.
                .property("hbase.regionserver.handler.count", "350")
                .shared();
    }

    private static List<String> files(EmbeddedCluster cluster) throws IOException {
        return Arrays.stream(cluster.fileSystem().listStatus(new org.apache.hadoop.fs.Path(SloWatch.HDFS_FOLDER, "it")))
                .map(FileStatus::getPath)
                .map(org.apache.hadoop.fs.Path::getName)
                .toList();
    }

    @Test
    void everyServerIsProbedAndOneThatStallsOrDiesIsSeenAloneToDoSo() throws Exception {
        try (EmbeddedCluster cluster = cluster()) {
            cluster.admin()
                    .createTable(TableDescriptorBuilder.newBuilder(TableName.valueOf("rows"))
                            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
                            .build());
            cluster.fileSystem()
                    .create(new org.apache.hadoop.fs.Path(SloWatch.HDFS_FOLDER, "it/host9_1.a"))
                    .close();
            try (SloWatch watch = new SloWatch(cluster, TableName.valueOf("rows"), LIMIT, GETS_PER_SECOND)) {
                Set<String> servers = SloWatch.regionServers(cluster);
                await("all are asked").atMost(PATIENCE).untilAsserted(() -> {
                    assertThat(watch.answered(ProbeKind.GET)).isEqualTo(servers);
                    assertThat(watch.answered(ProbeKind.PUT)).isEqualTo(servers);
                    assertThat(watch.answered(ProbeKind.HDFS_WRITE)).hasSize(3);
                    assertThat(watch.answered(ProbeKind.HDFS_READ)).hasSize(3);
                    assertThat(watch.answered(ProbeKind.NAMENODE)).hasSize(1);
                    assertThat(watch.answered(ProbeKind.REGISTRY)).hasSize(1);
                    assertThat(watch.answered(ProbeKind.ROW_GET)).hasSize(1);
                });
                assertThat(watch.results())
                        .allSatisfy(result ->
                                assertThat(result.outcome()).as("%s", result).isEqualTo(Outcome.ANSWERED));
                assertThat(files(cluster))
                        .as("a daemon that was killed left one")
                        .doesNotContain("host9_1.a");

                move(cluster, watch);
                stall(cluster, watch);
                kill(cluster, watch);
            }
            assertThat(cluster.fileSystem().exists(new org.apache.hadoop.fs.Path(SloWatch.HDFS_FOLDER, "it")))
                    .isFalse();
        }
    }

    /** Neither the server that its region leaves nor the one where it goes fails a probe; the daemon brings one back. */
    private static void move(EmbeddedCluster cluster, SloWatch watch) throws IOException {
        ServerName from = cluster.regionServerOn("host1").orElseThrow();
        ServerName to = cluster.regionServerOn("host2").orElseThrow();
        long movedMs = System.currentTimeMillis();
        for (RegionInfo region : cluster.admin().getRegions(from)) {
            if (region.getTable().equals(CANARY)) {
                cluster.admin().move(region.getEncodedNameAsBytes(), to);
            }
        }
        await("it is asked where it was before, and where it went")
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(watch.of(ProbeKind.PUT).stream()
                                .filter(result -> result.dueAtMs() > movedMs + 5_000)
                                .map(ProbeResult::target)
                                .collect(Collectors.toSet()))
                        .as("RegionServers that are asked; the last problem: %s", watch.lastProblem())
                        .isEqualTo(SloWatch.regionServers(cluster)));
        assertThat(watch.counts().count(ProbeKind.GET, Event.NOT_ON_TARGET))
                .as("gets that have not found the region where it was")
                .isPositive();
        assertThat(watch.results())
                .filteredOn(result -> result.dueAtMs() > movedMs - 1_000)
                .allSatisfy(
                        result -> assertThat(result.outcome()).as("%s", result).isEqualTo(Outcome.ANSWERED));
    }

    /** Each get that became due on the host waited to the end of the stall, and those of other hosts did not. */
    private static void stall(EmbeddedCluster cluster, SloWatch watch) throws InterruptedException {
        String target =
                cluster.regionServerOn("host2").orElseThrow().getAddress().toString();
        Duration length = Duration.ofSeconds(6);
        long fromMs = System.currentTimeMillis();
        CountDownLatch end = GetStallObserver.begin("host2");
        Thread.sleep(length.toMillis());
        long toMs = System.currentTimeMillis();
        end.countDown();
        await("what was due then is answered").atMost(PATIENCE).until(() -> watch.of(ProbeKind.GET).stream()
                .anyMatch(result -> result.target().equals(target) && result.dueAtMs() > toMs + 1_000));

        List<ProbeResult> due = watch.of(ProbeKind.GET).stream()
                .filter(result -> result.target().equals(target))
                .filter(result -> result.dueAtMs() > fromMs + 50 && result.dueAtMs() < toMs - 50)
                .toList();
        long notDue = watch.counts().count(ProbeKind.GET, Event.OWN_STALL);
        assertThat(due.size() + notDue)
                .as("probes that were due in the stall, %d of them not counted", notDue)
                .isGreaterThan((length.toMillis() - 200) * GETS_PER_SECOND / 1_000);
        assertThat(due).hasSizeGreaterThan(100).allSatisfy(result -> assertThat(result.latencyMicros() / 1_000)
                .as("%s", result)
                .isBetween(toMs - result.dueAtMs() - 400, toMs - result.dueAtMs() + 10_000));
        assertThat(latencies(watch, result -> !result.target().equals(target) && result.dueAtMs() > fromMs))
                .as("the others' median, in us")
                .satisfies(sorted -> assertThat(sorted.get(sorted.size() / 2)).isLessThan(500_000));
    }

    private static List<Long> latencies(SloWatch watch, Predicate<ProbeResult> which) {
        return watch.of(ProbeKind.GET).stream()
                .filter(which)
                .map(ProbeResult::latencyMicros)
                .sorted()
                .toList();
    }

    /** It is a target until its region is served elsewhere; where that is, is its own region too. */
    private static void kill(EmbeddedCluster cluster, SloWatch watch) {
        String target =
                cluster.regionServerOn("host3").orElseThrow().getAddress().toString();
        cluster.killRegionServer("host3");
        await("it fails").atMost(PATIENCE).until(() -> watch.of(ProbeKind.GET).stream()
                .anyMatch(result -> result.target().equals(target) && result.outcome() != Outcome.ANSWERED));
        await("it is asked no more").atMost(PATIENCE).until(() -> {
            long nowMs = System.currentTimeMillis();
            return watch.of(ProbeKind.GET).stream()
                    .noneMatch(result -> result.target().equals(target) && result.dueAtMs() > nowMs - 3_000);
        });
        assertThat(watch.of(ProbeKind.PUT))
                .filteredOn(result -> !result.target().equals(target))
                .allSatisfy(
                        result -> assertThat(result.outcome()).as("%s", result).isEqualTo(Outcome.ANSWERED));
    }

    /** It is asked no more, and counts as faulty. */
    @Test
    void aDataNodeThatTheNameNodeCallsDeadIsTold() throws Exception {
        try (EmbeddedCluster cluster = cluster()) {
            cluster.stopDataNode("host3");
            try (SloWatch watch = new SloWatch(cluster, TableName.META_TABLE_NAME, LIMIT, 1)) {
                await("the NameNode is asked").atMost(PATIENCE).untilAsserted(() -> {
                    assertThat(watch.dataNodes().live())
                            .as("the last problem: %s", watch.lastProblem())
                            .hasSize(2)
                            .allMatch(node -> node.matches("host[12]:\\d+"));
                    assertThat(watch.dataNodes().dead()).singleElement().matches(node -> node.matches("host3:\\d+"));
                });
                await("the live ones are asked").atMost(PATIENCE).untilAsserted(() -> assertThat(
                                watch.answered(ProbeKind.HDFS_READ))
                        .isEqualTo(watch.dataNodes().live()));
            } finally {
                cluster.restartDataNode("host3");
            }
        }
    }

    private static List<DataNodeMinute> dataNodes(Path stored) throws IOException {
        List<DataNodeMinute> minutes = new ArrayList<>();
        SloReader.of(stored, List.of("it"), problem -> {}).dataNodeMinutes(0, Long.MAX_VALUE, minutes::add);
        return minutes;
    }

    /** It waits for a minute to be over. */
    @Test
    @Tag("soak")
    void theDaemonPrintsALineAMinuteUntilItIsStopped() throws Exception {
        try (EmbeddedCluster cluster = cluster()) {
            String stored = folder.resolve("slo").toString();
            CliProcess.writeConfig(cluster, folder);
            String conf = folder.toString();
            try (CliProcess daemon =
                    CliProcess.start(folder, "slo", "run", "--config", conf, "--instance", "it", "--folder", stored)) {
                await("the line of a minute").atMost(PATIENCE).untilAsserted(() -> assertThat(daemon.output())
                        .contains("Probing until stopped, as ")
                        .containsPattern("(?m)^\\d\\d:\\d\\d:\\d\\d get \\d+ of \\d+ good, p50 .* ms, p99 .*; put"
                                + " \\d+ of \\d+ good; hdfs-write .*; namenode \\d+ of \\d+ good; registry"));
                daemon.terminate();
                assertThat(daemon.exitCode()).as(daemon.output()).isEqualTo(143);
                assertThat(daemon.output()).containsPattern("(?m)^\\d\\d:\\d\\d:\\d\\d Stopped\\.$");
            }
            assertThat(cluster.fileSystem().exists(new org.apache.hadoop.fs.Path(SloWatch.HDFS_FOLDER, "it")))
                    .isFalse();
            try (CliProcess report =
                    CliProcess.start(folder, "slo", "report", "--folder", stored, "--output", "json")) {
                assertThat(report.exitCode()).as(report.output()).isZero();
                assertThat(report.output())
                        .contains("\"kind\":\"get\"", "\"kind\":\"hdfs-write\"")
                        .as("it is known what happened in a minute")
                        .containsPattern("\"eventMinutes\":[1-9]");
            }
            assertThat(dataNodes(folder.resolve("slo")))
                    .as("what the NameNode said")
                    .isNotEmpty()
                    .allSatisfy(minute -> {
                        assertThat(minute.live()).hasSize(3);
                        assertThat(minute.dead()).isEmpty();
                    });
            try (CliProcess servers =
                    CliProcess.start(folder, "slo", "servers", "--folder", stored, "--kind", "hdfs-write")) {
                assertThat(servers.exitCode()).as(servers.output()).isZero();
                assertThat(servers.output()).containsPattern("(?m)^host1:\\d+ +hdfs-write +\\d+ +\\d+ +[\\d.,]+ ms");
            }
        }
    }
}
