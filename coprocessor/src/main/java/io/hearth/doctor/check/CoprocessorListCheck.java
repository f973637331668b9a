package io.hearth.doctor.check;

import static io.hearth.doctor.model.HadoopKey.MASTER_COPROCESSORS;
import static io.hearth.doctor.model.Role.HMASTER;

import io.hearth.doctor.model.Finding;
import io.hearth.doctor.model.Fix.ConfigLine;
import io.hearth.doctor.model.ProbedCluster;
import io.hearth.doctor.model.ProbedMaster;
import io.hearth.doctor.model.ProcessConfig;
import io.hearth.doctor.model.Severity;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Whether a list of the HMasters' coprocessors has lost a class that is not Hearth's, as it has where Hearth's classes were pasted over what was
 * there: that of a backup or of the file of whoever asks against the active HMaster's, and the active one's against the backups'. Hearth's own
 * classes are {@link BackupMasterCheck}'s.
 */
final class CoprocessorListCheck implements Check {

    private static final FindingTemplate TEMPLATE = new FindingTemplate(
            "coprocessor-list",
            Severity.ERROR,
            "An HMaster that starts with this list does without the class, and no one is told: without AccessController everybody may do everything.",
            "the page /conf of each HMaster's web UI, and the hbase-site.xml of whoever asks");

    /** A list, and whose it is. */
    private record CoprocessorList(String place, Set<String> classes) {

        static CoprocessorList of(String place, ProcessConfig settings) {
            Set<String> classes = new LinkedHashSet<>();
            Arrays.stream(settings.text(MASTER_COPROCESSORS).split(","))
                    .map(String::strip)
                    .filter(name -> !name.isEmpty())
                    .forEach(classes::add);
            return new CoprocessorList(place, classes);
        }
    }

    @Override
    public String name() {
        return TEMPLATE.check();
    }

    @Override
    public List<Finding> examine(ProbedCluster cluster) {
        Optional<CoprocessorList> running = coprocessorList(HMASTER.word() + " ", cluster.master());
        if (running.isEmpty()) {
            // That it can't be read is said by others.
            return List.of();
        }
        List<Finding> findings = new ArrayList<>();
        for (ProbedMaster each : cluster.hbase().backupMasters()) {
            coprocessorList("backup " + HMASTER.word() + " ", each).ifPresent(backup -> {
                lost(backup, running.get()).ifPresent(findings::add);
                lost(running.get(), backup).ifPresent(findings::add);
            });
        }
        CoprocessorList file = CoprocessorList.of(cluster.fallbackName(), cluster.fallbackConfig());
        if (!file.classes().isEmpty()) {
            // A client that is no HMaster's host has no such line.
            lost(file, running.get()).ifPresent(findings::add);
        }
        return findings;
    }

    private static Optional<CoprocessorList> coprocessorList(String role, ProbedMaster master) {
        return master.settings().ifKnown().map(settings -> CoprocessorList.of(role + master.host(), settings));
    }

    /** The finding that the one lacks what the other has; the line has all, in the other's order first. */
    private static Optional<Finding> lost(CoprocessorList one, CoprocessorList other) {
        List<String> lost = other.classes().stream()
                .filter(name -> !name.startsWith("io.hearth.") && !one.classes().contains(name))
                .toList();
        if (lost.isEmpty()) {
            return Optional.empty();
        }
        Set<String> all = new LinkedHashSet<>(other.classes());
        all.addAll(one.classes());
        return Optional.of(
                TEMPLATE.withFixes(List.of(ConfigLine.of(HMASTER, MASTER_COPROCESSORS, String.join(",", all))))
                        .found(
                                List.of(one.place()),
                                MASTER_COPROCESSORS.key() + " of " + one.place() + " lacks " + String.join(", ", lost)
                                        + ", which that of " + other.place() + " has."));
    }
}
