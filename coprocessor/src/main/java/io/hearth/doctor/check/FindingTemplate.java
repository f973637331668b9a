// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.check;

import io.hearth.doctor.model.Finding;
import io.hearth.doctor.model.Finding.Fix;
import io.hearth.doctor.model.Finding.Severity;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All of a finding that does not depend on the cluster. Immutable. */
record FindingTemplate(String check, Severity severity, String cost, String source, List<Fix> fixes) {

    FindingTemplate(String check, Severity severity, String cost, String source, Fix... fixes) {
        this(check, severity, cost, source, List.of(fixes));
    }

    /** The same with these before its own. */
    FindingTemplate withFixes(List<Fix> first) {
        return first.isEmpty()
                ? this
                : new FindingTemplate(
                        check,
                        severity,
                        cost,
                        source,
                        Stream.concat(first.stream(), fixes.stream()).toList());
    }

    Finding found(List<String> where, String what) {
        return new Finding(check, severity, where, what, cost, fixes, source);
    }

    /** A finding about the cluster as a whole. */
    List<Finding> found(String what) {
        return List.of(found(List.of(), what));
    }

    /** The finding if it is anywhere, none otherwise. */
    List<Finding> foundIfAny(List<String> where, String what) {
        return where.isEmpty() ? List.of() : List.of(found(where, what));
    }

    /** That it could not be read, and what that hides. */
    Finding unknown(List<String> where, String why) {
        return severity == Severity.UNKNOWN
                ? found(where, why)
                : new Finding(check, Severity.UNKNOWN, where, why, "Whether it costs this: " + cost, List.of(), source);
    }

    /** One unknown for each reason, from places with their reasons. */
    List<Finding> unknowns(List<Unreadable> unreadable) {
        return unreadable.stream()
                .collect(Collectors.groupingBy(
                        Unreadable::why,
                        java.util.TreeMap::new,
                        Collectors.mapping(Unreadable::where, Collectors.toList())))
                .entrySet()
                .stream()
                .map(reason -> unknown(reason.getValue(), reason.getKey()))
                .toList();
    }

    /** Something that could not be read somewhere. */
    record Unreadable(String where, String why) {}
}
