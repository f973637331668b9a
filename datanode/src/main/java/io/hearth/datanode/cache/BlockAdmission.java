// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.cache;

/**
 * Decides which blocks are read often enough to be worth a place on the SSD.
 *
 * <p>Minutes are those of one clock, from 0 on; a thread may be late by a few. Implementations are thread-safe, do no I/O and have a
 * limit of memory.
 */
public interface BlockAdmission {

    /** Records that a client reads this block, and returns whether it may be cached from now on. */
    boolean admits(BlockKey block, int minute);

    /** Gives up what no longer counts; called about once a minute. */
    void sweep(int minute);

    /** Forgets the blocks of a block pool that is gone. */
    void forgetBlockPool(String blockPool);

    /** What is kept in memory. */
    Footprint footprint();

    /**
     * The memory of an admission. Immutable.
     *
     * @param blocks how many blocks are tracked
     * @param bytes the heap that they take
     * @param untrackedReads reads that could not be tracked since the start, for want of memory
     */
    record Footprint(long blocks, long bytes, long untrackedReads) {}
}
