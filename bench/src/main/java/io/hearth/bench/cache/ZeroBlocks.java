// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.cache;

import io.hearth.datanode.cache.BlockKey;
import io.hearth.datanode.cache.BlockKey.ReplicaVersion;
import io.hearth.datanode.cache.DiskReplica;
import io.hearth.datanode.cache.PageStore;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongPredicate;
import java.util.zip.CRC32C;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.ReadOnlyFileChannel;

/**
 * Blocks of zeros, all of one length, with the checksums that HDFS has for them, on a disk and on an SSD that take no time.
 *
 * <p>So the read cache itself decides, fills and verifies, and nothing is stored: the SSD has what was put there because it is known.
 * For one thread.
 */
final class ZeroBlocks {

    static final String BLOCK_POOL = "BP-1";
    private static final long GENERATION_STAMP = 1_001;
    private static final int CHUNK_BYTES = 512;
    private static final int HEADER_BYTES = 7;
    private static final int CRC32C_TYPE = 2;

    private final long blockBytes;
    private final byte[] meta;
    private final ByteBuffer zeros = ByteBuffer.allocateDirect(1 << 20).asReadOnlyBuffer();

    ZeroBlocks(long blockBytes) {
        this.blockBytes = blockBytes;
        this.meta = metaOfZeros(blockBytes);
    }

    private static byte[] metaOfZeros(long blockBytes) {
        CRC32C sum = new CRC32C();
        sum.update(new byte[CHUNK_BYTES]);
        if (blockBytes % CHUNK_BYTES != 0) {
            throw new IllegalArgumentException(blockBytes + " bytes are no whole number of chunks");
        }
        int chunks = Math.toIntExact(blockBytes / CHUNK_BYTES);
        ByteBuffer file = ByteBuffer.allocate(HEADER_BYTES + Integer.BYTES * chunks);
        file.putShort((short) 1).put((byte) CRC32C_TYPE).putInt(CHUNK_BYTES);
        while (file.hasRemaining()) {
            file.putInt((int) sum.getValue());
        }
        return file.array();
    }

    /** The bytes of each block's meta file. */
    int metaBytes() {
        return meta.length;
    }

    /** The replica of this block. */
    DiskReplica replica(long block) {
        return new ZeroReplica(new ReplicaVersion(new BlockKey(BLOCK_POOL, block), GENERATION_STAMP, blockBytes));
    }

    /** An SSD with no files. */
    CountingStore newStore() {
        return new CountingStore();
    }

    private int getZeros(ByteBuffer target, long count) {
        int least = (int) Math.min(Math.min(target.remaining(), count), zeros.capacity());
        target.put(zeros.slice(0, least));
        return least;
    }

    private final class ZeroReplica implements DiskReplica {

        private final ReplicaVersion version;

        ZeroReplica(ReplicaVersion version) {
            this.version = version;
        }

        @Override
        public ReplicaVersion version() {
            return version;
        }

        @Override
        public InputStream openMeta() {
            return new ByteArrayInputStream(meta);
        }

        @Override
        public FileChannel openData() {
            return new ZeroChannel();
        }

        @Override
        public boolean isCurrent() {
            return true;
        }
    }

    private final class ZeroChannel extends ReadOnlyFileChannel {

        @Override
        public long transferTo(long position, long count, WritableByteChannel target) {
            return Math.max(0, Math.min(count, blockBytes - position));
        }

        @Override
        public int read(ByteBuffer target, long position) {
            return position >= blockBytes ? -1 : getZeros(target, blockBytes - position);
        }

        @Override
        public long size() {
            return blockBytes;
        }

        @Override
        protected void implCloseChannel() {
            // It holds nothing.
        }
    }

    /** Counts what it is given. */
    final class CountingStore implements PageStore {

        private long lastId;
        private long writtenBytes;
        private long deletedFiles;

        /** The bytes of all pages that were put. */
        long writtenBytes() {
            return writtenBytes;
        }

        long deletedFiles() {
            return deletedFiles;
        }

        @Override
        public long newFileId() {
            return ++lastId;
        }

        @Override
        public void create(PageFile file) {
            // What is in it is known.
        }

        @Override
        public void put(PageFile file, int page, ByteBuffer bytes) {
            writtenBytes += bytes.remaining();
        }

        @Override
        public PageReader open(PageFile file) {
            return new KnownPages(file);
        }

        @Override
        public void trim(PageFile file, BitSet kept) {
            // It holds nothing.
        }

        @Override
        public void delete(long fileId) {
            deletedFiles++;
        }

        @Override
        public int deleteUnknown(LongPredicate isKnown, BooleanSupplier isCancelled) {
            return 0;
        }

        @Override
        public long freeBytes() {
            return Long.MAX_VALUE / 2;
        }

        @Override
        public Optional<Path> path(PageFile file) {
            return Optional.empty();
        }

        @Override
        public void close() {
            // It holds nothing.
        }
    }

    private final class KnownPages implements PageStore.PageReader {

        private final PageStore.PageFile file;

        KnownPages(PageStore.PageFile file) {
            this.file = file;
        }

        @Override
        public int get(int page, int offset, ByteBuffer target) {
            int least = Math.min(target.remaining(), file.lengthOf(page) - offset);
            if (file.length() == meta.length) {
                target.put(meta, (int) file.startOf(page) + offset, least);
                return least;
            }
            return getZeros(target, least);
        }

        @Override
        public void close() {
            // It holds nothing.
        }
    }
}
