// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.cache;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The blocks on the SSD, the least recently read first, and the bytes that they take.
 *
 * <p>Bytes are reserved before they are written, and stay counted as long as a block has them. So the SSD's limit holds whatever is
 * being filled. What is evicted or dropped is handed back to the caller, who deletes its files; until then it is counted apart. Nothing
 * is read or written here.
 *
 * <p>Thread-safe. Its lock is taken before a {@link CachedBlock}'s. Goals: constant time for a read, a fill and a drop; the number of
 * blocks and their bytes have limits. LRU is enough: with admission a cache hardly evicts, and W-TinyLFU had the same hit rate.
 */
final class CacheIndex {

    private final Map<BlockKey, CachedBlock> blocks = new LinkedHashMap<>(16, 0.75f, true);
    private long usedBytes;
    /** The part of {@link #usedBytes} that blocks have; the rest is reserved. */
    private long blockBytes;
    /** What blocks had that are gone, and whose files are not deleted yet. */
    private long leavingBytes;

    private long changes;

    /** The block, which is from now on the most recently read. */
    synchronized Optional<CachedBlock> touch(BlockKey key) {
        return Optional.ofNullable(blocks.get(key));
    }

    /**
     * Reserves so many bytes, for which the least recently read blocks are evicted if it must be.
     *
     * @param keep a block that is not evicted for it
     * @param evicted gets those that are
     * @return whether the bytes are reserved; if not nothing was evicted
     */
    synchronized boolean reserve(long bytes, long maxBytes, @Nullable CachedBlock keep, List<CachedBlock> evicted) {
        long keptBytes = keep == null || keep.isDropped() ? 0 : keep.bytes();
        long reservedBytes = usedBytes - blockBytes;
        if (bytes + keptBytes + reservedBytes > maxBytes) {
            return false;
        }
        evictUntil(maxBytes - bytes, keep, evicted);
        usedBytes += bytes;
        return true;
    }

    private void evictUntil(long maxUsedBytes, @Nullable CachedBlock keep, List<CachedBlock> evicted) {
        Iterator<CachedBlock> oldestFirst = blocks.values().iterator();
        while (usedBytes > maxUsedBytes && oldestFirst.hasNext()) {
            CachedBlock oldest = oldestFirst.next();
            if (oldest != keep) {
                oldestFirst.remove();
                forget(oldest);
                evicted.add(oldest);
            }
        }
    }

    private void forget(CachedBlock block) {
        block.markDropped();
        usedBytes -= block.bytes();
        blockBytes -= block.bytes();
        leavingBytes += block.bytes();
        changes++;
    }

    /** A block of an earlier process is not added, and its files are still to be deleted. */
    synchronized void leave(CachedBlock block) {
        leavingBytes += block.bytes();
    }

    /** A file of a block that has gone is deleted, and with it so many bytes. */
    synchronized void deleted(long bytes) {
        leavingBytes -= bytes;
    }

    /** Gives back what was reserved and is not written. */
    synchronized void release(long bytes) {
        usedBytes -= bytes;
    }

    /**
     * Adds a block, whose meta file's bytes were reserved.
     *
     * @param evicted gets what is above the number of blocks
     * @return false, and without effect, where there is one of the same key
     */
    synchronized boolean add(CachedBlock block, long maxBlocks, List<CachedBlock> evicted) {
        if (blocks.containsKey(block.key())) {
            return false;
        }
        blocks.put(block.key(), block);
        blockBytes += block.bytes();
        changes++;
        Iterator<CachedBlock> oldestFirst = blocks.values().iterator();
        while (blocks.size() > maxBlocks) {
            CachedBlock oldest = oldestFirst.next();
            oldestFirst.remove();
            forget(oldest);
            evicted.add(oldest);
        }
        return true;
    }

    /** Adds a block of an earlier process with all its bytes; see {@link #add}. */
    synchronized boolean addRestored(CachedBlock block, long maxBytes, long maxBlocks) {
        if (usedBytes + block.bytes() > maxBytes || blocks.size() >= maxBlocks || blocks.containsKey(block.key())) {
            return false;
        }
        usedBytes += block.bytes();
        return add(block, maxBlocks, new ArrayList<>());
    }

    /** A page whose bytes were reserved is there; false where the block was dropped meanwhile, and then they are still reserved. */
    synchronized boolean filled(CachedBlock block, int page) {
        if (!block.markPresent(page)) {
            return false;
        }
        blockBytes += block.dataFile().lengthOf(page);
        changes++;
        return true;
    }

    /** Drops the block of this key, if there is one, and returns it. */
    synchronized Optional<CachedBlock> drop(BlockKey key) {
        CachedBlock block = blocks.remove(key);
        if (block != null) {
            forget(block);
        }
        return Optional.ofNullable(block);
    }

    /** Drops this very block; false if it is not in the index any more. */
    synchronized boolean drop(CachedBlock block) {
        if (!blocks.remove(block.key(), block)) {
            return false;
        }
        forget(block);
        return true;
    }

    /** Drops those for which this holds, and returns them. */
    synchronized List<CachedBlock> dropIf(Predicate<CachedBlock> which) {
        List<CachedBlock> dropped = new ArrayList<>();
        Iterator<CachedBlock> all = blocks.values().iterator();
        while (all.hasNext()) {
            CachedBlock block = all.next();
            if (which.test(block)) {
                all.remove();
                forget(block);
                dropped.add(block);
            }
        }
        return dropped;
    }

    /** Drops the least recently read blocks until no more is used than these limits, and returns them. */
    synchronized List<CachedBlock> shrink(long maxBytes, long maxBlocks) {
        List<CachedBlock> evicted = new ArrayList<>();
        Iterator<CachedBlock> oldestFirst = blocks.values().iterator();
        while ((usedBytes > maxBytes || blocks.size() > maxBlocks) && oldestFirst.hasNext()) {
            CachedBlock oldest = oldestFirst.next();
            oldestFirst.remove();
            forget(oldest);
            evicted.add(oldest);
        }
        return evicted;
    }

    /** Every block, the least recently read first. */
    synchronized List<CachedBlock> blocks() {
        return List.copyOf(blocks.values());
    }

    /** What blocks have on the SSD, and what files have there that are still to be deleted. What is being written is left out. */
    synchronized long writtenBytes() {
        return blockBytes + leavingBytes;
    }

    /**
     * Whether so much waits for its deletion that more than the limit is there, and some more. What is above a limit that was lowered, and
     * does not wait, goes with the next block that is written.
     */
    synchronized boolean isAheadOfDeletions(long maxBytes, long bytesAbove) {
        return leavingBytes > bytesAbove && usedBytes + leavingBytes > maxBytes + bytesAbove;
    }

    /** What is used of the limits. */
    synchronized Usage usage() {
        return new Usage(blocks.size(), usedBytes, changes);
    }

    /**
     * What an index holds. Immutable.
     *
     * @param blocks how many blocks
     * @param bytes what they take of the SSD, and what is reserved
     * @param changes a number that is another one after each change of blocks or pages
     */
    record Usage(int blocks, long bytes, long changes) {}
}
