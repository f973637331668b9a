// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.check;

import static io.hearth.doctor.model.HadoopKey.BALANCER;
import static io.hearth.doctor.model.HadoopKey.GROUP_BALANCER;
import static io.hearth.doctor.model.HadoopKey.MASTER_COPROCESSORS;
import static io.hearth.doctor.model.ProcessConfig.Role.HMASTER;

import io.hearth.doctor.check.Doctor.Check;
import io.hearth.doctor.check.FindingTemplate.Unreadable;
import io.hearth.doctor.model.Finding;
import io.hearth.doctor.model.Finding.Fix;
import io.hearth.doctor.model.Finding.Fix.ConfigLine;
import io.hearth.doctor.model.Finding.Severity;
import io.hearth.doctor.model.ProbedCluster;
import io.hearth.doctor.model.ProbedCluster.ProbedHBase.ProbedMaster;
import io.hearth.doctor.model.ProcessConfig;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Whether Hearth is still there after a failover. */
public final class BackupMasterCheck implements Check {

    private static final FindingTemplate TEMPLATE = new FindingTemplate(
            "backup-master",
            Severity.ERROR,
            "After a failover to it what is missing there is simply gone: the stock balancer plans, or nobody heals, and no one is told.",
            "the page /conf of each HMaster's web UI");

    private static final String GROUPS_BALANCER = "org.apache.hadoop.hbase.rsgroup.RSGroupBasedLoadBalancer";

    @Override
    public String name() {
        return TEMPLATE.check();
    }

    @Override
    public List<Finding> examine(ProbedCluster cluster) {
        ProcessConfig active = cluster.settingsOf(cluster.master().settings());
        List<Unreadable> unreadable = new ArrayList<>();
        Map<List<Fix>, List<String>> placesByLines = new LinkedHashMap<>();
        for (ProbedMaster backup : cluster.hbase().backupMasters()) {
            String name = "backup HMaster " + backup.host();
            backup.settings().whyUnknown().ifPresent(why -> unreadable.add(new Unreadable(name, why)));
            backup.settings().ifKnown().ifPresent(own -> {
                List<Fix> lines = List.copyOf(missing(active, own));
                if (!lines.isEmpty()) {
                    placesByLines
                            .computeIfAbsent(lines, first -> new ArrayList<>())
                            .add(name);
                }
            });
        }
        List<Finding> findings = new ArrayList<>();
        placesByLines.forEach((lines, places) -> findings.add(TEMPLATE.withFixes(lines)
                .found(
                        places,
                        "This backup HMaster has not what of Hearth the active one has: "
                                + lines.stream()
                                        .map(line -> ((ConfigLine) line).key())
                                        .collect(Collectors.joining(", "))
                                + ".")));
        findings.addAll(TEMPLATE.unknowns(unreadable));
        return findings;
    }

    /** The lines that a backup HMaster needs to have what of Hearth the active one has; none where it has all. */
    public static List<ConfigLine> missing(ProcessConfig active, ProcessConfig backup) {
        List<ConfigLine> lines = new ArrayList<>();
        if (isHearths(active.text(BALANCER)) && !isHearths(backup.text(BALANCER))) {
            lines.add(ConfigLine.of(HMASTER, BALANCER, active.text(BALANCER)));
        }
        if (isOfGroups(active) && isHearths(active.text(GROUP_BALANCER))) {
            if (!isOfGroups(backup)) {
                lines.add(ConfigLine.of(HMASTER, BALANCER, active.text(BALANCER)));
            }
            if (!isHearths(backup.text(GROUP_BALANCER))) {
                lines.add(ConfigLine.of(HMASTER, GROUP_BALANCER, active.text(GROUP_BALANCER)));
            }
        }
        List<String> has = coprocessors(backup);
        Set<String> classes = has.stream().map(ProcessConfig::coprocessorClass).collect(Collectors.toSet());
        List<String> lacks = coprocessors(active).stream()
                .filter(entry -> isHearths(entry) && !classes.contains(ProcessConfig.coprocessorClass(entry)))
                .toList();
        if (!lacks.isEmpty()) {
            List<String> all = new ArrayList<>(has);
            all.addAll(lacks);
            lines.add(ConfigLine.of(HMASTER, MASTER_COPROCESSORS, String.join(",", all)));
        }
        return lines;
    }

    /** Each with its priority, if it has one. */
    private static List<String> coprocessors(ProcessConfig settings) {
        return Arrays.stream(settings.text(MASTER_COPROCESSORS).split(","))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .toList();
    }

    /** Whether groups are balanced apart, each by the balancer of a key of its own. */
    private static boolean isOfGroups(ProcessConfig settings) {
        return settings.text(BALANCER).equals(GROUPS_BALANCER);
    }

    private static boolean isHearths(String name) {
        return name.startsWith("io.hearth.");
    }
}
