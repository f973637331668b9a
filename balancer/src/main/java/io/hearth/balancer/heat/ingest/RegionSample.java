// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.heat.ingest;

/**
 * What a region did between two reports of the server that serves it. Immutable.
 *
 * @param elapsedMs report time between the two, in milliseconds; 0 for a first look, which says nothing of rates
 * @param counted what the counters of the region rose by in that time
 */
public record RegionSample(long elapsedMs, ReportedLoad counted) {

    /** The region was seen, and nothing can be said of its rates. */
    public static final RegionSample FIRST_REPORT = new RegionSample(0, ReportedLoad.NONE);

    /** Whether it says how fast the counters rose. */
    public boolean hasRate() {
        return elapsedMs > 0;
    }
}
