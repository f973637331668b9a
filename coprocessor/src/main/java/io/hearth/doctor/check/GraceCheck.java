package io.hearth.doctor.check;

import static io.hearth.doctor.model.Role.DATANODE;
import static io.hearth.doctor.model.Role.REGIONSERVER;

import io.hearth.doctor.model.Examined;
import io.hearth.doctor.model.Finding;
import io.hearth.doctor.model.Key;
import io.hearth.doctor.model.Remedy.Effect;
import io.hearth.doctor.model.Remedy.Line;
import io.hearth.doctor.model.Settings;
import io.hearth.doctor.model.Severity;
import java.util.List;
import java.util.Optional;

/** Whether the grace for replaced replicas, where a DataNode has it, outlasts the readers' refresh of block locations. */
final class GraceCheck implements Check {

    private static final String GRACE_MS = "hearth.datanode.grace.ms";

    /** A stream registers on its first read after one interval, so that its locations get this much older than the interval. */
    private static final double OLDEST = 2.1;

    private static final long REFRESH_MS = 10_000;

    private static final Diagnosis DIAGNOSIS = new Diagnosis(
            "grace",
            Severity.COST,
            "Replicas are deleted while readers still count on them, and the grace is in vain.",
            "docs/install.md; HDFS-16261",
            new Line(DATANODE, GRACE_MS, "30000", Effect.RESTART));

    @Override
    public String name() {
        return DIAGNOSIS.check();
    }

    @Override
    public List<Finding> examine(Examined cluster) {
        long refreshMs = cluster.members(REGIONSERVER)
                .mapToLong(server -> cluster.settingsOf(server.settings()).number(Key.REFRESH_MS))
                .max()
                .orElse(0);
        List<String> places = cluster.members(DATANODE)
                .filter(node -> graceMs(cluster.settingsOf(node.settings()))
                        .filter(ms -> !outlasts(ms, refreshMs))
                        .isPresent())
                .map(Examined.Member::name)
                .toList();
        return DIAGNOSIS
                .mendedBy(
                        refreshMs > REFRESH_MS ? List.of(Line.of(REGIONSERVER, Key.REFRESH_MS, REFRESH_MS)) : List.of())
                .foundIfAny(
                        places,
                        "The grace for replaced replicas is not above " + OLDEST
                                + " times the readers' refresh interval of " + refreshMs + " ms.");
    }

    /** How long such a DataNode keeps a replaced replica; empty without Hearth's dataset. */
    static Optional<Long> graceMs(Settings settings) {
        return settings.text(Key.DATASET_FACTORY).endsWith("GraceDatasetFactory")
                ? Optional.of(Long.parseLong(
                        settings.values().getOrDefault(GRACE_MS, "30000").trim()))
                : Optional.empty();
    }

    static boolean outlasts(long graceMs, long refreshMs) {
        return graceMs > OLDEST * refreshMs;
    }
}
