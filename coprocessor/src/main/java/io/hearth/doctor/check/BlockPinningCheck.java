// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.check;

import static io.hearth.doctor.model.HadoopKey.BALANCER;
import static io.hearth.doctor.model.HadoopKey.BLOCK_PINNING;
import static io.hearth.doctor.model.Role.DATANODE;

import io.hearth.doctor.model.Finding;
import io.hearth.doctor.model.Fix.ConfigLine;
import io.hearth.doctor.model.ProbedCluster;
import io.hearth.doctor.model.Severity;
import java.util.ArrayList;
import java.util.List;

/** Replicas that stay where a writer has put them: pinned ones, which need favoured nodes. */
final class BlockPinningCheck implements Check {

    private static final FindingTemplate PINNED = new FindingTemplate(
            "block-pinning",
            Severity.WARNING,
            "Replicas that a writer has placed on favoured nodes are pinned there: DataNodes refuse to have them moved, and such blocks stay"
                    + " remote.",
            "DataXceiver.replaceBlock; default of HDFS",
            ConfigLine.of(DATANODE, BLOCK_PINNING, false));

    private static final FindingTemplate FAVOURED = new FindingTemplate(
            "favoured-nodes",
            Severity.WARNING,
            "Two plans of where replicas belong work against one another: that of the favoured nodes and that of the healer.",
            "FavoredNodeLoadBalancer",
            ConfigLine.of(io.hearth.doctor.model.Role.HMASTER, BALANCER, "io.hearth.balancer.HearthLoadBalancer"));

    @Override
    public String name() {
        return PINNED.check();
    }

    @Override
    public List<Finding> examine(ProbedCluster cluster) {
        List<Finding> findings = new ArrayList<>(PINNED.foundIfAny(
                cluster.daemons(DATANODE)
                        .filter(node -> cluster.settingsOf(node.settings()).is(BLOCK_PINNING))
                        .map(ProbedCluster.Daemon::name)
                        .toList(),
                "Replicas on favoured nodes are pinned: " + BLOCK_PINNING.key() + " is true."));
        if (cluster.settingsOf(cluster.master().settings()).text(BALANCER).contains("Favored")) {
            findings.addAll(FAVOURED.found("The HMaster's balancer deals out favoured nodes."));
        }
        return findings;
    }
}
