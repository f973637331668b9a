// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.cluster;

import io.hearth.testkit.load.LatencyRecorder.LatencySummary;
import java.util.List;
import java.util.OptionalDouble;

/**
 * What came of a hot spot. Immutable.
 *
 * @param evenSeconds until the busiest server had less than 1.15 times the average; absent if that was never so
 * @param watchedSeconds how long that was waited for
 * @param moves of regions meanwhile
 * @param worst the busiest server over the average, at its worst
 * @param last the same at the end
 * @param before latencies of gets before the hot spot
 * @param after the same at the end
 * @param skew the busiest server over the average, over time
 */
public record HotSpotResult(
        OptionalDouble evenSeconds,
        double watchedSeconds,
        int moves,
        double worst,
        double last,
        LatencySummary before,
        LatencySummary after,
        List<TimeSeriesPoint> skew) {

    public HotSpotResult {
        skew = List.copyOf(skew);
    }
}
