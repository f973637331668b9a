// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.model;

import java.util.Comparator;

/**
 * One HDFS block in one block pool. Equal if pool, number and generation stamp are; {@link #sameBlock} passes over the
 * stamp, which an append or a recovery raises. Immutable; ordered by pool, number and stamp.
 */
public record BlockId(String poolId, long number, long generationStamp) implements Comparable<BlockId> {

    private static final Comparator<BlockId> ORDER = Comparator.comparing(BlockId::poolId)
            .thenComparingLong(BlockId::number)
            .thenComparingLong(BlockId::generationStamp);

    /** Whether both name the same block, whatever its generation stamp. */
    public boolean sameBlock(BlockId other) {
        return number == other.number && poolId.equals(other.poolId);
    }

    @Override
    public int compareTo(BlockId other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return poolId + ":blk_" + number + "_" + generationStamp;
    }
}
