// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.hearth.common.hadoop.LinkFailure;
import io.hearth.common.log.RateLimitedLogger;
import io.hearth.datanode.cache.ReadCache;
import io.hearth.datanode.hdfs.LiveDataNodeConfig;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.BlockListAsLongs;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.ReplicaState;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataStorage;
import org.apache.hadoop.hdfs.server.datanode.Replica;
import org.apache.hadoop.hdfs.server.datanode.ReplicaHandler;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.apache.hadoop.hdfs.server.datanode.ReplicaNotFoundException;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.LengthInputStream;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.jspecify.annotations.NullMarked;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@link FsDatasetImpl} with the deletion delay and the read cache: a DataNode has one dataset, so both are in it. What it does for
 * either is in {@link DeletionDelayHooks} and {@link ReadCacheHooks}.
 *
 * <p>The copy of a replica is dropped after each change of the volume map that the replica does not outlive. Where the map changes
 * later, as it does when files are deleted in the background, the sweep of the cache drops what a read has brought back meanwhile.
 */
@NullMarked
final class HearthDataset extends FsDatasetImpl {

    private static final Logger HEARTH_LOG = LoggerFactory.getLogger(HearthDataset.class);
    private static final RateLimitedLogger RATE_LIMITED_LOGGER = new RateLimitedLogger(HEARTH_LOG);

    private final ReadCacheHooks readCache;
    private final DeletionDelayHooks deletionDelay;

    /** Makes one; returned as a stock one, because its factory would otherwise have to be linked with it. */
    static FsDatasetImpl make(DataNode dataNode, DataStorage storage, Configuration conf) throws IOException {
        return new HearthDataset(dataNode, storage, conf);
    }

    private HearthDataset(DataNode dataNode, DataStorage storage, Configuration conf) throws IOException {
        super(linked(dataNode), storage, conf);
        Optional<LiveDataNodeConfig> config = read(conf);
        readCache = ReadCacheHooks.start(volumeMap, this::isInMemory, config, conf);
        deletionDelay = new DeletionDelayHooks(config, new DatasetReplicas(this, this::invalidateNow, dataNode), conf);
    }

    /** Fails, before the stock dataset starts anything, where that keeps its replicas in another way or lacks what is overridden here. */
    private static DataNode linked(DataNode dataNode) {
        try {
            MethodHandles.lookup().findGetter(FsDatasetImpl.class, "volumeMap", ReplicaMap.class);
            for (Method own : HearthDataset.class.getDeclaredMethods()) {
                // All that is public here overrides something, which nobody would call otherwise.
                if (Modifier.isPublic(own.getModifiers())) {
                    FsDatasetImpl.class.getMethod(own.getName(), own.getParameterTypes());
                }
            }
            return dataNode;
        } catch (ReflectiveOperationException otherHadoop) {
            throw new LinkageError("the dataset lacks " + otherHadoop.getMessage(), otherHadoop);
        }
    }

    /** Which of the blocks are takes a lock of the whole DataNode. */
    private boolean isInMemory(String blockPool, long blockId) {
        return getNumBlocksCached() > 0 && isCached(blockPool, blockId);
    }

    /** Empty where the settings can't be read, and then the dataset is the stock one. */
    private static Optional<LiveDataNodeConfig> read(Configuration conf) {
        try {
            return Optional.of(new LiveDataNodeConfig(conf));
        } catch (Throwable failure) {
            LinkFailure.warn(HEARTH_LOG, "The settings of Hearth can't be read; HDFS goes on without it.", failure);
            return Optional.empty();
        }
    }

    /** The read cache; empty where it could not be started. */
    Optional<ReadCache> readCache() {
        return readCache.cache();
    }

    @Override
    public LengthInputStream getMetaDataInputStream(ExtendedBlock block) throws IOException {
        return readCache.openMeta(block, () -> super.getMetaDataInputStream(block));
    }

    @Override
    public InputStream getBlockInputStream(ExtendedBlock block, long offset) throws IOException {
        InputStream in = readCache.openData(block, offset, () -> super.getBlockInputStream(block, offset));
        deletionDelay.opened(block);
        return in;
    }

    @Override
    public void invalidate(String blockPool, Block[] blocks) throws IOException {
        Block[] now = deletionDelay.deletedNow(blockPool, blocks);
        if (now.length > 0) {
            invalidateNow(blockPool, now);
        }
    }

    private void invalidateNow(String blockPool, Block[] blocks) throws IOException {
        try {
            super.invalidate(blockPool, blocks);
        } finally {
            readCache.drop(blockPool, blocks);
        }
    }

    /** The replica's file or its volume has gone. */
    @Override
    public void invalidate(String blockPool, ReplicaInfo replica) {
        super.invalidate(blockPool, replica);
        readCache.drop(blockPool, replica);
    }

    /** A copy that comes here finds none: the one whose deletion waits, if any, has gone without its order. */
    @Override
    public ReplicaHandler createTemporary(
            StorageType storageType, String storageId, ExtendedBlock block, boolean isTransfer) throws IOException {
        ReplicaHandler created = super.createTemporary(storageType, storageId, block, isTransfer);
        deletionDelay.comesAnew(block);
        return created;
    }

    /** The stock dataset tells the NameNode of what it has moved, which would count on a replica again that is about to go. */
    @Override
    public ReplicaInfo moveBlockAcrossStorage(ExtendedBlock block, StorageType storageType, String storageId)
            throws IOException {
        if (deletionDelay.waiting(block).isPresent()) {
            throw new ReplicaNotFoundException(block + " is to be deleted");
        }
        return super.moveBlockAcrossStorage(block, storageType, storageId);
    }

    /** The same; but the balancer between disks gives up after a few errors, and does not look at what it gets. */
    @Override
    public ReplicaInfo moveBlockAcrossVolumes(ExtendedBlock block, FsVolumeSpi destination) throws IOException {
        Optional<ReplicaInfo> waiting = deletionDelay.waiting(block);
        return waiting.isPresent() ? waiting.get() : super.moveBlockAcrossVolumes(block, destination);
    }

    @Override
    public ReplicaHandler append(ExtendedBlock block, long newGenerationStamp, long expectedLength) throws IOException {
        try {
            return super.append(block, newGenerationStamp, expectedLength);
        } finally {
            readCache.drop(block);
        }
    }

    @Override
    public ReplicaHandler recoverAppend(ExtendedBlock block, long newGenerationStamp, long expectedLength)
            throws IOException {
        try {
            return super.recoverAppend(block, newGenerationStamp, expectedLength);
        } finally {
            readCache.drop(block);
        }
    }

    @Override
    public Replica recoverClose(ExtendedBlock block, long newGenerationStamp, long expectedLength) throws IOException {
        try {
            return super.recoverClose(block, newGenerationStamp, expectedLength);
        } finally {
            readCache.drop(block);
        }
    }

    @Override
    public void finalizeBlock(ExtendedBlock block, boolean fsyncFolder) throws IOException {
        try {
            super.finalizeBlock(block, fsyncFolder);
        } finally {
            readCache.drop(block);
        }
    }

    /** Ends every recovery, that of a truncated block too. */
    @Override
    public Replica updateReplicaUnderRecovery(ExtendedBlock block, long recoveryId, long newBlockId, long newLength)
            throws IOException {
        try {
            return super.updateReplicaUnderRecovery(block, recoveryId, newBlockId, newLength);
        } finally {
            readCache.drop(block);
        }
    }

    @Override
    public boolean contains(ExtendedBlock block) {
        deletionDelay.asked(block);
        return super.contains(block);
    }

    /**
     * Asked before a replica is copied to another DataNode; one that fails is reported as bad ({@code DataNode.transferBlock}). With a length
     * of 0 it is {@code isValidBlock} or {@code isValidRbw} that ask, which report nothing; and {@code
     * DataNode.transferReplicaForPipelineRecovery} asks them while it holds the dataset's lock, with which nothing may be deleted.
     */
    @Override
    public void checkBlock(ExtendedBlock block, long minLength, ReplicaState state) throws IOException {
        try {
            super.checkBlock(block, minLength, state);
        } catch (FileNotFoundException | EOFException bad) {
            if (minLength > 0) {
                deletionDelay.foundBad(block);
            }
            throw bad;
        }
    }

    /** A replica whose file has another length than the dataset knows gets that length, and is reported as bad. */
    @Override
    public void checkAndUpdate(String blockPool, FsVolumeSpi.ScanInfo scanned) throws IOException {
        Optional<Block> before = known(blockPool, scanned);
        super.checkAndUpdate(blockPool, scanned);
        Optional<Block> after = known(blockPool, scanned);
        deletionDelay.scanned(blockPool, before, after);
        readCache.scanned(blockPool, before, after);
    }

    /** The replica as it is now: the map's own changes. */
    private Optional<Block> known(String blockPool, FsVolumeSpi.ScanInfo scanned) {
        try {
            return Optional.ofNullable(volumeMap.get(blockPool, scanned.getBlockId()))
                    .map(Block::new);
        } catch (LinkageError otherHadoop) {
            LinkFailure.warn(
                    RATE_LIMITED_LOGGER,
                    "scan",
                    "Hearth can't tell what HDFS has found on a disk; HDFS goes on without it.",
                    otherHadoop,
                    System.nanoTime() / 1_000_000);
            return Optional.empty();
        }
    }

    @Override
    public Map<DatanodeStorage, BlockListAsLongs> getBlockReports(String blockPool) {
        return deletionDelay.withoutPending(blockPool, super.getBlockReports(blockPool));
    }

    /** What can be loaded of it is loaded when this returns, even where some volumes fail. */
    @Override
    public void addBlockPool(String blockPool, Configuration conf) throws IOException {
        try {
            super.addBlockPool(blockPool, conf);
        } finally {
            readCache.blockPoolLoaded(blockPool);
        }
    }

    /** The stock dataset ends a block pool both when it is removed and, one by one, when the DataNode stops. */
    @Override
    public void shutdownBlockPool(String blockPool) {
        deletionDelay.blockPoolEnds(blockPool);
        readCache.blockPoolUnloaded(blockPool);
        super.shutdownBlockPool(blockPool);
    }

    @Override
    public void deleteBlockPool(String blockPool, boolean force) throws IOException {
        super.deleteBlockPool(blockPool, force);
        deletionDelay.blockPoolDeleted(blockPool);
        readCache.blockPoolDeleted(blockPool);
    }

    @Override
    public void shutdown() {
        deletionDelay.stop();
        readCache.stop();
        super.shutdown();
    }
}
