// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.cache;

import io.hearth.datanode.cache.BlockAdmission.Footprint;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the accesses of each block in a sliding window of minutes.
 *
 * <p>Goals: exact counts up to a maximum; little memory for the many blocks that are read once; many threads. Algorithm: a block is a
 * slot of 12 bytes in an open-addressing table. It holds the block's id and, as long as all accesses are of one minute, that minute
 * and their number; otherwise the number of a list of runs (minute, accesses), oldest first. Only the last {@code maxCount} accesses
 * are kept: older ones can't change a count that is cut off there. Each block pool has 64 such tables, each with a lock of its own.
 *
 * <p>A table is at most three quarters full and grows by half, so that a block takes at most 24 bytes, and 4 to 8 more for each run if
 * it has several. Above the limit of bytes an unknown block is not tracked, and of a known one the minutes before are forgotten: a
 * count may then be too low, never too high. Thread-safe.
 */
final class BlockAccessCounter {

    /** The longest window, in minutes. */
    static final int MOST_MINUTES = 1_440;
    /** The highest maximum of a count; it has to fit into 15 bits. */
    static final int MOST_COUNT = 32_767;

    private static final int SHARD_BITS = 6;
    private static final int SMALLEST_TABLE = 64;
    private static final int SLOT_BYTES = Long.BYTES + Integer.BYTES;
    /** A list of runs: the array's header, its length in use, and its reference. */
    private static final int LIST_BYTES = 16 + 2 * Integer.BYTES;
    /** Minutes are kept modulo 65,536: a table that was not swept for so long is swept before its next access. */
    private static final int STAMP_MASK = 0xffff;

    private static final int SWEEP_AT_LATEST_MINUTES = 1_024;

    private final int maxCount;
    private final int windowMinutes;
    private final long maxBytes;
    private final Map<String, Shard[]> shardsByBlockPool = new ConcurrentHashMap<>();
    private final AtomicLong bytes = new AtomicLong();
    private final LongAdder untracked = new LongAdder();

    /**
     * @param maxCount above which a count is not told apart
     * @param windowMinutes how long an access counts: those of this minute and of so many less one before
     * @param maxBytes the heap that all tables take at most, but for an empty one of each block pool
     */
    BlockAccessCounter(int maxCount, int windowMinutes, long maxBytes) {
        if (maxCount < 1 || maxCount > MOST_COUNT || windowMinutes < 1 || windowMinutes > MOST_MINUTES) {
            throw new IllegalArgumentException("maxCount " + maxCount + ", windowMinutes " + windowMinutes);
        }
        this.maxCount = maxCount;
        this.windowMinutes = windowMinutes;
        this.maxBytes = maxBytes;
    }

    int maxCount() {
        return maxCount;
    }

    int windowMinutes() {
        return windowMinutes;
    }

    /** Records an access of this block; returns how many it had in the window, this one included, at most {@code maxCount}. */
    int record(BlockKey block, int minute) {
        return record(block, minute, windowMinutes);
    }

    /** The same with the count in a window that is no longer than the counter's own. */
    int record(BlockKey block, int minute, int window) {
        Shard shard = shardOf(block);
        synchronized (shard) {
            int now = shard.advance(minute);
            int slot = shard.record(block.blockId(), now);
            return slot < 0 ? 1 : shard.count(slot, now, window);
        }
    }

    /**
     * Counts the accesses of a block of which one was recorded just now, in several windows, none of them longer than the counter's own.
     *
     * @param counts gets the count in each of the windows, 1 where the block is not tracked
     */
    void count(BlockKey block, int minute, int[] windows, int[] counts) {
        Shard shard = shardOf(block);
        synchronized (shard) {
            int now = shard.advance(minute);
            int slot = shard.find(block.blockId());
            slot = shard.infos[slot] == 0 ? -1 : slot;
            for (int i = 0; i < windows.length; i++) {
                counts[i] = slot < 0 ? 1 : shard.count(slot, now, windows[i]);
            }
        }
    }

    private Shard shardOf(BlockKey block) {
        Shard[] shards = shardsByBlockPool.get(block.blockPool());
        if (shards == null) {
            shards = shardsByBlockPool.computeIfAbsent(block.blockPool(), any -> newShards());
        }
        return shards[(int) (mix(block.blockId()) >>> (64 - SHARD_BITS))];
    }

    private Shard[] newShards() {
        Shard[] shards = new Shard[1 << SHARD_BITS];
        Arrays.setAll(shards, any -> new Shard());
        bytes.addAndGet((long) shards.length * SMALLEST_TABLE * SLOT_BYTES);
        return shards;
    }

    /** The finalizer of MurmurHash3: ids are mostly one after another. */
    private static long mix(long id) {
        long mixed = (id ^ (id >>> 33)) * 0xff51afd7ed558ccdL;
        mixed = (mixed ^ (mixed >>> 33)) * 0xc4ceb9fe1a85ec53L;
        return mixed ^ (mixed >>> 33);
    }

    /** Gives up accesses that are out of the window, and the memory of blocks without any. */
    void sweep(int minute) {
        for (Shard[] shards : shardsByBlockPool.values()) {
            for (Shard shard : shards) {
                synchronized (shard) {
                    shard.sweep(shard.advance(minute));
                }
            }
        }
    }

    void forgetBlockPool(String blockPool) {
        Shard[] shards = shardsByBlockPool.remove(blockPool);
        if (shards == null) {
            return;
        }
        for (Shard shard : shards) {
            synchronized (shard) {
                shard.retire();
            }
        }
    }

    Footprint footprint() {
        long blocks = 0;
        for (Shard[] shards : shardsByBlockPool.values()) {
            for (Shard shard : shards) {
                synchronized (shard) {
                    blocks += shard.blocks;
                }
            }
        }
        return new Footprint(blocks, bytes.get(), untracked.sum());
    }

    private boolean reserve(long more) {
        if (bytes.addAndGet(more) <= maxBytes) {
            return true;
        }
        bytes.addAndGet(-more);
        return false;
    }

    /** A part of one block pool's blocks. Guarded by itself. */
    private final class Shard {

        private long[] ids = new long[SMALLEST_TABLE];
        /** 0: no block; above: {@code accesses << 16 | minute}; below: the complement of a place in {@link #runs}. */
        private int[] infos = new int[SMALLEST_TABLE];

        /** Lists of runs: the first element is how many follow, each {@code accesses << 16 | minute}. */
        private int[][] runs = new int[0][];

        private int usedRuns;
        private int blocks;
        private int latestMinute;
        private int sweptMinute;
        private boolean isRetired;

        /** The minute of an access now: time does not go back, and nothing here is older than its stamp can tell. */
        int advance(int minute) {
            if (minute - latestMinute >= windowMinutes) {
                clear();
                sweptMinute = minute;
            }
            latestMinute = Math.max(latestMinute, minute);
            if (latestMinute - sweptMinute >= SWEEP_AT_LATEST_MINUTES) {
                sweep(latestMinute);
            }
            return latestMinute;
        }

        private int age(int run, int now) {
            return (now - run) & STAMP_MASK;
        }

        private static int firstRun(int now) {
            return (1 << 16) | (now & STAMP_MASK);
        }

        private static int accesses(int run) {
            return run >>> 16;
        }

        /** Adds one access; returns the block's slot, or -1 if there is no memory for it. */
        int record(long id, int now) {
            int slot = find(id);
            if (infos[slot] == 0) {
                slot = add(id);
                if (slot < 0) {
                    return -1;
                }
                infos[slot] = firstRun(now);
                blocks++;
                return slot;
            }
            if (infos[slot] > 0) {
                recordInOneMinute(slot, now);
            } else {
                recordInRuns(slot, now);
            }
            return slot;
        }

        private int find(long id) {
            int slot = home(id, ids.length);
            while (infos[slot] != 0 && ids[slot] != id) {
                slot = slot + 1 == ids.length ? 0 : slot + 1;
            }
            return slot;
        }

        private int home(long id, int capacity) {
            return (int) (((mix(id) & 0xffff_ffffL) * capacity) >>> 32);
        }

        private int add(long id) {
            if ((blocks + 1) * 4L > ids.length * 3L && !grow()) {
                untracked.increment();
                return -1;
            }
            int slot = find(id);
            ids[slot] = id;
            return slot;
        }

        private boolean grow() {
            int capacity = ids.length + ids.length / 2;
            if (isRetired || !reserve((long) (capacity - ids.length) * SLOT_BYTES)) {
                return false;
            }
            rehash(capacity);
            return true;
        }

        private void rehash(int capacity) {
            long[] oldIds = ids;
            int[] oldInfos = infos;
            ids = new long[capacity];
            infos = new int[capacity];
            for (int old = 0; old < oldIds.length; old++) {
                if (oldInfos[old] != 0) {
                    int slot = find(oldIds[old]);
                    ids[slot] = oldIds[old];
                    infos[slot] = oldInfos[old];
                }
            }
        }

        private void recordInOneMinute(int slot, int now) {
            int run = infos[slot];
            int age = age(run, now);
            if (age == 0) {
                infos[slot] = more(run);
                return;
            }
            int fresh = firstRun(now);
            if (age >= windowMinutes || maxCount == 1) {
                infos[slot] = fresh;
                return;
            }
            int place = newList();
            if (place < 0) {
                untracked.increment();
                infos[slot] = fresh;
                return;
            }
            runs[place] = new int[] {2, run, fresh};
            infos[slot] = ~place;
            recount(slot);
        }

        private int more(int run) {
            return accesses(run) < maxCount ? run + (1 << 16) : run;
        }

        /** A place for a list of two runs, or -1. */
        private int newList() {
            if (isRetired || !reserve(LIST_BYTES + 2L * Integer.BYTES)) {
                return -1;
            }
            if (usedRuns == runs.length) {
                runs = Arrays.copyOf(runs, Math.max(16, runs.length + runs.length / 2));
            }
            return usedRuns++;
        }

        private void recordInRuns(int slot, int now) {
            int[] list = list(slot);
            expire(list, now);
            int used = list[0];
            if (used > 0 && age(list[used], now) == 0) {
                list[used] = more(list[used]);
            } else {
                list = withRoom(slot, list);
                list[0]++;
                list[list[0]] = firstRun(now);
            }
            recount(slot);
        }

        private int[] list(int slot) {
            return runs[~infos[slot]];
        }

        /** The list with room for one run more; where there is no memory the oldest run is given up. */
        private int[] withRoom(int slot, int[] list) {
            if (list[0] + 1 < list.length) {
                return list;
            }
            int more = Math.min(list[0], Math.min(windowMinutes, maxCount) - list[0]);
            if (more > 0 && !isRetired && reserve((long) more * Integer.BYTES)) {
                int[] longer = Arrays.copyOf(list, list.length + more);
                runs[~infos[slot]] = longer;
                return longer;
            }
            if (more > 0) {
                untracked.increment();
            }
            removeOldest(list, 1);
            return list;
        }

        private void expire(int[] list, int now) {
            int expired = 0;
            while (expired < list[0] && age(list[1 + expired], now) >= windowMinutes) {
                expired++;
            }
            removeOldest(list, expired);
        }

        private void removeOldest(int[] list, int count) {
            if (count > 0) {
                System.arraycopy(list, 1 + count, list, 1, list[0] - count);
                list[0] -= count;
            }
        }

        /** Keeps the last {@code maxCount} accesses. */
        private void recount(int slot) {
            int[] list = list(slot);
            int kept = 0;
            int run = list[0];
            while (run > 0 && kept + accesses(list[run]) < maxCount) {
                kept += accesses(list[run]);
                run--;
            }
            if (run > 0) {
                list[run] = ((maxCount - kept) << 16) | (list[run] & STAMP_MASK);
                removeOldest(list, run - 1);
            }
        }

        int count(int slot, int now, int minutes) {
            if (infos[slot] > 0) {
                return age(infos[slot], now) < minutes ? accesses(infos[slot]) : 0;
            }
            int[] list = list(slot);
            int count = 0;
            for (int run = list[0]; run > 0 && age(list[run], now) < minutes; run--) {
                count += accesses(list[run]);
            }
            return count;
        }

        /** Leaves only what is in the window, in tables of the size that it needs. */
        void sweep(int now) {
            sweptMinute = now;
            int live = 0;
            boolean isAnyOver = false;
            for (int slot = 0; slot < ids.length; slot++) {
                if (infos[slot] != 0) {
                    boolean isLive = age(latestRun(slot), now) < windowMinutes;
                    live += isLive ? 1 : 0;
                    isAnyOver |= !isLive;
                }
            }
            if (isAnyOver) {
                rebuild(live, now);
            }
        }

        private int latestRun(int slot) {
            if (infos[slot] > 0) {
                return infos[slot];
            }
            int[] list = list(slot);
            return list[list[0]];
        }

        private void rebuild(int live, int now) {
            long[] oldIds = ids;
            int[] oldInfos = infos;
            int[][] oldRuns = runs;
            long before = ownBytes();
            clearTables(Math.min(oldIds.length, Math.max(SMALLEST_TABLE, live + live * 2 / 3)));
            for (int old = 0; old < oldIds.length; old++) {
                if (oldInfos[old] > 0 && age(oldInfos[old], now) < windowMinutes) {
                    put(oldIds[old], oldInfos[old]);
                } else if (oldInfos[old] < 0) {
                    keepRuns(oldIds[old], oldRuns[~oldInfos[old]], now);
                }
            }
            bytes.addAndGet(ownBytes() - before);
        }

        private void keepRuns(long id, int[] list, int now) {
            expire(list, now);
            if (list[0] == 1) {
                put(id, list[1]);
            } else if (list[0] > 1) {
                if (usedRuns == runs.length) {
                    runs = Arrays.copyOf(runs, Math.max(16, runs.length + runs.length / 2));
                }
                runs[usedRuns] = list;
                put(id, ~usedRuns);
                usedRuns++;
            }
        }

        private void put(long id, int info) {
            int slot = find(id);
            ids[slot] = id;
            infos[slot] = info;
            blocks++;
        }

        private void clear() {
            if (blocks > 0) {
                long before = ownBytes();
                clearTables(SMALLEST_TABLE);
                bytes.addAndGet(ownBytes() - before);
            }
        }

        private void clearTables(int capacity) {
            ids = new long[capacity];
            infos = new int[capacity];
            runs = new int[0][];
            usedRuns = 0;
            blocks = 0;
        }

        /** Its block pool is gone; a thread that still has it in hand counts into nothing. */
        void retire() {
            clear();
            isRetired = true;
            bytes.addAndGet(-ownBytes());
        }

        private long ownBytes() {
            long own = (long) ids.length * SLOT_BYTES;
            for (int place = 0; place < usedRuns; place++) {
                own += LIST_BYTES + (runs[place].length - 1L) * Integer.BYTES;
            }
            return own;
        }
    }
}
