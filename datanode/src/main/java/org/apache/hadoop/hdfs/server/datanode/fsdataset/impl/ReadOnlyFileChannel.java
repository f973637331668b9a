// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import org.jspecify.annotations.NullMarked;

/**
 * A file channel that only reads, by positions that are given or by one that it keeps itself. It can't be mapped or locked. For one
 * thread at a time.
 */
@NullMarked
public abstract class ReadOnlyFileChannel extends FileChannel {

    private long position;

    /**
     * Reads a replica's file at this position by its stream, not by the channel: HDFS's stream measures its reads, which tells slow disks,
     * and has the volume checked when one fails ({@code FileIoProvider}).
     */
    static int readByStream(FileInputStream file, byte[] target, int offset, int length, long position)
            throws IOException {
        FileChannel channel = file.getChannel();
        if (channel.position() != position) {
            channel.position(position);
        }
        return file.read(target, offset, length);
    }

    @Override
    public abstract long transferTo(long position, long count, WritableByteChannel target) throws IOException;

    @Override
    public abstract int read(ByteBuffer target, long position) throws IOException;

    @Override
    public int read(ByteBuffer target) throws IOException {
        int read = read(target, position);
        position += Math.max(0, read);
        return read;
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
        for (int i = offset; i < offset + length; i++) {
            if (targets[i].hasRemaining()) {
                return read(targets[i]);
            }
        }
        return 0;
    }

    @Override
    public long position() {
        return position;
    }

    @Override
    public FileChannel position(long position) {
        this.position = position;
        return this;
    }

    @Override
    public int write(ByteBuffer source) {
        throw new NonWritableChannelException();
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) {
        throw new NonWritableChannelException();
    }

    @Override
    public int write(ByteBuffer source, long position) {
        throw new NonWritableChannelException();
    }

    @Override
    public FileChannel truncate(long size) {
        throw new NonWritableChannelException();
    }

    @Override
    public void force(boolean metaData) {
        throw new NonWritableChannelException();
    }

    @Override
    public long transferFrom(ReadableByteChannel source, long position, long count) {
        throw new NonWritableChannelException();
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long position, long size) {
        throw new UnsupportedOperationException("a block that is sent to a client can't be mapped");
    }

    @Override
    public FileLock lock(long position, long size, boolean shared) {
        throw new UnsupportedOperationException("a block that is sent to a client can't be locked");
    }

    @Override
    public FileLock tryLock(long position, long size, boolean shared) {
        throw new UnsupportedOperationException("a block that is sent to a client can't be locked");
    }
}
