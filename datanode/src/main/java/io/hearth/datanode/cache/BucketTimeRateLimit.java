// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.cache;

import io.hearth.datanode.config.ReadCacheSettings.Admission;

/**
 * Admits a block once it was read more than X times, this read included, within the last Y buckets of a minute, the current one
 * included: the admission of Uber's DataNode cache (Liang et al., "Optimizing HDFS with DataNode Local Cache", 2023), which keeps a
 * map of counts for each minute. Exact as long as its memory suffices; beyond that it admits fewer. Thread-safe.
 */
public final class BucketTimeRateLimit implements BlockAdmission {

    private final int reads;
    private final int minutes;
    private final BlockAccessCounter accesses;

    /** @param maxBytes heap that the counts take at most, but for a few KB of each block pool */
    public BucketTimeRateLimit(Admission admission, long maxBytes) {
        this(admission, new BlockAccessCounter(admission.reads() + 1, admission.minutes(), maxBytes));
    }

    /** @param accesses records each access that this one is asked about; it may count further and longer than admission needs */
    BucketTimeRateLimit(Admission admission, BlockAccessCounter accesses) {
        reads = admission.reads();
        minutes = admission.minutes();
        this.accesses = accesses;
    }

    @Override
    public boolean admits(BlockKey block, int minute) {
        return accesses.record(block, minute, minutes) > reads;
    }

    @Override
    public void sweep(int minute) {
        accesses.sweep(minute);
    }

    @Override
    public void forgetBlockPool(String blockPool) {
        accesses.forgetBlockPool(blockPool);
    }

    @Override
    public Footprint footprint() {
        return accesses.footprint();
    }
}
