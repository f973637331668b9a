// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.check;

import static io.hearth.doctor.model.HadoopKey.BALANCE_BANDWIDTH;
import static io.hearth.doctor.model.HadoopKey.BALANCE_MOVES;
import static io.hearth.doctor.model.ProcessConfig.Role.DATANODE;

import io.hearth.common.config.HumanFormat;
import io.hearth.common.config.RawSettings;
import io.hearth.common.config.RawSettings.MapSettings;
import io.hearth.doctor.check.Doctor.Check;
import io.hearth.doctor.check.FindingTemplate.Unreadable;
import io.hearth.doctor.model.Finding;
import io.hearth.doctor.model.Finding.Fix.Advice;
import io.hearth.doctor.model.Finding.Fix.Command;
import io.hearth.doctor.model.Finding.Fix.ConfigLine;
import io.hearth.doctor.model.Finding.Fix.Effect;
import io.hearth.doctor.model.Finding.Severity;
import io.hearth.doctor.model.ProbedCluster;
import io.hearth.doctor.model.ProbedCluster.ProbeResult;
import io.hearth.doctor.model.ProbedCluster.ProbedHdfs.ProbedDataNode;
import io.hearth.healer.config.HealLimitSettings;
import io.hearth.healer.config.HealLimitSettings.HealLimitConfig;
import io.hearth.healer.config.HealingSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** How many block moves a DataNode takes part in at a time, and how fast they go. */
final class BlockMoveChecks {

    private BlockMoveChecks() {}

    static List<Check> all() {
        return List.of(new BandwidthCheck(), new ConcurrentMovesCheck());
    }

    /** What block moves may take of a DataNode just now: enough, and the same after its next restart. */
    private static final class BandwidthCheck implements Check {

        private static final long MIN = 10L << 20;
        private static final String RECOMMENDED = "104857600";

        private static final FindingTemplate TOO_LITTLE = new FindingTemplate(
                "balance-bandwidth",
                Severity.WARNING,
                "Healing a host whose regions came from elsewhere takes at least its bytes over this rate.",
                "default of HDFS: 100m",
                new Command("hdfs dfsadmin -setBalancerBandwidth " + RECOMMENDED),
                ConfigLine.of(DATANODE, BALANCE_BANDWIDTH, RECOMMENDED));

        private static final FindingTemplate FORGOTTEN = new FindingTemplate(
                "balance-bandwidth-live",
                Severity.WARNING,
                "A DataNode forgets at its next restart what dfsadmin -setBalancerBandwidth has told it, and is then faster or slower than its"
                        + " neighbours.",
                "DataXceiverServer; dfsadmin -setBalancerBandwidth",
                new Advice(
                        "Or, where the file has what is meant: hdfs dfsadmin -setBalancerBandwidth with the bytes a second that it has"));

        private static final FindingTemplate RAISED = new FindingTemplate(
                FORGOTTEN.check(),
                Severity.INFO,
                "Nothing: a heal has raised the rate, and puts it back when it is over.",
                "bin/hearth healer run --raise-datanode-bandwidth; .hearth/healer.bandwidth under hbase.rootdir",
                new Advice("If no heal runs any more, bin/hearth healer resume puts it back"));

        private static final Advice LOOK_FIRST = new Advice(
                "First look for .hearth/healer.bandwidth under hbase.rootdir, which could not be read. If it is there, a heal has raised the"
                        + " rate: bin/hearth healer resume puts it back, and no line is to be changed");

        @Override
        public String name() {
            return TOO_LITTLE.check();
        }

        @Override
        public List<Finding> examine(ProbedCluster cluster) {
            Map<Long, List<String>> slow = new TreeMap<>();
            Map<Long, List<String>> forgetful = new TreeMap<>();
            List<Unreadable> unreadable = new ArrayList<>();
            for (ProbedDataNode node : cluster.dataNodes().ifKnown().orElse(List.of())) {
                String name = DATANODE.word() + " " + node.host();
                long configured = cluster.settingsOf(node.settings()).number(BALANCE_BANDWIDTH);
                node.balanceBytesPerSecond().whyUnknown().ifPresent(why -> unreadable.add(new Unreadable(name, why)));
                node.balanceBytesPerSecond().ifKnown().ifPresent(live -> {
                    if (live < MIN) {
                        slow.computeIfAbsent(live, first -> new ArrayList<>()).add(name);
                    }
                    if (live != configured && node.settings().ifKnown().isPresent()) {
                        forgetful
                                .computeIfAbsent(live, first -> new ArrayList<>())
                                .add(name);
                    }
                });
            }
            List<Finding> findings = new ArrayList<>();
            slow.forEach((rate, places) -> findings.add(TOO_LITTLE.found(
                    places,
                    "Block moves may take " + HumanFormat.bytes(rate)
                            + "/s of it just now: a region of 10 GB takes " + (10L << 30) / Math.max(1, rate) / 60
                            + " minutes.")));
            forgetful.forEach((rate, places) -> findings.add(live(cluster, rate, places)));
            findings.addAll(TOO_LITTLE.unknowns(unreadable));
            return findings;
        }

        private static Finding live(ProbedCluster cluster, long rate, List<String> places) {
            String what = "Block moves may take " + HumanFormat.bytes(rate) + "/s of it just now, ";
            ProbeResult<Boolean> raised = cluster.hdfs().bandwidthRaised();
            if (raised.ifKnown().orElse(false)) {
                return RAISED.found(places, what + "raised by a heal until it is over.");
            }
            ConfigLine line = ConfigLine.of(DATANODE, BALANCE_BANDWIDTH, rate);
            return FORGOTTEN
                    .withFixes(raised.ifKnown().isPresent() ? List.of(line) : List.of(LOOK_FIRST, line))
                    .found(places, what + "which is not what " + BALANCE_BANDWIDTH.key() + " says.");
        }
    }

    /** Whether a DataNode takes as many block moves at a time as the healer may ask of it, in and out. */
    private static final class ConcurrentMovesCheck implements Check {

        @Override
        public String name() {
            return "concurrent-moves";
        }

        @Override
        public List<Finding> examine(ProbedCluster cluster) {
            RawSettings settings = new MapSettings(
                    cluster.settingsOf(cluster.master().settings()).values());
            HealLimitConfig healer =
                    HealingSettings.read("hbase-site.xml", settings).config().limits();
            List<String> tooFew = new ArrayList<>();
            List<Unreadable> unreadable = new ArrayList<>();
            long most = 0;
            for (ProbedDataNode node : cluster.dataNodes().ifKnown().orElse(List.of())) {
                String name = DATANODE.word() + " " + node.host();
                long asked = asked(healer, cluster, node);
                node.balanceMoves().whyUnknown().ifPresent(why -> unreadable.add(new Unreadable(name, why)));
                if (node.balanceMoves().ifKnown().filter(moves -> moves < asked).isPresent()) {
                    tooFew.add(name);
                    most = Math.max(most, asked);
                }
            }
            FindingTemplate template = new FindingTemplate(
                    name(),
                    Severity.WARNING,
                    "The DataNode refuses moves over its quota; each of them waits and is tried again.",
                    "DataXceiverServer.BlockBalanceThrottler; shared with the HDFS Balancer and Mover",
                    new ConfigLine(
                            DATANODE,
                            BALANCE_MOVES.key(),
                            String.valueOf(Math.max(most, Long.parseLong(BALANCE_MOVES.defaultValue()))),
                            Effect.RECONFIG),
                    new Advice(
                            "Or lower " + HealLimitSettings.DATANODE_MOVES.key()
                                    + " of the healer to half of what the DataNode takes part in; update_all_config is enough for that"));
            List<Finding> findings = new ArrayList<>(template.foundIfAny(
                    tooFew,
                    "It takes part in fewer block moves at a time than " + most
                            + ", twice what the healer may ask of it, in and out: " + BALANCE_MOVES.key() + "."));
            findings.addAll(template.unknowns(unreadable));
            return findings;
        }

        /** The healer asks for half of what a DataNode takes part in, and leaves the rest to the HDFS Balancer and Mover. */
        private static long asked(HealLimitConfig healer, ProbedCluster cluster, ProbedDataNode node) {
            long bytesPerSecond = node.balanceBytesPerSecond()
                    .ifKnown()
                    .orElseGet(() -> cluster.settingsOf(node.settings()).number(BALANCE_BANDWIDTH));
            return 2L * healer.movesAtATime(bytesPerSecond);
        }
    }
}
