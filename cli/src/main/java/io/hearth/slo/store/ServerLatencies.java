// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.store;

import io.hearth.slo.probe.ProbeKind;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * A part of the latencies of each server by kind, in one minute or one hour. A time may have several parts; a probe is in one of them.
 *
 * @param startMs the start, in ms since 1970
 * @param byKindAndTarget the histograms by kind, then by server
 */
public record ServerLatencies(long startMs, Map<ProbeKind, Map<String, LatencyHistogram>> byKindAndTarget) {

    /** None yet, to add to. */
    static ServerLatencies empty(long startMs) {
        return new ServerLatencies(startMs, new EnumMap<>(ProbeKind.class));
    }

    LatencyHistogram of(ProbeKind kind, String target) {
        return byKindAndTarget
                .computeIfAbsent(kind, any -> new TreeMap<>())
                .computeIfAbsent(target, any -> new LatencyHistogram());
    }

    /** Adds every histogram of another time or part to this one's. */
    void add(ServerLatencies other) {
        other.byKindAndTarget.forEach((kind, byTarget) ->
                byTarget.forEach((target, histogram) -> of(kind, target).add(histogram)));
    }
}
