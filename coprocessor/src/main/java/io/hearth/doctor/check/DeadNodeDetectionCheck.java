package io.hearth.doctor.check;

import static io.hearth.doctor.model.Key.DEAD_NODE_DETECTION;
import static io.hearth.doctor.model.Role.DATANODE;
import static io.hearth.doctor.model.Role.REGIONSERVER;

import io.hearth.doctor.model.Examined;
import io.hearth.doctor.model.Finding;
import io.hearth.doctor.model.Remedy.Line;
import io.hearth.doctor.model.Severity;
import java.util.List;

/**
 * Whether readers forget which DataNode has let their replica go. HDFS's dead node detection asks a DataNode that failed a reader
 * whether it is alive, and one that is counts as good again, though that replica is gone for good.
 */
final class DeadNodeDetectionCheck implements Check {

    private static final Diagnosis DIAGNOSIS = new Diagnosis(
            "dead-node-detection",
            Severity.COST,
            "A reader whose replica was moved away fails on it again and again, some ms each time, until its block locations are"
                    + " refreshed, instead of once.",
            "DeadNodeDetector in HDFS (HDFS-13571); measured by bin/hearth bench cluster",
            Line.of(REGIONSERVER, DEAD_NODE_DETECTION, false));

    @Override
    public String name() {
        return DIAGNOSIS.check();
    }

    @Override
    public List<Finding> examine(Examined cluster) {
        if (isGraceEverywhere(cluster)) {
            return List.of();
        }
        List<String> places = cluster.members(REGIONSERVER)
                .filter(server -> cluster.settingsOf(server.settings()).is(DEAD_NODE_DETECTION))
                .map(Examined.Member::name)
                .toList();
        return DIAGNOSIS.foundIfAny(
                places,
                "Readers go back to a DataNode that has let their replica go, because it is alive: "
                        + DEAD_NODE_DETECTION.key() + " is true.");
    }

    /** Then a replica outlasts the readers' trust in it, if {@link GraceCheck} is content. */
    private static boolean isGraceEverywhere(Examined cluster) {
        return cluster.members(DATANODE).findAny().isPresent()
                && cluster.members(DATANODE).allMatch(node -> GraceCheck.graceMs(cluster.settingsOf(node.settings()))
                        .isPresent());
    }
}
