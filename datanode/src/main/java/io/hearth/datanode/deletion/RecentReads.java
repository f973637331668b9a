package io.hearth.datanode.deletion;

import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * When a client last opened which block, in a table of fixed size: 1 MiB, whatever is read. Two blocks may share a place, by which
 * one that nobody reads can pass for one that is read, never the other way round. Thread-safe, without locks.
 */
final class RecentReads {

    private static final int PLACES = 1 << 18;

    /** Times are kept in units of 256 ms. */
    private static final int UNIT_SHIFT = 8;

    private final AtomicIntegerArray openedByPlace = new AtomicIntegerArray(PLACES);

    /** A client opens this block now. */
    void opened(String blockPool, long blockId, long nowMs) {
        openedByPlace.lazySet(place(blockPool, blockId), units(nowMs));
    }

    /** Whether a client has opened this block within so many milliseconds before now, or 256 more. */
    boolean isOpenedWithin(String blockPool, long blockId, long withinMs, long nowMs) {
        int opened = openedByPlace.get(place(blockPool, blockId));
        return opened != 0 && units(nowMs) - opened <= (withinMs >> UNIT_SHIFT) + 1;
    }

    /** Never 0, which is a place where nothing was opened. */
    private static int units(long ms) {
        return (int) (ms >> UNIT_SHIFT) | 1 << 31;
    }

    private static int place(String blockPool, long blockId) {
        long mixed = (blockId + blockPool.hashCode()) * 0x9E3779B97F4A7C15L;
        return (int) (mixed >>> 46);
    }
}
