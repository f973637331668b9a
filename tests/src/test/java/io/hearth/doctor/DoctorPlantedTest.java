package io.hearth.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.doctor.check.Doctor;
import io.hearth.doctor.model.Answer;
import io.hearth.doctor.model.Examined;
import io.hearth.doctor.model.Finding;
import io.hearth.doctor.model.FoundFolder;
import io.hearth.doctor.model.FoundHBase;
import io.hearth.doctor.model.FoundHBase.HotRegion;
import io.hearth.doctor.model.FoundHdfs;
import io.hearth.doctor.model.FoundMaster;
import io.hearth.doctor.model.FoundRegionServer;
import io.hearth.doctor.model.LocalReads;
import io.hearth.doctor.model.ServerCounters;
import io.hearth.doctor.model.Severity;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What an operator can get wrong, each of which a doctor missed once or found late: each is found, its line is one that can be pasted and mends it, all are
 * found together, and none is on a healthy cluster.
 */
class DoctorPlantedTest {

    private static final long MEGABYTE = 1L << 20;

    /** By the name of the finding, with what must be said of it. */
    private record Planted(String check, String says, UnaryOperator<Examined> plant) {}

    private static Planted server(String check, String key, String value) {
        return new Planted(check, key, cluster -> CleanCluster.serverLine(cluster, key, value));
    }

    private static Planted node(String check, String key, String value) {
        return new Planted(check, key, cluster -> CleanCluster.nodeLine(cluster, key, value));
    }

    private static Planted master(String check, String key, String value) {
        return new Planted(check, key, cluster -> CleanCluster.masterLine(cluster, key, value));
    }

    private static Planted hbase(String check, String says, UnaryOperator<FoundHBase> change) {
        return new Planted(check, says, cluster -> CleanCluster.withHBase(cluster, change));
    }

    private static FoundHBase with(FoundHBase hbase, List<FoundMaster> backups, List<String> dead) {
        return new FoundHBase(backups, dead, hbase.balancerOn(), hbase.replicatedTables(), hbase.hotRegions());
    }

    private static List<Planted> all() {
        return List.of(
                hbase(
                        "backup-master",
                        "hbase.master.loadbalancer.class, hbase.coprocessor.master.classes",
                        hbase -> with(
                                hbase,
                                List.of(new FoundMaster(
                                        "backup",
                                        "2.6.4-hadoop3",
                                        Answer.known("17"),
                                        CleanCluster.with(
                                                Answer.known(new io.hearth.doctor.model.Settings(Map.of())),
                                                "hbase.coprocessor.master.classes",
                                                "org.apache.hadoop.hbase.security.access.AccessController"))),
                                hbase.deadServers())),
                server("skip-checksum", "dfs.client.read.shortcircuit.skip.checksum", "true"),
                server("checksum-verify", "hbase.regionserver.checksum.verify", "false"),
                server("replication", "dfs.replication", "1"),
                new Planted(
                        "files-of-one-replica",
                        "one replica",
                        cluster -> CleanCluster.withHdfs(
                                cluster,
                                hdfs -> new FoundHdfs(
                                        hdfs.superuser(),
                                        Answer.known(List.of(new FoundFolder("/hbase/data/default/t", "", "", 7))),
                                        hdfs.tools()))),
                node("transfer-threads", "dfs.datanode.max.transfer.threads", "64"),
                new Planted(
                        "clock",
                        "10 s",
                        cluster -> CleanCluster.withServer(cluster, server -> Servers.clock(server, 20_000))),
                master("slop", "hbase.regions.slop", "10"),
                hbase(
                        "region-replicas",
                        "hbase.region.replica.replication.enabled",
                        hbase -> new FoundHBase(
                                hbase.backupMasters(),
                                hbase.deadServers(),
                                hbase.balancerOn(),
                                Answer.known(List.of("usertable")),
                                hbase.hotRegions())),
                hbase(
                        "balancer-switch",
                        "balance_switch",
                        hbase -> new FoundHBase(
                                hbase.backupMasters(),
                                hbase.deadServers(),
                                Answer.known(false),
                                hbase.replicatedTables(),
                                hbase.hotRegions())),
                hbase(
                        "hot-region",
                        "more requests than a server",
                        hbase -> new FoundHBase(
                                hbase.backupMasters(),
                                hbase.deadServers(),
                                hbase.balancerOn(),
                                hbase.replicatedTables(),
                                Answer.known(List.of(new HotRegion("abc", "usertable", "host2", 1_400, 2.5))))),
                server("blocking-store-files-limit", "hbase.hstore.blockingStoreFiles", "7"),
                new Planted(
                        "racks",
                        "net.topology.script.file.name",
                        cluster -> CleanCluster.withNameNode(
                                CleanCluster.withServers(
                                        cluster,
                                        cluster.regionServers().stream()
                                                .map(server -> Servers.rack(
                                                        server, Answer.unknown("told by Hearth's page alone")))
                                                .toList()),
                                "net.topology.script.file.name",
                                "/etc/hadoop/conf/racks.sh")),
                new Planted("dead-server", "the server ended", cluster -> {
                    List<FoundRegionServer> servers = new ArrayList<>(cluster.regionServers());
                    FoundRegionServer dead = servers.remove(0);
                    return CleanCluster.withHBase(
                            CleanCluster.withServers(cluster, servers),
                            hbase -> with(hbase, hbase.backupMasters(), List.of(dead.host() + ":16020")));
                }),
                new Planted(
                        "heap-shares",
                        "hfile.block.cache.size, hbase.regionserver.global.memstore.size",
                        cluster -> CleanCluster.serverLine(
                                CleanCluster.serverLine(cluster, "hfile.block.cache.size", "0.6"),
                                "hbase.regionserver.global.memstore.size",
                                "0.4")),
                server("short-circuit", "dfs.client.read.shortcircuit", "false"),
                server("short-circuit-socket", "dfs.domain.socket.path", "/var/run/other/dn_socket"),
                new Planted(
                        "short-circuit-use",
                        "short-circuit",
                        cluster -> CleanCluster.withServer(
                                cluster,
                                server -> Servers.counters(
                                        Servers.lately(server, Answer.known(new LocalReads(5 * MEGABYTE, 0, 12_000))),
                                        Answer.known(new ServerCounters(
                                                26_700 * MEGABYTE, 26_400 * MEGABYTE, 0, 0, 0, 0, 0))))),
                server("read-block-locations", "dfs.client.refresh.read-block-locations.ms", "0"),
                server("derived-locality", "hbase.locality.inputstream.derive.enabled", "false"),
                new Planted(
                        "regions-per-server",
                        "700 regions",
                        cluster -> CleanCluster.withServer(cluster, server -> Servers.regions(server, 700, 1_400))));
    }

    private static Stream<Arguments> planted() {
        return all().stream().map(one -> Arguments.of(one.check(), one));
    }

    @Test
    void thereAreTwentyOneAndAHealthyClusterHasNone() {
        assertThat(all()).hasSize(21);
        assertThat(Doctor.findings(CleanCluster.examined())).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("planted")
    void eachIsFoundAndMended(String check, Planted planted) {
        Examined cluster = planted.plant().apply(CleanCluster.examined());

        List<Finding> findings = Doctor.findings(cluster);

        assertThat(findings).as("%s", findings).singleElement().satisfies(finding -> {
            assertThat(finding.check()).isEqualTo(check);
            assertThat(finding.severity()).isIn(Severity.FAULT, Severity.COST);
            assertThat(finding.what()).contains(planted.says());
            assertThat(finding.remedies()).isNotEmpty();
            Changes.areOfTheirKeysTypes(finding);
            Changes.mend(cluster, finding);
        });
    }

    /** Those that are about one server are about the same one, so that no finding may hide another. */
    @Test
    void allOfThemTogetherAreFoundToo() {
        Examined cluster = CleanCluster.examined();
        Map<String, Planted> byCheck = new LinkedHashMap<>();
        all().forEach(one -> byCheck.put(one.check(), one));
        // Without short-circuit reads there is neither a socket nor a use of one.
        byCheck.remove("short-circuit");
        for (Planted one : byCheck.values()) {
            cluster = one.plant().apply(cluster);
        }

        assertThat(Doctor.findings(cluster)).extracting(Finding::check).containsAll(byCheck.keySet());
    }

    @Test
    void ofAServerWhoseSocketIsAnothersTheLineIsThatOfItsOwnHostsDataNode() {
        Examined cluster = CleanCluster.withNode(
                CleanCluster.serverLine(CleanCluster.examined(), "dfs.client.read.shortcircuit", "false"),
                node -> Nodes.settings(
                        node, CleanCluster.with(node.settings(), "dfs.domain.socket.path", "/run/hdfs/host4._PORT")));

        assertThat(Doctor.findings(cluster)).singleElement().satisfies(finding -> assertThat(finding.remedies())
                .extracting(Object::toString)
                .anyMatch(line -> line.contains("/run/hdfs/host4._PORT")));
    }

    @Test
    void aServerThatIsGoneWithItsHostIsOnlyNoted() {
        Examined cluster = CleanCluster.withHBase(
                CleanCluster.examined(), hbase -> with(hbase, hbase.backupMasters(), List.of("host9:16020")));

        assertThat(Doctor.findings(cluster))
                .extracting(Finding::check, Finding::severity)
                .containsExactly(org.assertj.core.groups.Tuple.tuple("dead-server", Severity.NOTE));
    }

    @Test
    void aValueThatIsNoneOfOneServerDoesNotHideTheOthers() {
        Examined cluster = CleanCluster.serverLine(CleanCluster.examined(), "dfs.client.retry.window.base", "soon");
        List<FoundRegionServer> servers = new ArrayList<>(cluster.regionServers());
        servers.set(
                0,
                Servers.settings(
                        servers.get(0),
                        CleanCluster.with(servers.get(0).settings(), "dfs.client.retry.window.base", "3000")));

        assertThat(Doctor.findings(CleanCluster.withServers(cluster, servers)))
                .extracting(Finding::check, Finding::severity, Finding::where)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple(
                                "retry-window", Severity.COST, List.of("RegionServer host1")),
                        org.assertj.core.groups.Tuple.tuple(
                                "retry-window", Severity.UNKNOWN, List.of("RegionServer host4")));
    }
}
