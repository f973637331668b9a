package io.hearth.doctor.check;

import static io.hearth.doctor.model.Key.BALANCER;
import static io.hearth.doctor.model.Key.MASTER_COPROCESSORS;
import static io.hearth.doctor.model.Role.HMASTER;

import io.hearth.doctor.check.Diagnosis.Unread;
import io.hearth.doctor.model.Examined;
import io.hearth.doctor.model.Finding;
import io.hearth.doctor.model.FoundMaster;
import io.hearth.doctor.model.Remedy;
import io.hearth.doctor.model.Remedy.Line;
import io.hearth.doctor.model.Settings;
import io.hearth.doctor.model.Severity;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Whether Hearth is still there after a failover. */
public final class BackupMasterCheck implements Check {

    private static final Diagnosis DIAGNOSIS = new Diagnosis(
            "backup-master",
            Severity.FAULT,
            "After a failover to it what is missing there is simply gone: the stock balancer plans, or nobody heals, and no one is told.",
            "the page /conf of each HMaster's web UI");

    @Override
    public String name() {
        return DIAGNOSIS.check();
    }

    @Override
    public List<Finding> examine(Examined cluster) {
        Settings active = cluster.settingsOf(cluster.master().settings());
        List<Unread> unread = new ArrayList<>();
        Map<List<Remedy>, List<String>> placesByLines = new LinkedHashMap<>();
        for (FoundMaster backup : cluster.hbase().backupMasters()) {
            String name = "backup HMaster " + backup.host();
            backup.settings().whyUnknown().ifPresent(why -> unread.add(new Unread(name, why)));
            backup.settings().ifKnown().ifPresent(own -> {
                List<Remedy> lines = List.copyOf(missing(active, own));
                if (!lines.isEmpty()) {
                    placesByLines
                            .computeIfAbsent(lines, first -> new ArrayList<>())
                            .add(name);
                }
            });
        }
        List<Finding> findings = new ArrayList<>();
        placesByLines.forEach((lines, places) -> findings.add(DIAGNOSIS
                .mendedBy(lines)
                .found(
                        places,
                        "This backup HMaster has not what of Hearth the active one has: "
                                + lines.stream()
                                        .map(line -> ((Line) line).key())
                                        .collect(Collectors.joining(", ")) + ".")));
        findings.addAll(DIAGNOSIS.unknowns(unread));
        return findings;
    }

    /** The lines that a backup HMaster needs to have what of Hearth the active one has; none where it has all. */
    public static List<Line> missing(Settings active, Settings backup) {
        List<Line> lines = new ArrayList<>();
        if (isHearths(active.text(BALANCER)) && !isHearths(backup.text(BALANCER))) {
            lines.add(Line.of(HMASTER, BALANCER, active.text(BALANCER)));
        }
        List<String> has = classes(backup);
        List<String> lacks = classes(active).stream()
                .filter(name -> isHearths(name) && !has.contains(name))
                .toList();
        if (!lacks.isEmpty()) {
            List<String> all = new ArrayList<>(has);
            all.addAll(lacks);
            lines.add(Line.of(HMASTER, MASTER_COPROCESSORS, String.join(",", all)));
        }
        return lines;
    }

    private static List<String> classes(Settings settings) {
        return Arrays.stream(settings.text(MASTER_COPROCESSORS).split(","))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .toList();
    }

    private static boolean isHearths(String name) {
        return name.startsWith("io.hearth.");
    }
}
