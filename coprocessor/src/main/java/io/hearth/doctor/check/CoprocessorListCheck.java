// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.check;

import static io.hearth.doctor.model.HadoopKey.MASTER_COPROCESSORS;
import static io.hearth.doctor.model.ProcessConfig.Role.HMASTER;

import io.hearth.doctor.check.Doctor.Check;
import io.hearth.doctor.model.Finding;
import io.hearth.doctor.model.Finding.Fix;
import io.hearth.doctor.model.Finding.Fix.Advice;
import io.hearth.doctor.model.Finding.Fix.ConfigLine;
import io.hearth.doctor.model.Finding.Severity;
import io.hearth.doctor.model.ProbedCluster;
import io.hearth.doctor.model.ProbedCluster.ProbedHBase.ProbedMaster;
import io.hearth.doctor.model.ProcessConfig;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Whether a list of the HMasters' coprocessors has lost a class that is not Hearth's, as it has where Hearth's classes were pasted over what was
 * there.
 *
 * <p>HBase reads the list only when an HMaster starts, while {@code update_all_config} changes what its page {@code /conf} shows. So each list, that of
 * the active HMaster, of a backup and of the file, is compared with what the active HMaster has loaded, and with the active one's list and the backups'.
 * Hearth's own classes are {@link BackupMasterCheck}'s.
 */
final class CoprocessorListCheck implements Check {

    private static final FindingTemplate TEMPLATE = new FindingTemplate(
            "coprocessor-list",
            Severity.ERROR,
            "An HMaster that starts with this list does without the class, and no one is told: without AccessController everybody may do everything.",
            "the coprocessors that the active HMaster has loaded, the page /conf of each HMaster's web UI, and the hbase-site.xml of whoever asks");

    private static final FindingTemplate CLIENT = new FindingTemplate(
            "coprocessor-list",
            Severity.INFO,
            "Nothing, unless an HMaster is started with this file.",
            "the coprocessors that the active HMaster has loaded, and the hbase-site.xml of whoever asks");

    /** HBase's own, of which the HMaster tells only the last part of the name, by that part. */
    private static final Map<String, String> OF_HBASE = Stream.of(
                    "org.apache.hadoop.hbase.JMXListener",
                    "org.apache.hadoop.hbase.rsgroup.RSGroupAdminEndpoint",
                    "org.apache.hadoop.hbase.security.access.AccessController",
                    "org.apache.hadoop.hbase.security.access.CoprocessorWhitelistMasterObserver",
                    "org.apache.hadoop.hbase.security.access.SnapshotScannerHDFSAclController",
                    "org.apache.hadoop.hbase.security.visibility.VisibilityController")
            .collect(Collectors.toMap(CoprocessorListCheck::simpleName, name -> name));

    /** HBase adds it by itself where quotas are on, and it stands in no file. */
    private static final String ADDED_BY_HBASE = "MasterQuotasObserver";

    private static final Set<String> OF_HEARTH = Set.of("LocalityHealingObserver", "HearthAdminEndpoint");

    /** A list, and whose it is: by class what stands there, which may have a priority. */
    private record CoprocessorList(String place, Map<String, String> entryByClass) {

        static CoprocessorList of(String place, ProcessConfig settings) {
            Map<String, String> entryByClass = new LinkedHashMap<>();
            Arrays.stream(settings.text(MASTER_COPROCESSORS).split(","))
                    .map(String::strip)
                    .filter(entry -> !ProcessConfig.coprocessorClass(entry).isEmpty())
                    .forEach(entry -> entryByClass.putIfAbsent(ProcessConfig.coprocessorClass(entry), entry));
            return new CoprocessorList(place, entryByClass);
        }

        Set<String> classes() {
            return entryByClass.keySet();
        }

        boolean has(String name) {
            return classes().stream().anyMatch(own -> simpleName(own).equals(simpleName(name)));
        }
    }

    /**
     * What a list is held against.
     *
     * @param has the end of a sentence: {@code which HMaster m1 has loaded}
     */
    private record Reference(String has, Set<String> classes) {

        List<String> missingIn(CoprocessorList list) {
            return classes.stream()
                    .filter(name -> !isOther(name) && !list.has(name))
                    .toList();
        }

        /** Whether it is Hearth's, or HBase's own addition. */
        private static boolean isOther(String name) {
            String simple = simpleName(name);
            return name.startsWith("io.hearth.") || OF_HEARTH.contains(simple) || simple.equals(ADDED_BY_HBASE);
        }
    }

    /** Lists that lack the same classes, and by what comparison. */
    private record Loss(Reference reference, List<CoprocessorList> lists) {}

    @Override
    public String name() {
        return TEMPLATE.check();
    }

    @Override
    public List<Finding> examine(ProbedCluster cluster) {
        Optional<CoprocessorList> active = coprocessorList(HMASTER.word() + " ", cluster.master());
        List<CoprocessorList> backups = cluster.hbase().backupMasters().stream()
                .flatMap(each -> coprocessorList("backup " + HMASTER.word() + " ", each).stream())
                .toList();
        CoprocessorList file = CoprocessorList.of(cluster.fallbackName(), cluster.fallbackConfig());
        List<CoprocessorList> all = Stream.of(active.stream(), backups.stream(), Stream.of(file))
                .flatMap(lists -> lists)
                .toList();
        Optional<Reference> loaded = loaded(cluster.master(), all);
        List<Reference> references = new ArrayList<>(loaded.stream().toList());
        active.map(CoprocessorListCheck::reference).ifPresent(references::add);
        List<Reference> ofBackups =
                backups.stream().map(CoprocessorListCheck::reference).toList();

        Map<List<String>, Loss> lossByClasses = new LinkedHashMap<>();
        active.ifPresent(list -> compare(list, concat(loaded.stream().toList(), ofBackups), lossByClasses));
        backups.forEach(list -> compare(list, references, lossByClasses));
        // A client that is no HMaster's host has no such line, and where it has one it may be another's.
        boolean isMastersFile = cluster.isFallbackOfMaster();
        List<Finding> findings = new ArrayList<>();
        if (!file.classes().isEmpty()) {
            if (isMastersFile) {
                compare(file, references, lossByClasses);
            } else {
                clientsFinding(file, references).ifPresent(findings::add);
            }
        }
        lossByClasses.forEach((lost, loss) -> findings.add(finding(lost, loss, all)));
        return findings;
    }

    private static Optional<CoprocessorList> coprocessorList(String role, ProbedMaster master) {
        return master.settings().ifKnown().map(settings -> CoprocessorList.of(role + master.host(), settings));
    }

    private static Reference reference(CoprocessorList list) {
        return new Reference("which that of " + list.place() + " has", list.classes());
    }

    private static List<Reference> concat(List<Reference> first, List<Reference> second) {
        return Stream.concat(first.stream(), second.stream()).toList();
    }

    /** By full names, as far as any list or HBase itself has them. */
    private static Optional<Reference> loaded(ProbedMaster master, List<CoprocessorList> lists) {
        return master.loadedCoprocessors()
                .ifKnown()
                .map(loaded -> new Reference(
                        "which " + HMASTER.word() + " " + master.host() + " has loaded",
                        loaded.stream()
                                .map(simple -> fullName(simple, lists))
                                .collect(Collectors.toCollection(LinkedHashSet::new))));
    }

    private static String fullName(String simple, List<CoprocessorList> lists) {
        return lists.stream()
                .flatMap(list -> list.classes().stream())
                .filter(name -> simpleName(name).equals(simple))
                .findFirst()
                .orElseGet(() -> OF_HBASE.getOrDefault(simple, simple));
    }

    private static String simpleName(String name) {
        return name.substring(Math.max(name.lastIndexOf('.'), name.lastIndexOf('$')) + 1);
    }

    /** Keeps the first comparison by which the list lacks something. */
    private static void compare(
            CoprocessorList list, List<Reference> references, Map<List<String>, Loss> lossByClasses) {
        for (Reference reference : references) {
            List<String> lost = reference.missingIn(list);
            if (!lost.isEmpty()) {
                lossByClasses
                        .computeIfAbsent(lost, first -> new Loss(reference, new ArrayList<>()))
                        .lists()
                        .add(list);
                return;
            }
        }
    }

    private static Optional<Finding> clientsFinding(CoprocessorList file, List<Reference> references) {
        return references.stream()
                .filter(reference -> !reference.missingIn(file).isEmpty())
                .findFirst()
                .map(reference -> CLIENT.found(
                        List.of(file.place()), words(List.of(file), reference.missingIn(file), reference)));
    }

    /** The line has all with their priorities, what was lost first: HBase runs those of one priority in the order of the list. */
    private static Finding finding(List<String> lost, Loss loss, List<CoprocessorList> all) {
        List<CoprocessorList> lists = loss.lists();
        Map<String, String> entryByClass = new LinkedHashMap<>();
        lost.forEach(name -> entryByClass.put(name, entry(name, all)));
        lists.forEach(list -> list.entryByClass().forEach(entryByClass::putIfAbsent));
        boolean areNamesWhole = lost.stream().allMatch(name -> name.contains("."));
        Fix fix = areNamesWhole
                ? ConfigLine.of(HMASTER, MASTER_COPROCESSORS, String.join(",", entryByClass.values()))
                : new Advice("Put " + String.join(", ", lost) + " back into " + MASTER_COPROCESSORS.key()
                        + " with its package, before the next restart.");
        return TEMPLATE.withFixes(List.of(fix))
                .found(lists.stream().map(CoprocessorList::place).toList(), words(lists, lost, loss.reference()));
    }

    /** What stands for a class in the first list that has it; its name where none does. */
    private static String entry(String name, List<CoprocessorList> all) {
        return all.stream()
                .filter(list -> list.classes().contains(name))
                .map(list -> list.entryByClass().get(name))
                .findFirst()
                .orElse(name);
    }

    private static String words(List<CoprocessorList> lists, List<String> lost, Reference reference) {
        return MASTER_COPROCESSORS.key() + " of "
                + lists.stream().map(CoprocessorList::place).collect(Collectors.joining(", "))
                + (lists.size() == 1 ? " lacks " : " lack ") + String.join(", ", lost) + ", " + reference.has() + ".";
    }
}
