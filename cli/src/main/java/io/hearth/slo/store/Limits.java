// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.store;

import io.hearth.slo.probe.ProbeKind;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * The times within which probes of a kind have to be answered to count as good, those of all objectives in force. Immutable.
 *
 * @param microsByKind in microseconds, ascending; a kind without an objective has none
 */
public record Limits(Map<ProbeKind, List<Long>> microsByKind) {

    /** No objective. */
    public static final Limits NONE = new Limits(Map.of());

    /** Copies and sorts. */
    public Limits {
        Map<ProbeKind, List<Long>> sorted = new EnumMap<>(ProbeKind.class);
        microsByKind.forEach((kind, micros) -> sorted.put(kind, List.copyOf(new TreeSet<Long>(micros))));
        microsByKind = Map.copyOf(sorted);
    }

    /** One kind's. */
    public static Limits of(ProbeKind kind, Long... micros) {
        return new Limits(Map.of(kind, List.of(micros)));
    }

    /** In microseconds, ascending. */
    public List<Long> of(ProbeKind kind) {
        return microsByKind.getOrDefault(kind, List.of());
    }

    /** The same as an array. */
    long[] micros(ProbeKind kind) {
        Collection<Long> limits = of(kind);
        return limits.stream().mapToLong(Long::longValue).toArray();
    }
}
