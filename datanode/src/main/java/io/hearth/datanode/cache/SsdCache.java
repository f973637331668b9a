// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.cache;

import io.hearth.datanode.cache.CacheFiller.NewFiles;
import io.hearth.datanode.cache.PageStore.PageFile;
import io.hearth.datanode.cache.PageStore.PageReader;
import io.hearth.datanode.cache.ReadCacheCounts.Counter;
import io.hearth.datanode.cache.ReplicaLookup.Presence;
import io.hearth.datanode.cache.ReplicaMeta.Header;
import io.hearth.datanode.cache.SsdAccess.SsdFailure;
import io.hearth.datanode.config.ReadCacheSettings.Storage;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The read cache in one folder of an SSD: blocks of which a part is there, and their way in and out.
 *
 * <p>It serves nothing until {@link #restore} or {@link #wipe} has ended, nothing while its SSD's breaker is open, and nothing after
 * {@link #close}. Reads, fills and drops may come from any thread; drops do no I/O, because a sick SSD must not hold up the thread
 * that carries out the NameNode's orders. {@link #restore}, {@link #wipe}, {@link #turn}, {@link #sweep} and {@link #removeUnknownFiles}
 * belong to one thread.
 *
 * <p>Invariant: a block whose replica has gone is not served. Who drops has changed the volume map before; who adds a block asks for its
 * replica afterwards. So one of the two sees the other.
 */
public final class SsdCache implements Closeable {

    /** What is made in the configured folder, and all that is touched there. */
    public static final String FOLDER = "hearth-read-cache";

    static final long INDEX_MS = 300_000;
    /** How long the blocks of a block pool are kept that is not loaded: not yet after a restart, or no longer before one. */
    static final long UNKNOWN_POOL_MS = 3_600_000;

    static final long SPACE_MS = 60_000;

    private static final Logger LOG = LoggerFactory.getLogger(SsdCache.class);
    private static final int SEND_BUFFER_BYTES = 128 << 10;
    private static final int MOST_SEND_BUFFERS = 512;
    private static final int FILL_BUFFERS_BYTES = 32 << 20;
    private static final int MOST_WAITING_FILLS = 64;
    /** One part of so many stays free of an SSD that has less room than the limit: a file takes more of it than its bytes. */
    private static final int PARTS_OF_ROOM = 256;

    private enum State {
        NEW,
        OPEN,
        CLOSED
    }

    private final PageStore store;
    private final IndexFile indexFile;
    private final Supplier<Storage> storage;
    private final ReadCacheCounts counts;
    private final SsdAccess ssd;
    private final CacheIndex index = new CacheIndex();
    private final WriteBudget budget;
    private final BufferPool sendBuffers;
    private final CacheFiller filler;
    private final AtomicReference<State> state = new AtomicReference<>(State.NEW);
    private final Queue<Deletion> deletions = new ConcurrentLinkedQueue<>();

    private final Queue<WholeBlockFill> wholeBlockFills = new ConcurrentLinkedQueue<>();
    private final Set<BlockKey> waitingFills = ConcurrentHashMap.newKeySet();

    /** Of the thread that turns. */
    private long savedChanges;

    private long savedMs;
    private long openedMs;
    private long spaceMadeMs;
    private boolean wasShort;
    /** The limit of which was said that the SSD has no room for it. */
    private long toldMaxBytes;

    /** When each block pool was last loaded, as the sweep has found it. */
    private final Map<String, Long> loadedMsByBlockPool = new HashMap<>();

    /** A file that is to be deleted, and what it takes. */
    private record Deletion(long fileId, long bytes) {}

    /** A block that is to be filled as a whole. */
    private record WholeBlockFill(CachedBlock block, DiskReplica replica) {}

    /**
     * @param folder where the restart index is kept
     * @param storage the limits, which may change at any time; the page size of new blocks too
     * @param nanos a monotonic clock that began at 0
     */
    public SsdCache(
            Path folder, PageStore store, Supplier<Storage> storage, ReadCacheCounts counts, LongSupplier nanos) {
        this(folder, store, storage, counts, nanos, new WriteBudget());
    }

    private SsdCache(
            Path folder,
            PageStore store,
            Supplier<Storage> storage,
            ReadCacheCounts counts,
            LongSupplier nanos,
            WriteBudget budget) {
        this.budget = budget;
        this.store = store;
        this.indexFile = new IndexFile(folder);
        this.storage = storage;
        this.counts = counts;
        this.ssd = new SsdAccess(store, counts, nanos);
        this.sendBuffers = new BufferPool(SEND_BUFFER_BYTES, MOST_SEND_BUFFERS, ssd::nowMs);
        this.filler = new CacheFiller(
                ssd,
                index,
                budget,
                storage,
                fillBuffers(storage.get().pageBytes(), ssd::nowMs),
                counts,
                this::evicted,
                this::failed);
        this.savedMs = ssd.nowMs();
        this.openedMs = savedMs;
        this.spaceMadeMs = savedMs - SPACE_MS;
    }

    private static BufferPool fillBuffers(int pageBytes, LongSupplier nowMs) {
        return new BufferPool(pageBytes, Math.max(2, FILL_BUFFERS_BYTES / pageBytes), nowMs);
    }

    /**
     * Opens the cache in {@link #FOLDER} of this folder; it is still to be restored.
     *
     * @param folder is there already, and below the SSD's mount point: where an SSD is not mounted, the disk below must not be filled in
     *     its place
     * @param stores opens what keeps its pages
     * @param budget what may be written to this SSD, by the same clock
     * @throws IOException where the folder is not there, is a mount point, can't be written, or is in use, or the store can't be had
     */
    static SsdCache open(
            Path folder,
            PageStoreFactory stores,
            Supplier<Storage> storage,
            ReadCacheCounts counts,
            LongSupplier nanos,
            WriteBudget budget)
            throws IOException {
        if (!Files.isDirectory(folder)) {
            throw new IOException(
                    folder
                            + " is not there. Make the folder of hearth.datanode.cache.dir on the SSD, and mount the SSD first.");
        }
        if (isMountPoint(folder)) {
            throw new IOException(
                    folder
                            + " is a mount point: without its SSD the disk below would be filled. Make a folder in it, and set hearth.datanode.cache.dir to that.");
        }
        Path own = folder.resolve(FOLDER);
        return new SsdCache(own, stores.open(own), storage, counts, nanos, budget);
    }

    /** Whether another file system begins with this folder. */
    private static boolean isMountPoint(Path folder) throws IOException {
        if (!folder.getFileSystem().supportedFileAttributeViews().contains("unix")) {
            return false;
        }
        Path real = folder.toRealPath();
        Path above = real.getParent();
        return above == null || !deviceOf(above).equals(deviceOf(real));
    }

    private static Object deviceOf(Path folder) throws IOException {
        return Files.getAttribute(folder, "unix:dev");
    }

    /**
     * Takes up again what an earlier process has left, and removes every other file and page. What is taken up is compared with the disk
     * before it is first served.
     *
     * @param isCancelled asked now and then; ends it early, and then nothing is served
     * @return whether it has ended, well or with an empty cache
     */
    public boolean restore(BooleanSupplier isCancelled) {
        try {
            List<CachedBlock> blocks = readIndex();
            Set<Long> expected = new HashSet<>();
            blocks.forEach(block -> {
                expected.add(block.dataFile().id());
                expected.add(block.metaFile().id());
            });
            Set<Long> there = new HashSet<>();
            ssd.callLong(pages -> pages.deleteUnknown(
                    id -> {
                        boolean isExpected = expected.contains(id);
                        if (isExpected) {
                            there.add(id);
                        }
                        return isExpected;
                    },
                    isCancelled));
            trim(blocks, there, isCancelled);
            if (isCancelled.getAsBoolean()) {
                return false;
            }
            addRestored(blocks, there);
            return begin();
        } catch (SsdFailure failure) {
            ssd.record(failure);
            return false;
        }
    }

    /** The blocks of the restart index; none where it can't be used. */
    private List<CachedBlock> readIndex() throws SsdFailure {
        return ssd.callLong(pages -> {
            try {
                return indexFile.read();
            } catch (IOException unusable) {
                SsdHealth.Trouble trouble = SsdHealth.classify(unusable);
                if (trouble == SsdHealth.Trouble.INTERRUPTED || trouble == SsdHealth.Trouble.PROCESS) {
                    throw unusable;
                }
                LOG.warn("The read cache begins empty: {}", unusable.toString());
                return List.of();
            }
        });
    }

    /** Gives up pages that were filled after the index was saved: nobody counts them. A file with which that fails is there no more. */
    private void trim(List<CachedBlock> blocks, Set<Long> there, BooleanSupplier isCancelled) throws SsdFailure {
        for (CachedBlock block : blocks) {
            if (isCancelled.getAsBoolean()) {
                return;
            }
            long file = block.dataFile().id();
            if (there.contains(file) && !block.isComplete() && !trim(block)) {
                there.remove(file);
            }
        }
    }

    private boolean trim(CachedBlock block) throws SsdFailure {
        try {
            return ssd.callLong(pages -> {
                pages.trim(block.dataFile(), block.present());
                return true;
            });
        } catch (SsdFailure failure) {
            if (failure.isInterrupt() || failure.isOfProcess()) {
                throw failure;
            }
            ssd.record(failure);
            return false;
        }
    }

    /** Adds the most recently read blocks that have room, in the order of the restart index: the least recently read first. */
    private void addRestored(List<CachedBlock> blocks, Set<Long> there) {
        Storage limits = storage.get();
        Deque<CachedBlock> fitting = new ArrayDeque<>();
        long bytes = 0;
        for (int i = blocks.size() - 1; i >= 0; i--) {
            CachedBlock block = blocks.get(i);
            boolean isThere = there.contains(block.dataFile().id())
                    && there.contains(block.metaFile().id());
            if (isThere && bytes + block.bytes() <= limits.maxBytes() && fitting.size() < limits.maxBlocks()) {
                bytes += block.bytes();
                fitting.addFirst(block);
            } else {
                leave(block);
            }
        }
        for (CachedBlock block : fitting) {
            if (!index.addRestored(block, limits.maxBytes(), limits.maxBlocks())) {
                leave(block);
            }
        }
    }

    /** A block of an earlier process is not taken up. */
    private void leave(CachedBlock block) {
        index.leave(block);
        deleteLater(block);
    }

    private boolean begin() {
        CacheIndex.Usage usage = index.usage();
        budget.startWithSpent(usage.bytes());
        savedChanges = -1;
        savedMs = ssd.nowMs() - INDEX_MS;
        openedMs = ssd.nowMs();
        boolean isOpen = state.compareAndSet(State.NEW, State.OPEN);
        LOG.info("The read cache has {} blocks with {} bytes on its SSD", usage.blocks(), usage.bytes());
        return isOpen;
    }

    /** Begins empty: removes what an earlier process has left. For a rollback, after which generation stamps are given out again. */
    public boolean wipe(BooleanSupplier isCancelled) {
        try {
            ssd.callLong(pages -> {
                indexFile.delete();
                return pages.deleteUnknown(id -> false, isCancelled);
            });
            return !isCancelled.getAsBoolean() && begin();
        } catch (SsdFailure failure) {
            ssd.record(failure);
            return false;
        }
    }

    /** Whether anything may come from the SSD now. */
    boolean isServing() {
        return state.get() == State.OPEN && ssd.isUsable();
    }

    /**
     * What a client's read of this replica gets from the SSD; empty where the disk has to be read as if there were no cache.
     *
     * @param isAdmitted whether the block is read often enough to be cached
     */
    Optional<CachedRead> open(DiskReplica replica, boolean isAdmitted) {
        if (!isServing() || replica.version().length() == 0) {
            return Optional.empty();
        }
        try {
            Optional<CachedBlock> block = lookUp(replica);
            if (block.isEmpty() && !isAdmitted) {
                counts.add(Counter.NOT_ADMITTED);
                return Optional.empty();
            }
            return (block.isPresent() ? block : create(replica)).flatMap(there -> read(there, replica, isAdmitted));
        } catch (IOException ofTheDisk) {
            LOG.debug("{} can't be cached", replica.version(), ofTheDisk);
            return Optional.empty();
        }
    }

    private Optional<CachedRead> read(CachedBlock block, DiskReplica replica, boolean isAdmitted) {
        boolean wholeBlocks = storage.get().wholeBlocks();
        if (isAdmitted && wholeBlocks && block.nextAbsent(0) >= 0) {
            fillLater(new WholeBlockFill(block, replica));
        }
        return block.meta().map(meta -> new CachedRead(this, block, meta, replica, isAdmitted && !wholeBlocks));
    }

    /** The copy of this replica, which may still be unconfirmed: then nothing of it is served. */
    private Optional<CachedBlock> lookUp(DiskReplica replica) throws IOException {
        Optional<CachedBlock> found = index.touch(replica.version().key());
        if (found.isEmpty()) {
            return found;
        }
        CachedBlock block = found.get();
        if (!block.version().equals(replica.version())) {
            drop(block);
            return Optional.empty();
        }
        // One that another thread compares, or that can't be compared now, is not made again: its copy is there.
        boolean isThere = block.meta().isPresent() || confirm(block, replica) || !block.isDropped();
        return isThere ? found : Optional.empty();
    }

    /** Compares the copy of the meta file that an earlier process has made with the disk's. */
    private boolean confirm(CachedBlock block, DiskReplica replica) throws IOException {
        if (!block.beginConfirm()) {
            return false;
        }
        Optional<ReplicaMeta> confirmed = Optional.empty();
        try {
            Optional<ReplicaMeta> onDisk = readMeta(replica);
            if (onDisk.isPresent() && isCopyOf(block, onDisk.get())) {
                confirmed = onDisk;
            } else {
                drop(block);
            }
            return confirmed.isPresent();
        } catch (SsdFailure failure) {
            failed(block, failure);
            return false;
        } finally {
            block.endConfirm(confirmed);
        }
    }

    private static Optional<ReplicaMeta> readMeta(DiskReplica replica) throws IOException {
        try (InputStream in = replica.openMeta()) {
            byte[] piece = new byte[ReplicaMeta.SLICE_BYTES];
            int begun = in.readNBytes(piece, 0, ReplicaMeta.HEADER_BYTES);
            Optional<Header> header = Header.parse(ByteBuffer.wrap(piece, 0, begun));
            if (header.isEmpty()) {
                return Optional.empty();
            }
            long length = header.get().metaLength(replica.version().length());
            ReplicaMeta.Builder builder =
                    new ReplicaMeta.Builder(header.get(), replica.version().length());
            for (long at = 0; at < length; at += piece.length) {
                int wanted = (int) Math.min(piece.length, length - at);
                if (begun + in.readNBytes(piece, begun, wanted - begun) < wanted) {
                    return Optional.empty();
                }
                builder.add(ByteBuffer.wrap(piece, 0, wanted));
                begun = 0;
            }
            return Optional.of(builder.build());
        }
    }

    private boolean isCopyOf(CachedBlock block, ReplicaMeta onDisk) throws SsdFailure {
        PageFile copy = block.metaFile();
        if (copy.length() != onDisk.length()
                || block.dataFile().pageBytes() % onDisk.header().chunkBytes() != 0) {
            return false;
        }
        byte[] bytes = new byte[ReplicaMeta.SLICE_BYTES];
        PageReader reader = ssd.open(copy);
        try {
            for (int slice = 0; (long) slice * bytes.length < copy.length(); slice++) {
                long start = (long) slice * bytes.length;
                int page = copy.pageOf(start);
                int length = onDisk.sliceLength(slice);
                ssd.readFully(reader, page, (int) (start - copy.startOf(page)), ByteBuffer.wrap(bytes, 0, length));
                if (!onDisk.sliceMatches(slice, bytes, length)) {
                    return false;
                }
            }
            return true;
        } finally {
            ssd.closeQuietly(reader);
        }
    }

    private Optional<CachedBlock> create(DiskReplica replica) throws IOException {
        Optional<CachedBlock> created = filler.create(replica);
        if (created.isPresent() && !replica.isCurrent()) {
            drop(created.get());
            return Optional.empty();
        }
        return created;
    }

    private void fillLater(WholeBlockFill fill) {
        if (waitingFills.contains(fill.block().key())) {
            return;
        }
        if (waitingFills.size() >= MOST_WAITING_FILLS) {
            counts.add(Counter.REJECTED_BUSY);
        } else if (waitingFills.add(fill.block().key())) {
            wholeBlockFills.add(fill);
        }
    }

    /**
     * Fills one block that waits to be filled as a whole; returns whether there was one. For a thread of its own.
     *
     * @param isCancelled asked before each page
     */
    public boolean fillNextBlock(BooleanSupplier isCancelled) {
        WholeBlockFill next = wholeBlockFills.poll();
        if (next == null) {
            return false;
        }
        CachedBlock block = next.block();
        try (FileChannel disk = next.replica().openData()) {
            int page = block.nextAbsent(0);
            while (page >= 0
                    && isServing()
                    && !isCancelled.getAsBoolean()
                    && next.replica().isCurrent()
                    && filler.fill(block, page, disk)) {
                page = block.nextAbsent(page + 1);
            }
        } catch (IOException ofTheDisk) {
            LOG.debug("{} can't be cached", block.version(), ofTheDisk);
        } finally {
            waitingFills.remove(block.key());
        }
        return true;
    }

    /** The replica of this block has gone or changed, which the volume map shows already. Does no I/O. */
    public void drop(BlockKey key) {
        index.drop(key).ifPresent(this::dropped);
    }

    private void drop(CachedBlock block) {
        if (index.drop(block)) {
            dropped(block);
        }
    }

    /** The block pool has gone. Does no I/O. */
    public void dropBlockPool(String blockPool) {
        index.dropIf(block -> block.key().blockPool().equals(blockPool)).forEach(this::dropped);
    }

    private void dropped(CachedBlock block) {
        counts.add(Counter.DROPPED_BLOCKS);
        deleteLater(block);
    }

    private void evicted(List<CachedBlock> blocks) {
        counts.add(Counter.EVICTED_BLOCKS, blocks.size());
        blocks.forEach(this::deleteLater);
    }

    /** The index counts it as leaving. */
    private void deleteLater(CachedBlock block) {
        long metaBytes = block.metaFile().length();
        deletions.add(new Deletion(block.dataFile().id(), block.bytes() - metaBytes));
        deletions.add(new Deletion(block.metaFile().id(), metaBytes));
    }

    /**
     * The SSD has failed with this block: it is dropped, unless the thread was interrupted, the SSD is merely full, or the process has run
     * out of something.
     */
    void failed(CachedBlock block, SsdFailure failure) {
        if (failure.isInterrupt()) {
            return;
        }
        if (block.isDropped()) {
            // Its files are gone, which is no error of the SSD.
            counts.add(Counter.REJECTED_CHANGED);
            return;
        }
        if (failure.isCorruption()) {
            counts.add(Counter.VERIFICATION_FAILURES);
        }
        if (failure.isCorruption() && block.isRestored()) {
            ssd.recordLostPages();
        } else {
            ssd.record(failure);
        }
        if (!failure.isFull() && !failure.isOfProcess()) {
            drop(block);
        }
    }

    /** Ends the caller's read as the disk would have, where its thread was interrupted. */
    void rethrowInterrupt(SsdFailure failure) throws IOException {
        if (failure.isInterrupt()) {
            throw failure.asInterrupt();
        }
    }

    /** Deletes files, keeps the limits, and saves the restart index now and then. Waits for the SSD; called about twice a second. */
    public void turn() {
        if (!isServing()) {
            return;
        }
        try {
            deleteFiles();
            keepLimits();
            if (ssd.nowMs() - savedMs >= INDEX_MS) {
                saveIndex();
            }
        } catch (SsdFailure failure) {
            ssd.record(failure);
        }
    }

    private void deleteFiles() throws SsdFailure {
        for (int left = deletions.size(); left > 0; left--) {
            Deletion deletion = deletions.poll();
            if (deletion == null) {
                return;
            }
            boolean isDeleted = false;
            try {
                isDeleted = ssd.call(pages -> {
                    pages.delete(deletion.fileId());
                    return true;
                });
                index.deleted(deletion.bytes());
            } finally {
                if (!isDeleted) {
                    deletions.add(deletion);
                }
            }
        }
    }

    /**
     * Where the SSD has no room for all that is configured, the least recently read blocks make room for others below a smaller limit.
     * Its free space is short then only if others take it. For that blocks go too, but not at each turn: what was deleted may not be
     * free yet.
     */
    private void keepLimits() throws SsdFailure {
        Storage limits = storage.get();
        // Asked before the free space: what is written meanwhile makes the room too small, and never too large.
        long writtenBytes = index.writtenBytes();
        long spareBytes = ssd.call(PageStore::freeBytes) - limits.minFreeBytes();
        long maxBytes = maxBytes(limits, writtenBytes, spareBytes);
        boolean isShort = spareBytes < 0;
        boolean makesSpace = isShort && (!wasShort || ssd.nowMs() - spaceMadeMs >= SPACE_MS);
        filler.setRoom(maxBytes);
        evicted(index.shrink(makesSpace ? maxBytes : limits.maxBytes(), limits.maxBlocks()));
        filler.setShortOfSpace(isShort && (!makesSpace || index.usage().bytes() > writtenBytes + spareBytes));
        wasShort = isShort;
        if (makesSpace) {
            spaceMadeMs = ssd.nowMs();
            deleteFiles();
        }
    }

    /** What is configured, or less where the SSD has less room. */
    private long maxBytes(Storage limits, long writtenBytes, long spareBytes) {
        if (spareBytes >= limits.maxBytes() - writtenBytes) {
            return limits.maxBytes();
        }
        long roomBytes = Math.max(0, writtenBytes + spareBytes);
        if (toldMaxBytes != limits.maxBytes()) {
            toldMaxBytes = limits.maxBytes();
            LOG.warn(
                    "The SSD of the read cache has room for {} bytes, which is its limit now: hearth.datanode.cache.max.bytes is {},"
                            + " and {} are to stay free",
                    roomBytes,
                    limits.maxBytes(),
                    limits.minFreeBytes());
        }
        return roomBytes - roomBytes / PARTS_OF_ROOM;
    }

    private void saveIndex() throws SsdFailure {
        savedMs = ssd.nowMs();
        long changes = index.usage().changes();
        if (changes != savedChanges) {
            List<CachedBlock> blocks = index.blocks();
            ssd.callLong(pages -> {
                indexFile.write(blocks);
                return true;
            });
            savedChanges = changes;
        }
    }

    /** Drops what the DataNode has no replica of, whatever went unnoticed; returns how many. Does no I/O of its own. */
    public int sweep(ReplicaLookup replicas) {
        long nowMs = ssd.nowMs();
        int dropped = 0;
        for (CachedBlock block : index.blocks()) {
            String blockPool = block.key().blockPool();
            Presence presence = replicas.presenceOf(block.version());
            if (presence != Presence.UNKNOWN) {
                loadedMsByBlockPool.put(blockPool, nowMs);
            }
            boolean isGone =
                    switch (presence) {
                        case CURRENT -> false;
                        case GONE -> true;
                        case UNKNOWN ->
                            nowMs - loadedMsByBlockPool.getOrDefault(blockPool, openedMs) >= UNKNOWN_POOL_MS;
                    };
            if (isGone && index.drop(block)) {
                dropped(block);
                dropped++;
            }
        }
        return dropped;
    }

    /** Removes files that belong to no block, such as those whose deletion failed; returns how many. Waits for the SSD. */
    public int removeUnknownFiles(BooleanSupplier isCancelled) {
        if (!isServing()) {
            return 0;
        }
        // What is new now is in the index when it is not new any more, and is asked for before.
        NewFiles fresh = filler.newFiles();
        Set<Long> known = new HashSet<>(fresh.ids());
        index.blocks().forEach(block -> {
            known.add(block.dataFile().id());
            known.add(block.metaFile().id());
        });
        try {
            return ssd.callLong(
                    pages -> pages.deleteUnknown(id -> id >= fresh.first() || known.contains(id), isCancelled));
        } catch (SsdFailure failure) {
            ssd.record(failure);
            return 0;
        }
    }

    /**
     * Switches the cache off if an operation on the SSD hangs. Does no I/O; for another thread than {@link #turn}'s, which calls it twice a
     * second: where it comes late, the whole process was paused.
     */
    public void watch() {
        ssd.watch();
    }

    /** Whether its SSD has failed and is tried again: it may be another one by now, which has none of the folders. */
    public boolean isBackAfterTrip() {
        return ssd.trips() > 0 && isServing();
    }

    /** What is on the SSD, and how it does. */
    public SsdStatus status() {
        CacheIndex.Usage usage = index.usage();
        return new SsdStatus(
                state.get() == State.OPEN,
                ssd.isUsable(),
                ssd.trips(),
                usage.blocks(),
                usage.bytes(),
                budget.availableBytes(storage.get().bytesPerDay(), ssd.nowMs()));
    }

    /**
     * The state of a cache. Immutable.
     *
     * @param isRestored whether it has begun to serve
     * @param isUsable whether its SSD is believed to be well
     * @param trips how often it was switched off because of errors
     * @param blocks how many blocks have a part on the SSD
     * @param bytes what they take there, and what is being written
     * @param writeBudgetBytes what may be written now
     */
    public record SsdStatus(
            boolean isRestored, boolean isUsable, long trips, long blocks, long bytes, long writeBudgetBytes) {}

    /** Saves the restart index and gives the folder up. Reads that are under way end well. */
    @Override
    public void close() throws IOException {
        State before = state.getAndSet(State.CLOSED);
        try {
            if (before == State.OPEN && ssd.isUsable()) {
                saveIndex();
            }
        } catch (SsdFailure failure) {
            ssd.record(failure);
        } finally {
            store.close();
        }
    }

    Optional<Path> path(PageFile file) {
        return store.path(file);
    }

    SsdAccess ssd() {
        return ssd;
    }

    CacheFiller filler() {
        return filler;
    }

    BufferPool sendBuffers() {
        return sendBuffers;
    }

    ReadCacheCounts counts() {
        return counts;
    }
}
