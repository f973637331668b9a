// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.load;

import org.HdrHistogram.Histogram;

/**
 * What the latencies of some requests come to, in milliseconds; all 0 where there were none.
 *
 * @param requests how many were answered
 */
public record LatencySummary(long requests, double p50Ms, double p99Ms, double p999Ms, double maxMs) {

    private static final double MICROS_OF_A_MILLI = 1_000;

    /** @param micros latencies in microseconds */
    static LatencySummary of(Histogram micros) {
        return new LatencySummary(
                micros.getTotalCount(),
                micros.getValueAtPercentile(50) / MICROS_OF_A_MILLI,
                micros.getValueAtPercentile(99) / MICROS_OF_A_MILLI,
                micros.getValueAtPercentile(99.9) / MICROS_OF_A_MILLI,
                micros.getMaxValue() / MICROS_OF_A_MILLI);
    }
}
