package io.hearth.doctor.check;

import io.hearth.doctor.model.Examined;
import io.hearth.doctor.model.Examined.Member;
import io.hearth.doctor.model.Finding;
import io.hearth.doctor.model.Role;
import io.hearth.doctor.model.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * A check of the configuration of every process of one role. Where a process does not show its configuration, the examiner's stands in for
 * it, and the finding says so. Immutable.
 *
 * @param what says what is wrong with such a configuration, if something is
 */
record SettingCheck(Role role, Diagnosis diagnosis, Function<Settings, Optional<String>> what) implements Check {

    @Override
    public String name() {
        return diagnosis.check();
    }

    @Override
    public List<Finding> examine(Examined cluster) {
        Map<String, List<String>> placesByWords = new TreeMap<>();
        cluster.members(role).forEach(member -> words(cluster, member).ifPresent(words -> placesByWords
                .computeIfAbsent(words, first -> new ArrayList<>())
                .add(member.name())));
        return placesByWords.entrySet().stream()
                .map(found -> diagnosis.found(found.getValue(), found.getKey()))
                .toList();
    }

    private Optional<String> words(Examined cluster, Member member) {
        return what.apply(cluster.settingsOf(member.settings()))
                .map(words -> member.settings().ifKnown().isPresent()
                        ? words
                        : words + " (By " + cluster.standInName() + "; its own can't be read.)");
    }
}
