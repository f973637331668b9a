// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.cache;

import io.hearth.datanode.cache.PageStore.PageFile;
import io.hearth.datanode.cache.PageStore.PageReader;
import io.hearth.datanode.cache.ReadCacheCounts.Counter;
import io.hearth.datanode.cache.SsdAccess.SsdFailure;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The data of one block for one client: pages that are on the SSD from there, verified before they are sent, and all else from the
 * disk.
 *
 * <p>Reading a page that is absent fills it, where this read may. After a failure of the SSD the rest of the block comes from the disk.
 * Failures of the disk at the bytes that are asked for and of the client's connection are thrown as they are, and so is the end of an
 * interrupted thread's channel; nothing else is.
 *
 * <p>The files that it needs are opened at once, as HDFS does: what is deleted meanwhile can be read to its end. For one thread at a
 * time.
 */
public final class CachedBlockReader implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(CachedBlockReader.class);
    private static final int NO_PAGE = -1;

    private final SsdCache cache;
    private final CachedBlock block;
    private final ReplicaMeta meta;
    private final DiskReplica replica;
    private final boolean mayFill;
    private final VerifiedMeta sums;

    private @Nullable FileChannel disk;
    private @Nullable PageReader ssd;
    private int lastPage = NO_PAGE;
    private boolean isLastPageFilledHere;
    private boolean isOnDiskOnly;

    /** Verified bytes from {@link #bufferStart} of the block on, up to the buffer's limit. */
    private @Nullable ByteBuffer buffer;

    private boolean isPooled;
    private long bufferStart;

    private CachedBlockReader(
            SsdCache cache, CachedBlock block, ReplicaMeta meta, DiskReplica replica, boolean mayFill) {
        this.cache = cache;
        this.block = block;
        this.meta = meta;
        this.replica = replica;
        this.mayFill = mayFill;
        this.sums = new VerifiedMeta(cache.ssd(), block.metaFile(), meta);
    }

    static CachedBlockReader open(
            SsdCache cache, CachedBlock block, ReplicaMeta meta, DiskReplica replica, boolean mayFill)
            throws IOException {
        CachedBlockReader reader = new CachedBlockReader(cache, block, meta, replica, mayFill);
        try {
            reader.openFiles();
            return reader;
        } catch (IOException | RuntimeException failure) {
            reader.close();
            throw failure;
        }
    }

    private void openFiles() throws IOException {
        try {
            reader();
            sums.open();
        } catch (SsdFailure failure) {
            fallBack(failure);
        }
        if (isOnDiskOnly || !block.isComplete()) {
            disk();
        }
    }

    /**
     * Sends bytes of the block, as {@link FileChannel#transferTo} does: at most so many, fewer where the target takes fewer or a page
     * ends, and 0 at the end of the block.
     */
    public long transferTo(long position, long count, WritableByteChannel target) throws IOException {
        int wanted = wanted(position, count);
        if (wanted <= 0) {
            return 0;
        }
        Optional<ByteBuffer> verified = verified(position, wanted);
        if (verified.isEmpty()) {
            return transferFromDisk(position, wanted, target);
        }
        int sent = 0;
        try {
            sent = target.write(verified.get());
            countFromSsd(sent);
            return sent;
        } finally {
            releaseUnlessRest(position + sent);
        }
    }

    /**
     * HDFS asks again after 0 bytes, unless the channel ends there, and this one ends with the block: where the disk's file is
     * shorter, it would ask for ever.
     */
    private long transferFromDisk(long position, int wanted, WritableByteChannel target) throws IOException {
        long sent = disk().transferTo(position, wanted, target);
        if (sent == 0 && position >= disk().size()) {
            throw new EOFException("the data of " + block.key() + " end at " + disk().size() + ", before " + length());
        }
        cache.counts().add(Counter.DISK_BYTES, Math.max(0, sent));
        return sent;
    }

    /** Reads bytes of the block, as {@link FileChannel#read(ByteBuffer, long)} does: at least one, and -1 at its end. */
    public int read(ByteBuffer target, long position) throws IOException {
        if (position >= length()) {
            return -1;
        }
        int wanted = wanted(position, target.remaining());
        if (wanted <= 0) {
            return 0;
        }
        Optional<ByteBuffer> verified = verified(position, wanted);
        if (verified.isEmpty()) {
            return readFromDisk(target, position, wanted);
        }
        int read = verified.get().remaining();
        target.put(verified.get());
        countFromSsd(read);
        releaseUnlessRest(position + read);
        return read;
    }

    /** What this read itself has brought to the SSD came from the disk. */
    private void countFromSsd(int bytes) {
        cache.counts().add(isLastPageFilledHere ? Counter.DISK_BYTES : Counter.SSD_BYTES, bytes);
    }

    private int readFromDisk(ByteBuffer target, long position, int wanted) throws IOException {
        int limit = target.limit();
        target.limit(target.position() + wanted);
        try {
            int read = disk().read(target, position);
            cache.counts().add(Counter.DISK_BYTES, Math.max(0, read));
            return read;
        } finally {
            target.limit(limit);
        }
    }

    /** The bytes of the block, on the SSD or not. */
    public long length() {
        return block.version().length();
    }

    /** How much to read at once: what is wanted, to the end of the page. */
    private int wanted(long position, long count) {
        if (position < 0 || position >= length()) {
            return 0;
        }
        PageFile file = block.dataFile();
        int page = file.pageOf(position);
        return (int) Math.min(count, file.startOf(page) + file.lengthOf(page) - position);
    }

    /** Verified bytes at this position, at least one and no more than wanted; empty where the disk has to be read. */
    private Optional<ByteBuffer> verified(long position, int wanted) throws IOException {
        if (isBuffered(position) || load(position, wanted)) {
            return buffered(position, wanted);
        }
        return Optional.empty();
    }

    private boolean isBuffered(long position) {
        return buffer != null && position >= bufferStart && position < bufferStart + buffer.limit();
    }

    private Optional<ByteBuffer> buffered(long position, int wanted) {
        return Optional.ofNullable(buffer).map(verified -> {
            int offset = (int) (position - bufferStart);
            return verified.slice(offset, Math.min(wanted, verified.limit() - offset));
        });
    }

    private boolean load(long position, int wanted) throws IOException {
        release();
        int page = block.dataFile().pageOf(position);
        if (isOnDiskOnly || !cache.isServing() || !isThere(page)) {
            return false;
        }
        try {
            return loadFromSsd(page, position, wanted);
        } catch (SsdFailure failure) {
            release();
            fallBack(failure);
            return false;
        }
    }

    /** Whether the page is on the SSD, after an attempt to bring it there when the read comes to this page. */
    private boolean isThere(int page) throws IOException {
        boolean isThere = block.has(page);
        if (page == lastPage) {
            return isThere;
        }
        lastPage = page;
        isLastPageFilledHere = !isThere && mayFill && fill(page);
        if (!isLastPageFilledHere) {
            cache.counts().add(isThere ? Counter.HITS : Counter.MISSES);
        }
        return isThere || isLastPageFilledHere;
    }

    /** A fill reads more of the disk than the client asks for; where that fails, the client's own bytes may well be read. */
    private boolean fill(int page) throws IOException {
        FileChannel open = disk();
        try {
            return cache.filler().fill(block, page, open);
        } catch (IOException ofTheDisk) {
            if (Thread.currentThread().isInterrupted()) {
                throw ofTheDisk;
            }
            LOG.debug("Page {} of {} can't be cached", page, block.version(), ofTheDisk);
            return false;
        }
    }

    private boolean loadFromSsd(int page, long position, int wanted) throws SsdFailure {
        PageFile file = block.dataFile();
        int chunkBytes = meta.header().chunkBytes();
        long start = position - position % chunkBytes;
        long pageEnd = file.startOf(page) + file.lengthOf(page);
        long chunks = (position + wanted - start + chunkBytes - 1) / chunkBytes;
        long atOnce = Math.max(1, Math.min(chunks, cache.sendBuffers().bufferBytes() / chunkBytes));
        int length = (int) Math.min(atOnce * chunkBytes, pageEnd - start);

        ByteBuffer bytes = takeBuffer(length);
        buffer = bytes;
        bufferStart = start;
        cache.ssd().readFully(reader(), page, (int) (start - file.startOf(page)), bytes);
        bytes.flip();
        if (!meta.matches(bytes, sums.sums(start, length))) {
            throw SsdFailure.corruption("cached data of " + block.key() + " have changed");
        }
        return true;
    }

    private ByteBuffer takeBuffer(int length) {
        Optional<ByteBuffer> pooled = length <= cache.sendBuffers().bufferBytes()
                ? cache.sendBuffers().tryTake()
                : Optional.empty();
        isPooled = pooled.isPresent();
        return pooled.map(bytes -> bytes.limit(length)).orElseGet(() -> ByteBuffer.allocate(length));
    }

    private PageReader reader() throws SsdFailure {
        PageReader open = ssd;
        if (open == null) {
            open = cache.ssd().open(block.dataFile());
            ssd = open;
        }
        return open;
    }

    /** From here on the disk, unless it is the thread that was ended. */
    private void fallBack(SsdFailure failure) throws IOException {
        cache.rethrowInterrupt(failure);
        isOnDiskOnly = true;
        cache.counts().add(Counter.FALLBACKS);
        cache.failed(block, failure);
    }

    private FileChannel disk() throws IOException {
        FileChannel open = disk;
        if (open == null) {
            open = replica.openData();
            disk = open;
        }
        return open;
    }

    /** Keeps what a target did not take, if it may be kept: memory beyond the pool is not. */
    private void releaseUnlessRest(long next) {
        if (!isPooled || !isBuffered(next)) {
            release();
        }
    }

    private void release() {
        ByteBuffer taken = buffer;
        buffer = null;
        if (taken != null && isPooled) {
            cache.sendBuffers().giveBack(taken);
        }
        isPooled = false;
    }

    @Override
    public void close() throws IOException {
        release();
        sums.close();
        cache.ssd().closeQuietly(ssd);
        ssd = null;
        FileChannel open = disk;
        disk = null;
        if (open != null) {
            open.close();
        }
    }
}
