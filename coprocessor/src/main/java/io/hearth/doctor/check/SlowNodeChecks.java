// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.check;

import static io.hearth.doctor.model.HadoopKey.DISK_SAMPLING_PERCENT;
import static io.hearth.doctor.model.HadoopKey.MIN_COMPARED_NODES;
import static io.hearth.doctor.model.HadoopKey.PEER_STATS;
import static io.hearth.doctor.model.ProcessConfig.Role.DATANODE;
import static io.hearth.doctor.model.ProcessConfig.Role.NAMENODE;

import io.hearth.doctor.check.Doctor.Check;
import io.hearth.doctor.model.Finding;
import io.hearth.doctor.model.Finding.Fix;
import io.hearth.doctor.model.Finding.Fix.Advice;
import io.hearth.doctor.model.Finding.Fix.ConfigLine;
import io.hearth.doctor.model.Finding.Severity;
import io.hearth.doctor.model.HadoopKey;
import io.hearth.doctor.model.NodeReports;
import io.hearth.doctor.model.NodeReports.SlowPeer;
import io.hearth.doctor.model.ProbedCluster;
import io.hearth.doctor.model.ProbedCluster.Daemon;
import io.hearth.doctor.model.ProbedCluster.ProbedHdfs.ProbedDataNode;
import io.hearth.doctor.model.ProcessConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * DataNodes that are slow by HDFS's own measuring. Where HDFS does not measure, which is its default, that none is reported is unknown,
 * and not good.
 */
final class SlowNodeChecks {

    /** A tenth of the reads and writes of a disk is timed. */
    private static final int SAMPLING_PERCENT = 10;

    /** So few DataNodes can be compared with one another. */
    private static final int FEW_NODES = 3;

    private SlowNodeChecks() {}

    static List<Check> all() {
        return List.of(new SlowPeersCheck(), new SlowDisksCheck());
    }

    /** Whether every process that is known to be there measures how slow DataNodes are, and compares as many as there are. */
    static boolean measuresPeers(ProbedCluster cluster) {
        return isKnown(cluster)
                && withoutMeasuring(cluster, own -> own.is(PEER_STATS)).isEmpty()
                && comparingMore(cluster).isEmpty();
    }

    /** The DataNodes that have too few others to compare: they report none, however slow. */
    private static List<Daemon> comparingMore(ProbedCluster cluster) {
        int peers = (int) cluster.daemons(DATANODE).count() - 1;
        return cluster.daemons(DATANODE)
                .filter(node -> node.settings()
                        .ifKnown()
                        .filter(own -> own.number(MIN_COMPARED_NODES) > Math.max(peers, FEW_NODES))
                        .isPresent())
                .toList();
    }

    /** The same of their disks. */
    static boolean measuresDisks(ProbedCluster cluster) {
        return isKnown(cluster)
                && withoutMeasuring(cluster, own -> own.number(DISK_SAMPLING_PERCENT) > 0)
                        .isEmpty();
    }

    private static boolean isKnown(ProbedCluster cluster) {
        return reports(cluster).findAny().isPresent()
                && cluster.dataNodes().ifKnown().isPresent();
    }

    /** The slow volumes, each with its DataNode. */
    static Set<String> slowDisks(ProbedCluster cluster) {
        Set<String> slow = new TreeSet<>();
        reports(cluster)
                .flatMap(reports -> reports.slowDisks().stream())
                .forEach(disk -> slow.add(volume(disk.node(), disk.volume())));
        for (ProbedDataNode node : cluster.dataNodes().ifKnown().orElse(List.of())) {
            node.metrics().ifKnown().ifPresent(own -> own.slowDisks()
                    .forEach(volume -> slow.add(volume(node.host(), volume))));
        }
        return slow;
    }

    private static String volume(String node, String volume) {
        return DATANODE.word() + " " + node + " (" + volume + ")";
    }

    static Stream<NodeReports> reports(ProbedCluster cluster) {
        return cluster.nameNodes().ifKnown().stream()
                .flatMap(List::stream)
                .flatMap(node -> node.reports().ifKnown().stream());
    }

    /** The processes of these roles that do not measure; those whose configuration can't be read are not among them. */
    private static List<Daemon> withoutMeasuring(ProbedCluster cluster, Predicate<ProcessConfig> measures) {
        return Stream.of(DATANODE, NAMENODE)
                .flatMap(cluster::daemons)
                .filter(daemon -> daemon.settings()
                        .ifKnown()
                        .filter(own -> !measures.test(own))
                        .isPresent())
                .toList();
    }

    private static List<Fix> lines(List<Daemon> daemons, HadoopKey key, Object value) {
        return Stream.of(DATANODE, NAMENODE)
                .filter(role -> daemons.stream().anyMatch(daemon -> daemon.role() == role))
                .<Fix>map(role -> ConfigLine.of(role, key, value))
                .toList();
    }

    private static Finding unknown(String check, List<Daemon> where, String what, List<Fix> fixes, String source) {
        return new Finding(
                check,
                Severity.UNKNOWN,
                where.stream().map(Daemon::name).toList(),
                what,
                "A DataNode or disk that is slow: every pipeline and read that needs it waits, and nothing fails, so that nobody is told.",
                fixes,
                source);
    }

    /** Whether DataNodes report one another as slow: each measures how long the packets take that it passes on. */
    private static final class SlowPeersCheck implements Check {

        private static final String SOURCE =
                "SlowPeersReport of the bean NameNodeStatus, and dfsadmin -report -slownodes; HDFS-11194 (Hadoop 3.0)";

        private static final FindingTemplate TEMPLATE = new FindingTemplate(
                "slow-peers",
                Severity.WARNING,
                "Every pipeline that they are in waits for them, and so does every read of their replicas.",
                SOURCE,
                new Advice(
                        "Look at network and disks of that host; stop its DataNode if that does not help, and HDFS copies its blocks"));

        @Override
        public String name() {
            return TEMPLATE.check();
        }

        @Override
        public List<Finding> examine(ProbedCluster cluster) {
            Map<String, Set<String>> reportersByNode = new TreeMap<>();
            reports(cluster)
                    .flatMap(reports -> reports.slowPeers().stream())
                    .forEach(peer -> add(peer, reportersByNode));
            if (reportersByNode.isEmpty()) {
                return notMeasured(cluster);
            }
            return TEMPLATE.foundIfAny(
                    reportersByNode.entrySet().stream()
                            .map(node -> DATANODE.word() + " " + node.getKey() + " (by "
                                    + String.join(", ", node.getValue()) + ")")
                            .toList(),
                    "Other DataNodes find these slow when they send packets to them.");
        }

        private static void add(SlowPeer peer, Map<String, Set<String>> reportersByNode) {
            reportersByNode
                    .computeIfAbsent(peer.node(), first -> new TreeSet<>())
                    .addAll(peer.reporters());
        }

        private static List<Finding> notMeasured(ProbedCluster cluster) {
            List<Daemon> off = withoutMeasuring(cluster, own -> own.is(PEER_STATS));
            if (!off.isEmpty()) {
                return List.of(unknown(
                        TEMPLATE.check(),
                        off,
                        "No DataNode is reported as slow by others, and they do not measure: " + PEER_STATS.key()
                                + " is false.",
                        lines(off, PEER_STATS, true),
                        SOURCE));
            }
            List<Daemon> tooMany = comparingMore(cluster);
            return tooMany.isEmpty()
                    ? List.of()
                    : List.of(unknown(
                            TEMPLATE.check(),
                            tooMany,
                            "No DataNode is reported as slow by others, and there are fewer than are compared: "
                                    + MIN_COMPARED_NODES.key() + ".",
                            lines(tooMany, MIN_COMPARED_NODES, FEW_NODES),
                            SOURCE));
        }
    }

    /** Whether DataNodes find one of their own volumes slower than the others. */
    private static final class SlowDisksCheck implements Check {

        private static final String SOURCE =
                "SlowDisksReport of the bean NameNodeStatus and SlowDisks of DataNodeInfo; HDFS-11461, HDFS-11545 (Hadoop 3.0). Five volumes of a"
                        + " DataNode are compared at least (dfs.datanode.min.outlier.detection.disks, Hadoop 3.3)";

        private static final FindingTemplate TEMPLATE = new FindingTemplate(
                "slow-disks",
                Severity.WARNING,
                "Every read and write of a replica there waits for it, until it fails or is taken out.",
                SOURCE,
                new Advice(
                        "Look at the disk (smartctl, the kernel's log); take it out of dfs.datanode.data.dir, and HDFS copies its blocks"));

        @Override
        public String name() {
            return TEMPLATE.check();
        }

        @Override
        public List<Finding> examine(ProbedCluster cluster) {
            Set<String> slow = slowDisks(cluster);
            if (!slow.isEmpty()) {
                return TEMPLATE.foundIfAny(
                        new ArrayList<>(slow), "These volumes are slower than the others of their DataNode.");
            }
            List<Daemon> off = withoutMeasuring(cluster, own -> own.number(DISK_SAMPLING_PERCENT) > 0);
            return off.isEmpty()
                    ? List.of()
                    : List.of(unknown(
                            TEMPLATE.check(),
                            off,
                            "No disk is reported as slow, and they are not measured: " + DISK_SAMPLING_PERCENT.key()
                                    + " is 0.",
                            lines(off, DISK_SAMPLING_PERCENT, SAMPLING_PERCENT),
                            SOURCE));
        }
    }
}
