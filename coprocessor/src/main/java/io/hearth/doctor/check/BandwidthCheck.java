// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.check;

import static io.hearth.doctor.model.HadoopKey.BALANCE_BANDWIDTH;
import static io.hearth.doctor.model.Role.DATANODE;

import io.hearth.common.config.HumanFormat;
import io.hearth.doctor.check.FindingTemplate.Unreadable;
import io.hearth.doctor.model.Finding;
import io.hearth.doctor.model.Fix.Advice;
import io.hearth.doctor.model.Fix.Command;
import io.hearth.doctor.model.Fix.ConfigLine;
import io.hearth.doctor.model.ProbedCluster;
import io.hearth.doctor.model.ProbedDataNode;
import io.hearth.doctor.model.Severity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What block moves may take of a DataNode just now: enough, and the same after its next restart. */
final class BandwidthCheck implements Check {

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
                    forgetful.computeIfAbsent(live, first -> new ArrayList<>()).add(name);
                }
            });
        }
        List<Finding> findings = new ArrayList<>();
        slow.forEach((rate, places) -> findings.add(TOO_LITTLE.found(
                places,
                "Block moves may take " + HumanFormat.bytes(rate) + "/s of it just now: a region of 10 GB takes "
                        + (10L << 30) / Math.max(1, rate) / 60 + " minutes.")));
        forgetful.forEach((rate, places) -> findings.add(FORGOTTEN
                .withFixes(List.of(ConfigLine.of(DATANODE, BALANCE_BANDWIDTH, rate)))
                .found(
                        places,
                        "Block moves may take " + HumanFormat.bytes(rate) + "/s of it just now, which is not what "
                                + BALANCE_BANDWIDTH.key() + " says.")));
        findings.addAll(TOO_LITTLE.unknowns(unreadable));
        return findings;
    }
}
