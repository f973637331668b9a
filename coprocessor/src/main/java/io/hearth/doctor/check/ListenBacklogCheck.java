// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.check;

import static io.hearth.doctor.model.HadoopKey.LISTEN_BACKLOG;
import static io.hearth.doctor.model.Role.DATANODE;

import io.hearth.doctor.check.FindingTemplate.Unreadable;
import io.hearth.doctor.model.Finding;
import io.hearth.doctor.model.Fix.Command;
import io.hearth.doctor.model.Fix.ConfigLine;
import io.hearth.doctor.model.ProbedCluster;
import io.hearth.doctor.model.ProbedDataNode;
import io.hearth.doctor.model.Severity;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Whether a DataNode lets enough connections wait, and its kernel as many. */
final class ListenBacklogCheck implements Check {

    private static final long MIN_BACKLOG = 128;

    private static final FindingTemplate TEMPLATE = new FindingTemplate(
            "listen-backlog",
            Severity.WARNING,
            "When many readers connect at once the kernel drops some, and each of those waits 3 s until it tries again.",
            "HDFS-9669; XiaoMi's practice",
            ConfigLine.of(DATANODE, LISTEN_BACKLOG, LISTEN_BACKLOG.defaultValue()));

    private static final FindingTemplate KERNEL = new FindingTemplate(
            TEMPLATE.check(),
            TEMPLATE.severity(),
            TEMPLATE.cost(),
            TEMPLATE.source(),
            new Command("sysctl -w net.core.somaxconn=4096    # and in /etc/sysctl.d, then restart the DataNode"));

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
                .filter(kernel -> kernel < cluster.settingsOf(node.settings()).number(LISTEN_BACKLOG))
                .isPresent();
    }

    private static String name(ProbedDataNode node) {
        return DATANODE.word() + " " + node.host();
    }
}
