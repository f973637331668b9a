package io.hearth.doctor.check;

import static io.hearth.doctor.model.Key.REPLICA_REPLICATION;
import static io.hearth.doctor.model.Key.SLOP;
import static io.hearth.doctor.model.Key.STORE_FILE_REFRESH_MS;
import static io.hearth.doctor.model.Role.HMASTER;
import static io.hearth.doctor.model.Role.REGIONSERVER;

import io.hearth.doctor.model.Examined;
import io.hearth.doctor.model.Finding;
import io.hearth.doctor.model.FoundDataNode;
import io.hearth.doctor.model.FoundHBase.HotRegion;
import io.hearth.doctor.model.FoundRegionServer;
import io.hearth.doctor.model.Key;
import io.hearth.doctor.model.Remedy.Advice;
import io.hearth.doctor.model.Remedy.Command;
import io.hearth.doctor.model.Remedy.Line;
import io.hearth.doctor.model.Settings;
import io.hearth.doctor.model.Severity;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** What HBase knows of itself as a whole: dead servers, clocks, the balancer's switch, replicas of regions, a region that is too hot. */
final class HBaseChecks {

    private HBaseChecks() {}

    static List<Check> all() {
        return List.of(
                new BackupMasterCheck(),
                new BalancerSwitch(),
                slop(),
                new RegionReplicas(),
                new HotRegions(),
                new DeadServers(),
                new Clocks());
    }

    private static final class BalancerSwitch implements Check {

        private static final Diagnosis DIAGNOSIS = new Diagnosis(
                "balancer-switch",
                Severity.FAULT,
                "No region moves for the sake of load, and a server that comes back after a crash stays empty.",
                "HMaster isBalancerEnabled",
                new Command("echo 'balance_switch true' | hbase shell -n"));

        @Override
        public String name() {
            return DIAGNOSIS.check();
        }

        @Override
        public List<Finding> examine(Examined cluster) {
            List<Finding> findings = new ArrayList<>();
            cluster.hbase().balancerOn().whyUnknown().ifPresent(why -> findings.add(DIAGNOSIS.unknown(List.of(), why)));
            if (cluster.hbase().balancerOn().ifKnown().filter(on -> !on).isPresent()) {
                findings.addAll(DIAGNOSIS.found("The balancer is switched off (balance_switch false)."));
            }
            return findings;
        }
    }

    private static Check slop() {
        return new SettingCheck(
                HMASTER,
                new Diagnosis(
                        "slop",
                        Severity.COST,
                        "One server may have that much more than the mean number of regions before their number alone starts a balance.",
                        "BaseLoadBalancer.sloppyRegionServerExist; default of HBase: 0.2",
                        Line.of(HMASTER, SLOP, SLOP.defaultValue())),
                settings -> settings.decimal(SLOP) >= 1
                        ? java.util.Optional.of("A server with " + Words.decimal(1 + settings.decimal(SLOP))
                                + " times the mean number of regions is let be: " + SLOP.key() + " is "
                                + settings.text(SLOP) + ".")
                        : java.util.Optional.empty());
    }

    /** Replicas of regions that nothing brings up to date: neither the WAL is replicated to them, nor do they look for new files. */
    private static final class RegionReplicas implements Check {

        private static final Diagnosis DIAGNOSIS = new Diagnosis(
                "region-replicas",
                Severity.FAULT,
                "The replicas go on serving what was there when they were opened: timeline-consistent reads get old data for ever.",
                "HBase's reference guide, timeline-consistent high available reads",
                Line.of(REGIONSERVER, REPLICA_REPLICATION, true),
                Line.of(HMASTER, REPLICA_REPLICATION, true));

        @Override
        public String name() {
            return DIAGNOSIS.check();
        }

        @Override
        public List<Finding> examine(Examined cluster) {
            List<String> tables = cluster.hbase().replicatedTables().ifKnown().orElse(List.of());
            if (tables.isEmpty()) {
                return cluster.hbase()
                        .replicatedTables()
                        .whyUnknown()
                        .map(why -> List.of(DIAGNOSIS.unknown(List.of(), why)))
                        .orElse(List.of());
            }
            List<String> places = cluster.members(REGIONSERVER)
                    .filter(member -> isStale(cluster.settingsOf(member.settings())))
                    .map(Examined.Member::name)
                    .toList();
            return DIAGNOSIS.foundIfAny(
                    places,
                    "Regions of " + String.join(", ", tables)
                            + " have replicas, and nothing brings those up to date here: " + REPLICA_REPLICATION.key()
                            + " is false and " + STORE_FILE_REFRESH_MS.key() + " 0.");
        }

        private static boolean isStale(Settings settings) {
            return !settings.is(REPLICA_REPLICATION) && settings.number(STORE_FILE_REFRESH_MS) <= 0;
        }
    }

    private static final class HotRegions implements Check {

        private static final Diagnosis DIAGNOSIS = new Diagnosis(
                "hot-region",
                Severity.COST,
                "No balancer can make its server as cool as the others: a region is on one server.",
                "the HMaster's reports of the servers, twice",
                new Advice(
                        "Split it where its load is (split 'REGION' or split 'TABLE', 'KEY' in the HBase shell); if one row or the end of the table"
                                + " is hot, change the row key"));

        @Override
        public String name() {
            return DIAGNOSIS.check();
        }

        @Override
        public List<Finding> examine(Examined cluster) {
            return cluster.hbase()
                    .hotRegions()
                    .ifKnown()
                    .map(hot -> DIAGNOSIS.foundIfAny(
                            hot.stream().map(HotRegions::place).toList(),
                            "Each of these regions alone has more requests than a server should have in all."))
                    .orElseGet(() -> List.of(DIAGNOSIS.unknown(
                            List.of(), cluster.hbase().hotRegions().whyUnknown().orElse(""))));
        }

        private static String place(HotRegion hot) {
            return String.format(
                    Locale.ROOT,
                    "%s of %s on %s (%,.0f/s, %.2f of a fair share)",
                    hot.region(),
                    hot.table(),
                    hot.host(),
                    hot.requestsPerSecond(),
                    hot.share());
        }
    }

    private static final class DeadServers implements Check {

        private static final String LOG =
                "Its log says why it ended. \"Current heap configuration for MemStore and BlockCache\" is: "
                        + Key.BLOCK_CACHE.key() + " and " + Key.MEMSTORE_FRACTION.key() + " are more than 0.8 together";

        private static final Diagnosis DIAGNOSIS = new Diagnosis(
                "dead-server",
                Severity.FAULT,
                "Its regions are on the others, its DataNode's replicas are read from afar, and one more that ends is one too many.",
                "the HMaster's list of dead servers",
                new Advice(LOG));

        private static final Diagnosis GONE = new Diagnosis(
                DIAGNOSIS.check(),
                Severity.NOTE,
                "None, if it is meant to be gone.",
                DIAGNOSIS.source(),
                new Command("echo 'clear_deadservers' | hbase shell -n"),
                new Advice(LOG));

        @Override
        public String name() {
            return DIAGNOSIS.check();
        }

        @Override
        public List<Finding> examine(Examined cluster) {
            Set<String> hosts = cluster.dataNodes().ifKnown().orElse(List.of()).stream()
                    .map(FoundDataNode::host)
                    .map(host -> host.toLowerCase(Locale.ROOT))
                    .collect(Collectors.toSet());
            Map<Boolean, List<String>> byDataNode = cluster.hbase().deadServers().stream()
                    .collect(Collectors.partitioningBy(server -> hosts.contains(host(server))));
            List<Finding> findings = new ArrayList<>(DIAGNOSIS.foundIfAny(
                    names(byDataNode.getOrDefault(true, List.of())),
                    "It is dead, and its host's DataNode is live: the server ended, not the host."));
            findings.addAll(GONE.foundIfAny(
                    names(byDataNode.getOrDefault(false, List.of())),
                    "It is dead, and no DataNode is live on its host."));
            return findings;
        }

        private static List<String> names(List<String> servers) {
            return servers.stream()
                    .map(server -> REGIONSERVER.word() + " " + server)
                    .toList();
        }
    }

    /** The host of {@code host:port}, as it is compared. */
    static String host(String server) {
        return server.substring(0, Math.max(0, server.lastIndexOf(':'))).toLowerCase(Locale.ROOT);
    }

    private static final class Clocks implements Check {

        /** From there on HBase warns; from 30 s on it refuses the server. */
        private static final long MOST_MS = 10_000;

        private static final Diagnosis DIAGNOSIS = new Diagnosis(
                "clock",
                Severity.FAULT,
                "From 30 s on the HMaster refuses the server when it starts. Before that, what is written here hides behind older writes from elsewhere,"
                        + " or hides later ones, and cells expire too early or too late.",
                "hbase.master.warningclockskew: 10 s, hbase.master.maxclockskew: 30 s; the Date that web UIs answer with",
                new Command("chronyc makestep    # and look why the clock was not kept: chronyc tracking"));

        @Override
        public String name() {
            return DIAGNOSIS.check();
        }

        @Override
        public List<Finding> examine(Examined cluster) {
            List<String> places = cluster.regionServers().stream()
                    .filter(server -> server.clockAheadMs()
                            .ifKnown()
                            .filter(ms -> Math.abs(ms) > MOST_MS)
                            .isPresent())
                    .map(Clocks::place)
                    .toList();
            return DIAGNOSIS.foundIfAny(places, "Its clock is more than 10 s from the HMaster's.");
        }

        private static String place(FoundRegionServer server) {
            long seconds = Math.round(server.clockAheadMs().ifKnown().orElse(0L) / 1_000.0);
            return REGIONSERVER.word() + " " + server.host() + " (" + Math.abs(seconds) + " s "
                    + (seconds > 0 ? "ahead" : "behind") + ")";
        }
    }
}
