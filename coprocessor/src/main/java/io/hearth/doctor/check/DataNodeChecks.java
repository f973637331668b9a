// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.check;

import static io.hearth.doctor.model.HadoopKey.TRANSFER_THREADS;
import static io.hearth.doctor.model.ProcessConfig.Role.DATANODE;

import io.hearth.doctor.check.Doctor.Check;
import io.hearth.doctor.model.DataNodeMetrics;
import io.hearth.doctor.model.DataNodeMetrics.ListenDrops;
import io.hearth.doctor.model.DataNodeMetrics.PendingDeletions;
import io.hearth.doctor.model.Finding;
import io.hearth.doctor.model.Finding.Fix.Advice;
import io.hearth.doctor.model.Finding.Fix.Command;
import io.hearth.doctor.model.Finding.Fix.ConfigLine;
import io.hearth.doctor.model.Finding.Severity;
import io.hearth.doctor.model.ProbedCluster;
import io.hearth.doctor.model.ProbedCluster.ProbedHdfs.ProbedDataNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

/** How DataNodes fare by what they say of themselves: what is about to fail is seen here before anything does. */
final class DataNodeChecks {

    private DataNodeChecks() {}

    static List<Check> all() {
        return List.of(
                new DeadDataNodesCheck(),
                new FailedVolumesCheck(),
                new XceiversCheck(),
                new SlowWritesCheck(),
                new PendingDeletionsCheck(),
                new ListenDropsCheck());
    }

    private static String place(ProbedDataNode node) {
        return DATANODE.word() + " " + node.host();
    }

    private static List<ProbedDataNode> nodes(ProbedCluster cluster) {
        return cluster.dataNodes().ifKnown().orElse(List.of());
    }

    /** Whether the NameNode has lost a DataNode that nobody has taken out. */
    private static final class DeadDataNodesCheck implements Check {

        private static final FindingTemplate TEMPLATE = new FindingTemplate(
                "dead-datanode",
                Severity.WARNING,
                "HDFS copies its blocks, and regions on its host are remote from then on.",
                "DeadNodes of the bean NameNodeInfo",
                new Advice(
                        "Start it; or, where it is gone for good, take it out of dfs.hosts and run hdfs dfsadmin -refreshNodes"));

        @Override
        public String name() {
            return TEMPLATE.check();
        }

        @Override
        public List<Finding> examine(ProbedCluster cluster) {
            return TEMPLATE.foundIfAny(
                    cluster.nameNodes().ifKnown().stream()
                            .flatMap(List::stream)
                            .flatMap(node -> node.reports().ifKnown().stream())
                            .flatMap(reports -> reports.dead().stream())
                            .map(node -> DATANODE.word() + " " + node)
                            .toList(),
                    "The NameNode has not heard from these DataNodes for so long that they are dead.");
        }
    }

    /** Whether a DataNode goes on with fewer volumes than it was given. */
    private static final class FailedVolumesCheck implements Check {

        private static final FindingTemplate TEMPLATE = new FindingTemplate(
                "failed-volumes",
                Severity.ERROR,
                "HDFS copies what was on it; above dfs.datanode.failed.volumes.tolerated the DataNode stops.",
                "NumFailedVolumes of the bean FSDatasetState; every Hadoop 3",
                new Advice(
                        "Replace the disk (FailedStorageLocations of that bean names it), then restart the DataNode"));

        @Override
        public String name() {
            return TEMPLATE.check();
        }

        @Override
        public List<Finding> examine(ProbedCluster cluster) {
            return TEMPLATE.foundIfAny(
                    nodes(cluster).stream()
                            .flatMap(node -> node.metrics().ifKnown().stream()
                                    .filter(own -> own.failedVolumes() > 0)
                                    .map(own -> place(node) + " (" + own.failedVolumes() + ")"))
                            .toList(),
                    "A DataNode has lost volumes; how many is in brackets.");
        }
    }

    /** Whether a DataNode is near the number of transfers above which it refuses connections. */
    private static final class XceiversCheck implements Check {

        private static final double NEAR = 0.8;

        @Override
        public String name() {
            return "transfer-threads-use";
        }

        @Override
        public List<Finding> examine(ProbedCluster cluster) {
            List<String> places = new ArrayList<>();
            long largest = 0;
            for (ProbedDataNode node : nodes(cluster)) {
                Optional<DataNodeMetrics> metrics = node.metrics().ifKnown();
                long most = cluster.settingsOf(node.settings()).number(TRANSFER_THREADS);
                if (metrics.filter(own -> own.xceivers() > NEAR * most).isPresent()) {
                    places.add(place(node) + " (" + metrics.get().xceivers() + " of " + most + ")");
                    largest = Math.max(largest, most);
                }
            }
            FindingTemplate template = new FindingTemplate(
                    name(),
                    Severity.WARNING,
                    "Above that many reads, writes and moves at a time the DataNode refuses connections: readers turn to other replicas, and"
                            + " pipelines of WALs break.",
                    "XceiverCount of the bean DataNodeInfo",
                    ConfigLine.of(
                            DATANODE,
                            TRANSFER_THREADS,
                            Math.max(Long.parseLong(TRANSFER_THREADS.defaultValue()), 2 * largest)),
                    new Advice("Look first for clients that leave streams open: each holds a thread of the DataNode"));
            return template.foundIfAny(
                    places,
                    "A DataNode serves more than four fifths of the transfers that it may serve at a time: "
                            + TRANSFER_THREADS.key() + ".");
        }
    }

    /**
     * Whether the packets of a DataNode are acknowledged, or its flushes done, much later than those of most others. An acknowledgement
     * comes from the end of a pipeline, so that it can be a DataNode behind this one that is slow.
     */
    private static final class SlowWritesCheck implements Check {

        private static final int FEWEST = 3;
        private static final double TIMES_MEDIAN = 5;

        /** Below this, in milliseconds, nobody waits. */
        private static final double FLOOR_MS = 50;

        private static final FindingTemplate TEMPLATE = new FindingTemplate(
                "slow-writes",
                Severity.WARNING,
                "Each sync of a WAL waits for the slowest DataNode of its pipeline.",
                "PacketAckRoundTripTimeNanos and FlushNanos of the bean DataNodeActivity",
                new Advice("Look at its disks and at those of the DataNodes to which it passes packets on"));

        @Override
        public String name() {
            return TEMPLATE.check();
        }

        @Override
        public List<Finding> examine(ProbedCluster cluster) {
            return Stream.of(
                            slow(cluster, DataNodeMetrics::packetAckMs, "acknowledged packets"),
                            slow(cluster, DataNodeMetrics::flushMs, "flushed to disk"))
                    .flatMap(List::stream)
                    .toList();
        }

        private static List<Finding> slow(
                ProbedCluster cluster, Function<DataNodeMetrics, OptionalDouble> time, String done) {
            Map<String, Double> msByNode = new TreeMap<>();
            for (ProbedDataNode node : nodes(cluster)) {
                node.metrics()
                        .ifKnown()
                        .map(time)
                        .ifPresent(ms -> ms.ifPresent(known -> msByNode.put(place(node), known)));
            }
            List<Double> sorted = msByNode.values().stream().sorted().toList();
            if (sorted.size() < FEWEST) {
                return List.of();
            }
            double medianMs = sorted.get(sorted.size() / 2);
            double mostMs = Math.max(FLOOR_MS, TIMES_MEDIAN * medianMs);
            return TEMPLATE.foundIfAny(
                    msByNode.entrySet().stream()
                            .filter(node -> node.getValue() > mostMs)
                            .map(node -> node.getKey() + " (" + Math.round(node.getValue()) + " ms)")
                            .toList(),
                    "Of late it has " + done + " much later than half of the DataNodes, which take up to "
                            + Math.round(medianMs) + " ms.");
        }
    }

    /** Whether Hearth's deletion delay has hardly room for one more replica. */
    private static final class PendingDeletionsCheck implements Check {

        private static final double NEAR = 0.8;

        private static final FindingTemplate TEMPLATE = new FindingTemplate(
                "deletion-delay-room",
                Severity.WARNING,
                "Beyond that replaced replicas are deleted at once, under readers that count on them.",
                "PendingReplicas, MaxReplicas, PendingBytes and MaxBytes of the bean HearthDeletionDelay",
                new Advice(
                        "Lower hearth.heal.datanode.bandwidth or the HDFS Balancer's rate; or, where the disks have room, raise"
                                + " hearth.datanode.deletion.delay.max.replicas, or .max.bytes where bytes are in brackets"));

        @Override
        public String name() {
            return TEMPLATE.check();
        }

        @Override
        public List<Finding> examine(ProbedCluster cluster) {
            return TEMPLATE.foundIfAny(
                    nodes(cluster).stream()
                            .flatMap(
                                    node -> node.metrics().ifKnown().flatMap(DataNodeMetrics::pendingDeletions).stream()
                                            .flatMap(pending -> nearlyFull(pending).stream())
                                            .map(room -> place(node) + " (" + room + ")"))
                            .toList(),
                    "More than four fifths of the replicas, or of their bytes, wait to be deleted that may.");
        }

        /** Of large blocks the bytes are at their limit long before the number is. */
        private static Optional<String> nearlyFull(PendingDeletions pending) {
            if (pending.replicas() > NEAR * pending.most()) {
                return Optional.of(pending.replicas() + " of " + pending.most());
            }
            return pending.bytes() > NEAR * pending.mostBytes()
                    ? Optional.of(pending.bytes() + " of " + pending.mostBytes() + " bytes")
                    : Optional.empty();
        }
    }

    /** Whether the kernel of the doctor's own host drops connections that wait to be accepted. */
    private static final class ListenDropsCheck implements Check {

        private static final FindingTemplate TEMPLATE = new FindingTemplate(
                "listen-drops",
                Severity.WARNING,
                "Whoever was dropped tries again after 1 s, 3 s on older kernels, and then after twice that.",
                "TcpExt ListenDrops of /proc/net/netstat; XiaoMi's practice",
                new Command("ss -ltn"),
                new Advice(
                        "The socket whose Recv-Q is as large as its Send-Q is the one: give it a longer queue (ipc.server.listen.queue.size,"
                                + " and net.core.somaxconn at least that)"));

        @Override
        public String name() {
            return TEMPLATE.check();
        }

        @Override
        public List<Finding> examine(ProbedCluster cluster) {
            List<String> places = new ArrayList<>();
            Optional<ListenDrops> drops = Optional.empty();
            for (ProbedDataNode node : nodes(cluster)) {
                Optional<ListenDrops> here = node.listenDrops().ifKnown().filter(known -> known.whileWatched() > 0);
                here.ifPresent(known -> places.add(place(node)));
                drops = drops.isPresent() ? drops : here;
            }
            return drops.map(known -> TEMPLATE.foundIfAny(
                            places,
                            "The kernel of its host has dropped " + known.whileWatched() + " connections in the last "
                                    + known.overMs() / 1_000 + " s, " + known.sinceBoot()
                                    + " since it started, because a listening socket had no room for them."))
                    .orElse(List.of());
        }
    }
}
