// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.check;

import static io.hearth.doctor.model.HadoopKey.DEAD_NODE_DETECTION;
import static io.hearth.doctor.model.Role.DATANODE;
import static io.hearth.doctor.model.Role.REGIONSERVER;

import io.hearth.doctor.model.Finding;
import io.hearth.doctor.model.Fix.ConfigLine;
import io.hearth.doctor.model.ProbedCluster;
import io.hearth.doctor.model.Severity;
import java.util.List;

/**
 * Whether readers forget which DataNode has let their replica go. HDFS's dead node detection asks a DataNode that failed a reader
 * whether it is alive, and one that is counts as good again, though that replica is gone for good.
 */
final class DeadNodeDetectionCheck implements Check {

    private static final FindingTemplate TEMPLATE = new FindingTemplate(
            "dead-node-detection",
            Severity.WARNING,
            "A reader whose replica was moved away fails on it again and again, some ms each time, until its block locations are"
                    + " refreshed, instead of once.",
            "DeadNodeDetector in HDFS (HDFS-13571); measured by bin/hearth bench cluster",
            ConfigLine.of(REGIONSERVER, DEAD_NODE_DETECTION, false));

    @Override
    public String name() {
        return TEMPLATE.check();
    }

    @Override
    public List<Finding> examine(ProbedCluster cluster) {
        if (isDeletionDelayedEverywhere(cluster)) {
            return List.of();
        }
        List<String> places = cluster.daemons(REGIONSERVER)
                .filter(server -> cluster.settingsOf(server.settings()).is(DEAD_NODE_DETECTION))
                .map(ProbedCluster.Daemon::name)
                .toList();
        return TEMPLATE.foundIfAny(
                places,
                "Readers go back to a DataNode that has let their replica go, because it is alive: "
                        + DEAD_NODE_DETECTION.key() + " is true.");
    }

    /** Then a replica outlasts the readers' trust in it, if {@link DeletionDelayCheck} is content. */
    private static boolean isDeletionDelayedEverywhere(ProbedCluster cluster) {
        return cluster.daemons(DATANODE).findAny().isPresent()
                && cluster.daemons(DATANODE)
                        .allMatch(node -> DeletionDelayCheck.deletionDelayMs(cluster.settingsOf(node.settings()))
                                .isPresent());
    }
}
