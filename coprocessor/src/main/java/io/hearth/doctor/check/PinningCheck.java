package io.hearth.doctor.check;

import static io.hearth.doctor.model.Key.BALANCER;
import static io.hearth.doctor.model.Key.BLOCK_PINNING;
import static io.hearth.doctor.model.Role.DATANODE;

import io.hearth.doctor.model.Examined;
import io.hearth.doctor.model.Finding;
import io.hearth.doctor.model.Remedy.Line;
import io.hearth.doctor.model.Severity;
import java.util.ArrayList;
import java.util.List;

/** Replicas that stay where a writer has put them: pinned ones, which need favoured nodes. */
final class PinningCheck implements Check {

    private static final Diagnosis PINNED = new Diagnosis(
            "block-pinning",
            Severity.COST,
            "Replicas that a writer has placed on favoured nodes are pinned there: DataNodes refuse to have them moved, and such blocks stay away"
                    + " from home.",
            "DataXceiver.replaceBlock; default of HDFS",
            Line.of(DATANODE, BLOCK_PINNING, false));

    private static final Diagnosis FAVOURED = new Diagnosis(
            "favoured-nodes",
            Severity.COST,
            "Two plans of where replicas belong work against one another: that of the favoured nodes and that of the healer.",
            "FavoredNodeLoadBalancer",
            Line.of(io.hearth.doctor.model.Role.HMASTER, BALANCER, "io.hearth.balancer.HearthLoadBalancer"));

    @Override
    public String name() {
        return PINNED.check();
    }

    @Override
    public List<Finding> examine(Examined cluster) {
        List<Finding> findings = new ArrayList<>(PINNED.foundIfAny(
                cluster.members(DATANODE)
                        .filter(node -> cluster.settingsOf(node.settings()).is(BLOCK_PINNING))
                        .map(Examined.Member::name)
                        .toList(),
                "Replicas on favoured nodes are pinned: " + BLOCK_PINNING.key() + " is true."));
        if (cluster.settingsOf(cluster.master().settings()).text(BALANCER).contains("Favored")) {
            findings.addAll(FAVOURED.found("The HMaster's balancer deals out favoured nodes."));
        }
        return findings;
    }
}
