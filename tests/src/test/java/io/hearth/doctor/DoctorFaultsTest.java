package io.hearth.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.doctor.check.Doctor;
import io.hearth.doctor.model.Answer;
import io.hearth.doctor.model.Examined;
import io.hearth.doctor.model.Finding;
import io.hearth.doctor.model.FoundDataNode;
import io.hearth.doctor.model.FoundFolder;
import io.hearth.doctor.model.FoundHdfs;
import io.hearth.doctor.model.FoundMaster;
import io.hearth.doctor.model.LocalReads;
import io.hearth.doctor.model.ServerCounters;
import io.hearth.doctor.model.Severity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
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

    private static Arguments fault(String check, Severity severity, UnaryOperator<Examined> plant) {
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
                cluster ->
                        CleanCluster.withServer(cluster, server -> Servers.counters(server, Answer.known(counters))));
    }

    private static Arguments live(String check, Severity severity, long bandwidth, long moves, int somaxconn) {
        return fault(
                check,
                severity,
                cluster -> CleanCluster.withNode(
                        cluster,
                        node -> Nodes.live(
                                node, Answer.known(bandwidth), Answer.known(moves), Answer.known(somaxconn))));
    }

    private static Arguments hdfs(String check, Severity severity, FoundHdfs hdfs) {
        return fault(check, severity, cluster -> CleanCluster.withHdfs(cluster, well -> hdfs));
    }

    private static Stream<Arguments> faults() {
        Answer<List<String>> noTools = Answer.known(List.of());
        Answer<List<FoundFolder>> noFolders = Answer.known(List.of());
        return Stream.of(
                master(
                        "weights",
                        Severity.FAULT,
                        "hbase.master.loadbalancer.class",
                        "org.apache.hadoop.hbase.master.balancer.StochasticLoadBalancer"),
                master("weights", Severity.FAULT, "hearth.balancer.skew.trigger", "4"),
                master("weights", Severity.FAULT, "hearth.balancer.enabled", "false"),
                server("read-block-locations", Severity.FAULT, "dfs.client.refresh.read-block-locations.ms", "0"),
                server("read-block-locations", Severity.FAULT, "dfs.client.refresh.read-block-locations.ms", "30000"),
                server("derived-locality", Severity.FAULT, "hbase.locality.inputstream.derive.enabled", "false"),
                server("retry-window", Severity.COST, "dfs.client.retry.window.base", "3000"),
                server("prefetch", Severity.COST, "dfs.client.read.prefetch.size", ""),
                server("dead-node-detection", Severity.COST, "dfs.client.deadnode.detection.enabled", "true"),
                server("short-circuit", Severity.COST, "dfs.client.read.shortcircuit", "false"),
                server("short-circuit", Severity.COST, "dfs.domain.socket.path", ""),
                node("short-circuit", Severity.COST, "dfs.client.read.shortcircuit", "false"),
                server("short-circuit-pause", Severity.FAULT, "dfs.domain.socket.disable.interval.seconds", "600"),
                fault(
                        "short-circuit-use",
                        Severity.FAULT,
                        cluster -> CleanCluster.withServer(
                                cluster,
                                server -> Servers.counters(
                                        Servers.lately(server, Answer.known(new LocalReads(0, 0, 10_000))),
                                        Answer.known(new ServerCounters(
                                                64 * MEGABYTE, 0, 1_000, 100 * MEGABYTE, 0, 0, 0))))),
                server("short-circuit-cache", Severity.COST, "dfs.client.read.shortcircuit.streams.cache.size", "256"),
                server("peer-cache", Severity.COST, "dfs.client.socketcache.capacity", "16"),
                server("peer-expiry", Severity.COST, "dfs.client.socketcache.expiryMsec", "5000"),
                server("socket-timeout", Severity.COST, "dfs.client.socket-timeout", "60000"),
                node("write-timeout", Severity.COST, "dfs.datanode.socket.write.timeout", "480000"),
                fault(
                        "hedged-reads",
                        Severity.COST,
                        cluster -> CleanCluster.serverLine(
                                CleanCluster.serverLine(cluster, "dfs.client.hedged.read.threadpool.size", "20"),
                                "dfs.client.hedged.read.threshold.millis",
                                "20000")),
                counted(
                        "hedged-reads-wins",
                        Severity.COST,
                        new ServerCounters(64 * MEGABYTE, 64 * MEGABYTE, 1_000, 100 * MEGABYTE, 0, 10_000, 50)),
                node("listen-backlog", Severity.COST, "ipc.server.listen.queue.size", "50"),
                live("listen-backlog", Severity.COST, 100 * MEGABYTE, 100, 128),
                live("balance-bandwidth-live", Severity.COST, 50 * MEGABYTE, 100, 4_096),
                fault(
                        "balance-bandwidth",
                        Severity.COST,
                        cluster -> CleanCluster.nodeLine(
                                CleanCluster.withNode(
                                        cluster,
                                        node -> Nodes.live(
                                                node, Answer.known(MEGABYTE), Answer.known(100L), Answer.known(4_096))),
                                "dfs.datanode.balance.bandwidthPerSec",
                                "1m")),
                live("concurrent-moves", Severity.COST, 100 * MEGABYTE, 5, 4_096),
                fault(
                        "racks",
                        Severity.FAULT,
                        cluster -> CleanCluster.withServer(
                                cluster, server -> Servers.rack(server, Answer.known("/default-rack")))),
                hdfs(
                        "privileges/datanode-report",
                        Severity.NOTE,
                        new FoundHdfs(Answer.known(false), noFolders, noTools)),
                fault(
                        "privileges",
                        Severity.FAULT,
                        cluster -> CleanCluster.withHdfs(
                                tokensEverywhere(cluster),
                                well -> new FoundHdfs(Answer.known(false), noFolders, noTools))),
                fault(
                        "block-tokens",
                        Severity.FAULT,
                        cluster -> CleanCluster.withNameNode(cluster, "dfs.block.access.token.enable", "true")),
                fault(
                        "encryption",
                        Severity.FAULT,
                        cluster -> CleanCluster.nodeLine(
                                CleanCluster.nodeLine(cluster, "dfs.encrypt.data.transfer", "true"),
                                "dfs.encrypt.data.transfer.cipher.suites",
                                "AES/CTR/NoPadding")),
                node("block-pinning", Severity.COST, "dfs.datanode.block-pinning.enabled", "true"),
                master(
                        "favoured-nodes",
                        Severity.COST,
                        "hbase.master.loadbalancer.class",
                        "org.apache.hadoop.hbase.favored.FavoredNodeLoadBalancer"),
                hdfs(
                        "erasure-coding",
                        Severity.FAULT,
                        new FoundHdfs(
                                Answer.known(true),
                                Answer.known(List.of(new FoundFolder("/hbase/data/default/t", "RS-6-3-1024k", "", 0))),
                                noTools)),
                hdfs(
                        "storage-policy",
                        Severity.NOTE,
                        new FoundHdfs(
                                Answer.known(true),
                                Answer.known(List.of(new FoundFolder("/hbase/data/default/t", "", "ONE_SSD", 0))),
                                noTools)),
                hdfs(
                        "hdfs-balancer",
                        Severity.COST,
                        new FoundHdfs(Answer.known(true), noFolders, Answer.known(List.of("HDFS Balancer")))),
                fault(
                        "regions-per-server",
                        Severity.COST,
                        cluster -> CleanCluster.withServer(cluster, server -> Servers.regions(server, 700, 1_400))),
                fault(
                        "tiny-flushes",
                        Severity.COST,
                        cluster -> CleanCluster.withServer(
                                cluster,
                                server -> Servers.counters(
                                        Servers.mostStoreFiles(server, 4, 4_000 * MEGABYTE),
                                        Answer.known(new ServerCounters(
                                                64 * MEGABYTE, 64 * MEGABYTE, 1_000, 7 * MEGABYTE, 0, 0, 0))))),
                fault(
                        "blocking-store-files",
                        Severity.FAULT,
                        cluster -> CleanCluster.withServer(cluster, server -> Servers.mostStoreFiles(server, 16, 0))),
                counted(
                        "compaction-queue",
                        Severity.COST,
                        new ServerCounters(64 * MEGABYTE, 64 * MEGABYTE, 1_000, 100 * MEGABYTE, 200, 0, 0)),
                fault(
                        "java",
                        Severity.FAULT,
                        cluster -> CleanCluster.withMaster(
                                cluster,
                                master -> new FoundMaster(
                                        master.host(), master.version(), Answer.known("1.8"), master.settings()))),
                fault(
                        "grace",
                        Severity.COST,
                        cluster -> CleanCluster.nodeLine(
                                CleanCluster.nodeLine(
                                        cluster,
                                        "dfs.datanode.fsdataset.factory",
                                        "org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.GraceDatasetFactory"),
                                "hearth.datanode.grace.ms",
                                "15000")));
    }

    private static Examined tokensEverywhere(Examined cluster) {
        String key = "dfs.block.access.token.enable";
        Examined asked = CleanCluster.masterLine(CleanCluster.withNameNode(cluster, key, "true"), key, "true");
        return CleanCluster.withStandIn(asked, asked.standIn().with(key, "true"));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void whatIsPlantedIsFoundAndNothingElse(String check, Severity severity, UnaryOperator<Examined> plant) {
        List<Finding> findings = Doctor.findings(plant.apply(CleanCluster.examined()));

        assertThat(findings).as("%s", findings).singleElement().satisfies(finding -> {
            Changes.areOfTheirKeysTypes(finding);
            Changes.mend(plant.apply(CleanCluster.examined()), finding);
            assertThat(check).endsWith(finding.check());
            assertThat(finding.severity()).isEqualTo(severity);
            assertThat(finding.what()).endsWith(".").doesNotContain("  ");
            assertThat(finding.cost()).endsWith(".").doesNotContain("  ");
            assertThat(finding.source()).isNotBlank();
            assertThat(finding.remedies()).isNotEmpty();
        });
    }

    @Test
    void aServerWithoutADataNodeAndADataNodeWithoutAServerAreTwoFindings() {
        Examined cluster =
                CleanCluster.withServer(CleanCluster.examined(), server -> Servers.host(server, "host4.example.org"));

        assertThat(Doctor.findings(cluster))
                .extracting(Finding::check, Finding::severity, Finding::where)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple(
                                "host-names", Severity.FAULT, List.of("RegionServer host4.example.org (is it host4?)")),
                        org.assertj.core.groups.Tuple.tuple(
                                "datanode-alone", Severity.NOTE, List.of("DataNode host4")));
    }

    @Test
    void deadNodesMayBeDetectedWhereEveryDataNodeKeepsReplacedReplicasForAWhile() {
        Examined detecting =
                CleanCluster.serverLine(CleanCluster.examined(), "dfs.client.deadnode.detection.enabled", "true");
        List<FoundDataNode> nodes = detecting.dataNodes().ifKnown().orElseThrow();
        Examined withGrace = CleanCluster.withNodes(
                detecting,
                Answer.known(nodes.stream()
                        .map(node -> Nodes.settings(
                                node,
                                CleanCluster.with(
                                        node.settings(),
                                        "dfs.datanode.fsdataset.factory",
                                        "org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.GraceDatasetFactory")))
                        .toList()));

        assertThat(Doctor.findings(detecting)).extracting(Finding::check).containsExactly("dead-node-detection");
        assertThat(Doctor.findings(withGrace)).isEmpty();
    }

    @Test
    void otherVersionsAreNoted() {
        Examined cluster = CleanCluster.withNode(CleanCluster.examined(), node -> Nodes.version(node, "3.2.4"));

        assertThat(Doctor.findings(cluster))
                .extracting(Finding::what)
                .containsExactly(
                        "Here is Hadoop 3.2.4, which this build was compiled and smoke-tested for, not run on.",
                        "There are several versions here: 3.2.4, 3.4.3.");
    }

    @Test
    void encryptionWithoutAesIsFoundWhereAllAgreeOnIt() {
        String key = "dfs.encrypt.data.transfer";
        Examined cluster = CleanCluster.withNameNode(CleanCluster.examined(), key, "true");
        Examined all = CleanCluster.withNodes(
                cluster,
                Answer.known(cluster.dataNodes().ifKnown().orElseThrow().stream()
                        .map(node -> Nodes.settings(node, CleanCluster.with(node.settings(), key, "true")))
                        .toList()));

        assertThat(Doctor.findings(all)).extracting(Finding::check).containsExactly("encryption-cipher");
    }

    @Test
    void whatCanNotBeReadIsSaid() {
        String why = "its web UI answers 401";
        Examined cluster = CleanCluster.withServer(
                CleanCluster.withHdfs(
                        CleanCluster.withNodes(CleanCluster.examined(), Answer.unknown("refused")),
                        well -> new FoundHdfs(
                                Answer.unknown("refused"), Answer.unknown("refused"), Answer.unknown("refused"))),
                server -> Servers.counters(
                        Servers.settings(
                                Servers.rack(Servers.lately(server, Answer.unknown(why)), Answer.unknown(why)),
                                Answer.unknown(why)),
                        Answer.unknown(why)));

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
        Examined cluster = CleanCluster.serverLine(CleanCluster.examined(), "dfs.client.retry.window.base", "soon");

        assertThat(Doctor.findings(cluster))
                .extracting(Finding::check, Finding::what)
                .containsExactly(org.assertj.core.groups.Tuple.tuple(
                        "retry-window", "dfs.client.retry.window.base is soon, which is not a whole number."));
    }

    @Test
    void aServerThatDoesNotShowItsConfigurationIsJudgedByTheClientsAndThatIsSaid() {
        Examined well = CleanCluster.withServer(
                CleanCluster.examined(), server -> Servers.settings(server, Answer.unknown("its web UI answers 401")));
        Examined cluster = CleanCluster.withStandIn(well, well.standIn().with("dfs.client.socketcache.capacity", "16"));

        assertThat(Doctor.findings(cluster))
                .extracting(Finding::what)
                .containsExactly(
                        "A RegionServer keeps 16 connections to DataNodes: dfs.client.socketcache.capacity. (By the client's"
                                + " configuration; its own can't be read.)",
                        "its web UI answers 401");
    }
}
