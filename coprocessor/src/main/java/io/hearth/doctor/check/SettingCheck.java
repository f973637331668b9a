// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.check;

import io.hearth.doctor.check.Doctor.Check;
import io.hearth.doctor.check.FindingTemplate.Unreadable;
import io.hearth.doctor.model.Finding;
import io.hearth.doctor.model.Finding.Fix;
import io.hearth.doctor.model.ProbedCluster;
import io.hearth.doctor.model.ProbedCluster.Daemon;
import io.hearth.doctor.model.ProcessConfig;
import io.hearth.doctor.model.ProcessConfig.Role;
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
record SettingCheck(Role role, FindingTemplate template, Rule rule) implements Check {

    /** What is wrong with one process, if something is. */
    @FunctionalInterface
    interface Rule {
        Optional<Violation> of(ProbedCluster cluster, Daemon daemon, ProcessConfig settings);
    }

    /** What is wrong, and the lines that mend it; the diagnosis' own stand behind them. */
    record Violation(String words, List<Fix> fixes) {

        static Optional<Violation> of(String words, Fix... fixes) {
            return Optional.of(new Violation(words, List.of(fixes)));
        }
    }

    /** Where the lines are the same for all. */
    SettingCheck(Role role, FindingTemplate template, Function<ProcessConfig, Optional<String>> what) {
        this(role, template, (cluster, daemon, settings) -> what.apply(settings).flatMap(words -> Violation.of(words)));
    }

    @Override
    public String name() {
        return template.check();
    }

    @Override
    public List<Finding> examine(ProbedCluster cluster) {
        Map<Violation, List<String>> placesByViolation = new LinkedHashMap<>();
        List<Unreadable> unreadable = new ArrayList<>();
        cluster.daemons(role).forEach(daemon -> {
            try {
                violation(cluster, daemon).ifPresent(violation -> placesByViolation
                        .computeIfAbsent(violation, first -> new ArrayList<>())
                        .add(daemon.name()));
            } catch (IllegalArgumentException cannotJudge) {
                unreadable.add(new Unreadable(daemon.name(), cannotJudge.getMessage() + "."));
            }
        });
        List<Finding> findings = new ArrayList<>();
        placesByViolation.forEach((violation, places) ->
                findings.add(template.withFixes(violation.fixes()).found(places, violation.words())));
        findings.addAll(template.unknowns(unreadable));
        return findings;
    }

    private Optional<Violation> violation(ProbedCluster cluster, Daemon daemon) {
        return rule.of(cluster, daemon, cluster.settingsOf(daemon.settings()))
                .map(violation -> daemon.settings().ifKnown().isPresent()
                        ? violation
                        : new Violation(
                                violation.words() + " (By " + cluster.fallbackName() + "; its own can't be read.)",
                                violation.fixes()));
    }
}
