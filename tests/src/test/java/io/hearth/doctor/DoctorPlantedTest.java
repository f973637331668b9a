// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.doctor.check.Doctor;
import io.hearth.doctor.model.Finding;
import io.hearth.doctor.model.Finding.Severity;
import io.hearth.doctor.model.ProbedCluster;
import io.hearth.doctor.model.ProbedCluster.ProbeResult;
import io.hearth.doctor.model.ProbedCluster.ProbedHBase;
import io.hearth.doctor.model.ProbedCluster.ProbedHBase.HotRegion;
import io.hearth.doctor.model.ProbedCluster.ProbedHBase.LocalReads;
import io.hearth.doctor.model.ProbedCluster.ProbedHBase.ProbedMaster;
import io.hearth.doctor.model.ProbedCluster.ProbedHBase.ProbedRegionServer;
import io.hearth.doctor.model.ProbedCluster.ProbedHBase.ReplicatedTable;
import io.hearth.doctor.model.ProbedCluster.ProbedHBase.ServerCounters;
import io.hearth.doctor.model.ProbedCluster.ProbedHdfs;
import io.hearth.doctor.model.ProbedCluster.ProbedHdfs.ProbedDirectory;
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
    private static final String REPLICA_REPLICATION = "hbase.region.replica.replication.enabled";
    private static final String COPROCESSORS = "hbase.coprocessor.master.classes";
    private static final String ACCESS_CONTROLLER = "org.apache.hadoop.hbase.security.access.AccessController";
    private static final String HEARTHS =
            "io.hearth.healer.hbase.LocalityHealingObserver,io.hearth.admin.rpc.HearthAdminEndpoint";
    private static final List<String> LOADED =
            List.of("AccessController", "HearthAdminEndpoint", "LocalityHealingObserver", "MasterQuotasObserver");
    private static final String OWN_AND_HEARTHS = ACCESS_CONTROLLER + "," + HEARTHS;

    /** By the name of the finding, with what must be said of it. */
    record InjectedFault(String check, String says, UnaryOperator<ProbedCluster> plant) {}

    private static InjectedFault server(String check, String key, String value) {
        return new InjectedFault(check, key, cluster -> CleanCluster.serverLine(cluster, key, value));
    }

    private static InjectedFault node(String check, String key, String value) {
        return new InjectedFault(check, key, cluster -> CleanCluster.nodeLine(cluster, key, value));
    }

    private static InjectedFault master(String check, String key, String value) {
        return new InjectedFault(check, key, cluster -> CleanCluster.masterLine(cluster, key, value));
    }

    private static InjectedFault hbase(String check, String says, UnaryOperator<ProbedHBase> change) {
        return new InjectedFault(check, says, cluster -> CleanCluster.withHBase(cluster, change));
    }

    private static ProbedHBase with(ProbedHBase hbase, List<ProbedMaster> backups, List<String> dead) {
        return new ProbedHBase(backups, dead, hbase.balancerOn(), hbase.replicatedTables(), hbase.hotRegions());
    }

    /** The list of the HMaster that is active, of one that waits, or of the file that an HMaster will read when it is started again. */
    private static InjectedFault lostCoprocessor(String says, UnaryOperator<ProbedCluster> plant) {
        return new InjectedFault(
                "coprocessor-list",
                says + " lacks " + ACCESS_CONTROLLER,
                cluster -> plant.apply(CleanCluster.withFallbackConfig(
                        CleanCluster.withHBase(
                                CleanCluster.masterLine(cluster, COPROCESSORS, OWN_AND_HEARTHS),
                                hbase -> with(hbase, List.of(backup(OWN_AND_HEARTHS)), hbase.deadServers())),
                        cluster.fallbackConfig().with(COPROCESSORS, OWN_AND_HEARTHS))));
    }

    /** There is one HMaster, and its page shows what its file says since update_all_config; it runs with what it was started with. */
    private static ProbedCluster pastedOver(ProbedCluster cluster, String coprocessors) {
        return CleanCluster.withFallbackConfig(
                CleanCluster.withHBase(
                        CleanCluster.withLoadedCoprocessors(
                                CleanCluster.masterLine(cluster, COPROCESSORS, coprocessors), LOADED),
                        hbase -> with(hbase, List.of(), hbase.deadServers())),
                cluster.fallbackConfig().with(COPROCESSORS, coprocessors));
    }

    private static ProbedMaster backup(String coprocessors) {
        return new ProbedMaster(
                "backup",
                "2.6.4-hadoop3",
                ProbeResult.known("17"),
                CleanCluster.with(CleanCluster.examined().master().settings(), COPROCESSORS, coprocessors));
    }

    /** Beside those that are there already. */
    private static ProbedCluster withReplicated(ProbedCluster cluster, String table, int replicas) {
        return CleanCluster.withHBase(cluster, hbase -> {
            List<ReplicatedTable> tables =
                    new ArrayList<>(hbase.replicatedTables().ifKnown().orElseThrow());
            tables.add(new ReplicatedTable(
                    table, replicas, ProbeResult.known(cluster.regionServers().size())));
            return new ProbedHBase(
                    hbase.backupMasters(),
                    hbase.deadServers(),
                    hbase.balancerOn(),
                    ProbeResult.known(tables),
                    hbase.hotRegions());
        });
    }

    private static List<InjectedFault> all() {
        return List.of(
                lostCoprocessor(
                        "backup HMaster backup",
                        cluster -> CleanCluster.withHBase(
                                cluster, hbase -> with(hbase, List.of(backup(HEARTHS)), hbase.deadServers()))),
                lostCoprocessor("HMaster master", cluster -> CleanCluster.masterLine(cluster, COPROCESSORS, HEARTHS)),
                lostCoprocessor(
                        "the HMaster's hbase-site.xml",
                        cluster -> CleanCluster.askedByMaster(CleanCluster.withFallbackConfig(
                                cluster, cluster.fallbackConfig().with(COPROCESSORS, HEARTHS)))),
                new InjectedFault(
                        "coprocessor-list",
                        "HMaster master, the HMaster's hbase-site.xml lack " + ACCESS_CONTROLLER
                                + ", which HMaster master has loaded.",
                        cluster -> CleanCluster.askedByMaster(pastedOver(cluster, HEARTHS))),
                new InjectedFault(
                        "backup-master",
                        "hbase.master.loadbalancer.class, hbase.coprocessor.master.classes",
                        cluster -> CleanCluster.withHBase(
                                CleanCluster.masterLine(cluster, COPROCESSORS, OWN_AND_HEARTHS),
                                hbase -> with(
                                        hbase,
                                        List.of(new ProbedMaster(
                                                "backup",
                                                "2.6.4-hadoop3",
                                                ProbeResult.known("17"),
                                                ProbeResult.known(
                                                        new io.hearth.doctor.model.ProcessConfig(
                                                                Map.of(COPROCESSORS, ACCESS_CONTROLLER))))),
                                        hbase.deadServers()))),
                server("skip-checksum", "dfs.client.read.shortcircuit.skip.checksum", "true"),
                server("checksum-verify", "hbase.regionserver.checksum.verify", "false"),
                server("replication", "dfs.replication", "1"),
                new InjectedFault(
                        "files-of-one-replica",
                        "one replica",
                        cluster -> CleanCluster.withHdfs(
                                cluster,
                                hdfs -> new ProbedHdfs(
                                        hdfs.superuser(),
                                        ProbeResult.known(
                                                List.of(new ProbedDirectory("/hbase/data/default/t", "", "", 7))),
                                        hdfs.hdfsBalancers()))),
                node("transfer-threads", "dfs.datanode.max.transfer.threads", "64"),
                new InjectedFault(
                        "clock",
                        "10 s",
                        cluster -> CleanCluster.withServer(cluster, server -> Servers.clock(server, 20_000))),
                master("slop", "hbase.regions.slop", "10"),
                new InjectedFault(
                        "region-replica-count",
                        "usertable has REGION_REPLICATION 5, and the RegionServers that may have its regions are 4.",
                        cluster -> CleanCluster.serverLines(
                                CleanCluster.masterLine(
                                        withReplicated(cluster, "usertable", 5), REPLICA_REPLICATION, "true"),
                                REPLICA_REPLICATION,
                                "true")),
                new InjectedFault(
                        "region-replicas",
                        REPLICA_REPLICATION,
                        cluster -> CleanCluster.serverLine(
                                withReplicated(cluster, "usertable", 2), REPLICA_REPLICATION, "false")),
                hbase(
                        "balancer-switch",
                        "balance_switch",
                        hbase -> new ProbedHBase(
                                hbase.backupMasters(),
                                hbase.deadServers(),
                                ProbeResult.known(false),
                                hbase.replicatedTables(),
                                hbase.hotRegions())),
                hbase(
                        "hot-region",
                        "more requests than a server",
                        hbase -> new ProbedHBase(
                                hbase.backupMasters(),
                                hbase.deadServers(),
                                hbase.balancerOn(),
                                hbase.replicatedTables(),
                                ProbeResult.known(List.of(new HotRegion("abc", "usertable", "host2", 1_400, 2.5))))),
                server("blocking-store-files-limit", "hbase.hstore.blockingStoreFiles", "7"),
                new InjectedFault(
                        "racks",
                        "net.topology.script.file.name",
                        cluster -> CleanCluster.withNameNode(
                                CleanCluster.withServers(
                                        cluster,
                                        cluster.regionServers().stream()
                                                .map(server -> Servers.rack(
                                                        server, ProbeResult.unknown("told by Hearth's page alone")))
                                                .toList()),
                                "net.topology.script.file.name",
                                "/etc/hadoop/conf/racks.sh")),
                new InjectedFault("dead-server", "the server ended", cluster -> {
                    List<ProbedRegionServer> servers = new ArrayList<>(cluster.regionServers());
                    ProbedRegionServer dead = servers.remove(0);
                    return CleanCluster.withHBase(
                            CleanCluster.withServers(cluster, servers),
                            hbase -> with(hbase, hbase.backupMasters(), List.of(dead.host() + ":16020")));
                }),
                new InjectedFault(
                        "heap-shares",
                        "hfile.block.cache.size, hbase.regionserver.global.memstore.size",
                        cluster -> CleanCluster.serverLine(
                                CleanCluster.serverLine(cluster, "hfile.block.cache.size", "0.6"),
                                "hbase.regionserver.global.memstore.size",
                                "0.4")),
                server("short-circuit", "dfs.client.read.shortcircuit", "false"),
                server("short-circuit-socket", "dfs.domain.socket.path", "/var/run/other/dn_socket"),
                new InjectedFault(
                        "short-circuit-use",
                        "short-circuit",
                        cluster -> CleanCluster.withServer(
                                cluster,
                                server -> Servers.counters(
                                        Servers.recentLocalReads(
                                                server, ProbeResult.known(new LocalReads(5 * MEGABYTE, 0, 12_000))),
                                        ProbeResult.known(new ServerCounters(
                                                26_700 * MEGABYTE, 26_400 * MEGABYTE, 0, 0, 0, 0, 0))))),
                server("read-block-locations", "dfs.client.refresh.read-block-locations.ms", "0"),
                server("derived-locality", "hbase.locality.inputstream.derive.enabled", "false"),
                hbase(
                        "flapping-server",
                        "It was restarted three times within an hour.",
                        hbase -> new ProbedHBase(
                                hbase.backupMasters(),
                                hbase.deadServers(),
                                hbase.balancerOn(),
                                hbase.replicatedTables(),
                                hbase.hotRegions(),
                                hbase.metaReplicas(),
                                ProbeResult.known(List.of("host2:16020")))),
                new InjectedFault(
                        "regions-per-server",
                        "700 regions",
                        cluster -> CleanCluster.withServer(cluster, server -> Servers.regions(server, 700, 1_400))));
    }

    static Stream<Arguments> injected() {
        return all().stream().map(one -> Arguments.of(one.check(), one));
    }

    @Test
    void thereAreTwentySevenAndAHealthyClusterHasNone() {
        assertThat(all()).hasSize(27);
        assertThat(Doctor.findings(CleanCluster.examined())).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("injected")
    void eachIsFoundAndMended(String check, InjectedFault injected) {
        ProbedCluster cluster = injected.plant().apply(CleanCluster.examined());

        List<Finding> findings = Doctor.findings(cluster);

        assertThat(findings).as("%s", findings).singleElement().satisfies(finding -> {
            assertThat(finding.check()).isEqualTo(check);
            assertThat(finding.severity()).isIn(Severity.ERROR, Severity.WARNING);
            assertThat(finding.what()).contains(injected.says());
            assertThat(finding.fixes()).isNotEmpty();
            Changes.areOfTheirKeysTypes(finding);
            Changes.mend(cluster, finding);
        });
    }

    /** HBase takes a coprocessor's priority behind its name: it is the same class. */
    @Test
    void aPriorityBehindACoprocessorIsNoOtherCoprocessor() {
        String withPriorities = HEARTHS.replace(",", "|500,") + "|1000";
        ProbedCluster cluster = CleanCluster.withHBase(
                CleanCluster.masterLine(CleanCluster.examined(), COPROCESSORS, withPriorities),
                hbase -> with(hbase, List.of(backup(HEARTHS)), hbase.deadServers()));

        assertThat(Doctor.findings(cluster))
                .extracting(Finding::check)
                .doesNotContain("backup-master", "coprocessor-list");
    }

    /** Of the class that was lost and of those that are there: pasted, the line runs them in the order that they had. */
    @Test
    void theLineKeepsThePrioritiesThatSomeListHas() {
        ProbedCluster cluster = CleanCluster.withHBase(
                CleanCluster.masterLine(CleanCluster.examined(), COPROCESSORS, ACCESS_CONTROLLER + "|100," + HEARTHS),
                hbase -> with(hbase, List.of(backup(HEARTHS.replace(",", "|500,"))), hbase.deadServers()));

        assertThat(Doctor.findings(cluster))
                .filteredOn(finding -> finding.check().equals("coprocessor-list"))
                .singleElement()
                .satisfies(finding -> assertThat(finding.fixes())
                        .singleElement()
                        .asString()
                        .contains(ACCESS_CONTROLLER + "|100," + HEARTHS.replace(",", "|500,")));
    }

    /** Those that are about one server are about the same one, so that no finding may hide another. */
    @Test
    void allOfThemTogetherAreFoundToo() {
        ProbedCluster cluster = CleanCluster.examined();
        Map<String, InjectedFault> byCheck = new LinkedHashMap<>();
        all().forEach(one -> byCheck.put(one.check(), one));
        // Without short-circuit reads there is neither a socket nor a use of one.
        byCheck.remove("short-circuit");
        for (InjectedFault one : byCheck.values()) {
            cluster = one.plant().apply(cluster);
        }

        assertThat(Doctor.findings(cluster)).extracting(Finding::check).containsAll(byCheck.keySet());
    }

    @Test
    void ofAServerWhoseSocketIsAnothersTheLineIsThatOfItsOwnHostsDataNode() {
        ProbedCluster cluster = CleanCluster.withNode(
                CleanCluster.serverLine(CleanCluster.examined(), "dfs.client.read.shortcircuit", "false"),
                node -> Nodes.settings(
                        node, CleanCluster.with(node.settings(), "dfs.domain.socket.path", "/run/hdfs/host4._PORT")));

        assertThat(Doctor.findings(cluster)).singleElement().satisfies(finding -> assertThat(finding.fixes())
                .extracting(Object::toString)
                .anyMatch(line -> line.contains("/run/hdfs/host4._PORT")));
    }

    @Test
    void aListOfAClientOnAnotherHostIsOnlyNoted() {
        ProbedCluster cluster = pastedOver(CleanCluster.examined(), OWN_AND_HEARTHS);

        assertThat(Doctor.findings(cluster)).isEmpty();
        assertThat(Doctor.findings(CleanCluster.withFallbackConfig(
                        cluster, cluster.fallbackConfig().with(COPROCESSORS, HEARTHS))))
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.severity()).isEqualTo(Severity.INFO);
                    assertThat(finding.what())
                            .isEqualTo(COPROCESSORS + " of the client's configuration lacks " + ACCESS_CONTROLLER
                                    + ", which HMaster master has loaded.");
                });
    }

    @Test
    void ofALoadedClassWhosePackageNobodyKnowsNoLineIsMade() {
        ProbedCluster cluster = CleanCluster.withLoadedCoprocessors(
                pastedOver(CleanCluster.examined(), HEARTHS), List.of("LocalityHealingObserver", "AuditObserver"));

        assertThat(Doctor.findings(cluster))
                .filteredOn(finding -> finding.severity() == Severity.ERROR)
                .singleElement()
                .satisfies(finding -> assertThat(finding.fixes())
                        .containsExactly(new io.hearth.doctor.model.Finding.Fix.Advice("Put AuditObserver back into "
                                + COPROCESSORS + " with its package, before the next restart.")));
    }

    @Test
    void aServerThatIsGoneWithItsHostIsOnlyNoted() {
        ProbedCluster cluster = CleanCluster.withHBase(
                CleanCluster.examined(), hbase -> with(hbase, hbase.backupMasters(), List.of("host9:16020")));

        assertThat(Doctor.findings(cluster))
                .extracting(Finding::check, Finding::severity)
                .containsExactly(org.assertj.core.groups.Tuple.tuple("dead-server", Severity.INFO));
    }

    @Test
    void aValueThatIsNoneOfOneServerDoesNotHideTheOthers() {
        ProbedCluster cluster =
                CleanCluster.serverLine(CleanCluster.examined(), "dfs.client.retry.window.base", "soon");
        List<ProbedRegionServer> servers = new ArrayList<>(cluster.regionServers());
        servers.set(
                0,
                Servers.settings(
                        servers.get(0),
                        CleanCluster.with(servers.get(0).settings(), "dfs.client.retry.window.base", "3000")));

        assertThat(Doctor.findings(CleanCluster.withServers(cluster, servers)))
                .extracting(Finding::check, Finding::severity, Finding::where)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple(
                                "retry-window", Severity.WARNING, List.of("RegionServer host1")),
                        org.assertj.core.groups.Tuple.tuple(
                                "retry-window", Severity.UNKNOWN, List.of("RegionServer host4")));
    }
}
