// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.doctor.check.Doctor;
import io.hearth.doctor.model.Finding;
import io.hearth.doctor.model.Finding.Fix.Advice;
import io.hearth.doctor.model.Finding.Fix.ConfigLine;
import io.hearth.doctor.model.Finding.Severity;
import io.hearth.doctor.model.ProbedCluster;
import io.hearth.doctor.model.ProbedCluster.ProbeResult;
import io.hearth.doctor.model.ProbedCluster.ProbedHBase;
import io.hearth.doctor.model.ProbedCluster.ProbedHBase.LocalReads;
import io.hearth.doctor.model.ProbedCluster.ProbedHBase.ProbedMaster;
import io.hearth.doctor.model.ProbedCluster.ProbedHBase.ReplicatedTable;
import io.hearth.doctor.model.ProbedCluster.ProbedHBase.ServerCounters;
import io.hearth.doctor.model.ProbedCluster.ProbedHdfs;
import io.hearth.doctor.model.ProbedCluster.ProbedHdfs.ProbedDataNode;
import io.hearth.doctor.model.ProbedCluster.ProbedHdfs.ProbedDirectory;
import io.hearth.doctor.model.ProcessConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** On a cluster where all is as it should be the doctor finds nothing; each fault that is planted there it finds, and nothing else. */
class DoctorFaultsTest {

    private static final long MEGABYTE = 1L << 20;

    private static Stream<Path> presets() throws IOException {
        try (Stream<Path> files = Files.list(CleanCluster.CONF.resolve("presets"))) {
            return files.sorted().toList().stream();
        }
    }

    @Test
    void whereAllIsWellItFindsNothing() {
        assertThat(Doctor.findings(CleanCluster.examined())).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("presets")
    void everyPresetIsWell(Path preset) {
        assertThat(Doctor.findings(CleanCluster.examined(List.of(preset)))).isEmpty();
    }

    /** A flush waits for so long at most, and writes are refused only where the memstore is full. */
    @Test
    void whatTooManyStoreFilesDoIsWhatHBaseDoes() {
        Configuration defaults = new Configuration(false);
        defaults.addResource("hbase-default.xml");
        int blocking = defaults.getInt("hbase.hstore.blockingStoreFiles", 0);

        // HStore.hasTooManyStoreFiles: more than that many, not as many.
        assertThat(Doctor.findings(CleanCluster.withServer(
                        CleanCluster.examined(), server -> Servers.mostStoreFiles(server, blocking, 0))))
                .isEmpty();
        assertThat(Doctor.findings(CleanCluster.withServer(
                        CleanCluster.examined(), server -> Servers.mostStoreFiles(server, blocking + 1, 0))))
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.what())
                            .contains("A store has " + (blocking + 1) + " files, and more than " + blocking
                                    + " block it: " + "hbase.hstore.blockingStoreFiles.");
                    assertThat(finding.cost())
                            .isEqualTo("A flush of such a region waits for a compaction, for"
                                    + " hbase.hstore.blockingWaitTime ("
                                    + defaults.getInt("hbase.hstore.blockingWaitTime", 0) / 1_000
                                    + " s by default) at most; where its memstore is full before, writes to it are"
                                    + " refused.");
                });
    }

    private static ProbedCluster withReplicas(ProbedCluster cluster, ReplicatedTable... tables) {
        return CleanCluster.withHBase(
                cluster,
                hbase -> new ProbedHBase(
                        hbase.backupMasters(),
                        hbase.deadServers(),
                        hbase.balancerOn(),
                        ProbeResult.known(List.of(tables)),
                        hbase.hotRegions()));
    }

    /** Each as many replicas as servers at most. */
    private static ProbedCluster withReplicas(ProbedCluster cluster) {
        return withReplicas(
                cluster,
                new ReplicatedTable("t1", 2, ProbeResult.known(2)),
                new ReplicatedTable("t2", 3, ProbeResult.known(4)));
    }

    /** Everything that timeline-consistent reads need. */
    private static ProbedCluster withReplicasUpToDate() {
        ProbedCluster cluster = withReplicas(CleanCluster.examined());
        return CleanCluster.withServers(
                CleanCluster.masterLine(cluster, "hbase.region.replica.replication.enabled", "true"),
                cluster.regionServers().stream()
                        .map(server -> Servers.settings(
                                server,
                                CleanCluster.with(
                                        server.settings(), "hbase.region.replica.replication.enabled", "true")))
                        .toList());
    }

    /** By {@code alter 'hbase:meta', {REGION_REPLICATION => 3}}. */
    private static ProbedCluster withMetaReplicas(ProbedCluster cluster, int replicas) {
        return CleanCluster.withHBase(
                cluster,
                hbase -> new ProbedHBase(
                        hbase.backupMasters(),
                        hbase.deadServers(),
                        hbase.balancerOn(),
                        hbase.replicatedTables(),
                        hbase.hotRegions(),
                        replicas,
                        hbase.flappingServers()));
    }

    private static Stream<Arguments> replicaFaults() {
        String refresh = "hbase.regionserver.storefile.refresh.period";
        String ttl = "hbase.master.hfilecleaner.ttl";
        return Stream.of(
                Arguments.of(
                        "region-replicas",
                        "Regions of t1, t2 have replicas, and nothing brings those up to date here:"
                                + " hbase.region.replica.replication.enabled is false and " + refresh + " 0.",
                        CleanCluster.serverLine(
                                withReplicasUpToDate(), "hbase.region.replica.replication.enabled", "false")),
                Arguments.of(
                        "region-replicas",
                        "Regions of t1, t2 have replicas, and nothing brings those up to date here:"
                                + " hbase.region.replica.replication.enabled is true, but not in the HMaster, which sets it up,"
                                + " and " + refresh + " is 0.",
                        CleanCluster.masterLine(
                                withReplicasUpToDate(), "hbase.region.replica.replication.enabled", "false")),
                Arguments.of(
                        "meta-replicas",
                        "hbase:meta has 3 replicas (hbase.meta.replica.count), and nothing brings those up to date here:"
                                + " hbase.region.replica.replication.catalog.enabled is false,"
                                + " hbase.regionserver.meta.storefile.refresh.period and " + refresh + " are 0.",
                        CleanCluster.masterLine(CleanCluster.examined(), "hbase.meta.replica.count", "3")),
                Arguments.of(
                        "meta-replicas",
                        "hbase:meta has 3 replicas (its REGION_REPLICATION), and nothing brings those up to date here:"
                                + " hbase.region.replica.replication.catalog.enabled is false,"
                                + " hbase.regionserver.meta.storefile.refresh.period and " + refresh + " are 0.",
                        withMetaReplicas(CleanCluster.examined(), 3)),
                Arguments.of(
                        "refresh-period",
                        refresh + " is 200000 ms, more than half of the 300000 ms of " + ttl + ".",
                        CleanCluster.serverLine(withReplicasUpToDate(), refresh, "200000")),
                Arguments.of(
                        "refresh-period",
                        "hbase.regionserver.meta.storefile.refresh.period is 150001 ms, more than half of the 300000 ms of "
                                + ttl + ".",
                        CleanCluster.serverLine(
                                withReplicasUpToDate(), "hbase.regionserver.meta.storefile.refresh.period", "150001")),
                Arguments.of(
                        "replica-file-ttl",
                        "It keeps replaced store files for 5 min, and RegionServers count on 1 h: " + ttl + ".",
                        CleanCluster.serverLine(withReplicasUpToDate(), ttl, "3600000")),
                Arguments.of(
                        "region-replica-count",
                        "t1 has REGION_REPLICATION 3, and the RegionServers that may have its regions are 2;"
                                + " t2 has REGION_REPLICATION 5, and the RegionServers that may have its regions are 4.",
                        withReplicas(
                                withReplicasUpToDate(),
                                new ReplicatedTable("t1", 3, ProbeResult.known(2)),
                                new ReplicatedTable("t2", 5, ProbeResult.known(4)),
                                new ReplicatedTable("t3", 4, ProbeResult.known(4)))),
                Arguments.of(
                        "timeline-timeouts",
                        "By the client's configuration a timeline-consistent read turns to replicas at an odd time:"
                                + " hbase.client.primaryCallTimeout.get is 10, which is 0.0 ms;"
                                + " hbase.client.primaryCallTimeout.multiget is 100, which is 0.1 ms;"
                                + " hbase.client.replicaCallTimeout.scan is 90000000, which is 90,000.0 ms.",
                        CleanCluster.withFallbackConfig(
                                withReplicasUpToDate(),
                                withReplicasUpToDate()
                                        .fallbackConfig()
                                        .with("hbase.client.primaryCallTimeout.get", "10")
                                        .with("hbase.client.primaryCallTimeout.multiget", "100")
                                        .with("hbase.client.replicaCallTimeout.scan", "90000000"))));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("replicaFaults")
    void whatHoldsReplicasOfRegionsBackIsFoundAndNothingElse(String check, String what, ProbedCluster cluster) {
        assertThat(Doctor.findings(cluster)).singleElement().satisfies(finding -> {
            assertThat(finding.check()).isEqualTo(check);
            assertThat(finding.what()).isEqualTo(what);
            assertThat(finding.fixes()).isNotEmpty();
            Changes.areOfTheirKeysTypes(finding);
            Changes.mend(cluster, finding);
        });
    }

    @Test
    void groupsThatCanNotBeReadAreAnUnknownAndNoFault() {
        ProbeResult<Integer> unread = ProbeResult.unknown("the HMaster says: Insufficient permissions");

        assertThat(Doctor.findings(withReplicas(
                        withReplicasUpToDate(),
                        new ReplicatedTable("t1", 9, unread),
                        new ReplicatedTable("t2", 9, unread))))
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.check()).isEqualTo("region-replica-count");
                    assertThat(finding.severity()).isEqualTo(Severity.UNKNOWN);
                    assertThat(finding.what()).isEqualTo("the HMaster says: Insufficient permissions");
                });
    }

    @Test
    void aClusterWhoseReplicasAreUpToDateHasNothingToMend() {
        assertThat(Doctor.findings(withReplicasUpToDate())).isEmpty();
        ProbedCluster refreshed = withReplicas(CleanCluster.examined());
        assertThat(Doctor.findings(CleanCluster.withServers(
                        refreshed,
                        refreshed.regionServers().stream()
                                .map(server -> Servers.settings(
                                        server,
                                        CleanCluster.with(
                                                server.settings(),
                                                "hbase.regionserver.storefile.refresh.period",
                                                "30000")))
                                .toList())))
                .as("by looking for new files")
                .isEmpty();
    }

    /** An old lower limit of 0.28 of the heap is 0.8 of the 0.35 that memstores may have. */
    @Test
    void theMemstoresKeysOfBeforeAreNamedWithThoseOfToday() {
        ProbedCluster cluster = CleanCluster.serverLine(
                CleanCluster.serverLine(
                        CleanCluster.examined(), "hbase.regionserver.global.memstore.upperLimit", "0.35"),
                "hbase.regionserver.global.memstore.lowerLimit",
                "0.28");

        assertThat(Doctor.findings(cluster)).singleElement().satisfies(finding -> {
            assertThat(finding.what())
                    .isEqualTo("hbase.regionserver.global.memstore.upperLimit is the name of before HBase 1.0 of"
                            + " hbase.regionserver.global.memstore.size, and HBase goes by it."
                            + " hbase.regionserver.global.memstore.lowerLimit is the name of before HBase 1.0 of"
                            + " hbase.regionserver.global.memstore.size.lower.limit, and HBase goes by it.");
            assertThat(finding.fixes())
                    .extracting(Object::toString)
                    .satisfiesExactly(
                            share -> assertThat(share).contains("memstore.size, value=0.35"),
                            mark -> assertThat(mark).contains("memstore.size.lower.limit, value=0.8"));
        });
    }

    private static Arguments fault(String check, Severity severity, UnaryOperator<ProbedCluster> plant) {
        return Arguments.of(check, severity, plant);
    }

    private static Arguments server(String check, Severity severity, String key, String value) {
        return fault(check, severity, cluster -> CleanCluster.serverLine(cluster, key, value));
    }

    private static Arguments node(String check, Severity severity, String key, String value) {
        return fault(check, severity, cluster -> CleanCluster.nodeLine(cluster, key, value));
    }

    private static Arguments master(String check, Severity severity, String key, String value) {
        return fault(check, severity, cluster -> CleanCluster.masterLine(cluster, key, value));
    }

    private static Arguments counted(String check, Severity severity, ServerCounters counters) {
        return fault(
                check,
                severity,
                cluster -> CleanCluster.withServer(
                        cluster, server -> Servers.counters(server, ProbeResult.known(counters))));
    }

    private static Arguments live(String check, Severity severity, long bandwidth, long moves, int somaxconn) {
        return fault(
                check,
                severity,
                cluster -> CleanCluster.withNode(
                        cluster,
                        node -> Nodes.live(
                                node,
                                ProbeResult.known(bandwidth),
                                ProbeResult.known(moves),
                                ProbeResult.known(somaxconn))));
    }

    private static Arguments hdfs(String check, Severity severity, ProbedHdfs hdfs) {
        return fault(check, severity, cluster -> CleanCluster.withHdfs(cluster, well -> hdfs));
    }

    private static Stream<Arguments> faults() {
        ProbeResult<List<String>> noTools = ProbeResult.known(List.of());
        ProbeResult<List<ProbedDirectory>> noFolders = ProbeResult.known(List.of());
        return Stream.of(
                master(
                        "weights",
                        Severity.ERROR,
                        "hbase.master.loadbalancer.class",
                        "org.apache.hadoop.hbase.master.balancer.StochasticLoadBalancer"),
                master("weights", Severity.ERROR, "hearth.balancer.skew.trigger", "4"),
                master("weights", Severity.ERROR, "hearth.balancer.enabled", "false"),
                master("weights", Severity.ERROR, "hearth.balancer.mode", "off"),
                server("read-block-locations", Severity.ERROR, "dfs.client.refresh.read-block-locations.ms", "0"),
                server("read-block-locations", Severity.ERROR, "dfs.client.refresh.read-block-locations.ms", "30000"),
                server("derived-locality", Severity.ERROR, "hbase.locality.inputstream.derive.enabled", "false"),
                server("retry-window", Severity.WARNING, "dfs.client.retry.window.base", "3000"),
                server("prefetch", Severity.WARNING, "dfs.client.read.prefetch.size", ""),
                server("dead-node-detection", Severity.WARNING, "dfs.client.deadnode.detection.enabled", "true"),
                server("short-circuit", Severity.WARNING, "dfs.client.read.shortcircuit", "false"),
                server("short-circuit", Severity.WARNING, "dfs.domain.socket.path", ""),
                node("short-circuit", Severity.WARNING, "dfs.client.read.shortcircuit", "false"),
                server("short-circuit-pause", Severity.ERROR, "dfs.domain.socket.disable.interval.seconds", "600"),
                fault(
                        "short-circuit-use",
                        Severity.ERROR,
                        cluster -> CleanCluster.withServer(
                                cluster,
                                server -> Servers.counters(
                                        Servers.recentLocalReads(
                                                server, ProbeResult.known(new LocalReads(0, 0, 10_000))),
                                        ProbeResult.known(new ServerCounters(
                                                64 * MEGABYTE, 0, 1_000, 100 * MEGABYTE, 0, 0, 0))))),
                server(
                        "short-circuit-cache",
                        Severity.WARNING,
                        "dfs.client.read.shortcircuit.streams.cache.size",
                        "256"),
                server("peer-cache", Severity.WARNING, "dfs.client.socketcache.capacity", "16"),
                server("peer-expiry", Severity.WARNING, "dfs.client.socketcache.expiryMsec", "5000"),
                server("socket-timeout", Severity.WARNING, "dfs.client.socket-timeout", "60000"),
                node("write-timeout", Severity.WARNING, "dfs.datanode.socket.write.timeout", "480000"),
                fault(
                        "hedged-reads",
                        Severity.WARNING,
                        cluster -> CleanCluster.serverLine(
                                CleanCluster.serverLine(cluster, "dfs.client.hedged.read.threadpool.size", "20"),
                                "dfs.client.hedged.read.threshold.millis",
                                "20000")),
                counted(
                        "hedged-reads-wins",
                        Severity.WARNING,
                        new ServerCounters(64 * MEGABYTE, 64 * MEGABYTE, 1_000, 100 * MEGABYTE, 0, 10_000, 50)),
                node("listen-backlog", Severity.WARNING, "ipc.server.listen.queue.size", "50"),
                node("listen-backlog", Severity.WARNING, "ipc.server.listen.queue.size", "255"),
                node("timeout-order", Severity.ERROR, "dfs.client.socket-timeout", "7500"),
                server("short-circuit-num", Severity.ERROR, "dfs.client.short.circuit.num", "6"),
                server("short-circuit-num", Severity.ERROR, "dfs.client.short.circuit.num", "0"),
                fault(
                        "short-circuit-caches",
                        Severity.WARNING,
                        cluster -> CleanCluster.withServer(
                                cluster,
                                server -> Servers.recentLocalReads(
                                        server,
                                        ProbeResult.known(
                                                new LocalReads(2_100 * MEGABYTE, 2_000 * MEGABYTE, 10_000))))),
                live("listen-backlog", Severity.WARNING, 100 * MEGABYTE, 100, 128),
                live("balance-bandwidth-live", Severity.WARNING, 50 * MEGABYTE, 100, 4_096),
                fault(
                        "balance-bandwidth",
                        Severity.WARNING,
                        cluster -> CleanCluster.nodeLine(
                                CleanCluster.withNode(
                                        cluster,
                                        node -> Nodes.live(
                                                node,
                                                ProbeResult.known(MEGABYTE),
                                                ProbeResult.known(100L),
                                                ProbeResult.known(4_096))),
                                "dfs.datanode.balance.bandwidthPerSec",
                                "1m")),
                live("concurrent-moves", Severity.WARNING, 100 * MEGABYTE, 3, 4_096),
                fault(
                        "racks",
                        Severity.ERROR,
                        cluster -> CleanCluster.withServer(
                                cluster, server -> Servers.rack(server, ProbeResult.known("/default-rack")))),
                hdfs(
                        "privileges/datanode-report",
                        Severity.INFO,
                        new ProbedHdfs(ProbeResult.known(false), noFolders, noTools)),
                fault(
                        "privileges",
                        Severity.ERROR,
                        cluster -> CleanCluster.withHdfs(
                                tokensEverywhere(cluster),
                                well -> new ProbedHdfs(ProbeResult.known(false), noFolders, noTools))),
                fault(
                        "block-tokens",
                        Severity.ERROR,
                        cluster -> CleanCluster.withNameNode(cluster, "dfs.block.access.token.enable", "true")),
                fault(
                        "encryption",
                        Severity.ERROR,
                        cluster -> CleanCluster.nodeLine(
                                CleanCluster.nodeLine(cluster, "dfs.encrypt.data.transfer", "true"),
                                "dfs.encrypt.data.transfer.cipher.suites",
                                "AES/CTR/NoPadding")),
                node("block-pinning", Severity.WARNING, "dfs.datanode.block-pinning.enabled", "true"),
                master(
                        "favoured-nodes",
                        Severity.WARNING,
                        "hbase.master.loadbalancer.class",
                        "org.apache.hadoop.hbase.favored.FavoredNodeLoadBalancer"),
                hdfs(
                        "erasure-coding",
                        Severity.ERROR,
                        new ProbedHdfs(
                                ProbeResult.known(true),
                                ProbeResult.known(
                                        List.of(new ProbedDirectory("/hbase/data/default/t", "RS-6-3-1024k", "", 0))),
                                noTools)),
                hdfs(
                        "storage-policy",
                        Severity.INFO,
                        new ProbedHdfs(
                                ProbeResult.known(true),
                                ProbeResult.known(
                                        List.of(new ProbedDirectory("/hbase/data/default/t", "", "ONE_SSD", 0))),
                                noTools)),
                hdfs(
                        "hdfs-balancer",
                        Severity.WARNING,
                        new ProbedHdfs(
                                ProbeResult.known(true), noFolders, ProbeResult.known(List.of("HDFS Balancer")))),
                fault(
                        "regions-per-server",
                        Severity.WARNING,
                        cluster -> CleanCluster.withServer(cluster, server -> Servers.regions(server, 700, 1_400))),
                fault(
                        "tiny-flushes",
                        Severity.WARNING,
                        cluster -> CleanCluster.withServer(
                                cluster,
                                server -> Servers.counters(
                                        Servers.mostStoreFiles(server, 4, 4_000 * MEGABYTE),
                                        ProbeResult.known(new ServerCounters(
                                                64 * MEGABYTE, 64 * MEGABYTE, 1_000, 7 * MEGABYTE, 0, 0, 0))))),
                fault(
                        "memstore-old-keys",
                        Severity.INFO,
                        cluster -> CleanCluster.serverLine(
                                CleanCluster.serverLine(
                                        cluster, "hbase.regionserver.global.memstore.upperLimit", "0.35"),
                                "hbase.regionserver.global.memstore.lowerLimit",
                                "0.28")),
                fault(
                        "blocking-store-files",
                        Severity.ERROR,
                        cluster -> CleanCluster.withServer(cluster, server -> Servers.mostStoreFiles(server, 17, 0))),
                counted(
                        "compaction-queue",
                        Severity.WARNING,
                        new ServerCounters(64 * MEGABYTE, 64 * MEGABYTE, 1_000, 100 * MEGABYTE, 200, 0, 0)),
                fault(
                        "java",
                        Severity.ERROR,
                        cluster -> CleanCluster.withMaster(
                                cluster,
                                master -> new ProbedMaster(
                                        master.host(),
                                        master.version(),
                                        ProbeResult.known("1.8"),
                                        master.settings(),
                                        master.loadedCoprocessors()))),
                fault(
                        "deletion-delay",
                        Severity.WARNING,
                        cluster -> CleanCluster.nodeLine(
                                CleanCluster.nodeLine(
                                        cluster,
                                        "dfs.datanode.fsdataset.factory",
                                        "org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.HearthDatasetFactory"),
                                "hearth.datanode.deletion.delay.ms",
                                "15s")));
    }

    private static ProbedCluster tokensEverywhere(ProbedCluster cluster) {
        String key = "dfs.block.access.token.enable";
        ProbedCluster asked = CleanCluster.masterLine(CleanCluster.withNameNode(cluster, key, "true"), key, "true");
        return CleanCluster.withFallbackConfig(asked, asked.fallbackConfig().with(key, "true"));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void whatIsPlantedIsFoundAndNothingElse(String check, Severity severity, UnaryOperator<ProbedCluster> plant) {
        List<Finding> findings = Doctor.findings(plant.apply(CleanCluster.examined()));

        assertThat(findings).as("%s", findings).singleElement().satisfies(finding -> {
            Changes.areOfTheirKeysTypes(finding);
            Changes.mend(plant.apply(CleanCluster.examined()), finding);
            assertThat(check).endsWith(finding.check());
            assertThat(finding.severity()).isEqualTo(severity);
            assertThat(finding.what()).endsWith(".").doesNotContain("  ");
            assertThat(finding.cost()).endsWith(".").doesNotContain("  ");
            assertThat(finding.source()).isNotBlank();
            assertThat(finding.fixes()).isNotEmpty();
        });
    }

    @Test
    void aServerWithoutADataNodeAndADataNodeWithoutAServerAreTwoFindings() {
        ProbedCluster cluster =
                CleanCluster.withServer(CleanCluster.examined(), server -> Servers.host(server, "host4.example.org"));

        assertThat(Doctor.findings(cluster))
                .extracting(Finding::check, Finding::severity, Finding::where)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple(
                                "host-names", Severity.ERROR, List.of("RegionServer host4.example.org (is it host4?)")),
                        org.assertj.core.groups.Tuple.tuple(
                                "datanode-alone", Severity.INFO, List.of("DataNode host4")));
    }

    /** HBase's HDFSBlocksDistribution has each host's bytes under exactly the DataNode's name. */
    @Test
    void aServerWhoseNameDiffersFromItsDataNodesInCaseIsFoundWithBoth() {
        ProbedCluster cluster =
                CleanCluster.withServer(CleanCluster.examined(), server -> Servers.host(server, "Host4"));

        assertThat(Doctor.findings(cluster)).singleElement().satisfies(finding -> {
            assertThat(finding.check()).isEqualTo("host-names");
            assertThat(finding.severity()).isEqualTo(Severity.ERROR);
            assertThat(finding.where()).containsExactly("RegionServer Host4 (DataNode host4)");
            assertThat(finding.what())
                    .isEqualTo("This RegionServer's host name and its DataNode's differ in upper and lower case.");
        });
    }

    @Test
    void deadNodesMayBeDetectedWhereEveryDataNodeKeepsReplacedReplicasForAWhile() {
        ProbedCluster detecting =
                CleanCluster.serverLines(CleanCluster.examined(), "dfs.client.deadnode.detection.enabled", "true");
        List<ProbedDataNode> nodes = detecting.dataNodes().ifKnown().orElseThrow();
        ProbedCluster withGrace = CleanCluster.withNodes(
                detecting,
                ProbeResult.known(nodes.stream()
                        .map(
                                node -> Nodes.settings(
                                        node,
                                        CleanCluster.with(
                                                node.settings(),
                                                "dfs.datanode.fsdataset.factory",
                                                "org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.DeletionDelayDatasetFactory")))
                        .toList()));

        assertThat(Doctor.findings(detecting)).extracting(Finding::check).containsExactly("dead-node-detection");
        assertThat(Doctor.findings(withGrace)).isEmpty();
    }

    /** It harms nobody there, and what it spares is a timeout for each open stream. */
    @Test
    void itIsAdvisedThereAlone() {
        ProbedCluster off = withDelayEverywhere(CleanCluster.examined());

        assertThat(Doctor.findings(off)).singleElement().satisfies(finding -> {
            assertThat(finding.check()).isEqualTo("dead-node-detection");
            assertThat(finding.severity()).isEqualTo(Severity.INFO);
            assertThat(finding.where()).hasSize(4);
            assertThat(finding.what())
                    .isEqualTo("Each open stream finds out for itself that a DataNode has died:"
                            + " dfs.client.deadnode.detection.enabled is false, and every DataNode delays deletions, so that"
                            + " it does no harm.");
            Changes.mend(off, finding);
        });
        assertThat(Doctor.findings(CleanCluster.withNode(
                        off,
                        node -> Nodes.settings(
                                node,
                                CleanCluster.with(
                                        node.settings(), "hearth.datanode.deletion.delay.enabled", "false")))))
                .as("one DataNode deletes at once")
                .isEmpty();
        assertThat(Doctor.findings(CleanCluster.withNode(
                        off,
                        node -> Nodes.settings(
                                node, CleanCluster.with(node.settings(), "hearth.datanode.deletion.delay.ms", "0")))))
                .as("as stock HDFS, by a delay of 0 or one that was switched off since it started")
                .isEmpty();
    }

    private static ProbedCluster withDelayEverywhere(ProbedCluster cluster) {
        return CleanCluster.withNodes(
                cluster,
                ProbeResult.known(cluster.dataNodes().ifKnown().orElseThrow().stream()
                        .map(node -> Nodes.settings(
                                node,
                                CleanCluster.with(
                                        node.settings(),
                                        "dfs.datanode.fsdataset.factory",
                                        "org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.HearthDatasetFactory")))
                        .toList()));
    }

    /** Where the clients are first it is as it should be, and half of what they wait is too little for a DataNode. */
    @Test
    void timeoutsAreRolledOutToClientsFirst() {
        String key = "dfs.client.socket-timeout";
        ProbedCluster clientsFirst = CleanCluster.nodeLine(CleanCluster.examined(), key, "15000");
        ProbedCluster nodesFirst = CleanCluster.serverLine(clientsFirst, key, "60000");

        assertThat(Doctor.findings(clientsFirst)).isEmpty();
        assertThat(Doctor.findings(nodesFirst))
                .filteredOn(finding -> finding.check().equals("timeout-order"))
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.where()).containsExactly("DataNode host4");
                    assertThat(finding.what())
                            .isEqualTo(
                                    "A DataNode waits 15000 ms for a packet, and a RegionServer that is idle sends one"
                                            + " after 30000 ms: dfs.client.socket-timeout.");
                    Changes.mend(nodesFirst, finding);
                });
    }

    @Test
    void otherVersionsAreNoted() {
        ProbedCluster cluster = CleanCluster.withNode(CleanCluster.examined(), node -> Nodes.version(node, "3.2.4"));

        assertThat(Doctor.findings(cluster))
                .extracting(Finding::what)
                .containsExactly(
                        "Here is Hadoop 3.2.4, which this build was compiled and tested for, not run on in a cluster of processes.",
                        "There are several versions here: 3.2.4, 3.4.3.");
    }

    /** Broken (only what all tests run on counts): 3.5.0 was never run on. */
    @Test
    void aVersionOnWhichHealingWasRunIsNoneThatNobodyTried() {
        ProbedCluster clean = CleanCluster.examined();
        List<ProbedDataNode> nodes = new ArrayList<>(clean.dataNodes().ifKnown().orElseThrow());
        nodes.set(0, Nodes.version(nodes.get(0), "3.5.0"));
        nodes.set(1, Nodes.version(nodes.get(1), "3.6.1"));
        ProbedCluster cluster = CleanCluster.withNodes(clean, ProbeResult.known(nodes));

        assertThat(Doctor.findings(cluster))
                .extracting(Finding::what)
                .containsExactly(
                        "Here is Hadoop 3.6.1, which this build was never run on; that is 3.4.3.",
                        "Here is Hadoop 3.5.0, which this build was run on with healing alone.",
                        "There are several versions here: 3.4.3, 3.5.0, 3.6.1.");
    }

    @Test
    void encryptionWithoutAesIsFoundWhereAllAgreeOnIt() {
        String key = "dfs.encrypt.data.transfer";
        ProbedCluster cluster = CleanCluster.withNameNode(CleanCluster.examined(), key, "true");
        ProbedCluster all = CleanCluster.withNodes(
                cluster,
                ProbeResult.known(cluster.dataNodes().ifKnown().orElseThrow().stream()
                        .map(node -> Nodes.settings(node, CleanCluster.with(node.settings(), key, "true")))
                        .toList()));

        assertThat(Doctor.findings(all)).extracting(Finding::check).containsExactly("encryption-cipher");
    }

    /** Nobody answers as HDFS there, the settings are stock's, and none of that is a fault. */
    @Test
    void onAnObjectStoreThatIsSaidOnceAndNothingOfHdfs() {
        ProbedCluster unread = CleanCluster.withHdfs(
                CleanCluster.withNodes(CleanCluster.examined(), ProbeResult.unknown("HDFS can't be asked")),
                well -> new ProbedHdfs(
                        ProbeResult.unknown("not asked"),
                        ProbeResult.unknown("not asked"),
                        ProbeResult.unknown("not asked")));
        ProbedCluster remote = CleanCluster.serverLine(unread, "dfs.client.read.shortcircuit", "false");
        assertThat(Doctor.findings(remote)).hasSizeGreaterThan(3);

        ProbedCluster cluster = CleanCluster.masterLine(remote, "hbase.rootdir", "s3a://bucket/hbase");

        assertThat(Doctor.findings(cluster)).singleElement().satisfies(finding -> {
            assertThat(finding.check()).isEqualTo("object-store");
            assertThat(finding.severity()).isEqualTo(Severity.INFO);
            assertThat(finding.what())
                    .isEqualTo("HBase's files are in an object store: hbase.rootdir is s3a://bucket/hbase.");
            assertThat(finding.cost()).startsWith("No block is local to any server:");
        });
        assertThat(Doctor.findings(CleanCluster.masterLine(cluster, "hbase.regions.slop", "10")))
                .extracting(Finding::check)
                .as("what is HBase's own is looked at as ever")
                .containsExactly("slop", "object-store");
    }

    @Test
    void whatCanNotBeReadIsSaid() {
        String why = "its web UI answers 401";
        ProbedCluster cluster = CleanCluster.withServer(
                CleanCluster.withHdfs(
                        CleanCluster.withNodes(CleanCluster.examined(), ProbeResult.unknown("refused")),
                        well -> new ProbedHdfs(
                                ProbeResult.unknown("refused"),
                                ProbeResult.unknown("refused"),
                                ProbeResult.unknown("refused"))),
                server -> Servers.counters(
                        Servers.settings(
                                Servers.rack(
                                        Servers.recentLocalReads(server, ProbeResult.unknown(why)),
                                        ProbeResult.unknown(why)),
                                ProbeResult.unknown(why)),
                        ProbeResult.unknown(why)));

        List<Finding> findings = Doctor.findings(cluster);

        assertThat(findings).extracting(Finding::severity).containsOnly(Severity.UNKNOWN);
        assertThat(findings)
                .extracting(Finding::check)
                .containsExactly(
                        "short-circuit-use",
                        "host-names",
                        "privileges",
                        "erasure-coding",
                        "hdfs-balancer",
                        "configuration",
                        "counters",
                        "hdfs");
    }

    @Test
    void aNumberThatIsNoneIsAnUnknownOfItsCheckAlone() {
        ProbedCluster cluster =
                CleanCluster.serverLine(CleanCluster.examined(), "dfs.client.retry.window.base", "soon");

        assertThat(Doctor.findings(cluster))
                .extracting(Finding::check, Finding::what)
                .containsExactly(org.assertj.core.groups.Tuple.tuple(
                        "retry-window", "dfs.client.retry.window.base is soon, which is not a whole number."));
    }

    @Test
    void aServerThatDoesNotShowItsConfigurationIsJudgedByTheClientsAndThatIsSaid() {
        ProbedCluster well = CleanCluster.withServer(
                CleanCluster.examined(),
                server -> Servers.settings(server, ProbeResult.unknown("its web UI answers 401")));
        ProbedCluster cluster = CleanCluster.withFallbackConfig(
                well, well.fallbackConfig().with("dfs.client.socketcache.capacity", "16"));

        assertThat(Doctor.findings(cluster))
                .extracting(Finding::what)
                .containsExactly(
                        "A RegionServer keeps 16 connections to DataNodes: dfs.client.socketcache.capacity. (By the client's"
                                + " configuration; its own can't be read.)",
                        "its web UI answers 401");
    }

    /** What stands in for the one is of the HMaster or of a client, who are no RegionServers. */
    private static ProbedCluster withClientsFaults(ProbedCluster cluster) {
        return CleanCluster.withFallbackConfig(
                cluster,
                new ProcessConfig(Map.of(
                        "dfs.client.socket-timeout", "60000",
                        "dfs.client.read.shortcircuit", "true",
                        "dfs.client.read.shortcircuit.streams.cache.size", "2",
                        "dfs.client.refresh.read-block-locations.ms", "3600000",
                        "dfs.client.deadnode.detection.enabled", "true",
                        "hbase.master.hfilecleaner.ttl", "9999999")));
    }

    private static ProbedCluster aQuietCluster() {
        ProbedCluster cluster = CleanCluster.nodeLine(withReplicasUpToDate(), "dfs.client.socket-timeout", "15000");
        return withClientsFaults(CleanCluster.serverLines(
                CleanCluster.masterLine(cluster, "hbase.meta.replica.count", "3"),
                "hbase.region.replica.replication.catalog.enabled",
                "true"));
    }

    private static final List<String> COMPARING = List.of(
            "timeout-order",
            "region-replicas",
            "meta-replicas",
            "replica-file-ttl",
            "short-circuit-cache",
            "deletion-delay",
            "dead-node-detection");

    @Test
    void aServerThatDoesNotShowItsConfigurationIsNotComparedByTheClients() {
        ProbedCluster cluster = CleanCluster.withServer(
                aQuietCluster(), server -> Servers.settings(server, ProbeResult.unknown("its web UI answers 401")));

        assertThat(Doctor.findings(cluster))
                .filteredOn(finding -> COMPARING.contains(finding.check()))
                .isEmpty();
    }

    @Test
    void whereNoServerShowsItsConfigurationNothingCanBeCompared() {
        ProbedCluster cluster = CleanCluster.withServers(
                aQuietCluster(),
                aQuietCluster().regionServers().stream()
                        .map(server -> Servers.settings(server, ProbeResult.unknown("its web UI answers 401")))
                        .toList());

        assertThat(Doctor.findings(cluster))
                .filteredOn(finding -> COMPARING.contains(finding.check()))
                .allSatisfy(finding -> {
                    assertThat(finding.severity()).isEqualTo(Severity.UNKNOWN);
                    assertThat(finding.what()).startsWith("no RegionServer shows its configuration");
                })
                .extracting(Finding::check)
                .containsExactlyInAnyOrder(
                        "timeout-order",
                        "region-replicas",
                        "meta-replicas",
                        "replica-file-ttl",
                        "short-circuit-cache",
                        "dead-node-detection");
    }

    private static ProbedCluster withOtherRate(ProbeResult<Boolean> raised) {
        return CleanCluster.withNode(
                CleanCluster.withHdfs(
                        CleanCluster.examined(),
                        well -> new ProbedHdfs(well.superuser(), well.directories(), well.hdfsBalancers(), raised)),
                node -> Nodes.live(
                        node, ProbeResult.known(1_024 * MEGABYTE), ProbeResult.known(100L), ProbeResult.known(4_096)));
    }

    /** A line that says the raised rate would make it stay. */
    @Test
    void aRateThatAHealHasRaisedIsNotToBeKept() {
        assertThat(Doctor.findings(withOtherRate(ProbeResult.known(true))))
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.check()).isEqualTo("balance-bandwidth-live");
                    assertThat(finding.severity()).isEqualTo(Severity.INFO);
                    assertThat(finding.what())
                            .isEqualTo(
                                    "Block moves may take 1.0 GB/s of it just now, raised by a heal until it is over.");
                    assertThat(finding.fixes())
                            .containsExactly(
                                    new Advice("If no heal runs any more, bin/hearth healer resume puts it back"));
                });
    }

    @Test
    void whereNobodyCanSayWhetherAHealHasRaisedTheRateThatIsToBeLookedForFirst() {
        assertThat(Doctor.findings(withOtherRate(ProbeResult.unknown("the NameNode says: Permission denied"))))
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.severity()).isEqualTo(Severity.WARNING);
                    assertThat(finding.fixes()).hasSize(3);
                    assertThat(finding.fixes().get(0))
                            .isEqualTo(new Advice(
                                    "First look for .hearth/healer.bandwidth under hbase.rootdir, which could"
                                            + " not be read. If it is there, a heal has raised the rate: bin/hearth healer resume"
                                            + " puts it back, and no line is to be changed"));
                    assertThat(finding.fixes().get(1)).isInstanceOf(ConfigLine.class);
                });
    }
}
