// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.cache;

import io.hearth.datanode.cache.ReadCacheCounts;
import io.hearth.datanode.cache.ReadCacheCounts.Counter;
import io.hearth.datanode.cache.ShadowCache.ShadowResult;

/**
 * What one cache has done with a trace. Immutable.
 *
 * @param warmUp what it had done when the warm-up ended
 * @param all what it has done in the end
 * @param usedBytes what is on its SSD in the end
 */
record ReplayResult(Totals warmUp, Totals all, long usedBytes) {

    /** What it has done after the warm-up. */
    Totals steady() {
        return all.minus(warmUp);
    }

    /**
     * What a cache has done since it began. Immutable.
     *
     * @param clientBytes what clients got
     * @param ssdBytes what of it came from the SSD
     * @param hits pages that reads found there
     * @param fills pages that were written
     * @param writtenBytes their bytes, and those of checksums
     * @param evictedBlocks blocks that have made room for others
     */
    record Totals(long clientBytes, long ssdBytes, long hits, long fills, long writtenBytes, long evictedBlocks) {

        static final Totals NONE = new Totals(0, 0, 0, 0, 0, 0);

        static Totals of(ShadowResult shadow) {
            return new Totals(
                    shadow.clientBytes(),
                    shadow.ssdBytes(),
                    shadow.hits(),
                    shadow.fills(),
                    shadow.writtenBytes(),
                    shadow.evictedBlocks());
        }

        static Totals of(ReadCacheCounts counts) {
            long ssdBytes = counts.get(Counter.SSD_BYTES);
            return new Totals(
                    ssdBytes + counts.get(Counter.DISK_BYTES),
                    ssdBytes,
                    counts.get(Counter.HITS),
                    counts.get(Counter.FILLS),
                    counts.get(Counter.WRITTEN_BYTES),
                    counts.get(Counter.EVICTED_BLOCKS));
        }

        Totals minus(Totals before) {
            return new Totals(
                    clientBytes - before.clientBytes,
                    ssdBytes - before.ssdBytes,
                    hits - before.hits,
                    fills - before.fills,
                    writtenBytes - before.writtenBytes,
                    evictedBlocks - before.evictedBlocks);
        }

        /** The share of the clients' bytes that came from the SSD; 0 where there were none. */
        double ssdShare() {
            return clientBytes == 0 ? 0 : (double) ssdBytes / clientBytes;
        }

        /** hits / (hits + fills): how much of what was found or written was there already; 0 where there was none. */
        double reuse() {
            return hits + fills == 0 ? 0 : (double) hits / (hits + fills);
        }
    }
}
