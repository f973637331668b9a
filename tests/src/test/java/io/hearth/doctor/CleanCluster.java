// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor;

import io.hearth.doctor.model.DataNodeMetrics;
import io.hearth.doctor.model.DataNodeMetrics.ListenDrops;
import io.hearth.doctor.model.NodeReports;
import io.hearth.doctor.model.ProbedCluster;
import io.hearth.doctor.model.ProbedCluster.ProbeResult;
import io.hearth.doctor.model.ProbedCluster.ProbedHBase;
import io.hearth.doctor.model.ProbedCluster.ProbedHBase.LocalReads;
import io.hearth.doctor.model.ProbedCluster.ProbedHBase.ProbedMaster;
import io.hearth.doctor.model.ProbedCluster.ProbedHBase.ProbedRegionServer;
import io.hearth.doctor.model.ProbedCluster.ProbedHBase.ServerCounters;
import io.hearth.doctor.model.ProbedCluster.ProbedHdfs;
import io.hearth.doctor.model.ProbedCluster.ProbedHdfs.ProbedDataNode;
import io.hearth.doctor.model.ProbedCluster.ProbedHdfs.ProbedNameNode;
import io.hearth.doctor.model.ProcessConfig;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;

/** A synthetic cluster of four hosts that is configured from {@code conf/} and in which everything is known and as it should be. */
final class CleanCluster {

    static final Path CONF = Path.of("..", "conf").toAbsolutePath().normalize();

    private static final long GIGABYTE = 1L << 30;
    private static final long MEGABYTE = 1L << 20;

    private CleanCluster() {}

    static ProbedCluster examined() {
        return examined(List.of());
    }

    /** With these files of a preset over the fragments, where they are for both. */
    static ProbedCluster examined(List<Path> preset) {
        ProcessConfig hbase = settings(files(preset, "regionserver/hbase-site.xml", "short-circuit.xml"));
        ProcessConfig master = settings(files(preset, "master/hbase-site.xml"));
        ProcessConfig dataNode = settings(files(preset, "datanode/hdfs-site.xml", "short-circuit.xml"));
        List<ProbedRegionServer> servers = new ArrayList<>();
        List<ProbedDataNode> nodes = new ArrayList<>();
        for (int host = 1; host <= 4; host++) {
            String rack = "/rack" + (1 + host % 2);
            servers.add(new ProbedRegionServer(
                    "host" + host,
                    ProbeResult.known("2.6.4-hadoop3"),
                    ProbeResult.known(rack),
                    ProbeResult.known(hbase),
                    12 * GIGABYTE,
                    100,
                    100,
                    300,
                    4,
                    GIGABYTE,
                    ProbeResult.known(new ServerCounters(GIGABYTE, GIGABYTE, 1_000, 100 * MEGABYTE, 2, 10_000, 5_000)),
                    ProbeResult.known(new LocalReads(MEGABYTE, MEGABYTE, 10_000)),
                    ProbeResult.known(0L)));
            nodes.add(new ProbedDataNode(
                    "host" + host,
                    rack,
                    ProbeResult.known("3.4.3"),
                    ProbeResult.known(dataNode),
                    ProbeResult.known(100 * MEGABYTE),
                    ProbeResult.known(100L),
                    ProbeResult.known(4_096),
                    ProbeResult.unknown("it has not Hearth's dataset"),
                    ProbeResult.known(new DataNodeMetrics(
                            20, 0, OptionalDouble.of(2), OptionalDouble.of(1), List.of(), Optional.empty())),
                    ProbeResult.known(new ListenDrops(7, 0, 10_000))));
        }
        return new ProbedCluster(
                "hbase",
                hbase,
                "the client's configuration",
                new ProbedMaster(
                        "master",
                        "2.6.4-hadoop3",
                        ProbeResult.known("17"),
                        ProbeResult.known(master),
                        ProbeResult.known(List.of("HearthAdminEndpoint", "LocalityHealingObserver"))),
                servers,
                ProbeResult.known(List.of(new ProbedNameNode(
                        "namenode",
                        ProbeResult.known("3.4.3"),
                        ProbeResult.known(settings(files(preset, "namenode/hdfs-site.xml"))),
                        ProbeResult.known(new NodeReports(List.of(), List.of(), List.of()))))),
                ProbeResult.known(nodes),
                new ProbedHdfs(ProbeResult.known(true), ProbeResult.known(List.of()), ProbeResult.known(List.of())),
                new ProbedHBase(
                        List.of(new ProbedMaster(
                                "backup", "2.6.4-hadoop3", ProbeResult.known("17"), ProbeResult.known(master))),
                        List.of(),
                        ProbeResult.known(true),
                        ProbeResult.known(List.of()),
                        ProbeResult.known(List.of())));
    }

    private static List<Path> files(List<Path> preset, String... fragments) {
        List<Path> files = new ArrayList<>();
        for (String fragment : fragments) {
            files.add(CONF.resolve(fragment));
        }
        files.addAll(preset);
        return files;
    }

    private static ProcessConfig settings(List<Path> files) {
        Configuration site = new Configuration(false);
        files.forEach(file -> site.addResource(new org.apache.hadoop.fs.Path(file.toUri())));
        Map<String, String> values = new TreeMap<>(site.getPropsWithPrefix(""));
        values.keySet().removeIf(key -> !ProcessConfig.isRead(key));
        return new ProcessConfig(values);
    }

    /** A copy with one part in the place of its own. */
    private static ProbedCluster with(ProbedCluster cluster, Object... parts) {
        ProbedCluster copy = cluster;
        for (Object part : parts) {
            copy = new ProbedCluster(
                    copy.user(),
                    part instanceof ProcessConfig fallbackConfig ? fallbackConfig : copy.fallbackConfig(),
                    copy.fallbackName(),
                    part instanceof ProbedMaster master ? master : copy.master(),
                    copy.regionServers(),
                    copy.nameNodes(),
                    copy.dataNodes(),
                    part instanceof ProbedHdfs hdfs ? hdfs : copy.hdfs(),
                    part instanceof ProbedHBase hbase ? hbase : copy.hbase());
        }
        return copy;
    }

    static ProbedCluster withFallbackConfig(ProbedCluster cluster, ProcessConfig fallbackConfig) {
        return with(cluster, fallbackConfig);
    }

    static ProbedCluster withMaster(ProbedCluster cluster, UnaryOperator<ProbedMaster> change) {
        return with(cluster, change.apply(cluster.master()));
    }

    static ProbedCluster withHdfs(ProbedCluster cluster, UnaryOperator<ProbedHdfs> change) {
        return with(cluster, change.apply(cluster.hdfs()));
    }

    static ProbedCluster withHBase(ProbedCluster cluster, UnaryOperator<ProbedHBase> change) {
        return with(cluster, change.apply(cluster.hbase()));
    }

    static ProbedCluster withServers(ProbedCluster cluster, List<ProbedRegionServer> servers) {
        return new ProbedCluster(
                cluster.user(),
                cluster.fallbackConfig(),
                cluster.fallbackName(),
                cluster.master(),
                servers,
                cluster.nameNodes(),
                cluster.dataNodes(),
                cluster.hdfs(),
                cluster.hbase());
    }

    static ProbedCluster withNodes(ProbedCluster cluster, ProbeResult<List<ProbedDataNode>> nodes) {
        return new ProbedCluster(
                cluster.user(),
                cluster.fallbackConfig(),
                cluster.fallbackName(),
                cluster.master(),
                cluster.regionServers(),
                cluster.nameNodes(),
                nodes,
                cluster.hdfs(),
                cluster.hbase());
    }

    static ProbedCluster withNameNodes(ProbedCluster cluster, List<ProbedNameNode> nodes) {
        return new ProbedCluster(
                cluster.user(),
                cluster.fallbackConfig(),
                cluster.fallbackName(),
                cluster.master(),
                cluster.regionServers(),
                ProbeResult.known(nodes),
                cluster.dataNodes(),
                cluster.hdfs(),
                cluster.hbase());
    }

    /** With a change to the last of the RegionServers. */
    static ProbedCluster withServer(ProbedCluster cluster, UnaryOperator<ProbedRegionServer> change) {
        List<ProbedRegionServer> servers = new ArrayList<>(cluster.regionServers());
        servers.add(change.apply(servers.remove(servers.size() - 1)));
        return withServers(cluster, servers);
    }

    /** With a change to the last of the DataNodes. */
    static ProbedCluster withNode(ProbedCluster cluster, UnaryOperator<ProbedDataNode> change) {
        List<ProbedDataNode> nodes =
                new ArrayList<>(cluster.dataNodes().ifKnown().orElseThrow());
        nodes.add(change.apply(nodes.remove(nodes.size() - 1)));
        return withNodes(cluster, ProbeResult.known(nodes));
    }

    static ProbedCluster withNameNode(ProbedCluster cluster, String key, String value) {
        ProbedNameNode node = cluster.nameNodes().ifKnown().orElseThrow().get(0);
        return withNameNodes(
                cluster,
                List.of(new ProbedNameNode(
                        node.host(), node.version(), with(node.settings(), key, value), node.reports())));
    }

    static ProbedCluster withReports(ProbedCluster cluster, NodeReports reports) {
        ProbedNameNode node = cluster.nameNodes().ifKnown().orElseThrow().get(0);
        return withNameNodes(
                cluster,
                List.of(new ProbedNameNode(node.host(), node.version(), node.settings(), ProbeResult.known(reports))));
    }

    static ProbeResult<ProcessConfig> with(ProbeResult<ProcessConfig> settings, String key, String value) {
        return ProbeResult.known(settings.ifKnown().orElseThrow().with(key, value));
    }

    static ProbedCluster masterLine(ProbedCluster cluster, String key, String value) {
        return withMaster(
                cluster,
                master -> new ProbedMaster(
                        master.host(),
                        master.version(),
                        master.java(),
                        with(master.settings(), key, value),
                        master.loadedCoprocessors()));
    }

    /** Where the active HMaster has loaded these, by the last parts of their names. */
    static ProbedCluster withLoadedCoprocessors(ProbedCluster cluster, List<String> simpleNames) {
        return withMaster(
                cluster,
                master -> new ProbedMaster(
                        master.host(),
                        master.version(),
                        master.java(),
                        master.settings(),
                        ProbeResult.known(simpleNames)));
    }

    /** Asked by the HMaster itself, so that the fallback is its own file. */
    static ProbedCluster askedByMaster(ProbedCluster cluster) {
        return new ProbedCluster(
                cluster.user(),
                cluster.fallbackConfig(),
                ProbedCluster.MASTERS_FILE,
                cluster.master(),
                cluster.regionServers(),
                cluster.nameNodes(),
                cluster.dataNodes(),
                cluster.hdfs(),
                cluster.hbase());
    }

    static ProbedCluster serverLine(ProbedCluster cluster, String key, String value) {
        return withServer(cluster, server -> Servers.settings(server, with(server.settings(), key, value)));
    }

    /** The same line in every RegionServer. */
    static ProbedCluster serverLines(ProbedCluster cluster, String key, String value) {
        return withServers(
                cluster,
                cluster.regionServers().stream()
                        .map(server -> Servers.settings(server, with(server.settings(), key, value)))
                        .toList());
    }

    static ProbedCluster nodeLine(ProbedCluster cluster, String key, String value) {
        return withNode(cluster, node -> Nodes.settings(node, with(node.settings(), key, value)));
    }
}
