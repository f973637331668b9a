// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.check;

import static io.hearth.doctor.model.HadoopKey.SHORT_CIRCUIT;
import static io.hearth.doctor.model.ProcessConfig.Role.DATANODE;

import io.hearth.common.config.HumanFormat;
import io.hearth.doctor.check.Doctor.Check;
import io.hearth.doctor.model.Finding;
import io.hearth.doctor.model.Finding.Fix.Advice;
import io.hearth.doctor.model.Finding.Fix.ConfigLine;
import io.hearth.doctor.model.Finding.Fix.Effect;
import io.hearth.doctor.model.Finding.Severity;
import io.hearth.doctor.model.ProbedCluster;
import io.hearth.doctor.model.ProbedCluster.NodeReadCache;
import io.hearth.doctor.model.ProbedCluster.ProbedHBase.ProbedRegionServer;
import io.hearth.doctor.model.ProbedReadCache;
import io.hearth.doctor.model.ProbedReadCache.CacheDay;
import io.hearth.doctor.model.ProbedReadCache.Mode;
import io.hearth.doctor.model.ProbedReadCache.Trouble;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Whether the read caches of DataNodes serve, are worth what they write, and are alike. Nothing where no DataNode has one. */
final class ReadCacheChecks {

    private static final String BEAN = "the bean HearthReadCache on the DataNode's page /jmx";
    private static final String ADMISSION_READS = "hearth.datanode.cache.admission.reads";

    /** Nine reads for each page that was written; the default admission is made for 199. */
    private static final double MIN_HIT_RATIO = 0.9;

    /** Fewer are no day's work of a cache: 10 GB, with pages of the default size. */
    private static final long MIN_PAGES = 10_000;

    private ReadCacheChecks() {}

    static List<Check> all() {
        return List.of(
                ssdFailed(), folderNotOpen(), dailyWrites(), hitRatio(), new ModeCheck(), new ShortCircuitCheck());
    }

    private static Check ssdFailed() {
        return new CacheCheck(
                new FindingTemplate(
                        "read-cache-ssd",
                        Severity.ERROR,
                        "Clients get everything from the disks, as without a cache.",
                        BEAN,
                        new Advice(
                                "Look for \"read cache\" in the DataNode's log, and check the SSD; an hour after it was switched off the cache is tried again. If the SSD hangs, restart the DataNode before you change a disk")),
                "The read cache is on, and has switched itself off: its SSD failed.",
                cache -> inTrouble(cache, Trouble.SSD_FAILED));
    }

    private static Check folderNotOpen() {
        return new CacheCheck(
                new FindingTemplate(
                        "read-cache-folder",
                        Severity.ERROR,
                        "Clients get everything from the disks, as without a cache.",
                        BEAN,
                        new Advice(
                                "Mount the SSD, and make the folder that hearth.datanode.cache.dir names; the DataNode looks for it every minute, and its log says what is in the way")),
                "The read cache is on, and its folder on the SSD is not open.",
                cache -> inTrouble(cache, Trouble.FOLDER_NOT_OPEN));
    }

    private static Optional<String> inTrouble(ProbedReadCache cache, Trouble trouble) {
        return cache.trouble().filter(trouble::equals).map(Trouble::words);
    }

    /** By default a budget holds it; a rest saves up one budget more, which is no fault. */
    private static Check dailyWrites() {
        return new CacheCheck(
                new FindingTemplate(
                        "read-cache-writes",
                        Severity.WARNING,
                        "An SSD that is made for one write of its capacity a day (1 DWPD) wears out before its warranty ends.",
                        BEAN + "; the SSD's DWPD",
                        new ConfigLine(DATANODE, "hearth.datanode.cache.max.daily.writes", "1.0", Effect.REREAD)),
                "More was written to the read cache's SSD within a day than the cache holds.",
                cache -> {
                    long bytes = cache.lastDay().writtenBytesPerDay();
                    long maxBytes = cache.ssd().maxBytes();
                    return bytes > maxBytes && cache.ssd().dailyWriteBytes() > maxBytes
                            ? Optional.of(HumanFormat.bytes(bytes) + " of " + HumanFormat.bytes(maxBytes))
                            : Optional.empty();
                });
    }

    private static Check hitRatio() {
        return new CacheCheck(
                new FindingTemplate(
                        "read-cache-hits",
                        Severity.WARNING,
                        "The SSD wears for reads that the disks could have served.",
                        BEAN,
                        new Advice(
                                "Raise " + ADMISSION_READS
                                        + ", and try values first in hearth.datanode.cache.shadow: its metrics tell what each of them would write and serve")),
                "For each page that was written to the read cache's SSD within a day, fewer than 9 were read from it.",
                cache -> {
                    CacheDay day = cache.lastDay();
                    return day.isWhole()
                                    && (double) day.hits() + day.fills() >= MIN_PAGES
                                    && day.hitRatio().orElse(1) < MIN_HIT_RATIO
                            ? Optional.of(day.hits() + " read, " + day.fills() + " written")
                            : Optional.empty();
                });
    }

    /** A check of every DataNode's cache with the same words; what was measured stands behind the DataNode's name. */
    private record CacheCheck(
            FindingTemplate template, String what, Function<ProbedReadCache, Optional<String>> measured)
            implements Check {

        @Override
        public String name() {
            return template.check();
        }

        @Override
        public List<Finding> examine(ProbedCluster cluster) {
            return template.foundIfAny(
                    cluster.readCaches().stream()
                            .flatMap(node -> measured.apply(node.cache()).map(words -> place(node, words)).stream())
                            .toList(),
                    what);
        }
    }

    private static String place(NodeReadCache node, String words) {
        return DATANODE.word() + " " + node.host() + " (" + words + ")";
    }

    /** Whether all DataNodes that have a cache have it in the same mode. */
    private static final class ModeCheck implements Check {

        private static final FindingTemplate TEMPLATE = new FindingTemplate(
                "read-cache-mode",
                Severity.WARNING,
                "The same block comes from an SSD on one host and from a disk on another.",
                BEAN,
                new Advice(
                        "Set hearth.datanode.cache.mode alike in hdfs-site.xml of every DataNode that has an SSD, which needs no restart"));

        @Override
        public String name() {
            return TEMPLATE.check();
        }

        @Override
        public List<Finding> examine(ProbedCluster cluster) {
            Map<Mode, Long> nodesByMode = cluster.readCaches().stream()
                    .map(node -> node.cache().mode())
                    .collect(Collectors.groupingBy(
                            mode -> mode, () -> new EnumMap<>(Mode.class), Collectors.counting()));
            return nodesByMode.entrySet().stream()
                    .max(Map.Entry.<Mode, Long>comparingByValue().thenComparing(Map.Entry.<Mode, Long>comparingByKey()))
                    .map(Map.Entry::getKey)
                    .map(usual -> TEMPLATE.foundIfAny(
                            cluster.readCaches().stream()
                                    .filter(node -> node.cache().mode() != usual)
                                    .map(node -> place(node, node.cache().mode().toString()))
                                    .toList(),
                            "The read cache's mode is " + usual + " on most DataNodes, and another one on these."))
                    .orElse(List.of());
        }
    }

    /** Whether a RegionServer reads local blocks past its host's cache, which always gives such readers the disk's files. */
    private static final class ShortCircuitCheck implements Check {

        private static final FindingTemplate TEMPLATE = new FindingTemplate(
                "read-cache-short-circuit",
                Severity.INFO,
                "HBase gains only remote reads from this cache; clients that read over the network gain fully.",
                "docs/install.md, a read cache on an SSD",
                new Advice(
                        "Leave short-circuit reads on: they are faster; the cache is for other clients, and for HBase's remote reads"));

        @Override
        public String name() {
            return TEMPLATE.check();
        }

        @Override
        public List<Finding> examine(ProbedCluster cluster) {
            Set<String> readers = cluster.regionServers().stream()
                    .filter(server -> cluster.settingsOf(server.settings()).is(SHORT_CIRCUIT))
                    .map(ProbedRegionServer::host)
                    .collect(Collectors.toSet());
            return TEMPLATE.foundIfAny(
                    cluster.readCaches().stream()
                            .filter(node -> node.cache().mode() == Mode.ON && readers.contains(node.host()))
                            .map(node -> DATANODE.word() + " " + node.host())
                            .toList(),
                    "The read cache is on, and the RegionServer on its host reads local blocks short-circuit, past it.");
        }
    }
}
