package io.hearth.doctor.check;

import static io.hearth.doctor.model.Key.LISTEN_BACKLOG;
import static io.hearth.doctor.model.Role.DATANODE;

import io.hearth.doctor.check.Diagnosis.Unread;
import io.hearth.doctor.model.Examined;
import io.hearth.doctor.model.Finding;
import io.hearth.doctor.model.FoundDataNode;
import io.hearth.doctor.model.Remedy.Command;
import io.hearth.doctor.model.Remedy.Line;
import io.hearth.doctor.model.Severity;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Whether a DataNode lets enough connections wait, and its kernel as many. */
final class ListenBacklogCheck implements Check {

    private static final long FEWEST = 128;

    private static final Diagnosis DIAGNOSIS = new Diagnosis(
            "listen-backlog",
            Severity.COST,
            "When many readers connect at once the kernel drops some, and each of those waits 3 s until it tries again.",
            "HDFS-9669; XiaoMi's practice",
            Line.of(DATANODE, LISTEN_BACKLOG, LISTEN_BACKLOG.defaultValue()));

    private static final Diagnosis KERNEL = new Diagnosis(
            DIAGNOSIS.check(),
            DIAGNOSIS.severity(),
            DIAGNOSIS.cost(),
            DIAGNOSIS.source(),
            new Command("sysctl -w net.core.somaxconn=4096    # and in /etc/sysctl.d, then restart the DataNode"));

    @Override
    public String name() {
        return DIAGNOSIS.check();
    }

    @Override
    public List<Finding> examine(Examined cluster) {
        List<Finding> findings = new ArrayList<>(new SettingCheck(
                        DATANODE,
                        DIAGNOSIS,
                        settings -> settings.number(LISTEN_BACKLOG) < FEWEST
                                ? Optional.of("A DataNode lets " + settings.number(LISTEN_BACKLOG)
                                        + " connections wait: " + LISTEN_BACKLOG.key() + ".")
                                : Optional.empty())
                .examine(cluster));
        List<FoundDataNode> nodes = cluster.dataNodes().ifKnown().orElse(List.of());
        findings.addAll(KERNEL.foundIfAny(
                nodes.stream()
                        .filter(node -> isCutShort(cluster, node))
                        .map(ListenBacklogCheck::name)
                        .toList(),
                "The kernel lets fewer connections wait than the DataNode asks for: net.core.somaxconn is below "
                        + LISTEN_BACKLOG.key() + "."));
        findings.addAll(DIAGNOSIS.unknowns(nodes.stream()
                .flatMap(node -> node.somaxconn().whyUnknown().map(why -> new Unread(name(node), why)).stream())
                .toList()));
        return findings;
    }

    private static boolean isCutShort(Examined cluster, FoundDataNode node) {
        return node.somaxconn()
                .ifKnown()
                .filter(kernel -> kernel < cluster.settingsOf(node.settings()).number(LISTEN_BACKLOG))
                .isPresent();
    }

    private static String name(FoundDataNode node) {
        return DATANODE.word() + " " + node.host();
    }
}
