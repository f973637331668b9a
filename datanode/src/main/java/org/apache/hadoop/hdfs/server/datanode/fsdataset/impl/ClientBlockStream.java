// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.hearth.datanode.cache.CachedBlockReader;
import io.hearth.datanode.cache.ReadCache.ClientRead;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.util.Arrays;
import org.jspecify.annotations.NullMarked;

/**
 * The data of one block for one client, told to the read cache as they are delivered.
 *
 * <p>It is a {@link FileInputStream} because HDFS uses {@code transferTo} for such a stream alone; its descriptor is that of a file on
 * the SSD or on the disk, which HDFS reads ahead and drops from the page cache. Bytes come from its channel. For one thread at a time.
 */
@NullMarked
final class ClientBlockStream extends FileInputStream {

    /** Where the bytes are. */
    private interface Source {

        long transferTo(long position, long count, WritableByteChannel target) throws IOException;

        /** At least one byte, and -1 at the end. */
        int read(ByteBuffer target, long position) throws IOException;

        /** The same, as the stream that HDFS has opened reads. */
        int read(byte[] target, int offset, int length, long position) throws IOException;

        long size() throws IOException;

        void close() throws IOException;
    }

    private final FileInputStream file;
    private final Source source;
    private final ClientRead read;
    private final FileChannel channel = new BlockChannel();

    private ClientBlockStream(FileInputStream file, Source source, ClientRead read, long position) throws IOException {
        super(file.getFD());
        this.file = file;
        this.source = source;
        this.read = read;
        channel.position(position);
    }

    /**
     * The block as it is cached.
     *
     * @param file gives its descriptor, and is closed with the stream
     */
    static ClientBlockStream ofCache(FileInputStream file, CachedBlockReader block, ClientRead read, long position)
            throws IOException {
        return new ClientBlockStream(file, new CacheSource(block), read, position);
    }

    /** The block as it is on the disk. */
    static ClientBlockStream ofDisk(FileInputStream file, ClientRead read, long position) throws IOException {
        return new ClientBlockStream(file, new DiskSource(file), read, position);
    }

    private record CacheSource(CachedBlockReader block) implements Source {

        @Override
        public long transferTo(long position, long count, WritableByteChannel target) throws IOException {
            return block.transferTo(position, count, target);
        }

        @Override
        public int read(ByteBuffer target, long position) throws IOException {
            return block.read(target, position);
        }

        @Override
        public int read(byte[] target, int offset, int length, long position) throws IOException {
            return block.read(ByteBuffer.wrap(target, offset, length), position);
        }

        @Override
        public long size() {
            return block.length();
        }

        @Override
        public void close() throws IOException {
            block.close();
        }
    }

    private record DiskSource(FileInputStream file) implements Source {

        @Override
        public long transferTo(long position, long count, WritableByteChannel target) throws IOException {
            return file.getChannel().transferTo(position, count, target);
        }

        @Override
        public int read(ByteBuffer target, long position) throws IOException {
            return file.getChannel().read(target, position);
        }

        @Override
        public int read(byte[] target, int offset, int length, long position) throws IOException {
            return ReadOnlyFileChannel.readByStream(file, target, offset, length, position);
        }

        @Override
        public long size() throws IOException {
            return file.getChannel().size();
        }

        @Override
        public void close() {
            // The stream closes its file.
        }
    }

    @Override
    public FileChannel getChannel() {
        return channel;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target) throws IOException {
        return read(target, 0, target.length);
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        long position = channel.position();
        int got = readAt(position, target, offset, length);
        read.delivered(position, got);
        channel.position(position + Math.max(0, got));
        return got;
    }

    /** BlockSender asks for the message of what is thrown here, and that of an interrupted channel has none. */
    private int readAt(long position, byte[] target, int offset, int length) throws IOException {
        try {
            return source.read(target, offset, length, position);
        } catch (ClosedByInterruptException interrupted) {
            IOException told = new InterruptedIOException("the read of a block was interrupted");
            told.initCause(interrupted);
            throw told;
        }
    }

    @Override
    public byte[] readAllBytes() throws IOException {
        return readNBytes(Integer.MAX_VALUE);
    }

    @Override
    public byte[] readNBytes(int length) throws IOException {
        byte[] bytes = new byte[Math.min(length, available())];
        int read = readNBytes(bytes, 0, bytes.length);
        return read == bytes.length ? bytes : Arrays.copyOf(bytes, read);
    }

    @Override
    public long transferTo(OutputStream out) throws IOException {
        byte[] bytes = new byte[8_192];
        long sent = 0;
        for (int read = read(bytes); read >= 0; read = read(bytes)) {
            out.write(bytes, 0, read);
            sent += read;
        }
        return sent;
    }

    @Override
    public long skip(long count) throws IOException {
        long skipped = Math.max(0, Math.min(count, channel.size() - channel.position()));
        channel.position(channel.position() + skipped);
        return skipped;
    }

    @Override
    public int available() throws IOException {
        return (int) Math.max(0, Math.min(Integer.MAX_VALUE, channel.size() - channel.position()));
    }

    @Override
    public void close() throws IOException {
        try (file) {
            read.close();
            source.close();
        } finally {
            super.close();
        }
    }

    private final class BlockChannel extends ReadOnlyFileChannel {

        @Override
        public long transferTo(long position, long count, WritableByteChannel target) throws IOException {
            long sent = source.transferTo(position, count, target);
            read.delivered(position, sent);
            return sent;
        }

        @Override
        public int read(ByteBuffer target, long position) throws IOException {
            int got = source.read(target, position);
            read.delivered(position, got);
            return got;
        }

        @Override
        public long size() throws IOException {
            return source.size();
        }

        @Override
        protected void implCloseChannel() throws IOException {
            ClientBlockStream.this.close();
        }
    }
}
