// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.Consumer;

/** Files on a disk that has room for a number of further bytes: a write takes what fits, and the next one fails. */
public final class FullDisk implements SegmentFile.Opener {

    long freeBytes = Long.MAX_VALUE;

    /** A store on this disk. */
    public SloStore openStore(Path folder, String instance, Limits limits, Consumer<String> problems)
            throws IOException {
        return SloStore.open(folder, instance, limits, this, problems);
    }

    /** From now on there is so much room. */
    public void freeBytes(long bytes) {
        freeBytes = bytes;
    }

    @Override
    public FileChannel open(Path file) throws IOException {
        return new OnFullDisk(FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE));
    }

    private final class OnFullDisk extends FileChannel {

        private final FileChannel file;

        OnFullDisk(FileChannel file) {
            this.file = file;
        }

        @Override
        public int write(ByteBuffer bytes, long position) throws IOException {
            if (freeBytes <= 0) {
                throw new IOException("No space left on device");
            }
            int fitting = (int) Math.min(freeBytes, bytes.remaining());
            int written = file.write(bytes.slice(bytes.position(), fitting), position);
            bytes.position(bytes.position() + written);
            freeBytes -= written;
            return written;
        }

        @Override
        public FileChannel truncate(long size) throws IOException {
            file.truncate(size);
            return this;
        }

        @Override
        public void force(boolean isWithMetadata) {
            // No test pulls the plug.
        }

        @Override
        public long size() throws IOException {
            return file.size();
        }

        @Override
        protected void implCloseChannel() throws IOException {
            file.close();
        }

        @Override
        public int read(ByteBuffer bytes) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long read(ByteBuffer[] all, int offset, int length) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int write(ByteBuffer bytes) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long write(ByteBuffer[] all, int offset, int length) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long position() {
            throw new UnsupportedOperationException();
        }

        @Override
        public FileChannel position(long position) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long transferTo(long position, long count, WritableByteChannel target) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long transferFrom(ReadableByteChannel source, long position, long count) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int read(ByteBuffer bytes, long position) {
            throw new UnsupportedOperationException();
        }

        @Override
        public MappedByteBuffer map(MapMode mode, long position, long size) {
            throw new UnsupportedOperationException();
        }

        @Override
        public FileLock lock(long position, long size, boolean isShared) {
            throw new UnsupportedOperationException();
        }

        @Override
        public FileLock tryLock(long position, long size, boolean isShared) {
            throw new UnsupportedOperationException();
        }
    }
}
