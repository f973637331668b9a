// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.cluster;

import java.util.List;
import java.util.OptionalDouble;

/**
 * What came of one event. Immutable.
 *
 * @param regions how many regions changed their server
 * @param inPlaceSeconds from the event until they were all where they stay
 * @param askedSeconds from the event until what brings data home was asked for
 * @param nonLocalBytes of them, each when it was first seen there
 * @param localityInPlace the local share of their bytes when they were in place
 * @param to90Seconds from when what brings data home was asked for, until 90 % was local; absent if it never was
 * @param to100Seconds the same for all of it
 * @param watchedSeconds how long that was waited for
 * @param healedBytes what Hearth's healer verified since the event; 0 without it
 * @param extra bytes beyond what the load alone makes, from the event to the end of the healing
 * @param gets latencies of gets
 * @param multigets latencies of multigets
 * @param locality the local share of these regions' bytes over time
 * @param p99 of the gets over time, in milliseconds
 */
public record EventResult(
        int regions,
        double inPlaceSeconds,
        double askedSeconds,
        long nonLocalBytes,
        double localityInPlace,
        OptionalDouble to90Seconds,
        OptionalDouble to100Seconds,
        double watchedSeconds,
        long healedBytes,
        Traffic extra,
        LatencyByPhase gets,
        LatencyByPhase multigets,
        List<TimeSeriesPoint> locality,
        List<TimeSeriesPoint> p99) {

    public EventResult {
        locality = List.copyOf(locality);
        p99 = List.copyOf(p99);
    }

    /** Whether the regions landed where all their blocks are, so that nothing had to be brought home. */
    boolean isLocalInPlace() {
        return localityInPlace >= 1;
    }
}
