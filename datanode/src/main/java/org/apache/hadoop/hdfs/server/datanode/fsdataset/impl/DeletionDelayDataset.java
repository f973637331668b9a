// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.hearth.datanode.deletion.Replicas.ReplicaId;
import io.hearth.datanode.hdfs.DeletionDelayRunner;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.BlockListAsLongs;
import org.apache.hadoop.hdfs.protocol.BlockListAsLongs.BlockReportReplica;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.ReplicaState;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataStorage;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.protocol.BlockCommand;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.util.Time;
import org.jspecify.annotations.NullMarked;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@link FsDatasetImpl} that delays the deletion of an excess replica while clients read it. The deletion of a file's
 * blocks, which the NameNode marks with {@link BlockCommand#NO_ACK}, is not delayed, nor that of a replica that this DataNode's block
 * scanner or a transfer has found corrupt.
 *
 * <p>To the NameNode a replica that waits counts as deleted from its next block report on: a NameNode that took over and does
 * not know of the order must not count on it. Whatever of ours fails, the deletion is the stock one, at once.
 */
@NullMarked
final class DeletionDelayDataset extends FsDatasetImpl {

    private static final Logger LOG = LoggerFactory.getLogger(DeletionDelayDataset.class);

    private final int maxMessageBytes;
    private final Optional<DeletionDelayRunner> runner;

    DeletionDelayDataset(DataNode dataNode, DataStorage storage, Configuration conf) throws IOException {
        super(dataNode, storage, conf);
        maxMessageBytes = conf.getInt(
                CommonConfigurationKeys.IPC_MAXIMUM_DATA_LENGTH,
                CommonConfigurationKeys.IPC_MAXIMUM_DATA_LENGTH_DEFAULT);
        runner = startRunner(dataNode, conf);
    }

    private Optional<DeletionDelayRunner> startRunner(DataNode dataNode, Configuration conf) {
        try {
            DatasetReplicas replicas = new DatasetReplicas(this, super::invalidate, dataNode);
            return Optional.of(DeletionDelayRunner.start(conf, replicas, replicas::awaitDeletions));
        } catch (Throwable failure) {
            LOG.warn(
                    "The deletion delay of replaced replicas can't start; deletions are those of stock HDFS: {}",
                    failure,
                    failure);
            return Optional.empty();
        }
    }

    @Override
    public void invalidate(String blockPool, Block[] blocks) throws IOException {
        Block[] now = runner.map(deletionDelay -> atOnce(deletionDelay, blockPool, blocks))
                .orElse(blocks);
        if (now.length > 0) {
            super.invalidate(blockPool, now);
        }
    }

    /** Those of these blocks that are to be deleted now; the others wait. */
    private static Block[] atOnce(DeletionDelayRunner runner, String blockPool, Block[] blocks) {
        try {
            long nowMs = Time.monotonicNow();
            List<Block> now = new ArrayList<>();
            for (Block block : blocks) {
                if (!waits(runner, blockPool, block, nowMs)) {
                    now.add(block);
                }
            }
            return now.toArray(Block[]::new);
        } catch (Throwable failure) {
            runner.failed("an order to delete replicas", failure);
            return blocks;
        }
    }

    private static boolean waits(DeletionDelayRunner runner, String blockPool, Block block, long nowMs) {
        ReplicaId replica = DatasetReplicas.idOf(blockPool, block);
        if (block.getNumBytes() == BlockCommand.NO_ACK) {
            runner.deletionDelay().forget(replica);
            return false;
        }
        return runner.deletionDelay().admit(replica, block.getNumBytes(), nowMs);
    }

    @Override
    public InputStream getBlockInputStream(ExtendedBlock block, long offset) throws IOException {
        InputStream in = super.getBlockInputStream(block, offset);
        if (ReaderThreads.isClient(Thread.currentThread().getName())) {
            runner.ifPresent(deletionDelay -> deletionDelay
                    .deletionDelay()
                    .opened(block.getBlockPoolId(), block.getBlockId(), Time.monotonicNow()));
        }
        return in;
    }

    /** A scanner asks this only of a replica that it could not verify ({@code VolumeScanner.ScanResultHandler}). */
    @Override
    public boolean contains(ExtendedBlock block) {
        if (ReaderThreads.isScanner(Thread.currentThread().getName())) {
            foundBad(block.getBlockPoolId(), block.getLocalBlock());
        }
        return super.contains(block);
    }

    /** Asked before a replica is copied to another DataNode; one that fails is reported as bad ({@code DataNode.transferBlock}). */
    @Override
    public void checkBlock(ExtendedBlock block, long minLength, ReplicaState state) throws IOException {
        try {
            super.checkBlock(block, minLength, state);
        } catch (FileNotFoundException | EOFException bad) {
            foundBad(block.getBlockPoolId(), block.getLocalBlock());
            throw bad;
        }
    }

    /** A replica whose file has another length than the dataset knows gets that length, and is reported as bad. */
    @Override
    public void checkAndUpdate(String blockPool, FsVolumeSpi.ScanInfo scanned) throws IOException {
        Optional<Block> before = known(blockPool, scanned.getBlockId());
        super.checkAndUpdate(blockPool, scanned);
        Optional<Block> after = known(blockPool, scanned.getBlockId());
        if (before.isPresent()
                && after.isPresent()
                && before.get().getNumBytes() != after.get().getNumBytes()) {
            foundBad(blockPool, after.get());
        }
    }

    /** The replica as it is now: the map's own changes. */
    private Optional<Block> known(String blockPool, long blockId) {
        return Optional.ofNullable(volumeMap.get(blockPool, blockId)).map(Block::new);
    }

    private void foundBad(String blockPool, Block block) {
        runner.ifPresent(deletionDelay -> {
            try {
                deletionDelay.deletionDelay().foundBad(DatasetReplicas.idOf(blockPool, block));
            } catch (Throwable failure) {
                deletionDelay.failed("a bad replica", failure);
            }
        });
    }

    @Override
    public Map<DatanodeStorage, BlockListAsLongs> getBlockReports(String blockPool) {
        Map<DatanodeStorage, BlockListAsLongs> reports = super.getBlockReports(blockPool);
        return runner.map(deletionDelay -> withoutPending(deletionDelay, blockPool, reports))
                .orElse(reports);
    }

    private Map<DatanodeStorage, BlockListAsLongs> withoutPending(
            DeletionDelayRunner deletionDelay, String blockPool, Map<DatanodeStorage, BlockListAsLongs> reports) {
        try {
            return BlockReports.without(
                    deletionDelay.deletionDelay().pendingOf(blockPool), blockPool, reports, maxMessageBytes);
        } catch (Throwable failure) {
            deletionDelay.failed("a block report", failure);
            return reports;
        }
    }

    /** The stock dataset ends a block pool both when it is removed and, one by one, when the DataNode stops. */
    @Override
    public void shutdownBlockPool(String blockPool) {
        runner.ifPresent(deletionDelay -> deletionDelay.releaseBlockPool(blockPool));
        super.shutdownBlockPool(blockPool);
    }

    @Override
    public void deleteBlockPool(String blockPool, boolean force) throws IOException {
        super.deleteBlockPool(blockPool, force);
        runner.ifPresent(deletionDelay -> deletionDelay.deletionDelay().dropBlockPool(blockPool));
    }

    @Override
    public void shutdown() {
        runner.ifPresent(DeletionDelayRunner::stop);
        super.shutdown();
    }

    /** Block reports without some of their replicas. */
    @NullMarked
    static final class BlockReports {

        private BlockReports() {}

        /** These reports of one block pool without those replicas; the very same where there are none. */
        static Map<DatanodeStorage, BlockListAsLongs> without(
                Set<ReplicaId> absent,
                String blockPool,
                Map<DatanodeStorage, BlockListAsLongs> reports,
                int maxMessageBytes) {
            if (absent.isEmpty()) {
                return reports;
            }
            Map<DatanodeStorage, BlockListAsLongs> rest = new HashMap<>();
            reports.forEach(
                    (storage, report) -> rest.put(storage, without(absent, blockPool, report, maxMessageBytes)));
            return rest;
        }

        private static BlockListAsLongs without(
                Set<ReplicaId> absent, String blockPool, BlockListAsLongs report, int maxMessageBytes) {
            BlockListAsLongs.Builder rest = BlockListAsLongs.builder(maxMessageBytes);
            for (BlockReportReplica replica : report) {
                if (!absent.contains(DatasetReplicas.idOf(blockPool, replica))) {
                    rest.add(replica);
                }
            }
            return rest.build();
        }
    }

    /** Who reads a replica, by the name that HDFS gives the thread: no argument says so. Pure. */
    @NullMarked
    static final class ReaderThreads {

        private ReaderThreads() {}

        /** A client that reads over the network or asks for the files' descriptors; not another DataNode, a copy or a scanner. */
        static boolean isClient(String threadName) {
            return threadName.startsWith("DataXceiver for client ")
                    && (threadName.contains(" [Sending block ")
                            || threadName.contains(" [Passing file descriptors for block "));
        }

        /** HDFS's scanner of a volume. */
        static boolean isScanner(String threadName) {
            return threadName.startsWith("VolumeScannerThread(");
        }
    }
}
