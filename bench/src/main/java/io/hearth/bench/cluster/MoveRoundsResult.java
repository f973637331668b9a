// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.cluster;

import io.hearth.testkit.load.LatencyRecorder.LatencySummary;
import java.util.List;

/**
 * What came of all rounds. Immutable.
 *
 * @param seconds until all was home, of each round; infinity where it was not within the limit
 * @param nonLocalBytes of all rounds, when what brings them home began
 * @param writtenBytes of the DataNodes, from then until all was home
 * @param gets latencies of gets
 * @param multigets latencies of multigets
 */
public record MoveRoundsResult(
        List<Double> seconds, long nonLocalBytes, long writtenBytes, Times gets, Times multigets) {

    public MoveRoundsResult {
        seconds = List.copyOf(seconds);
    }

    /**
     * Latencies of one kind of request, of all rounds together.
     *
     * @param before regions moved
     * @param remote their data is away, and nothing brings it home yet
     * @param healing it comes home
     */
    public record Times(LatencySummary before, LatencySummary remote, LatencySummary healing) {}

    /** The median of the rounds, the longer one of two; infinity where half of them did not end. */
    double medianSeconds() {
        List<Double> sorted = seconds.stream().sorted().toList();
        return sorted.get(sorted.size() / 2);
    }
}
