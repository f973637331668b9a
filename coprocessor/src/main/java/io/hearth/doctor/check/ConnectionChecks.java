package io.hearth.doctor.check;

import static io.hearth.doctor.model.Key.HEDGED_MS;
import static io.hearth.doctor.model.Key.HEDGED_THREADS;
import static io.hearth.doctor.model.Key.KEEPALIVE_MS;
import static io.hearth.doctor.model.Key.PEER_CACHE;
import static io.hearth.doctor.model.Key.PEER_CACHE_MS;
import static io.hearth.doctor.model.Key.READ_TIMEOUT_MS;
import static io.hearth.doctor.model.Key.TRANSFER_THREADS;
import static io.hearth.doctor.model.Key.WRITE_TIMEOUT_MS;
import static io.hearth.doctor.model.Role.DATANODE;
import static io.hearth.doctor.model.Role.REGIONSERVER;

import io.hearth.doctor.model.Examined;
import io.hearth.doctor.model.Key;
import io.hearth.doctor.model.Remedy;
import io.hearth.doctor.model.Remedy.Line;
import io.hearth.doctor.model.Settings;
import io.hearth.doctor.model.Severity;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** How RegionServers and DataNodes talk: connections that are kept, and how long they wait for one another. */
final class ConnectionChecks {

    private static final long FEWEST_PEERS = 100;
    private static final long LONGEST_TIMEOUT_MS = 15_000;

    private ConnectionChecks() {}

    static List<Check> all() {
        return List.of(peerCache(), peerExpiry(), readTimeout(), writeTimeout(), hedgedReads(), transferThreads());
    }

    private static Check peerCache() {
        return new SettingCheck(
                REGIONSERVER,
                new Diagnosis(
                        "peer-cache",
                        Severity.COST,
                        "Reads of remote blocks make a new connection again and again, which costs a round trip and a thread of the DataNode.",
                        "default of HDFS; XiaoMi's practice: 16 to more than 100",
                        Line.of(REGIONSERVER, PEER_CACHE, FEWEST_PEERS)),
                settings -> {
                    long peers = settings.number(PEER_CACHE);
                    return peers >= FEWEST_PEERS
                            ? Optional.empty()
                            : Optional.of("A RegionServer keeps " + peers + " connections to DataNodes: "
                                    + PEER_CACHE.key() + ".");
                });
    }

    private static Check peerExpiry() {
        return new SettingCheck(
                REGIONSERVER,
                new Diagnosis(
                        "peer-expiry",
                        Severity.COST,
                        "The reader takes connections from its cache that the DataNode has closed, and fails over them first.",
                        "defaults of HDFS: 3000 below 4000",
                        Line.of(REGIONSERVER, PEER_CACHE_MS, PEER_CACHE_MS.defaultValue()),
                        Line.of(DATANODE, KEEPALIVE_MS, KEEPALIVE_MS.defaultValue())),
                (cluster, member, settings) -> {
                    long closedMs = keepAliveMs(cluster, settings);
                    return settings.number(PEER_CACHE_MS) < closedMs
                            ? Optional.empty()
                            : SettingCheck.Fault.of("A kept connection is used for " + settings.number(PEER_CACHE_MS)
                                    + " ms, and the DataNode closes it after " + closedMs + " ms.");
                });
    }

    /** Of the DataNode that closes first; where none shows its configuration, the RegionServer's own word for it. */
    private static long keepAliveMs(Examined cluster, Settings own) {
        return cluster.members(DATANODE)
                .flatMap(node -> node.settings().ifKnown().stream())
                .mapToLong(node -> node.number(KEEPALIVE_MS))
                .min()
                .orElseGet(() -> own.number(KEEPALIVE_MS));
    }

    private static Check transferThreads() {
        return new SettingCheck(
                DATANODE,
                new Diagnosis(
                        "transfer-threads",
                        Severity.COST,
                        "Above that many reads, writes and moves at a time the DataNode refuses connections: readers turn to other replicas, and"
                                + " pipelines of WALs break.",
                        "default of HDFS: 4096, which HBase's reference guide asks for",
                        Line.of(DATANODE, TRANSFER_THREADS, TRANSFER_THREADS.defaultValue())),
                settings -> settings.number(TRANSFER_THREADS) < Long.parseLong(TRANSFER_THREADS.defaultValue())
                        ? Optional.of("A DataNode serves " + settings.number(TRANSFER_THREADS)
                                + " transfers at a time: " + TRANSFER_THREADS.key() + ".")
                        : Optional.empty());
    }

    private static Check readTimeout() {
        return new SettingCheck(
                REGIONSERVER,
                new Diagnosis(
                        "socket-timeout",
                        Severity.COST,
                        "A DataNode that has died or hangs holds every read of it, and the pipeline of every write, for as long.",
                        "default of HDFS: 60000; XiaoMi's practice: 15 s",
                        Line.of(REGIONSERVER, READ_TIMEOUT_MS, LONGEST_TIMEOUT_MS)),
                waits("A RegionServer", READ_TIMEOUT_MS, LONGEST_TIMEOUT_MS, " for a DataNode"));
    }

    private static Check writeTimeout() {
        return new SettingCheck(
                DATANODE,
                new Diagnosis(
                        "write-timeout",
                        Severity.COST,
                        "A reader that has gone without a word holds a thread of the DataNode for as long.",
                        "default of HDFS: 480000; XiaoMi's practice: 15 s, clients first",
                        Line.of(DATANODE, WRITE_TIMEOUT_MS, LONGEST_TIMEOUT_MS)),
                waits("A DataNode", WRITE_TIMEOUT_MS, 4 * LONGEST_TIMEOUT_MS, " until somebody takes what it sends"));
    }

    /** What is wrong where it waits for ever, or for longer than that. */
    private static Function<Settings, Optional<String>> waits(String who, Key key, long mostMs, String forWhat) {
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
                new Diagnosis(
                        "hedged-reads",
                        Severity.COST,
                        "The threads are there and no read is ever helped by them.",
                        "DFSInputStream.hedgedFetchBlockByteRange",
                        new Remedy[0]),
                (cluster, member, settings) -> settings.number(HEDGED_THREADS) > 0
                                && settings.number(HEDGED_MS) >= settings.number(READ_TIMEOUT_MS)
                        ? SettingCheck.Fault.of(
                                "Hedged reads are on, and the second request starts after " + settings.number(HEDGED_MS)
                                        + " ms, when the first has timed out.",
                                Line.of(
                                        REGIONSERVER,
                                        HEDGED_MS,
                                        Math.min(
                                                Long.parseLong(HEDGED_MS.defaultValue()),
                                                Math.max(1, settings.number(READ_TIMEOUT_MS) / 2))))
                        : Optional.empty());
    }
}
