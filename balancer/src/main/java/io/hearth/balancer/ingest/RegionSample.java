package io.hearth.balancer.ingest;

import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.TableId;

/**
 * What a region did between two reports of the server that serves it. Immutable.
 *
 * @param elapsedMs report time between the two, in milliseconds; 0 for a first look, which says nothing of rates
 * @param reads read requests served in that time
 * @param writes mutations served in that time
 * @param storeBytes size of the store files at the end of it, in bytes
 */
public record RegionSample(RegionId region, TableId table, long elapsedMs, long reads, long writes, long storeBytes) {

    /** Whether it says how fast the counters rose. */
    public boolean hasRate() {
        return elapsedMs > 0;
    }
}
