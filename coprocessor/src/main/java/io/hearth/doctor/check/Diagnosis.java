package io.hearth.doctor.check;

import io.hearth.doctor.model.Finding;
import io.hearth.doctor.model.Remedy;
import io.hearth.doctor.model.Severity;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All of a finding that does not depend on the cluster. Immutable. */
record Diagnosis(String check, Severity severity, String cost, String source, List<Remedy> remedies) {

    Diagnosis(String check, Severity severity, String cost, String source, Remedy... remedies) {
        this(check, severity, cost, source, List.of(remedies));
    }

    /** The same with these before its own. */
    Diagnosis mendedBy(List<Remedy> first) {
        return first.isEmpty()
                ? this
                : new Diagnosis(
                        check,
                        severity,
                        cost,
                        source,
                        Stream.concat(first.stream(), remedies.stream()).toList());
    }

    Finding found(List<String> where, String what) {
        return new Finding(check, severity, where, what, cost, remedies, source);
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
    List<Finding> unknowns(List<Unread> unread) {
        return unread.stream()
                .collect(Collectors.groupingBy(
                        Unread::why, java.util.TreeMap::new, Collectors.mapping(Unread::where, Collectors.toList())))
                .entrySet()
                .stream()
                .map(reason -> unknown(reason.getValue(), reason.getKey()))
                .toList();
    }

    /** Something that could not be read somewhere. */
    record Unread(String where, String why) {}
}
