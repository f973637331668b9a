// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.cache;

import io.hearth.datanode.cache.PageStore.PageFile;
import io.hearth.datanode.cache.PageStore.PageReader;
import io.hearth.datanode.cache.SsdAccess.SsdFailure;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The copy of a meta file, read in slices that are verified before anything of them is used. It opens the file when something is first
 * read, if not before, and keeps one slice. For one thread at a time.
 */
final class VerifiedMeta implements AutoCloseable {

    private final SsdAccess ssd;
    private final PageFile file;
    private final ReplicaMeta meta;
    private byte @Nullable [] slice;
    private int sliceNumber = -1;
    private @Nullable PageReader reader;

    VerifiedMeta(SsdAccess ssd, PageFile file, ReplicaMeta meta) {
        this.ssd = ssd;
        this.file = file;
        this.meta = meta;
    }

    /** The checksums of so many bytes of the block, which begin with a chunk. */
    ByteBuffer sums(long blockPosition, int dataBytes) throws SsdFailure {
        ByteBuffer sums = ByteBuffer.allocate(meta.sumBytes(dataBytes));
        read(meta.sumPosition(blockPosition), sums);
        return sums.flip();
    }

    /** Fills the buffer from this position of the meta file on. */
    void read(long position, ByteBuffer target) throws SsdFailure {
        long at = position;
        while (target.hasRemaining()) {
            byte[] bytes = slice((int) (at / ReplicaMeta.SLICE_BYTES));
            int offset = (int) (at % ReplicaMeta.SLICE_BYTES);
            int count = Math.min(target.remaining(), meta.sliceLength(sliceNumber) - offset);
            target.put(bytes, offset, count);
            at += count;
        }
    }

    private byte[] slice(int number) throws SsdFailure {
        byte[] bytes = slice;
        if (bytes != null && number == sliceNumber) {
            return bytes;
        }
        if (bytes == null) {
            bytes = new byte[(int) Math.min(ReplicaMeta.SLICE_BYTES, meta.length())];
            slice = bytes;
        }
        sliceNumber = -1;
        long start = (long) number * ReplicaMeta.SLICE_BYTES;
        int page = file.pageOf(start);
        int length = meta.sliceLength(number);
        ssd.readFully(reader(), page, (int) (start - file.startOf(page)), ByteBuffer.wrap(bytes, 0, length));
        if (!meta.sliceMatches(number, bytes, length)) {
            throw SsdFailure.corruption("the copy of a meta file has changed");
        }
        sliceNumber = number;
        return bytes;
    }

    /** Opens the file, which can then be read to its end though it is deleted. */
    void open() throws SsdFailure {
        reader();
    }

    private PageReader reader() throws SsdFailure {
        PageReader open = reader;
        if (open == null) {
            open = ssd.open(file);
            reader = open;
        }
        return open;
    }

    @Override
    public void close() {
        ssd.closeQuietly(reader);
        reader = null;
        sliceNumber = -1;
    }
}
