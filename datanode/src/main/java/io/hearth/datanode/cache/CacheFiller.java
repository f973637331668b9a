// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.cache;

import io.hearth.datanode.cache.BlockKey.ReplicaVersion;
import io.hearth.datanode.cache.PageStore.PageFile;
import io.hearth.datanode.cache.ReadCacheCounts.Counter;
import io.hearth.datanode.cache.ReplicaMeta.Header;
import io.hearth.datanode.cache.SsdAccess.SsdFailure;
import io.hearth.datanode.config.ReadCacheSettings.Storage;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes blocks to the SSD: first the copy of a block's meta file, then page by page what was read from the disk.
 *
 * <p>Whatever is written was taken from the write budget and reserved in the index before; what did not come to be there is given back to
 * both. Data and checksums come from the disk and agree, or nothing is written. A failure of the disk goes to the caller, one of the
 * SSD is counted, and the caller reads on from the disk. Thread-safe; no lock is held while something is read or written.
 */
final class CacheFiller {

    /** Pages of the copy of a meta file; a whole number of slices. */
    static final int META_PAGE_BYTES = 1 << 20;

    /** How far the SSD may be above the limit by files that are to be deleted: what is written while the thread that does it is away. */
    private static final long MOST_BYTES_ABOVE = 256L << 20;

    static final long LEAST_BYTES_ABOVE = 32L << 20;
    private static final int PARTS_OF_LIMIT = 256;

    private final SsdAccess ssd;
    private final CacheIndex index;
    private final WriteBudget budget;
    private final Supplier<Storage> storage;
    private final BufferPool buffers;
    private final ReadCacheCounts counts;
    private final Consumer<List<CachedBlock>> afterEviction;
    private final BiConsumer<CachedBlock, SsdFailure> afterFailure;
    private final Set<BlockKey> creating = ConcurrentHashMap.newKeySet();
    /** Guarded by itself; under the same lock an id is taken and put here. */
    private final Set<Long> filesBeingCreated = new HashSet<>();

    private volatile boolean isShortOfSpace;
    private volatile long roomBytes = Long.MAX_VALUE;

    /**
     * @param buffers how many pages are written at once, and their memory
     * @param afterEviction gets blocks that were evicted, whose files are to be deleted
     * @param afterFailure gets a block that the SSD failed with
     */
    CacheFiller(
            SsdAccess ssd,
            CacheIndex index,
            WriteBudget budget,
            Supplier<Storage> storage,
            BufferPool buffers,
            ReadCacheCounts counts,
            Consumer<List<CachedBlock>> afterEviction,
            BiConsumer<CachedBlock, SsdFailure> afterFailure) {
        this.ssd = ssd;
        this.index = index;
        this.budget = budget;
        this.storage = storage;
        this.buffers = buffers;
        this.counts = counts;
        this.afterEviction = afterEviction;
        this.afterFailure = afterFailure;
    }

    /** Whether the file system of the SSD has less than the free space that is to be left; nothing is written then. */
    void setShortOfSpace(boolean isShort) {
        isShortOfSpace = isShort;
    }

    /** What the cache may take of the SSD if that is less than what is configured. */
    void setRoom(long bytes) {
        roomBytes = bytes;
    }

    /** The files that are written now and may be in no index yet. */
    NewFiles newFiles() {
        synchronized (filesBeingCreated) {
            return new NewFiles(Set.copyOf(filesBeingCreated), ssd.newFileId());
        }
    }

    /**
     * Files that are new at one moment. Immutable.
     *
     * @param ids those that are written then
     * @param first what is made afterwards is above this one
     */
    record NewFiles(Set<Long> ids, long first) {}

    /**
     * Begins a copy of this replica with its meta file; empty where that can't be, or another thread is at it.
     *
     * @throws IOException where the disk fails
     */
    Optional<CachedBlock> create(DiskReplica replica) throws IOException {
        if (!mayWrite() || !creating.add(replica.version().key())) {
            return Optional.empty();
        }
        try {
            Optional<ByteBuffer> buffer = buffers.tryTake();
            if (buffer.isEmpty()) {
                return rejected(Counter.REJECTED_BUSY);
            }
            try (InputStream meta = replica.openMeta()) {
                return create(replica, meta);
            } finally {
                buffers.giveBack(buffer.get());
            }
        } finally {
            creating.remove(replica.version().key());
        }
    }

    private boolean mayWrite() {
        boolean mayWrite = ssd.isWritable() && !isShortOfSpace && !isAheadOfDeletions();
        if (!mayWrite) {
            counts.add(Counter.REJECTED_FULL);
        }
        return mayWrite;
    }

    /** Whether so much waits for its deletion that the SSD has more than its limit, and some more. */
    private boolean isAheadOfDeletions() {
        long maxBytes = maxBytes(storage.get());
        long bytesAbove = Math.max(LEAST_BYTES_ABOVE, Math.min(MOST_BYTES_ABOVE, maxBytes / PARTS_OF_LIMIT));
        return index.isAheadOfDeletions(maxBytes, bytesAbove);
    }

    private long maxBytes(Storage limits) {
        return Math.min(limits.maxBytes(), roomBytes);
    }

    private Optional<CachedBlock> rejected(Counter why) {
        counts.add(why);
        return Optional.empty();
    }

    private Optional<CachedBlock> create(DiskReplica replica, InputStream meta) throws IOException {
        ReplicaVersion version = replica.version();
        byte[] first = meta.readNBytes(ReplicaMeta.HEADER_BYTES);
        Optional<Header> header = Header.parse(ByteBuffer.wrap(first));
        if (header.isEmpty()) {
            return rejected(Counter.REJECTED_CHECKSUM);
        }
        long metaBytes = header.get().metaLength(version.length());
        if (!take(metaBytes, null)) {
            return Optional.empty();
        }
        Optional<CachedBlock> created = Optional.empty();
        try {
            created = copyMeta(replica, header.get(), first, meta);
            return created;
        } finally {
            if (created.isEmpty()) {
                giveBack(metaBytes);
            }
        }
    }

    private Optional<CachedBlock> copyMeta(DiskReplica replica, Header header, byte[] first, InputStream meta)
            throws IOException {
        ReplicaVersion version = replica.version();
        PageFile metaFile = new PageFile(newFile(), header.metaLength(version.length()), META_PAGE_BYTES);
        PageFile dataFile = new PageFile(
                newFile(), version.length(), header.pageBytes(storage.get().pageBytes()));
        boolean isAdded = false;
        try {
            Optional<ReplicaMeta> copied = copyMeta(metaFile, dataFile, header, first, meta);
            if (copied.isEmpty()) {
                return rejected(Counter.REJECTED_CHANGED);
            }
            CachedBlock block = CachedBlock.created(version, dataFile, metaFile, copied.get());
            isAdded = add(block);
            return isAdded ? Optional.of(block) : rejected(Counter.REJECTED_CHANGED);
        } catch (SsdFailure failure) {
            ssd.record(failure);
            return Optional.empty();
        } finally {
            if (!isAdded) {
                deleteQuietly(metaFile);
                deleteQuietly(dataFile);
            }
            synchronized (filesBeingCreated) {
                filesBeingCreated.remove(metaFile.id());
                filesBeingCreated.remove(dataFile.id());
            }
        }
    }

    private long newFile() {
        synchronized (filesBeingCreated) {
            long id = ssd.newFileId();
            filesBeingCreated.add(id);
            return id;
        }
    }

    private boolean add(CachedBlock block) {
        List<CachedBlock> evicted = new ArrayList<>();
        boolean isAdded = index.add(block, storage.get().maxBlocks(), evicted);
        afterEviction.accept(evicted);
        if (isAdded) {
            counts.add(Counter.BLOCKS_ADDED);
            counts.add(Counter.WRITTEN_BYTES, block.metaFile().length());
        }
        return isAdded;
    }

    /** Copies the meta file, whose header was read already; empty where it is shorter than the block's length demands. */
    private Optional<ReplicaMeta> copyMeta(
            PageFile metaFile, PageFile dataFile, Header header, byte[] first, InputStream meta)
            throws IOException, SsdFailure {
        ssd.call(store -> {
            store.create(metaFile);
            store.create(dataFile);
            return true;
        });
        ReplicaMeta.Builder builder = new ReplicaMeta.Builder(header, dataFile.length());
        byte[] page = new byte[metaFile.lengthOf(0)];
        for (int number = 0; number < metaFile.pages(); number++) {
            int begun = number == 0 ? first.length : 0;
            System.arraycopy(first, 0, page, 0, begun);
            int length = metaFile.lengthOf(number);
            if (begun + meta.readNBytes(page, begun, length - begun) < length) {
                return Optional.empty();
            }
            ByteBuffer bytes = ByteBuffer.wrap(page, 0, length);
            builder.add(bytes);
            int at = number;
            ssd.call(store -> {
                store.put(metaFile, at, bytes);
                return true;
            });
        }
        return Optional.of(builder.build());
    }

    /** A file that stays is found by the next removal of unknown files. */
    private void deleteQuietly(PageFile file) {
        try {
            ssd.call(store -> {
                store.delete(file.id());
                return true;
            });
        } catch (SsdFailure failure) {
            ssd.record(failure);
        }
    }

    /**
     * Reads a page that is absent from the disk and writes it to the SSD; returns whether it is there.
     *
     * @param disk the replica's data
     * @throws IOException where the disk fails
     */
    boolean fill(CachedBlock block, int page, FileChannel disk) throws IOException {
        Optional<ReplicaMeta> meta = block.meta();
        if (meta.isEmpty() || !mayWrite() || !block.claim(page)) {
            return false;
        }
        try {
            Optional<ByteBuffer> pooled = buffers.tryTake();
            if (pooled.isEmpty()) {
                counts.add(Counter.REJECTED_BUSY);
                return false;
            }
            try {
                return fill(block, page, disk, meta.get(), pooled.get());
            } finally {
                buffers.giveBack(pooled.get());
            }
        } finally {
            block.unclaim(page);
        }
    }

    private boolean fill(CachedBlock block, int page, FileChannel disk, ReplicaMeta meta, ByteBuffer pooled)
            throws IOException {
        int length = block.dataFile().lengthOf(page);
        if (!take(length, block)) {
            return false;
        }
        boolean isFilled = false;
        try {
            // A page may be longer than the pool's buffers, which then only limits how many there are.
            ByteBuffer bytes = length <= pooled.capacity() ? pooled.limit(length) : ByteBuffer.allocate(length);
            isFilled = readPage(block, page, disk, meta, bytes) && put(block, page, bytes);
            return isFilled;
        } finally {
            if (!isFilled) {
                giveBack(length);
            }
        }
    }

    /** Reads a page from the disk; false where it is not what its checksums say. */
    private boolean readPage(CachedBlock block, int page, FileChannel disk, ReplicaMeta meta, ByteBuffer bytes)
            throws IOException {
        long start = ssd.nanos();
        long position = block.dataFile().startOf(page);
        while (bytes.hasRemaining()) {
            if (disk.read(bytes, position + bytes.position()) < 0) {
                counts.add(Counter.REJECTED_CHANGED);
                return false;
            }
        }
        bytes.flip();
        counts.add(Counter.FILL_READS);
        counts.add(Counter.FILL_READ_BYTES, bytes.remaining());
        counts.add(Counter.FILL_READ_NANOS, ssd.nanos() - start);
        try (VerifiedMeta sums = new VerifiedMeta(ssd, block.metaFile(), meta)) {
            boolean isRight = meta.matches(bytes, sums.sums(position, bytes.remaining()));
            if (!isRight) {
                counts.add(Counter.REJECTED_MISMATCH);
            }
            return isRight;
        } catch (SsdFailure failure) {
            afterFailure.accept(block, failure);
            return false;
        }
    }

    private boolean put(CachedBlock block, int page, ByteBuffer bytes) {
        int length = bytes.remaining();
        try {
            ssd.call(store -> {
                store.put(block.dataFile(), page, bytes);
                return true;
            });
        } catch (SsdFailure failure) {
            afterFailure.accept(block, failure);
            return false;
        }
        if (!index.filled(block, page)) {
            counts.add(Counter.REJECTED_CHANGED);
            return false;
        }
        counts.add(Counter.FILLS);
        counts.add(Counter.WRITTEN_BYTES, length);
        return true;
    }

    private boolean take(long bytes, @Nullable CachedBlock keep) {
        Storage limits = storage.get();
        if (!budget.tryTake(bytes, limits.bytesPerDay(), ssd.nowMs())) {
            counts.add(Counter.REJECTED_BUDGET);
            return false;
        }
        List<CachedBlock> evicted = new ArrayList<>();
        boolean isReserved = index.reserve(bytes, maxBytes(limits), keep, evicted);
        afterEviction.accept(evicted);
        if (!isReserved) {
            budget.giveBack(bytes);
            counts.add(Counter.REJECTED_SPACE);
        }
        return isReserved;
    }

    private void giveBack(long bytes) {
        budget.giveBack(bytes);
        index.release(bytes);
    }
}
