// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.hearth.datanode.cache.BlockKey;
import io.hearth.datanode.cache.BlockKey.ReplicaVersion;
import io.hearth.datanode.cache.DiskReplica;
import io.hearth.datanode.cache.ReplicaLookup;
import java.io.Closeable;
import java.io.FileInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.ReplicaState;
import org.apache.hadoop.hdfs.server.datanode.LocalReplica;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.apache.hadoop.hdfs.server.datanode.ReplicaNotFoundException;
import org.jspecify.annotations.NullMarked;

/**
 * The finalized replicas in a volume map that have files on a disk: all that can be cached.
 *
 * <p>Invariant: a replica of a block pool that is being loaded or ended is unknown, never gone. Thread-safe.
 */
@NullMarked
final class FinalizedReplicas implements ReplicaLookup {

    private final ReplicaMap volumeMap;
    private final Set<String> loadedBlockPools = ConcurrentHashMap.newKeySet();

    FinalizedReplicas(ReplicaMap volumeMap) {
        this.volumeMap = volumeMap;
    }

    /** The volume map has all replicas of this block pool from now on. */
    void loaded(String blockPool) {
        loadedBlockPools.add(blockPool);
    }

    /** The volume map is about to lose the replicas of this block pool, which stay on the disks. */
    void unloaded(String blockPool) {
        loadedBlockPools.remove(blockPool);
    }

    @Override
    public Presence presenceOf(ReplicaVersion version) {
        String blockPool = version.key().blockPool();
        // The map logs a line for every question about a block pool that it does not know.
        if (!loadedBlockPools.contains(blockPool)) {
            return Presence.UNKNOWN;
        }
        if (has(version)) {
            return Presence.CURRENT;
        }
        // The pool may have been unloaded while the map was asked.
        return loadedBlockPools.contains(blockPool) ? Presence.GONE : Presence.UNKNOWN;
    }

    private boolean has(ReplicaVersion version) {
        return info(version.key())
                .filter(info -> versionOf(version.key(), info).equals(version))
                .isPresent();
    }

    /** This replica as it is now, if it can be cached. */
    Optional<DiskReplica> find(String blockPool, long blockId, long generationStamp) {
        BlockKey key = new BlockKey(blockPool, blockId);
        return info(key)
                .filter(info -> info.getGenerationStamp() == generationStamp)
                .map(info -> new DatasetDiskReplica(versionOf(key, info)));
    }

    private Optional<ReplicaInfo> info(BlockKey key) {
        return Optional.ofNullable(volumeMap.get(key.blockPool(), key.blockId()))
                .filter(info -> info.getState() == ReplicaState.FINALIZED
                        && info.getVolume() != null
                        && !info.isOnTransientStorage()
                        && info instanceof LocalReplica);
    }

    private static ReplicaVersion versionOf(BlockKey key, ReplicaInfo info) {
        return new ReplicaVersion(key, info.getGenerationStamp(), info.getNumBytes());
    }

    /** One of these replicas. Its files are looked for anew each time: the balancer between disks moves them. */
    private final class DatasetDiskReplica implements DiskReplica {

        private final ReplicaVersion version;

        DatasetDiskReplica(ReplicaVersion version) {
            this.version = version;
        }

        @Override
        public ReplicaVersion version() {
            return version;
        }

        @Override
        public boolean isCurrent() {
            return has(version);
        }

        private ReplicaInfo current() throws IOException {
            return info(version.key())
                    .filter(info -> versionOf(version.key(), info).equals(version))
                    .orElseThrow(() -> new ReplicaNotFoundException(version + " has gone or changed"));
        }

        @Override
        public InputStream openMeta() throws IOException {
            ReplicaInfo info = current();
            Closeable volume = info.getVolume().obtainReference();
            try {
                return new HeldStream(info.getMetadataInputStream(0), volume);
            } catch (IOException | RuntimeException | LinkageError failure) {
                volume.close();
                throw failure;
            }
        }

        @Override
        public FileChannel openData() throws IOException {
            ReplicaInfo info = current();
            Closeable volume = info.getVolume().obtainReference();
            try {
                return new HeldChannel(info.getDataInputStream(0), volume);
            } catch (IOException | RuntimeException | LinkageError failure) {
                volume.close();
                throw failure;
            }
        }
    }

    /** A stream whose volume can't be removed while it is open. */
    private static final class HeldStream extends FilterInputStream {

        private final Closeable volume;

        HeldStream(InputStream in, Closeable volume) {
            super(in);
            this.volume = volume;
        }

        @Override
        public void close() throws IOException {
            try (volume) {
                super.close();
            }
        }
    }

    /** A channel whose volume can't be removed while it is open. */
    private static final class HeldChannel extends ReadOnlyFileChannel {

        private final FileInputStream file;
        private final Closeable volume;

        HeldChannel(InputStream in, Closeable volume) throws IOException {
            if (!(in instanceof FileInputStream fileIn)) {
                in.close();
                throw new IOException("a replica that is no file can't be cached");
            }
            this.file = fileIn;
            this.volume = volume;
        }

        @Override
        public long transferTo(long position, long count, WritableByteChannel target) throws IOException {
            return file.getChannel().transferTo(position, count, target);
        }

        /**
         * Into an array, as a client's bytes without sendfile, by HDFS's stream. A fill's page goes to a direct buffer, which no stream
         * takes; where that fails, the client's own bytes are read after it.
         */
        @Override
        public int read(ByteBuffer target, long position) throws IOException {
            if (!target.hasArray()) {
                return file.getChannel().read(target, position);
            }
            int read = readByStream(
                    file, target.array(), target.arrayOffset() + target.position(), target.remaining(), position);
            target.position(target.position() + Math.max(0, read));
            return read;
        }

        @Override
        public long size() throws IOException {
            return file.getChannel().size();
        }

        @Override
        protected void implCloseChannel() throws IOException {
            try (volume) {
                file.close();
            }
        }
    }
}
