// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.zip.CRC32C;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider;
import org.apache.hadoop.hdfs.server.datanode.FinalizedReplica;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.DataNodeVolumeMetrics;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeReference;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;

/** A volume of a DataNode in a folder, with finalized replicas as HDFS has them, in a volume map of their own. */
final class FakeVolume {

    static final String BLOCK_POOL = "BP-1";
    static final long STAMP = 1_001;
    private static final int CHUNK_BYTES = 512;

    final ReplicaMap map = newMap();
    /** How many references are held. */
    final AtomicInteger references = new AtomicInteger();

    boolean isTransient;
    private final File folder;
    private final FileIoProvider io = new FileIoProvider(everyReadIsMeasured(), null);
    private final DataNodeVolumeMetrics metrics;
    private final FsVolumeSpi volume;

    FakeVolume(Path folder) throws IOException {
        this.folder = Files.createDirectories(folder).toFile();
        this.metrics = DataNodeVolumeMetrics.create(everyReadIsMeasured(), folder.toString());
        this.volume = (FsVolumeSpi) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {FsVolumeSpi.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "isTransientStorage" -> isTransient;
                    case "getFileIoProvider" -> io;
                    case "getMetrics" -> metrics;
                    case "getStorageID", "toString" -> "DS-1";
                    case "obtainReference" -> {
                        references.incrementAndGet();
                        yield new Reference();
                    }
                    default -> throw new UnsupportedOperationException(method.getName());
                });
        map.initBlockPool(BLOCK_POOL);
    }

    private static Configuration everyReadIsMeasured() {
        Configuration conf = new Configuration(false);
        conf.setInt(DFSConfigKeys.DFS_DATANODE_FILEIO_PROFILING_SAMPLING_PERCENTAGE_KEY, 100);
        return conf;
    }

    /** How many reads HDFS has measured. */
    long measuredReads() {
        return metrics.getReadIoSampleCount();
    }

    private static ReplicaMap newMap() {
        try {
            return newMap(ReplicaMap.class.getDeclaredConstructors());
        } catch (ReflectiveOperationException failure) {
            throw new AssertionError(failure);
        }
    }

    /** Hadoop 3.4 can do without a lock; 3.2 takes one. */
    private static ReplicaMap newMap(Constructor<?>[] constructors) throws ReflectiveOperationException {
        for (Constructor<?> constructor : constructors) {
            if (constructor.getParameterCount() == 0) {
                return (ReplicaMap) constructor.newInstance();
            }
            if (List.of(constructor.getParameterTypes()).equals(List.of(ReadWriteLock.class))) {
                return (ReplicaMap) constructor.newInstance(new ReentrantReadWriteLock());
            }
        }
        throw new NoSuchMethodException("a constructor of ReplicaMap");
    }

    private final class Reference implements FsVolumeReference {

        @Override
        public void close() {
            references.decrementAndGet();
        }

        @Override
        public FsVolumeSpi getVolume() {
            return volume;
        }
    }

    /** Writes a replica of random bytes with its meta file, and puts it into the map. */
    byte[] add(long blockId, int length) throws IOException {
        byte[] bytes = new byte[length];
        new Random(blockId).nextBytes(bytes);
        ReplicaInfo replica = new FinalizedReplica(new Block(blockId, length, STAMP), volume, folder);
        Files.write(Path.of(replica.getBlockURI()), bytes);
        try (DataOutputStream meta = new DataOutputStream(Files.newOutputStream(Path.of(replica.getMetadataURI())))) {
            meta.writeShort(1);
            meta.writeByte(2);
            meta.writeInt(CHUNK_BYTES);
            for (int start = 0; start < length; start += CHUNK_BYTES) {
                CRC32C sum = new CRC32C();
                sum.update(bytes, start, Math.min(CHUNK_BYTES, length - start));
                meta.writeInt((int) sum.getValue());
            }
        }
        map.add(BLOCK_POOL, replica);
        return bytes;
    }

    ReplicaInfo replica(long blockId) {
        ReplicaInfo there = map.get(BLOCK_POOL, blockId);
        if (there == null) {
            throw new AssertionError("no replica of block " + blockId);
        }
        return there;
    }

    /** The same replica after an append that added nothing. */
    void bumpGenerationStamp(long blockId) throws IOException {
        ReplicaInfo before = replica(blockId);
        ReplicaInfo after = new FinalizedReplica(new Block(blockId, before.getNumBytes(), STAMP + 1), volume, folder);
        Files.copy(Path.of(before.getMetadataURI()), Path.of(after.getMetadataURI()));
        map.add(BLOCK_POOL, after);
    }
}
