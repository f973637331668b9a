// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.check;

import static io.hearth.doctor.model.HadoopKey.BLOCK_BYTES;
import static io.hearth.doctor.model.HadoopKey.DEAD_NODE_DETECTION;
import static io.hearth.doctor.model.HadoopKey.DERIVE_LOCALITY;
import static io.hearth.doctor.model.HadoopKey.PREFETCH_BYTES;
import static io.hearth.doctor.model.HadoopKey.REFRESH_MS;
import static io.hearth.doctor.model.HadoopKey.REGION_BYTES;
import static io.hearth.doctor.model.HadoopKey.RETRY_WINDOW_MS;
import static io.hearth.doctor.model.ProcessConfig.Role.DATANODE;
import static io.hearth.doctor.model.ProcessConfig.Role.REGIONSERVER;

import io.hearth.common.config.HumanFormat;
import io.hearth.common.config.RawSettings.MapSettings;
import io.hearth.common.config.Setting;
import io.hearth.common.config.SettingsReader;
import io.hearth.doctor.check.Doctor.Check;
import io.hearth.doctor.model.Finding;
import io.hearth.doctor.model.Finding.Fix;
import io.hearth.doctor.model.Finding.Fix.ConfigLine;
import io.hearth.doctor.model.Finding.Fix.Effect;
import io.hearth.doctor.model.Finding.Severity;
import io.hearth.doctor.model.HadoopKey;
import io.hearth.doctor.model.ProbedCluster;
import io.hearth.doctor.model.ProcessConfig;
import java.util.List;
import java.util.Optional;

/** What an open reader of a RegionServer needs to follow a block that has moved. */
final class ReaderChecks {

    /** With up to 10 s readers met no stall while blocks moved, with 30 s they did. */
    private static final long MAX_REFRESH_MS = 10_000;

    /** With 50 ms a stream that lost every replica it knew was back before anybody noticed. */
    private static final long MAX_RETRY_WINDOW_MS = 100;

    private static final long PREFETCHED_BLOCKS = 10;
    private static final long PREFETCH = 13_421_772_800L;

    private ReaderChecks() {}

    static List<Check> all() {
        return List.of(
                refresh(), derive(), retryWindow(), prefetch(), new DeletionDelayCheck(), new DeadNodeDetectionCheck());
    }

    private static Check refresh() {
        return new SettingCheck(
                REGIONSERVER,
                new FindingTemplate(
                        "read-block-locations",
                        Severity.ERROR,
                        "Healed blocks are read from afar until a store file is opened again, and a reader whose replica was moved away"
                                + " stalls for up to 3 s.",
                        "HDFS-16262; HubSpot's practice; stalls measured: none at 10 s or less, 11 in the same run at 30 s",
                        ConfigLine.of(REGIONSERVER, REFRESH_MS, MAX_REFRESH_MS)),
                settings -> {
                    long everyMs = settings.number(REFRESH_MS);
                    if (everyMs > 0 && everyMs <= MAX_REFRESH_MS) {
                        return Optional.empty();
                    }
                    return Optional.of(
                            everyMs <= 0
                                    ? "Open readers never ask where their blocks are now: " + REFRESH_MS.key()
                                            + " is 0."
                                    : "Open readers ask where their blocks are now only every " + everyMs + " ms.");
                });
    }

    private static Check derive() {
        return new SettingCheck(
                REGIONSERVER,
                new FindingTemplate(
                        "derived-locality",
                        Severity.ERROR,
                        "The locality that a region reports stays what it was when its files were opened: the balancer and every chart go by"
                                + " it, and the healer looks again at regions that are local.",
                        "HBASE-26304; default of HBase 2.6",
                        ConfigLine.of(REGIONSERVER, DERIVE_LOCALITY, true)),
                settings -> settings.is(DERIVE_LOCALITY)
                        ? Optional.empty()
                        : Optional.of("Reported locality does not follow blocks that move: " + DERIVE_LOCALITY.key()
                                + " is false."));
    }

    private static Check retryWindow() {
        return new SettingCheck(
                REGIONSERVER,
                new FindingTemplate(
                        "retry-window",
                        Severity.WARNING,
                        "A read waits that long, by chance between nothing and all of it, before the NameNode is asked again.",
                        "DFSInputStream.refetchLocations; HDFS-16155; HubSpot lowered it to 50 ms",
                        ConfigLine.of(REGIONSERVER, RETRY_WINDOW_MS, 50)),
                settings -> {
                    long windowMs = settings.number(RETRY_WINDOW_MS);
                    return windowMs <= MAX_RETRY_WINDOW_MS
                            ? Optional.empty()
                            : Optional.of("A reader that has lost every replica it knew waits up to " + windowMs
                                    + " ms: " + RETRY_WINDOW_MS.key() + ".");
                });
    }

    private static Check prefetch() {
        return new SettingCheck(
                REGIONSERVER,
                new FindingTemplate(
                        "prefetch",
                        Severity.WARNING,
                        "A refresh of block locations covers that much of a store file; what lies behind it stays as it was.",
                        "DFSInputStream; default of HDFS: ten blocks",
                        new Fix[0]),
                (cluster, daemon, settings) -> {
                    long bytes = settings.text(PREFETCH_BYTES).isEmpty()
                            ? PREFETCHED_BLOCKS * settings.number(BLOCK_BYTES)
                            : settings.number(PREFETCH_BYTES);
                    return bytes >= settings.number(REGION_BYTES)
                            ? Optional.empty()
                            : SettingCheck.Violation.of(
                                    "One refresh fetches the locations of " + HumanFormat.bytes(bytes)
                                            + ", and a store file may have "
                                            + HumanFormat.bytes(settings.number(REGION_BYTES))
                                            + ".",
                                    ConfigLine.of(
                                            REGIONSERVER,
                                            PREFETCH_BYTES,
                                            Math.max(PREFETCH, settings.number(REGION_BYTES) / 4 * 5)));
                });
    }

    /** Whether the deletion delay of replaced replicas, where a DataNode has it, outlasts the readers' refresh of block locations. */
    static final class DeletionDelayCheck implements Check {

        private static final String DELETION_DELAY_MS = "hearth.datanode.deletion.delay.ms";

        /** As the DataNode's jar reads them, which is not on the master's class path; a test holds them together. */
        static final Setting<Long> DELETION_DELAY =
                Setting.millis(DELETION_DELAY_MS, 30_000L, 0L, 3_600_000L, "How long a deletion waits.");

        static final Setting<Boolean> DELETION_DELAY_ENABLED =
                Setting.bool("hearth.datanode.deletion.delay.enabled", true, "Whether deletions wait.");

        /** A stream registers on its first read after one interval, so that its locations get this much older than the interval. */
        private static final double MAX_AGE_FACTOR = 2.1;

        private static final long REFRESH_MS = 10_000;

        private static final FindingTemplate TEMPLATE = new FindingTemplate(
                "deletion-delay",
                Severity.WARNING,
                "Replicas are deleted while readers still count on them, and the deletion delay is in vain.",
                "docs/install.md; HDFS-16261",
                new ConfigLine(DATANODE, DELETION_DELAY_MS, "30000", Effect.REREAD));

        @Override
        public String name() {
            return TEMPLATE.check();
        }

        @Override
        public List<Finding> examine(ProbedCluster cluster) {
            long refreshMs = cluster.shown(REGIONSERVER)
                    .mapToLong(server -> server.own().number(HadoopKey.REFRESH_MS))
                    .max()
                    .orElse(0);
            List<String> places = cluster.daemons(DATANODE)
                    .filter(node -> deletionDelayMs(cluster.settingsOf(node.settings()))
                            .filter(ms -> !outlasts(ms, refreshMs))
                            .isPresent())
                    .map(ProbedCluster.Daemon::name)
                    .toList();
            return TEMPLATE.withFixes(
                            refreshMs > REFRESH_MS
                                    ? List.of(ConfigLine.of(REGIONSERVER, HadoopKey.REFRESH_MS, REFRESH_MS))
                                    : List.of())
                    .foundIfAny(
                            places,
                            "The deletion delay of replaced replicas is not above " + MAX_AGE_FACTOR
                                    + " times the readers' refresh interval of " + refreshMs + " ms.");
        }

        /** How long such a DataNode keeps a replaced replica; empty without Hearth's dataset, and where it is told to keep none. */
        static Optional<Long> deletionDelayMs(ProcessConfig settings) {
            SettingsReader reader = new SettingsReader("hdfs-site.xml", new MapSettings(settings.values()));
            return settings.hasHearthsDataset() && reader.readOrFailSafe(DELETION_DELAY_ENABLED, false)
                    ? Optional.of(reader.read(DELETION_DELAY)).filter(ms -> ms > 0)
                    : Optional.empty();
        }

        static boolean outlasts(long deletionDelayMs, long refreshMs) {
            return deletionDelayMs > MAX_AGE_FACTOR * refreshMs;
        }
    }

    /**
     * Whether readers forget which DataNode has let their replica go. HDFS's dead node detection asks a DataNode that failed a reader
     * whether it is alive, and one that is counts as good again, though that replica is gone for good.
     */
    private static final class DeadNodeDetectionCheck implements Check {

        private static final FindingTemplate TEMPLATE = new FindingTemplate(
                "dead-node-detection",
                Severity.WARNING,
                "A reader whose replica was moved away fails on it again and again, some ms each time, until its block locations are"
                        + " refreshed, instead of once.",
                "DeadNodeDetector in HDFS (HDFS-13571); measured by bin/hearth bench cluster",
                ConfigLine.of(REGIONSERVER, DEAD_NODE_DETECTION, false));

        private static final FindingTemplate OFF = new FindingTemplate(
                TEMPLATE.check(),
                Severity.INFO,
                "When a DataNode dies each stream waits for dfs.client.socket-timeout before it turns elsewhere; with it the first one tells the"
                        + " others.",
                "DeadNodeDetector in HDFS (HDFS-13571, Hadoop 3.3 and later); docs/decisions/0069",
                ConfigLine.of(REGIONSERVER, DEAD_NODE_DETECTION, true));

        @Override
        public String name() {
            return TEMPLATE.check();
        }

        @Override
        public List<Finding> examine(ProbedCluster cluster) {
            if (cluster.whyNoneShown(REGIONSERVER).isPresent()) {
                return List.of(TEMPLATE.unknown(
                        List.of(), cluster.whyNoneShown(REGIONSERVER).get()));
            }
            if (isDeletionDelayedEverywhere(cluster)) {
                return OFF.foundIfAny(
                        servers(cluster, false),
                        "Each open stream finds out for itself that a DataNode has died: " + DEAD_NODE_DETECTION.key()
                                + " is false, and every DataNode delays deletions, so that it does no harm.");
            }
            List<String> places = servers(cluster, true);
            return TEMPLATE.foundIfAny(
                    places,
                    "Readers go back to a DataNode that has let their replica go, because it is alive: "
                            + DEAD_NODE_DETECTION.key() + " is true.");
        }

        private static List<String> servers(ProbedCluster cluster, boolean detecting) {
            return cluster.shown(REGIONSERVER)
                    .filter(server -> server.own().is(DEAD_NODE_DETECTION) == detecting)
                    .map(ProbedCluster.Daemon::name)
                    .toList();
        }

        /** Then a replica outlasts the readers' trust in it, if {@link DeletionDelayCheck} is content. */
        private static boolean isDeletionDelayedEverywhere(ProbedCluster cluster) {
            return cluster.daemons(DATANODE).findAny().isPresent()
                    && cluster.daemons(DATANODE)
                            .allMatch(node -> DeletionDelayCheck.deletionDelayMs(cluster.settingsOf(node.settings()))
                                    .isPresent());
        }
    }
}
