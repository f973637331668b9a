// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.check;

import static io.hearth.doctor.model.HadoopKey.SLOP;
import static io.hearth.doctor.model.ProcessConfig.Role.HMASTER;
import static io.hearth.doctor.model.ProcessConfig.Role.REGIONSERVER;

import io.hearth.common.config.HumanFormat;
import io.hearth.doctor.check.Doctor.Check;
import io.hearth.doctor.model.Finding;
import io.hearth.doctor.model.Finding.Fix.Advice;
import io.hearth.doctor.model.Finding.Fix.Command;
import io.hearth.doctor.model.Finding.Fix.ConfigLine;
import io.hearth.doctor.model.Finding.Severity;
import io.hearth.doctor.model.HadoopKey;
import io.hearth.doctor.model.ProbedCluster;
import io.hearth.doctor.model.ProbedCluster.ProbedHBase.HotRegion;
import io.hearth.doctor.model.ProbedCluster.ProbedHBase.ProbedRegionServer;
import io.hearth.doctor.model.ProbedCluster.ProbedHdfs.ProbedDataNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** What HBase knows of itself as a whole: dead servers, clocks, the balancer's switch, a region that is too hot. */
final class HBaseChecks {

    private HBaseChecks() {}

    static List<Check> all() {
        return List.of(
                new BackupMasterCheck(),
                new CoprocessorListCheck(),
                new BalancerSwitch(),
                slop(),
                new HotRegions(),
                new DeadServers(),
                new RestartedServers(),
                new ClockSkew());
    }

    private static final class BalancerSwitch implements Check {

        private static final FindingTemplate TEMPLATE = new FindingTemplate(
                "balancer-switch",
                Severity.ERROR,
                "No region moves for the sake of load, and a server that comes back after a crash stays empty.",
                "HMaster isBalancerEnabled",
                new Command("echo 'balance_switch true' | hbase shell -n"));

        @Override
        public String name() {
            return TEMPLATE.check();
        }

        @Override
        public List<Finding> examine(ProbedCluster cluster) {
            List<Finding> findings = new ArrayList<>();
            cluster.hbase().balancerOn().whyUnknown().ifPresent(why -> findings.add(TEMPLATE.unknown(List.of(), why)));
            if (cluster.hbase().balancerOn().ifKnown().filter(on -> !on).isPresent()) {
                findings.addAll(TEMPLATE.found("The balancer is switched off (balance_switch false)."));
            }
            return findings;
        }
    }

    private static Check slop() {
        return new SettingCheck(
                HMASTER,
                new FindingTemplate(
                        "slop",
                        Severity.WARNING,
                        "One server may have that much more than the mean number of regions before their number alone starts a balance.",
                        "BaseLoadBalancer.sloppyRegionServerExist; default of HBase: 0.2",
                        ConfigLine.of(HMASTER, SLOP, SLOP.defaultValue())),
                settings -> settings.decimal(SLOP) >= 1
                        ? java.util.Optional.of("A server with " + HumanFormat.decimal(1 + settings.decimal(SLOP))
                                + " times the mean number of regions is let be: " + SLOP.key() + " is "
                                + settings.text(SLOP) + ".")
                        : java.util.Optional.empty());
    }

    private static final class HotRegions implements Check {

        private static final FindingTemplate TEMPLATE = new FindingTemplate(
                "hot-region",
                Severity.WARNING,
                "No balancer can make its server as cool as the others: a region is on one server.",
                "the HMaster's reports of the servers, twice",
                new Advice(
                        "Split it where its load is (split 'REGION' or split 'TABLE', 'KEY' in the HBase shell); if one row or the end of the table"
                                + " is hot, change the row key"));

        @Override
        public String name() {
            return TEMPLATE.check();
        }

        @Override
        public List<Finding> examine(ProbedCluster cluster) {
            return cluster.hbase()
                    .hotRegions()
                    .ifKnown()
                    .map(hot -> TEMPLATE.foundIfAny(
                            hot.stream().map(HotRegions::place).toList(),
                            "Each of these regions alone has more requests than a server should have in all."))
                    .orElseGet(() -> List.of(TEMPLATE.unknown(
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
                        + HadoopKey.BLOCK_CACHE.key() + " and " + HadoopKey.MEMSTORE_FRACTION.key()
                        + " are more than 0.8 together";

        private static final FindingTemplate TEMPLATE = new FindingTemplate(
                "dead-server",
                Severity.ERROR,
                "Its regions are on the others, its DataNode's replicas are read from afar, and one more that ends is one too many.",
                "the HMaster's list of dead servers",
                new Advice(LOG));

        private static final FindingTemplate GONE = new FindingTemplate(
                TEMPLATE.check(),
                Severity.INFO,
                "None, if it is meant to be gone.",
                TEMPLATE.source(),
                new Command("echo 'clear_deadservers' | hbase shell -n"),
                new Advice(LOG));

        @Override
        public String name() {
            return TEMPLATE.check();
        }

        @Override
        public List<Finding> examine(ProbedCluster cluster) {
            Set<String> hosts = cluster.dataNodes().ifKnown().orElse(List.of()).stream()
                    .map(ProbedDataNode::host)
                    .map(host -> host.toLowerCase(Locale.ROOT))
                    .collect(Collectors.toSet());
            Map<Boolean, List<String>> byDataNode = cluster.hbase().deadServers().stream()
                    .collect(Collectors.partitioningBy(server -> hosts.contains(host(server))));
            List<Finding> findings = new ArrayList<>(TEMPLATE.foundIfAny(
                    names(byDataNode.getOrDefault(true, List.of())),
                    "It is dead, and its host's DataNode is live: the server ended, not the host."));
            findings.addAll(GONE.foundIfAny(
                    names(byDataNode.getOrDefault(false, List.of())),
                    "It is dead, and no DataNode is live on its host."));
            return findings;
        }
    }

    private static List<String> names(List<String> servers) {
        return servers.stream()
                .map(server -> REGIONSERVER.word() + " " + server)
                .toList();
    }

    /** Whether something starts a RegionServer again and again. Where Hearth does not balance nobody counts that, and nothing is said. */
    private static final class RestartedServers implements Check {

        private static final FindingTemplate TEMPLATE = new FindingTemplate(
                "flapping-server",
                Severity.WARNING,
                "All its regions are offline and move at each death, and it gets none for an hour after the last.",
                "FlappingServers of the bean HearthBalancerView; every HBase that Hearth balances",
                new Advice("Its log says why it ends: often a garbage collection above zookeeper.session.timeout"));

        @Override
        public String name() {
            return TEMPLATE.check();
        }

        @Override
        public List<Finding> examine(ProbedCluster cluster) {
            return TEMPLATE.foundIfAny(
                    names(cluster.hbase().flappingServers().ifKnown().orElse(List.of())),
                    "It was restarted three times within an hour.");
        }
    }

    /** The host of {@code host:port}, as it is compared. */
    static String host(String server) {
        return server.substring(0, Math.max(0, server.lastIndexOf(':'))).toLowerCase(Locale.ROOT);
    }

    private static final class ClockSkew implements Check {

        /** From there on HBase warns; from 30 s on it refuses the server. */
        private static final long MAX_SKEW_MS = 10_000;

        private static final FindingTemplate TEMPLATE = new FindingTemplate(
                "clock",
                Severity.ERROR,
                "From 30 s on the HMaster refuses the server when it starts. Before that, what is written here hides behind older writes from elsewhere,"
                        + " or hides later ones, and cells expire too early or too late.",
                "hbase.master.warningclockskew: 10 s, hbase.master.maxclockskew: 30 s; the Date that web UIs answer with",
                new Command("chronyc makestep"),
                new Advice("Look why the clock was not kept: chronyc tracking"));

        @Override
        public String name() {
            return TEMPLATE.check();
        }

        @Override
        public List<Finding> examine(ProbedCluster cluster) {
            List<String> places = cluster.regionServers().stream()
                    .filter(server -> server.clockSkewMs()
                            .ifKnown()
                            .filter(ms -> Math.abs(ms) > MAX_SKEW_MS)
                            .isPresent())
                    .map(ClockSkew::place)
                    .toList();
            return TEMPLATE.foundIfAny(places, "Its clock is more than 10 s from the HMaster's.");
        }

        private static String place(ProbedRegionServer server) {
            long seconds = Math.round(server.clockSkewMs().ifKnown().orElse(0L) / 1_000.0);
            return REGIONSERVER.word() + " " + server.host() + " (" + Math.abs(seconds) + " s "
                    + (seconds > 0 ? "ahead" : "behind") + ")";
        }
    }
}
