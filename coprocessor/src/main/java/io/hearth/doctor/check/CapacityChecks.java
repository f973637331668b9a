// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.check;

import static io.hearth.doctor.model.HadoopKey.BLOCKING_STORE_FILES;
import static io.hearth.doctor.model.HadoopKey.BLOCK_CACHE;
import static io.hearth.doctor.model.HadoopKey.FLUSH_BYTES;
import static io.hearth.doctor.model.HadoopKey.MEMSTORE_FRACTION;
import static io.hearth.doctor.model.HadoopKey.REGION_BYTES;
import static io.hearth.doctor.model.ProcessConfig.Role.REGIONSERVER;

import io.hearth.common.config.HumanFormat;
import io.hearth.doctor.capacity.FlushChain;
import io.hearth.doctor.capacity.MemstoreLimits;
import io.hearth.doctor.capacity.MemstoreLimits.OldKey;
import io.hearth.doctor.capacity.MemstoreSizing;
import io.hearth.doctor.check.Doctor.Check;
import io.hearth.doctor.model.Finding;
import io.hearth.doctor.model.Finding.Fix;
import io.hearth.doctor.model.Finding.Fix.Advice;
import io.hearth.doctor.model.Finding.Fix.ConfigLine;
import io.hearth.doctor.model.Finding.Severity;
import io.hearth.doctor.model.ProbedCluster;
import io.hearth.doctor.model.ProbedCluster.ProbedHBase.ProbedRegionServer;
import io.hearth.doctor.model.ProbedCluster.ProbedHBase.ServerCounters;
import io.hearth.doctor.model.ProcessConfig;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/** Whether a RegionServer has the heap for what it serves, and what happens where it has not. */
final class CapacityChecks {

    private static final double FRACTION = 0.4;
    private static final double MAX_HEAP_FRACTION = 0.8;
    private static final double ROUNDING = 1e-9;

    /** A flush is tiny below this share of the size that is asked for, while memstores fill half of their room. */
    private static final int TINY = 8;

    private static final int MIN_FLUSHES = 20;

    private static final String PRACTICE =
            "OpenTSDB on HBase, an operator's report: 700 regions on 12 GB where 160 are safe";

    private CapacityChecks() {}

    static List<Check> all() {
        return List.of(
                regions(),
                tinyFlushes(),
                blockingStoreFiles(),
                fewBlockingStoreFiles(),
                compactionQueue(),
                heapShares(),
                oldMemstoreKeys());
    }

    private static Check regions() {
        return new ServerCheck(
                new FindingTemplate(
                        "regions-per-server",
                        Severity.WARNING,
                        "Memstores fill their room before any is worth a flush: tiny flushes, many small files,"
                                + " compactions without end, and writes that wait.",
                        PRACTICE + "; (heap x memstore fraction) / (flush size x families), four times",
                        new Advice(
                                "Merge small neighbours (merge_region), and keep them from splitting again by a larger "
                                        + REGION_BYTES.key()
                                        + " (bytes, a number); or more heap, or more RegionServers")),
                (server, settings) -> {
                    MemstoreSizing sizing = sizing(server, settings);
                    long most = sizing.regionsThatDoWell();
                    return server.regions() > most
                            ? Optional.of("It serves " + server.regions() + " regions, and "
                                    + (sizing.offHeapBytes() > 0
                                            ? "what memstores have off its heap, "
                                                    + HumanFormat.bytes(sizing.offHeapBytes()) + ","
                                            : "its heap of " + HumanFormat.bytes(server.heapBytes()))
                                    + " is good for about " + most + ".")
                            : Optional.empty();
                });
    }

    private static MemstoreSizing sizing(ProbedRegionServer server, ProcessConfig settings) {
        return MemstoreSizing.of(server.heapBytes(), server.regions(), server.stores(), settings);
    }

    private static Check tinyFlushes() {
        return new ServerCheck(
                new FindingTemplate(
                        "tiny-flushes",
                        Severity.WARNING,
                        "Every small file has to be compacted again: the disk writes many times what clients do.",
                        PRACTICE + "; HBase's metrics flushMemstoreSize and memStoreSize",
                        new Advice("Fewer regions on this server, more heap, or a larger " + MEMSTORE_FRACTION.key())),
                (server, settings) -> server.counters()
                        .ifKnown()
                        .filter(counters -> counters.flushes() >= MIN_FLUSHES
                                && counters.meanFlushBytes() * TINY < settings.number(FLUSH_BYTES)
                                && server.memstoreBytes()
                                        > sizing(server, settings).roomBytes() / 2)
                        .map(tiny -> "It flushes " + HumanFormat.bytes(tiny.meanFlushBytes()) + " at a time, where "
                                + HumanFormat.bytes(settings.number(FLUSH_BYTES))
                                + " are asked for, and its memstores are full."));
    }

    private static Check blockingStoreFiles() {
        return new ServerCheck(
                new FindingTemplate(
                        "blocking-store-files",
                        Severity.ERROR,
                        "A flush of such a region waits for a compaction, for hbase.hstore.blockingWaitTime (90 s by default) at most; where its memstore is full before, writes to it are refused.",
                        "MemStoreFlusher; hbase.hstore.blockingWaitTime; " + PRACTICE,
                        new Advice(
                                "Look for what keeps compactions from being made: their queue, the disk, or a table with many small flushes")),
                (server, settings) -> server.mostStoreFilesOfAStore() > settings.number(BLOCKING_STORE_FILES)
                        ? Optional.of("A store has " + server.mostStoreFilesOfAStore() + " files, and more than "
                                + settings.number(BLOCKING_STORE_FILES) + " block it: " + BLOCKING_STORE_FILES.key()
                                + ".")
                        : Optional.empty());
    }

    private static Check fewBlockingStoreFiles() {
        return new SettingCheck(
                REGIONSERVER,
                new FindingTemplate(
                        "blocking-store-files-limit",
                        Severity.WARNING,
                        "A few flushes while compactions are behind, and the next one waits, for up to hbase.hstore.blockingWaitTime; where the memstore is full before, writes to the region are refused.",
                        "default of HBase: 16; " + PRACTICE,
                        ConfigLine.of(REGIONSERVER, BLOCKING_STORE_FILES, BLOCKING_STORE_FILES.defaultValue())),
                settings -> settings.number(BLOCKING_STORE_FILES) < Long.parseLong(BLOCKING_STORE_FILES.defaultValue())
                        ? Optional.of("Flushes of a region are held up above " + settings.number(BLOCKING_STORE_FILES)
                                + " files in a store: " + BLOCKING_STORE_FILES.key() + " is below its default.")
                        : Optional.empty());
    }

    /** HBase leaves a fifth of the heap for everything else, and a server that is asked for less does not start. */
    private static Check heapShares() {
        return new SettingCheck(
                REGIONSERVER,
                new FindingTemplate(
                        "heap-shares",
                        Severity.ERROR,
                        "A RegionServer that starts with these lines ends at once, before the HMaster hears of it.",
                        "HeapMemorySizeUtil.checkForClusterFreeHeapMemoryLimit",
                        ConfigLine.of(REGIONSERVER, BLOCK_CACHE, BLOCK_CACHE.defaultValue()),
                        ConfigLine.of(REGIONSERVER, MEMSTORE_FRACTION, FRACTION)),
                settings -> {
                    MemstoreLimits limits = MemstoreLimits.of(settings);
                    double memstore = limits.heapShare();
                    return settings.decimal(BLOCK_CACHE) + memstore > MAX_HEAP_FRACTION + ROUNDING
                            ? Optional.of("Block cache and memstores are given "
                                    + HumanFormat.decimal(settings.decimal(BLOCK_CACHE))
                                    + " and " + HumanFormat.decimal(memstore)
                                    + " of the heap, more than 0.8 together: "
                                    + BLOCK_CACHE.key() + ", "
                                    + limits.heapShareKey().key() + ".")
                            : Optional.empty();
                });
    }

    /** HBase still reads the names of before 1.0, where the ones of today are not set. */
    private static Check oldMemstoreKeys() {
        return new SettingCheck(
                REGIONSERVER,
                new FindingTemplate(
                        "memstore-old-keys",
                        Severity.INFO,
                        "Whoever sets the key of today, or reads it alone, does not see what is in force; and the old"
                                + " lower limit is a share of the heap, the new one of the memstores' room.",
                        "MemorySizeUtil in HBase"),
                (cluster, daemon, settings) -> {
                    List<OldKey> old = MemstoreLimits.of(settings).oldKeys().stream()
                            .filter(OldKey::isUsed)
                            .toList();
                    return old.isEmpty()
                            ? Optional.empty()
                            : Optional.of(new SettingCheck.Violation(
                                    old.stream().map(CapacityChecks::words).collect(Collectors.joining(" ")),
                                    old.stream()
                                            .<Fix>map(key -> ConfigLine.of(REGIONSERVER, key.today(), key.newValue()))
                                            .toList()));
                });
    }

    private static String words(OldKey key) {
        return key.old().key() + " is the name of before HBase 1.0 of "
                + key.today().key() + ", and HBase goes by it.";
    }

    private static Check compactionQueue() {
        return new ServerCheck(
                new FindingTemplate(
                        "compaction-queue",
                        Severity.WARNING,
                        "Store files pile up: reads look into more of them, and writes wait in the end.",
                        PRACTICE + "; HBase's metric compactionQueueLength",
                        new Advice(
                                "Fewer, larger flushes; more threads (hbase.regionserver.thread.compaction.small) where CPU and disk have room")),
                (server, settings) -> server.counters()
                        .ifKnown()
                        .map(ServerCounters::compactionQueue)
                        .filter(queue -> queue > FlushChain.longestQueue(server.stores()))
                        .map(queue -> queue + " compactions wait."));
    }

    /** A check of every RegionServer, each a finding of its own for its own numbers. */
    private record ServerCheck(
            FindingTemplate template, BiFunction<ProbedRegionServer, ProcessConfig, Optional<String>> what)
            implements Check {

        @Override
        public String name() {
            return template.check();
        }

        @Override
        public List<Finding> examine(ProbedCluster cluster) {
            return cluster.regionServers().stream()
                    .flatMap(server -> what
                            .apply(server, cluster.settingsOf(server.settings()))
                            .map(words -> template.found(List.of(REGIONSERVER.word() + " " + server.host()), words))
                            .stream())
                    .toList();
        }
    }
}
