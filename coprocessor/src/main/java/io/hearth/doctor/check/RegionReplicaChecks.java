// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.check;

import static io.hearth.doctor.model.HadoopKey.HFILE_TTL_MS;
import static io.hearth.doctor.model.HadoopKey.META_REPLICAS;
import static io.hearth.doctor.model.HadoopKey.META_REPLICA_REPLICATION;
import static io.hearth.doctor.model.HadoopKey.META_STORE_FILE_REFRESH_MS;
import static io.hearth.doctor.model.HadoopKey.PRIMARY_GET_US;
import static io.hearth.doctor.model.HadoopKey.PRIMARY_MULTIGET_US;
import static io.hearth.doctor.model.HadoopKey.REPLICA_REPLICATION;
import static io.hearth.doctor.model.HadoopKey.REPLICA_SCAN_US;
import static io.hearth.doctor.model.HadoopKey.STORE_FILE_REFRESH_MS;
import static io.hearth.doctor.model.ProcessConfig.Role.HMASTER;
import static io.hearth.doctor.model.ProcessConfig.Role.REGIONSERVER;

import io.hearth.common.config.HumanFormat;
import io.hearth.doctor.check.Doctor.Check;
import io.hearth.doctor.model.Finding;
import io.hearth.doctor.model.Finding.Fix.Advice;
import io.hearth.doctor.model.Finding.Fix.ConfigLine;
import io.hearth.doctor.model.Finding.Severity;
import io.hearth.doctor.model.HadoopKey;
import io.hearth.doctor.model.ProbedCluster;
import io.hearth.doctor.model.ProbedCluster.ProbedHBase.ReplicatedTable;
import io.hearth.doctor.model.ProcessConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Whether timeline-consistent reads get what they are meant to get: what brings replicas of regions up to date, how long the files
 * that they read stay, when a client turns to them, and whether each replica has a RegionServer of its own.
 */
final class RegionReplicaChecks {

    /** Often enough for reads that may be half a minute old, and seldom enough for the NameNode. */
    private static final long REFRESH_MS = 30_000;

    private static final String GUIDE = "HBase's reference guide, timeline-consistent high available reads";

    private RegionReplicaChecks() {}

    static List<Check> all() {
        return List.of(
                new UpdatesCheck(),
                new MetaUpdatesCheck(),
                refreshPeriod(),
                new FileTtlCheck(),
                new TimeoutsCheck(),
                new CountCheck());
    }

    private static List<ReplicatedTable> replicatedTables(ProbedCluster cluster) {
        return cluster.hbase().replicatedTables().ifKnown().orElse(List.of());
    }

    /** Replicas of regions that nothing brings up to date: neither the WAL is replicated to them, nor do they look for new files. */
    private static final class UpdatesCheck implements Check {

        private static final FindingTemplate TEMPLATE = new FindingTemplate(
                "region-replicas",
                Severity.ERROR,
                "The replicas go on serving what was there when they were opened: timeline-consistent reads get old data for ever.",
                GUIDE,
                ConfigLine.of(REGIONSERVER, REPLICA_REPLICATION, true),
                ConfigLine.of(HMASTER, REPLICA_REPLICATION, true));

        @Override
        public String name() {
            return TEMPLATE.check();
        }

        @Override
        public List<Finding> examine(ProbedCluster cluster) {
            List<String> tables = replicatedTables(cluster).stream()
                    .map(ReplicatedTable::table)
                    .toList();
            if (tables.isEmpty()) {
                return cluster.hbase()
                        .replicatedTables()
                        .whyUnknown()
                        .map(why -> List.of(TEMPLATE.unknown(List.of(), why)))
                        .orElse(List.of());
            }
            if (cluster.whyNoneShown(REGIONSERVER).isPresent()) {
                return List.of(TEMPLATE.unknown(
                        List.of(), cluster.whyNoneShown(REGIONSERVER).get()));
            }
            return findings(cluster, tables);
        }

        private static List<Finding> findings(ProbedCluster cluster, List<String> tables) {
            List<String> unrefreshed = new ArrayList<>();
            List<String> byMaster = new ArrayList<>();
            cluster.shown(REGIONSERVER)
                    .filter(daemon -> daemon.own().number(STORE_FILE_REFRESH_MS) <= 0)
                    .forEach(daemon ->
                            (daemon.own().is(REPLICA_REPLICATION) ? byMaster : unrefreshed).add(daemon.name()));
            String regions = "Regions of " + String.join(", ", tables)
                    + " have replicas, and nothing brings those up to date here: ";
            List<Finding> findings = new ArrayList<>(TEMPLATE.foundIfAny(
                    unrefreshed,
                    regions + REPLICA_REPLICATION.key() + " is false and " + STORE_FILE_REFRESH_MS.key() + " 0."));
            Optional<ProcessConfig> master = ofMaster(cluster);
            if (master.isEmpty() && !byMaster.isEmpty()) {
                findings.add(TEMPLATE.unknown(List.of(), "the HMaster does not show its configuration"));
            } else if (master.isPresent() && !master.get().is(REPLICA_REPLICATION) && unrefreshed.isEmpty()) {
                findings.addAll(TEMPLATE.foundIfAny(
                        byMaster,
                        regions + REPLICA_REPLICATION.key() + " is true, but not in the HMaster, which sets it up, and "
                                + STORE_FILE_REFRESH_MS.key() + " is 0."));
            }
            return findings;
        }
    }

    /** The configuration of the active HMaster; empty where it can't be read, and what stands in for it is of no HMaster. */
    private static Optional<ProcessConfig> ofMaster(ProbedCluster cluster) {
        return cluster.master()
                .settings()
                .ifKnown()
                .or(() -> cluster.isFallbackOfMaster() ? Optional.of(cluster.fallbackConfig()) : Optional.empty());
    }

    /** The same of hbase:meta, whose replicas have keys of their own. */
    private static final class MetaUpdatesCheck implements Check {

        private static final FindingTemplate TEMPLATE = new FindingTemplate(
                "meta-replicas",
                Severity.ERROR,
                "Clients that read replicas of hbase:meta look for regions where they were when the replica was opened, fail there, and ask again.",
                GUIDE + "; HRegionServer: " + META_STORE_FILE_REFRESH_MS.key() + " counts where "
                        + STORE_FILE_REFRESH_MS.key() + " is 0",
                ConfigLine.of(REGIONSERVER, META_STORE_FILE_REFRESH_MS, REFRESH_MS));

        @Override
        public String name() {
            return TEMPLATE.check();
        }

        @Override
        public List<Finding> examine(ProbedCluster cluster) {
            int reported = cluster.hbase().metaReplicas();
            long configured = cluster.settingsOf(cluster.master().settings()).number(META_REPLICAS);
            if (reported <= 1 && configured <= 1) {
                return List.of();
            }
            if (cluster.whyNoneShown(REGIONSERVER).isPresent()) {
                return List.of(TEMPLATE.unknown(
                        List.of(), cluster.whyNoneShown(REGIONSERVER).get()));
            }
            return TEMPLATE.foundIfAny(
                    cluster.shown(REGIONSERVER)
                            .filter(daemon -> isStale(daemon.own()))
                            .map(ProbedCluster.Daemon::name)
                            .toList(),
                    "hbase:meta has " + Math.max(reported, configured) + " replicas ("
                            + (configured > reported ? META_REPLICAS.key() : "its REGION_REPLICATION")
                            + "), and nothing brings those up to date here: " + META_REPLICA_REPLICATION.key()
                            + " is false, " + META_STORE_FILE_REFRESH_MS.key() + " and " + STORE_FILE_REFRESH_MS.key()
                            + " are 0.");
        }

        private static boolean isStale(ProcessConfig settings) {
            return !settings.is(META_REPLICA_REPLICATION)
                    && settings.number(META_STORE_FILE_REFRESH_MS) <= 0
                    && settings.number(STORE_FILE_REFRESH_MS) <= 0;
        }
    }

    /** A RegionServer's own rule, by which it does not start. */
    private static Check refreshPeriod() {
        return new SettingCheck(
                REGIONSERVER,
                new FindingTemplate(
                        "refresh-period",
                        Severity.ERROR,
                        "A RegionServer that starts with these lines ends at once: a file may be deleted before a replica looks for new ones.",
                        "StorefileRefresherChore in HBase",
                        new Advice("A larger " + HFILE_TTL_MS.key()
                                + " does it too, in the HMaster and in every RegionServer")),
                (cluster, daemon, settings) -> {
                    HadoopKey key = settings.number(STORE_FILE_REFRESH_MS) > 0
                            ? STORE_FILE_REFRESH_MS
                            : META_STORE_FILE_REFRESH_MS;
                    long periodMs = settings.number(key);
                    long ttlMs = settings.number(HFILE_TTL_MS);
                    return periodMs <= ttlMs / 2
                            ? Optional.empty()
                            : SettingCheck.Violation.of(
                                    key.key() + " is " + periodMs + " ms, more than half of the " + ttlMs + " ms of "
                                            + HFILE_TTL_MS.key() + ".",
                                    ConfigLine.of(REGIONSERVER, key, Math.min(REFRESH_MS, ttlMs / 2)));
                });
    }

    /** Whether the HMaster keeps replaced files as long as the servers of replicas count on. */
    private static final class FileTtlCheck implements Check {

        private static final FindingTemplate TEMPLATE = new FindingTemplate(
                "replica-file-ttl",
                Severity.WARNING,
                "The HMaster deletes files that compactions have replaced while replicas still read them: such reads fail until the replica has"
                        + " looked for new files.",
                "TimeToLiveHFileCleaner, StorefileRefresherChore; " + GUIDE);

        @Override
        public String name() {
            return TEMPLATE.check();
        }

        @Override
        public List<Finding> examine(ProbedCluster cluster) {
            if (replicatedTables(cluster).isEmpty()) {
                return List.of();
            }
            if (cluster.whyNoneShown(REGIONSERVER).isPresent()) {
                return List.of(TEMPLATE.unknown(
                        List.of(), cluster.whyNoneShown(REGIONSERVER).get()));
            }
            long keptMs = cluster.settingsOf(cluster.master().settings()).number(HFILE_TTL_MS);
            long expectedMs = cluster.shown(REGIONSERVER)
                    .mapToLong(daemon -> daemon.own().number(HFILE_TTL_MS))
                    .max()
                    .orElse(0);
            return expectedMs <= keptMs
                    ? List.of()
                    : TEMPLATE.withFixes(List.of(ConfigLine.of(HMASTER, HFILE_TTL_MS, expectedMs)))
                            .foundIfAny(
                                    List.of(HMASTER.word() + " "
                                            + cluster.master().host()),
                                    "It keeps replaced store files for " + HumanFormat.timeOfMs(keptMs)
                                            + ", and RegionServers count on " + HumanFormat.timeOfMs(expectedMs) + ": "
                                            + HFILE_TTL_MS.key() + ".");
        }
    }

    /** When a client turns to replicas, which it is told in microseconds: by the configuration of whoever asks. */
    private static final class TimeoutsCheck implements Check {

        /** Below it the number was meant in milliseconds, or every read goes to all replicas at once. */
        private static final long MIN_US = 1_000;

        /** Above it, the default of hbase.rpc.timeout, the call to the primary has failed before. */
        private static final long MAX_US = 60_000_000;

        private static final FindingTemplate TEMPLATE = new FindingTemplate(
                "timeline-timeouts",
                Severity.WARNING,
                "Too early, and every read is made several times and more answers are old: at Bloomberg 1.3 % after 10 ms, 0.1 % after 100 ms,"
                        + " none after 1 s. Too late, and a dead primary is waited for.",
                "ConnectionConfiguration in HBase: microseconds, 10,000 for a get; Bloomberg at HBaseConAsia 2018",
                new Advice(
                        "Set them in the clients' hbase-site.xml: 10000 (10 ms) for gets, or more where old answers cost more than late"
                                + " ones; 1000000 (1 s) for scans"));

        @Override
        public String name() {
            return TEMPLATE.check();
        }

        @Override
        public List<Finding> examine(ProbedCluster cluster) {
            if (replicatedTables(cluster).isEmpty()) {
                return List.of();
            }
            ProcessConfig settings = cluster.fallbackConfig();
            List<String> wrong = Stream.of(PRIMARY_GET_US, PRIMARY_MULTIGET_US, REPLICA_SCAN_US)
                    .filter(key -> settings.number(key) < MIN_US || settings.number(key) > MAX_US)
                    .map(key -> key.key() + " is " + settings.number(key) + ", which is "
                            + milliseconds(settings.number(key)))
                    .toList();
            return wrong.isEmpty()
                    ? List.of()
                    : TEMPLATE.found(
                            "By " + cluster.fallbackName() + " a timeline-consistent read turns to replicas at an odd"
                                    + " time: " + String.join("; ", wrong) + ".");
        }

        private static String milliseconds(long microseconds) {
            return String.format(Locale.ROOT, "%,.1f ms", microseconds / 1_000.0);
        }
    }

    /** Tables that ask for more replicas of a region than there are RegionServers that may have one each. */
    private static final class CountCheck implements Check {

        private static final FindingTemplate TEMPLATE = new FindingTemplate(
                "region-replica-count",
                Severity.WARNING,
                "Two replicas of a region are on one RegionServer: they take its memory twice, and if it ends both are gone.",
                "BaseLoadBalancer.wouldLowerAvailability, a preference and no rule; " + GUIDE,
                new Advice(
                        "alter the table with REGION_REPLICATION of as many as there are RegionServers or fewer; or more RegionServers,"
                                + " in its RSGroup where it has one"));

        @Override
        public String name() {
            return TEMPLATE.check();
        }

        @Override
        public List<Finding> examine(ProbedCluster cluster) {
            List<String> tooMany = new ArrayList<>();
            Set<String> unknown = new TreeSet<>();
            for (ReplicatedTable table : replicatedTables(cluster)) {
                table.servers().whyUnknown().ifPresent(unknown::add);
                table.servers()
                        .ifKnown()
                        .filter(servers -> table.replicas() > servers)
                        .ifPresent(servers -> tooMany.add(table.table() + " has REGION_REPLICATION " + table.replicas()
                                + ", and the RegionServers that may have its regions are " + servers));
            }
            List<Finding> findings = new ArrayList<>();
            if (!tooMany.isEmpty()) {
                findings.addAll(TEMPLATE.found(String.join("; ", tooMany) + "."));
            }
            unknown.forEach(why -> findings.add(TEMPLATE.unknown(List.of(), why)));
            return findings;
        }
    }
}
