package io.hearth.doctor.check;

import io.hearth.doctor.check.Diagnosis.Unread;
import io.hearth.doctor.model.Examined;
import io.hearth.doctor.model.Examined.Member;
import io.hearth.doctor.model.Finding;
import io.hearth.doctor.model.Remedy;
import io.hearth.doctor.model.Role;
import io.hearth.doctor.model.Settings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * A check of the configuration of every process of one role. Where a process does not show its configuration, the examiner's stands in for
 * it, and the finding says so. A configuration that can't be judged (a number that is none, say) is an unknown of its process, and the others are judged.
 * Immutable.
 */
record SettingCheck(Role role, Diagnosis diagnosis, Judge judge) implements Check {

    /** What is wrong with one process, if something is. */
    @FunctionalInterface
    interface Judge {
        Optional<Fault> of(Examined cluster, Member member, Settings settings);
    }

    /** What is wrong, and the lines that mend it; the diagnosis' own stand behind them. */
    record Fault(String words, List<Remedy> remedies) {

        static Optional<Fault> of(String words, Remedy... remedies) {
            return Optional.of(new Fault(words, List.of(remedies)));
        }
    }

    /** Where the lines are the same for all. */
    SettingCheck(Role role, Diagnosis diagnosis, Function<Settings, Optional<String>> what) {
        this(role, diagnosis, (cluster, member, settings) -> what.apply(settings)
                .flatMap(words -> Fault.of(words)));
    }

    @Override
    public String name() {
        return diagnosis.check();
    }

    @Override
    public List<Finding> examine(Examined cluster) {
        Map<Fault, List<String>> placesByFault = new LinkedHashMap<>();
        List<Unread> unread = new ArrayList<>();
        cluster.members(role).forEach(member -> {
            try {
                fault(cluster, member).ifPresent(fault -> placesByFault
                        .computeIfAbsent(fault, first -> new ArrayList<>())
                        .add(member.name()));
            } catch (IllegalArgumentException cannotJudge) {
                unread.add(new Unread(member.name(), cannotJudge.getMessage() + "."));
            }
        });
        List<Finding> findings = new ArrayList<>();
        placesByFault.forEach((fault, places) ->
                findings.add(diagnosis.mendedBy(fault.remedies()).found(places, fault.words())));
        findings.addAll(diagnosis.unknowns(unread));
        return findings;
    }

    private Optional<Fault> fault(Examined cluster, Member member) {
        return judge.of(cluster, member, cluster.settingsOf(member.settings()))
                .map(fault -> member.settings().ifKnown().isPresent()
                        ? fault
                        : new Fault(
                                fault.words() + " (By " + cluster.standInName() + "; its own can't be read.)",
                                fault.remedies()));
    }
}
