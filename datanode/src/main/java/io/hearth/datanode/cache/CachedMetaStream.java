// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.cache;

import io.hearth.datanode.cache.ReadCacheCounts.Counter;
import io.hearth.datanode.cache.SsdAccess.SsdFailure;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The meta file of one block for one client: the copy on the SSD, verified, and after a failure of the SSD the disk's, from the same
 * position on. It opens no file before something is read. For one thread at a time.
 *
 * <p>Where that can't be opened any more, because the replica has gone or changed since, the read ends with an
 * {@link UncheckedIOException}: after an {@link IOException} HDFS would send zeros for the checksums ({@code BlockSender.readChecksum}),
 * and its client would report a healthy replica as corrupt. What is thrown at the first byte is an IOException, as HDFS expects there.
 */
final class CachedMetaStream extends InputStream {

    private final SsdCache cache;
    private final CachedBlock block;
    private final DiskReplica replica;
    private final long length;
    private final VerifiedMeta copy;
    private @Nullable InputStream disk;
    private long position;

    CachedMetaStream(SsdCache cache, CachedBlock block, ReplicaMeta meta, DiskReplica replica) {
        this.cache = cache;
        this.block = block;
        this.replica = replica;
        this.length = meta.length();
        this.copy = new VerifiedMeta(cache.ssd(), block.metaFile(), meta);
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int count) throws IOException {
        if (count == 0) {
            return 0;
        }
        int wanted = (int) Math.min(count, length - position);
        if (wanted <= 0) {
            return -1;
        }
        int read = disk == null && cache.isServing()
                ? readCopy(target, offset, wanted)
                : disk().read(target, offset, wanted);
        position += Math.max(0, read);
        return read;
    }

    private int readCopy(byte[] target, int offset, int wanted) throws IOException {
        try {
            copy.read(position, ByteBuffer.wrap(target, offset, wanted));
            return wanted;
        } catch (SsdFailure failure) {
            cache.rethrowInterrupt(failure);
            cache.counts().add(Counter.FALLBACKS);
            cache.failed(block, failure);
            return disk().read(target, offset, wanted);
        }
    }

    private InputStream disk() throws IOException {
        InputStream open = disk;
        if (open == null) {
            open = openDisk();
            disk = open;
        }
        return open;
    }

    private InputStream openDisk() throws IOException {
        try {
            InputStream open = replica.openMeta();
            try {
                open.skipNBytes(position);
                return open;
            } catch (IOException failure) {
                open.close();
                throw failure;
            }
        } catch (IOException failure) {
            if (position == 0) {
                throw failure;
            }
            throw new UncheckedIOException("the checksums of " + block.key() + " can't be read any more", failure);
        }
    }

    @Override
    public long skip(long count) throws IOException {
        long skipped = Math.max(0, Math.min(count, length - position));
        if (disk != null) {
            disk.skipNBytes(skipped);
        }
        position += skipped;
        return skipped;
    }

    @Override
    public int available() {
        return (int) Math.min(Integer.MAX_VALUE, length - position);
    }

    @Override
    public void close() throws IOException {
        copy.close();
        InputStream open = disk;
        disk = null;
        if (open != null) {
            open.close();
        }
    }
}
