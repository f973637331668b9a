// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.check;

import static io.hearth.doctor.model.HadoopKey.HEDGED_MS;
import static io.hearth.doctor.model.HadoopKey.HEDGED_THREADS;
import static io.hearth.doctor.model.HadoopKey.KEEPALIVE_MS;
import static io.hearth.doctor.model.HadoopKey.LISTEN_BACKLOG;
import static io.hearth.doctor.model.HadoopKey.PEER_CACHE;
import static io.hearth.doctor.model.HadoopKey.PEER_CACHE_MS;
import static io.hearth.doctor.model.HadoopKey.READ_TIMEOUT_MS;
import static io.hearth.doctor.model.HadoopKey.TRANSFER_THREADS;
import static io.hearth.doctor.model.HadoopKey.WRITE_TIMEOUT_MS;
import static io.hearth.doctor.model.ProcessConfig.Role.DATANODE;
import static io.hearth.doctor.model.ProcessConfig.Role.REGIONSERVER;

import io.hearth.doctor.check.Doctor.Check;
import io.hearth.doctor.check.FindingTemplate.Unreadable;
import io.hearth.doctor.model.Finding;
import io.hearth.doctor.model.Finding.Fix;
import io.hearth.doctor.model.Finding.Fix.Advice;
import io.hearth.doctor.model.Finding.Fix.Command;
import io.hearth.doctor.model.Finding.Fix.ConfigLine;
import io.hearth.doctor.model.Finding.Severity;
import io.hearth.doctor.model.HadoopKey;
import io.hearth.doctor.model.ProbedCluster;
import io.hearth.doctor.model.ProbedCluster.ProbedHBase.ProbedRegionServer;
import io.hearth.doctor.model.ProbedCluster.ProbedHBase.ServerCounters;
import io.hearth.doctor.model.ProbedCluster.ProbedHdfs.ProbedDataNode;
import io.hearth.doctor.model.ProcessConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** How RegionServers and DataNodes talk: connections that are kept, and how long they wait for one another. */
final class ConnectionChecks {

    private static final long MIN_PEERS = 100;
    private static final long MAX_TIMEOUT_MS = 15_000;

    private ConnectionChecks() {}

    static List<Check> all() {
        return List.of(
                peerCache(),
                peerExpiry(),
                readTimeout(),
                writeTimeout(),
                timeoutOrder(),
                hedgedReads(),
                transferThreads(),
                new HedgedReadsCheck(),
                new ListenBacklogCheck());
    }

    private static Check peerCache() {
        return new SettingCheck(
                REGIONSERVER,
                new FindingTemplate(
                        "peer-cache",
                        Severity.WARNING,
                        "Reads of remote blocks make a new connection again and again, which costs a round trip and a thread of the DataNode.",
                        "default of HDFS; every Hadoop 3 has the key; XiaoMi's practice: 16 to more than 100",
                        ConfigLine.of(REGIONSERVER, PEER_CACHE, MIN_PEERS)),
                settings -> {
                    long peers = settings.number(PEER_CACHE);
                    return peers >= MIN_PEERS
                            ? Optional.empty()
                            : Optional.of("A RegionServer keeps " + peers + " connections to DataNodes: "
                                    + PEER_CACHE.key() + ".");
                });
    }

    private static Check peerExpiry() {
        return new SettingCheck(
                REGIONSERVER,
                new FindingTemplate(
                        "peer-expiry",
                        Severity.WARNING,
                        "The reader takes connections from its cache that the DataNode has closed, and fails over them first.",
                        "defaults of HDFS: 3000 below 4000",
                        ConfigLine.of(REGIONSERVER, PEER_CACHE_MS, PEER_CACHE_MS.defaultValue()),
                        ConfigLine.of(DATANODE, KEEPALIVE_MS, KEEPALIVE_MS.defaultValue())),
                (cluster, daemon, settings) -> {
                    long closedMs = keepAliveMs(cluster, settings);
                    return settings.number(PEER_CACHE_MS) < closedMs
                            ? Optional.empty()
                            : SettingCheck.Violation.of(
                                    "A kept connection is used for " + settings.number(PEER_CACHE_MS)
                                            + " ms, and the DataNode closes it after " + closedMs + " ms.");
                });
    }

    /** Of the DataNode that closes first; where none shows its configuration, the RegionServer's own word for it. */
    private static long keepAliveMs(ProbedCluster cluster, ProcessConfig own) {
        return cluster.daemons(DATANODE)
                .flatMap(node -> node.settings().ifKnown().stream())
                .mapToLong(node -> node.number(KEEPALIVE_MS))
                .min()
                .orElseGet(() -> own.number(KEEPALIVE_MS));
    }

    private static Check transferThreads() {
        return new SettingCheck(
                DATANODE,
                new FindingTemplate(
                        "transfer-threads",
                        Severity.WARNING,
                        "Above that many reads, writes and moves at a time the DataNode refuses connections: readers turn to other replicas, and"
                                + " pipelines of WALs break.",
                        "default of HDFS: 4096, which HBase's reference guide asks for",
                        ConfigLine.of(DATANODE, TRANSFER_THREADS, TRANSFER_THREADS.defaultValue())),
                settings -> settings.number(TRANSFER_THREADS) < Long.parseLong(TRANSFER_THREADS.defaultValue())
                        ? Optional.of("A DataNode serves " + settings.number(TRANSFER_THREADS)
                                + " transfers at a time: " + TRANSFER_THREADS.key() + ".")
                        : Optional.empty());
    }

    private static Check readTimeout() {
        return new SettingCheck(
                REGIONSERVER,
                new FindingTemplate(
                        "socket-timeout",
                        Severity.WARNING,
                        "A DataNode that has died or hangs holds every read of it, and the pipeline of every write, for as long.",
                        "default of HDFS: 60000; every Hadoop 3 has the key; XiaoMi's practice: 15 s",
                        ConfigLine.of(REGIONSERVER, READ_TIMEOUT_MS, MAX_TIMEOUT_MS),
                        new Advice(
                                "Restart all RegionServers and other writers with it before any DataNode: one that waits less than half as long as a"
                                        + " writer breaks its pipelines")),
                waits("A RegionServer", READ_TIMEOUT_MS, MAX_TIMEOUT_MS, " for a DataNode"));
    }

    private static Check writeTimeout() {
        return new SettingCheck(
                DATANODE,
                new FindingTemplate(
                        "write-timeout",
                        Severity.WARNING,
                        "A reader that has gone without a word holds a thread of the DataNode for as long.",
                        "default of HDFS: 480000; every Hadoop 3 has the key; XiaoMi's practice: 15 s, clients first",
                        ConfigLine.of(DATANODE, WRITE_TIMEOUT_MS, MAX_TIMEOUT_MS)),
                waits("A DataNode", WRITE_TIMEOUT_MS, 4 * MAX_TIMEOUT_MS, " until somebody takes what it sends"));
    }

    /**
     * A writer that has nothing to send sends a packet after half its own timeout, so that nobody in the pipeline gives up. A DataNode
     * that waits less takes it for dead.
     */
    private static Check timeoutOrder() {
        return new SettingCheck(
                DATANODE,
                new FindingTemplate(
                        "timeout-order",
                        Severity.ERROR,
                        "Pipelines break whenever a WAL is idle for that long, and each has to be made anew.",
                        "DataStreamer and FanOutOneBlockAsyncDFSOutput, heartbeats; every Hadoop 3; XiaoMi's practice: clients first",
                        new Fix[0]),
                (cluster, daemon, settings) -> {
                    Stream.of(DATANODE, REGIONSERVER)
                            .flatMap(role -> cluster.whyNoneShown(role).stream())
                            .findFirst()
                            .ifPresent(why -> {
                                throw new IllegalArgumentException(why);
                            });
                    long writerMs = cluster.shown(REGIONSERVER)
                            .mapToLong(server -> server.own().number(READ_TIMEOUT_MS))
                            .max()
                            .orElse(0);
                    long ownMs = settings.number(READ_TIMEOUT_MS);
                    return daemon.settings().whyUnknown().isPresent() || ownMs <= 0 || ownMs > writerMs / 2
                            ? Optional.empty()
                            : SettingCheck.Violation.of(
                                    "A DataNode waits " + ownMs
                                            + " ms for a packet, and a RegionServer that is idle sends one after "
                                            + writerMs / 2 + " ms: " + READ_TIMEOUT_MS.key() + ".",
                                    ConfigLine.of(REGIONSERVER, READ_TIMEOUT_MS, MAX_TIMEOUT_MS),
                                    ConfigLine.of(DATANODE, READ_TIMEOUT_MS, Math.max(MAX_TIMEOUT_MS, ownMs)));
                });
    }

    /** What is wrong where it waits for ever, or for longer than that. */
    private static Function<ProcessConfig, Optional<String>> waits(
            String who, HadoopKey key, long mostMs, String forWhat) {
        return settings -> {
            long timeoutMs = settings.number(key);
            return timeoutMs > 0 && timeoutMs <= mostMs
                    ? Optional.empty()
                    : Optional.of(who + " waits " + (timeoutMs == 0 ? "for ever" : timeoutMs + " ms") + forWhat + ": "
                            + key.key() + ".");
        };
    }

    private static Check hedgedReads() {
        return new SettingCheck(
                REGIONSERVER,
                new FindingTemplate(
                        "hedged-reads",
                        Severity.WARNING,
                        "The threads are there and no read is ever helped by them.",
                        "DFSInputStream.hedgedFetchBlockByteRange",
                        new Fix[0]),
                (cluster, daemon, settings) -> settings.number(HEDGED_THREADS) > 0
                                && settings.number(HEDGED_MS) >= settings.number(READ_TIMEOUT_MS)
                        ? SettingCheck.Violation.of(
                                "Hedged reads are on, and the second request starts after " + settings.number(HEDGED_MS)
                                        + " ms, when the first has timed out.",
                                ConfigLine.of(
                                        REGIONSERVER,
                                        HEDGED_MS,
                                        Math.min(
                                                Long.parseLong(HEDGED_MS.defaultValue()),
                                                Math.max(1, settings.number(READ_TIMEOUT_MS) / 2))))
                        : Optional.empty());
    }

    /** Whether hedged reads help where they are on: fewer than one in ten that wins is load for nothing. */
    private static final class HedgedReadsCheck implements Check {

        private static final long MIN_SAMPLES = 1_000;
        private static final double MIN_WIN_RATIO = 0.1;

        private static final FindingTemplate TEMPLATE = new FindingTemplate(
                "hedged-reads-wins",
                Severity.WARNING,
                "The second requests load DataNodes and network, and the first was faster almost always.",
                "HBase's metrics hedgedReads and hedgedReadWins",
                new Advice("Raise " + HEDGED_MS.key() + " to twice the 99th percentile of a read (in ms, a number)"));

        @Override
        public String name() {
            return TEMPLATE.check();
        }

        @Override
        public List<Finding> examine(ProbedCluster cluster) {
            List<String> places = cluster.regionServers().stream()
                    .filter(server -> server.counters()
                            .ifKnown()
                            .filter(HedgedReadsCheck::loses)
                            .isPresent())
                    .map(ProbedRegionServer::host)
                    .map(host -> REGIONSERVER.word() + " " + host)
                    .toList();
            return TEMPLATE.foundIfAny(places, "Fewer than one hedged read in ten is faster than the first request.");
        }

        private static boolean loses(ServerCounters counters) {
            return counters.hedgedReads() >= MIN_SAMPLES
                    && counters.hedgedWins() < MIN_WIN_RATIO * counters.hedgedReads();
        }
    }

    /** Whether a DataNode lets enough connections wait, and its kernel as many. */
    private static final class ListenBacklogCheck implements Check {

        /** The default of Hadoop 3.3 and later. */
        private static final long MIN_BACKLOG = 256;

        private static final FindingTemplate TEMPLATE = new FindingTemplate(
                "listen-backlog",
                Severity.WARNING,
                "When many readers connect at once the kernel drops some, and each of those waits 3 s until it tries again.",
                "HDFS-9669 (every Hadoop 3); default of Hadoop 3.3 and later: 256, before: 128; XiaoMi's practice",
                ConfigLine.of(DATANODE, LISTEN_BACKLOG, LISTEN_BACKLOG.defaultValue()));

        private static final FindingTemplate KERNEL = new FindingTemplate(
                TEMPLATE.check(),
                TEMPLATE.severity(),
                TEMPLATE.cost(),
                TEMPLATE.source(),
                new Command("sysctl -w net.core.somaxconn=4096"),
                new Advice("Write it into /etc/sysctl.d too, then restart the DataNode"));

        @Override
        public String name() {
            return TEMPLATE.check();
        }

        @Override
        public List<Finding> examine(ProbedCluster cluster) {
            List<Finding> findings = new ArrayList<>(new SettingCheck(
                            DATANODE,
                            TEMPLATE,
                            settings -> settings.number(LISTEN_BACKLOG) < MIN_BACKLOG
                                    ? Optional.of("A DataNode lets " + settings.number(LISTEN_BACKLOG)
                                            + " connections wait: " + LISTEN_BACKLOG.key() + ".")
                                    : Optional.empty())
                    .examine(cluster));
            List<ProbedDataNode> nodes = cluster.dataNodes().ifKnown().orElse(List.of());
            findings.addAll(KERNEL.foundIfAny(
                    nodes.stream()
                            .filter(node -> isCutShort(cluster, node))
                            .map(ListenBacklogCheck::name)
                            .toList(),
                    "The kernel lets fewer connections wait than the DataNode asks for: net.core.somaxconn is below "
                            + LISTEN_BACKLOG.key() + "."));
            findings.addAll(TEMPLATE.unknowns(nodes.stream()
                    .flatMap(node -> node.somaxconn().whyUnknown().map(why -> new Unreadable(name(node), why)).stream())
                    .toList()));
            return findings;
        }

        private static boolean isCutShort(ProbedCluster cluster, ProbedDataNode node) {
            return node.somaxconn()
                    .ifKnown()
                    .filter(kernel ->
                            kernel < cluster.settingsOf(node.settings()).number(LISTEN_BACKLOG))
                    .isPresent();
        }

        private static String name(ProbedDataNode node) {
            return DATANODE.word() + " " + node.host();
        }
    }
}
