// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.check;

import static io.hearth.doctor.model.Role.DATANODE;
import static io.hearth.doctor.model.Role.REGIONSERVER;

import io.hearth.doctor.model.Finding;
import io.hearth.doctor.model.Fix.ConfigLine;
import io.hearth.doctor.model.Fix.Effect;
import io.hearth.doctor.model.HadoopKey;
import io.hearth.doctor.model.ProbedCluster;
import io.hearth.doctor.model.ProcessConfig;
import io.hearth.doctor.model.Severity;
import java.util.List;
import java.util.Optional;

/** Whether the deletion delay of replaced replicas, where a DataNode has it, outlasts the readers' refresh of block locations. */
final class DeletionDelayCheck implements Check {

    private static final String DELETION_DELAY_MS = "hearth.datanode.deletion.delay.ms";

    /** A stream registers on its first read after one interval, so that its locations get this much older than the interval. */
    private static final double MAX_AGE_FACTOR = 2.1;

    private static final long REFRESH_MS = 10_000;

    private static final FindingTemplate TEMPLATE = new FindingTemplate(
            "deletion-delay",
            Severity.WARNING,
            "Replicas are deleted while readers still count on them, and the deletion delay is in vain.",
            "docs/install.md; HDFS-16261",
            new ConfigLine(DATANODE, DELETION_DELAY_MS, "30000", Effect.RESTART));

    @Override
    public String name() {
        return TEMPLATE.check();
    }

    @Override
    public List<Finding> examine(ProbedCluster cluster) {
        long refreshMs = cluster.daemons(REGIONSERVER)
                .mapToLong(server -> cluster.settingsOf(server.settings()).number(HadoopKey.REFRESH_MS))
                .max()
                .orElse(0);
        List<String> places = cluster.daemons(DATANODE)
                .filter(node -> deletionDelayMs(cluster.settingsOf(node.settings()))
                        .filter(ms -> !outlasts(ms, refreshMs))
                        .isPresent())
                .map(ProbedCluster.Daemon::name)
                .toList();
        return TEMPLATE.withFixes(
                        refreshMs > REFRESH_MS
                                ? List.of(ConfigLine.of(REGIONSERVER, HadoopKey.REFRESH_MS, REFRESH_MS))
                                : List.of())
                .foundIfAny(
                        places,
                        "The deletion delay of replaced replicas is not above " + MAX_AGE_FACTOR
                                + " times the readers' refresh interval of " + refreshMs + " ms.");
    }

    /** How long such a DataNode keeps a replaced replica; empty without Hearth's dataset. */
    static Optional<Long> deletionDelayMs(ProcessConfig settings) {
        return settings.text(HadoopKey.DATASET_FACTORY).endsWith("DeletionDelayDatasetFactory")
                ? Optional.of(Long.parseLong(settings.values()
                        .getOrDefault(DELETION_DELAY_MS, "30000")
                        .trim()))
                : Optional.empty();
    }

    static boolean outlasts(long deletionDelayMs, long refreshMs) {
        return deletionDelayMs > MAX_AGE_FACTOR * refreshMs;
    }
}
