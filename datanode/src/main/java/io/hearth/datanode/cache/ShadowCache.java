// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.cache;

import io.hearth.datanode.cache.BlockKey.ReplicaVersion;
import io.hearth.datanode.cache.PageStore.PageFile;
import io.hearth.datanode.config.ReadCacheSettings.ShadowVariant;
import io.hearth.datanode.config.ReadCacheSettings.Storage;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Predicate;

/**
 * Simulates caches of several admissions and sizes on the reads of clients, with keys alone: what hit rate each would have, and what it
 * would write. It takes the very decisions of the cache, by the same index and write budget; only the SSD never fails.
 *
 * <p>A block takes about 300 bytes of heap in each variant that has it, and no variant has more blocks than the cache may have.
 * Thread-safe, with one lock: a read takes about a microsecond.
 */
public final class ShadowCache {

    /** What HDFS has unless somebody sets it: the simulation does not look at meta files. */
    private static final int CHUNK_BYTES = 512;

    private final List<Variant> variants = new ArrayList<>();
    private final int[] windows;
    private final int[] counts;
    private final Storage storage;

    /**
     * @param variants at most 31, each with a size of its own
     * @param storage page size, number of blocks and daily writes of all of them
     */
    public ShadowCache(List<ShadowVariant> variants, Storage storage) {
        variants.forEach(variant -> this.variants.add(new Variant(variant)));
        this.storage = storage;
        windows = variants.stream()
                .mapToInt(variant -> variant.admission().minutes())
                .toArray();
        counts = new int[windows.length];
    }

    /**
     * A read that has begun. Immutable.
     *
     * @param version what is read
     * @param admittedBits bit by bit, which of the variants admit it
     */
    record ShadowRead(ReplicaVersion version, int admittedBits) {

        private boolean isAdmitted(int variant) {
            return (admittedBits >> variant & 1) == 1;
        }
    }

    /**
     * A client opens this replica.
     *
     * @param accesses has recorded that, and counts as far and as long as any of the variants needs
     */
    synchronized ShadowRead opened(BlockAccessCounter accesses, ReplicaVersion version, int minute, long nowMs) {
        accesses.count(version.key(), minute, windows, counts);
        int admittedBits = 0;
        for (int i = 0; i < counts.length; i++) {
            boolean isAdmitted =
                    counts[i] > variants.get(i).parameters.admission().reads();
            admittedBits |= isAdmitted ? 1 << i : 0;
            if (version.length() > 0) {
                variants.get(i).opened(version, isAdmitted, nowMs);
            }
        }
        return new ShadowRead(version, admittedBits);
    }

    /** A client has got the bytes from one position to another, that one excluded. */
    synchronized void delivered(ShadowRead read, long from, long to, long nowMs) {
        for (int i = 0; i < variants.size(); i++) {
            variants.get(i).delivered(read.version(), read.isAdmitted(i), from, to, nowMs);
        }
    }

    /** The replica of this block has gone or changed. */
    synchronized void drop(BlockKey key) {
        variants.forEach(variant -> variant.index.drop(key));
    }

    synchronized void dropBlockPool(String blockPool) {
        Predicate<CachedBlock> isOfPool = block -> block.key().blockPool().equals(blockPool);
        variants.forEach(variant -> variant.index.dropIf(isOfPool));
    }

    /** What each of the caches would have done, in the order of the settings. */
    public synchronized List<ShadowResult> results() {
        return variants.stream().map(Variant::result).toList();
    }

    /**
     * What one of the caches would have done since it began. Immutable.
     *
     * @param variant which one
     * @param clientBytes what clients got altogether
     * @param ssdBytes what of it would have come from the SSD
     * @param hits pages that reads would have found there
     * @param fills pages that would have been written
     * @param writtenBytes their bytes, and those of checksums
     * @param evictedBlocks blocks that would have made room for others
     * @param usedBytes what would be on the SSD now
     */
    public record ShadowResult(
            ShadowVariant variant,
            long clientBytes,
            long ssdBytes,
            long hits,
            long fills,
            long writtenBytes,
            long evictedBlocks,
            long usedBytes) {

        /** The part of the clients' bytes that would have come from the SSD; 0 where there were none. */
        public double hitRate() {
            return clientBytes == 0 ? 0 : (double) ssdBytes / clientBytes;
        }
    }

    /** One simulated cache. Guarded by the shadow's lock. */
    private final class Variant {

        private final ShadowVariant parameters;
        private final CacheIndex index = new CacheIndex();
        private final WriteBudget budget = new WriteBudget();
        private final List<CachedBlock> evicted = new ArrayList<>();
        private long clientBytes;
        private long ssdBytes;
        private long hits;
        private long fills;
        private long writtenBytes;
        private long evictedBlocks;

        Variant(ShadowVariant parameters) {
            this.parameters = parameters;
        }

        void opened(ReplicaVersion version, boolean isAdmitted, long nowMs) {
            CachedBlock block = index.touch(version.key()).orElse(null);
            if (block != null && !block.version().equals(version)) {
                index.drop(block);
                block = null;
            }
            if (block == null && isAdmitted) {
                create(version, nowMs);
            }
        }

        private void create(ReplicaVersion version, long nowMs) {
            long metaBytes =
                    new ReplicaMeta.Header(ReplicaMeta.SumType.CRC32C, CHUNK_BYTES).metaLength(version.length());
            if (!budget.tryTake(metaBytes, bytesPerDay(), nowMs)) {
                return;
            }
            if (!index.reserve(metaBytes, parameters.maxBytes(), null, evicted)) {
                budget.giveBack(metaBytes);
                return;
            }
            index.add(
                    CachedBlock.restored(
                            version,
                            new PageFile(0, version.length(), storage.pageBytes()),
                            new PageFile(0, metaBytes, CacheFiller.META_PAGE_BYTES),
                            new BitSet()),
                    storage.maxBlocks(),
                    evicted);
            countEvicted();
            writtenBytes += metaBytes;
        }

        private long bytesPerDay() {
            return (long) (parameters.maxBytes() * storage.dailyWrites());
        }

        private void countEvicted() {
            evictedBlocks += evicted.size();
            evicted.clear();
        }

        void delivered(ReplicaVersion version, boolean isAdmitted, long from, long to, long nowMs) {
            clientBytes += to - from;
            CachedBlock block = index.touch(version.key()).orElse(null);
            if (block == null || !block.version().equals(version)) {
                return;
            }
            PageFile file = block.dataFile();
            long position = from;
            // The disk's file may be longer than the volume map knew.
            long last = Math.min(to, version.length());
            while (position < last) {
                int page = file.pageOf(position);
                long end = Math.min(last, file.startOf(page) + file.lengthOf(page));
                if (block.has(page)) {
                    hits++;
                    ssdBytes += end - position;
                } else if (isAdmitted && !storage.wholeBlocks()) {
                    fill(block, page, nowMs);
                }
                position = end;
            }
            if (isAdmitted && storage.wholeBlocks()) {
                fillRest(block, nowMs);
            }
        }

        /** What the cache does in the background is done when the read that has asked for it goes on. */
        private void fillRest(CachedBlock block, long nowMs) {
            int page = block.nextAbsent(0);
            while (page >= 0 && fill(block, page, nowMs)) {
                page = block.nextAbsent(page + 1);
            }
        }

        private boolean fill(CachedBlock block, int page, long nowMs) {
            int length = block.dataFile().lengthOf(page);
            if (!budget.tryTake(length, bytesPerDay(), nowMs)) {
                return false;
            }
            if (!index.reserve(length, parameters.maxBytes(), block, evicted)) {
                budget.giveBack(length);
                return false;
            }
            countEvicted();
            index.filled(block, page);
            fills++;
            writtenBytes += length;
            return true;
        }

        ShadowResult result() {
            return new ShadowResult(
                    parameters,
                    clientBytes,
                    ssdBytes,
                    hits,
                    fills,
                    writtenBytes,
                    evictedBlocks,
                    index.usage().bytes());
        }
    }
}
