// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.hearth.bench.cache.EmulatedDisk;
import io.hearth.datanode.cache.ReadCache;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataStorage;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.jspecify.annotations.NullMarked;

/**
 * The shipped dataset on a DataNode whose block files are as slow to read as those of an {@link EmulatedDisk}, for whoever reads them: a
 * client, or the cache that fills a page. Meta files take no time, and writes take none.
 *
 * <p>HDFS makes the factory by its name, so the disk is that of this JVM.
 */
@NullMarked
public final class EmulatedDiskDatasetFactory extends HearthDatasetFactory {

    private static final AtomicReference<EmulatedDisk> DISK = new AtomicReference<>();

    /** The disk of the DataNodes that are made from now on. */
    public static void use(EmulatedDisk disk) {
        DISK.set(disk);
    }

    /** The read cache of a DataNode with the shipped dataset. */
    public static ReadCache readCache(DataNode dataNode) {
        return ((HearthDataset) dataNode.getFSDataset())
                .readCache()
                .orElseThrow(() -> new IllegalStateException("the read cache has not started; the log says why"));
    }

    private static EmulatedDisk disk() {
        EmulatedDisk disk = DISK.get();
        if (disk == null) {
            throw new IllegalStateException("there is no disk to emulate");
        }
        return disk;
    }

    @Override
    public FsDatasetImpl newInstance(DataNode dataNode, DataStorage storage, Configuration conf) throws IOException {
        try {
            // There is no other way: neither a setting nor a factory decides how volumes read their files.
            Field provider = DataNode.class.getDeclaredField("fileIoProvider");
            provider.setAccessible(true);
            provider.set(dataNode, new SlowFileIo(conf, dataNode, disk()));
        } catch (ReflectiveOperationException otherHadoop) {
            throw new IOException("a disk can't be emulated with this Hadoop", otherHadoop);
        }
        return super.newInstance(dataNode, storage, conf);
    }

    private static final class SlowFileIo extends FileIoProvider {

        private final EmulatedDisk disk;

        SlowFileIo(Configuration conf, DataNode dataNode, EmulatedDisk disk) {
            super(conf, dataNode);
            this.disk = disk;
        }

        @Override
        public FileInputStream openAndSeek(FsVolumeSpi volume, File file, long position) throws IOException {
            return Block.isBlockFilename(file)
                    ? new SlowFileStream(file, position, disk)
                    : super.openAndSeek(volume, file, position);
        }

        @Override
        public FileInputStream getShareDeleteFileInputStream(FsVolumeSpi volume, File file, long position)
                throws IOException {
            return Block.isBlockFilename(file)
                    ? new SlowFileStream(file, position, disk)
                    : super.getShareDeleteFileInputStream(volume, file, position);
        }
    }

    /** Is read by its channel, as HDFS and the read cache do. */
    private static final class SlowFileStream extends FileInputStream {

        private final FileChannel channel;

        SlowFileStream(File file, long position, EmulatedDisk disk) throws IOException {
            super(file);
            channel = new SlowChannel(super.getChannel(), disk.open(file.getName()));
            channel.position(position);
        }

        @Override
        public FileChannel getChannel() {
            return channel;
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            return length == 0 ? 0 : channel.read(ByteBuffer.wrap(target, offset, length));
        }
    }

    private static final class SlowChannel extends ReadOnlyFileChannel {

        private final FileChannel file;
        private final EmulatedDisk.OpenFile disk;

        SlowChannel(FileChannel file, EmulatedDisk.OpenFile disk) {
            this.file = file;
            this.disk = disk;
        }

        @Override
        public long transferTo(long position, long count, WritableByteChannel target) throws IOException {
            disk.read(position, Math.min(count, file.size() - position));
            return file.transferTo(position, count, target);
        }

        @Override
        public int read(ByteBuffer target, long position) throws IOException {
            disk.read(position, Math.min(target.remaining(), file.size() - position));
            return file.read(target, position);
        }

        @Override
        public long size() throws IOException {
            return file.size();
        }

        @Override
        protected void implCloseChannel() throws IOException {
            file.close();
        }
    }
}
