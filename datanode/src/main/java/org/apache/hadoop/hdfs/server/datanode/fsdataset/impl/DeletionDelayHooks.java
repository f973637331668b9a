// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.hearth.common.hadoop.LinkFailure;
import io.hearth.datanode.deletion.Replicas.ReplicaId;
import io.hearth.datanode.hdfs.DeletionDelayRunner;
import io.hearth.datanode.hdfs.LiveDataNodeConfig;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.BlockListAsLongs;
import org.apache.hadoop.hdfs.protocol.BlockListAsLongs.BlockReportReplica;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.apache.hadoop.hdfs.server.protocol.BlockCommand;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.util.Time;
import org.jspecify.annotations.NullMarked;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the dataset does for the deletion delay: the deletion of an excess replica waits while clients read it. The deletion of a file's
 * blocks, which the NameNode marks with {@link BlockCommand#NO_ACK}, is not delayed, nor that of a replica that this DataNode's block
 * scanner or a transfer has found corrupt.
 *
 * <p>To the NameNode a replica that waits counts as deleted from its next block report on: a NameNode that took over and does
 * not know of the order must not count on it. Whatever of ours fails, the deletion is the stock one, at once.
 */
@NullMarked
final class DeletionDelayHooks {

    private static final Logger LOG = LoggerFactory.getLogger(DeletionDelayHooks.class);

    private final DatasetReplicas replicas;
    private final Configuration conf;
    private final Optional<DeletionDelayRunner> runner;

    DeletionDelayHooks(Optional<LiveDataNodeConfig> config, DatasetReplicas replicas, Configuration conf) {
        this.replicas = replicas;
        this.conf = conf;
        runner = config.flatMap(settings -> start(settings, replicas));
    }

    private static Optional<DeletionDelayRunner> start(LiveDataNodeConfig config, DatasetReplicas replicas) {
        try {
            return Optional.of(DeletionDelayRunner.start(config, replicas, replicas::awaitDeletions));
        } catch (Throwable failure) {
            LinkFailure.warn(
                    LOG,
                    "The deletion delay of replaced replicas can't start; deletions are those of stock HDFS.",
                    failure);
            return Optional.empty();
        }
    }

    /** Those of these blocks that are to be deleted now; the others wait. */
    Block[] deletedNow(String blockPool, Block[] blocks) {
        return runner.map(deletionDelay -> atOnce(deletionDelay, blockPool, blocks))
                .orElse(blocks);
    }

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

    /**
     * Whether it waits from now on. Not where its file was deleted; nor where whoever reads it has found no files, has told the NameNode, and
     * gives the order by itself, as in Hadoop 3.2 and 3.3 ({@code BlockSender}): a replica that stayed in the map would keep HDFS from copying
     * the block here again.
     */
    private static boolean waits(DeletionDelayRunner runner, String blockPool, Block block, long nowMs) {
        ReplicaId replica = DatasetReplicas.idOf(blockPool, block);
        if (block.getNumBytes() == BlockCommand.NO_ACK
                || ReaderThreads.isReader(Thread.currentThread().getName())) {
            runner.deletionDelay().forget(replica);
            return false;
        }
        return runner.deletionDelay().admit(replica, block.getNumBytes(), nowMs);
    }

    /**
     * Another replica of this block comes here, perhaps with the same generation stamp: it is not the one whose deletion was ordered, which
     * the NameNode knows to be gone ({@code FsDatasetImpl.invalidateMissingBlock}, {@code checkAndUpdate}).
     */
    void comesAnew(ExtendedBlock block) {
        attempt(
                "a replica that comes",
                deletionDelay -> deletionDelay.deletionDelay().forget(idOf(block)));
    }

    private static ReplicaId idOf(ExtendedBlock block) {
        return DatasetReplicas.idOf(block.getBlockPoolId(), block.getLocalBlock());
    }

    /** This replica, if its deletion waits: to the NameNode it may be gone already. */
    Optional<ReplicaInfo> waiting(ExtendedBlock block) {
        return runner.flatMap(deletionDelay -> {
            try {
                ReplicaId replica = idOf(block);
                return deletionDelay.deletionDelay().waits(replica) ? replicas.find(replica) : Optional.empty();
            } catch (Throwable failure) {
                deletionDelay.failed("a replica that is moved", failure);
                return Optional.empty();
            }
        });
    }

    /** A block is opened, by a client or not. */
    void opened(ExtendedBlock block) {
        if (ReaderThreads.isClient(Thread.currentThread().getName())) {
            attempt("a block that is opened", deletionDelay -> deletionDelay
                    .deletionDelay()
                    .opened(block.getBlockPoolId(), block.getBlockId(), Time.monotonicNow()));
        }
    }

    /** A scanner asks whether a replica is there, which it does only of one that it could not verify ({@code VolumeScanner}). */
    void asked(ExtendedBlock block) {
        if (ReaderThreads.isScanner(Thread.currentThread().getName())) {
            foundBad(block);
        }
    }

    /** This DataNode has found that replica bad; where nobody can say which one, all that wait are deleted. */
    void foundBad(ExtendedBlock block) {
        attempt(
                "a bad replica",
                deletionDelay -> deletionDelay.deletionDelay().foundBad(idOf(block)),
                DeletionDelayRunner::releaseAfterFailure);
    }

    /** A replica was one before its files were looked at and is the other now: another length is that of a bad one. */
    void scanned(String blockPool, Optional<Block> before, Optional<Block> after) {
        attempt(
                "a scanned replica",
                deletionDelay -> {
                    if (before.isPresent()
                            && after.isPresent()
                            && before.get().getNumBytes() != after.get().getNumBytes()) {
                        deletionDelay.deletionDelay().foundBad(DatasetReplicas.idOf(blockPool, after.get()));
                    }
                },
                DeletionDelayRunner::releaseAfterFailure);
    }

    private void attempt(String what, Consumer<DeletionDelayRunner> own) {
        attempt(what, own, failed -> {});
    }

    private void attempt(String what, Consumer<DeletionDelayRunner> own, Consumer<DeletionDelayRunner> afterFailure) {
        runner.ifPresent(deletionDelay -> {
            try {
                own.accept(deletionDelay);
            } catch (Throwable failure) {
                deletionDelay.failed(what, failure);
                afterFailure.accept(deletionDelay);
            }
        });
    }

    /** These reports of a block pool without the replicas whose deletion waits. */
    Map<DatanodeStorage, BlockListAsLongs> withoutPending(
            String blockPool, Map<DatanodeStorage, BlockListAsLongs> reports) {
        return runner.map(deletionDelay -> withoutPending(deletionDelay, blockPool, reports))
                .orElse(reports);
    }

    private Map<DatanodeStorage, BlockListAsLongs> withoutPending(
            DeletionDelayRunner deletionDelay, String blockPool, Map<DatanodeStorage, BlockListAsLongs> reports) {
        try {
            int maxMessageBytes = conf.getInt(
                    CommonConfigurationKeys.IPC_MAXIMUM_DATA_LENGTH,
                    CommonConfigurationKeys.IPC_MAXIMUM_DATA_LENGTH_DEFAULT);
            return BlockReports.without(
                    deletionDelay.deletionDelay().pendingOf(blockPool), blockPool, reports, maxMessageBytes);
        } catch (Throwable failure) {
            deletionDelay.failed("a block report", failure);
            // This report still has them.
            deletionDelay.releaseAfterFailure();
            return reports;
        }
    }

    /** This block pool ends in a moment, and its replicas stay on the disks: what waits is deleted before. */
    void blockPoolEnds(String blockPool) {
        runner.ifPresent(deletionDelay -> deletionDelay.releaseBlockPool(blockPool));
    }

    /** The replicas of this block pool have gone for good. */
    void blockPoolDeleted(String blockPool) {
        runner.ifPresent(deletionDelay -> deletionDelay.deletionDelay().dropBlockPool(blockPool));
    }

    /** Executes what waits and ends it. */
    void stop() {
        runner.ifPresent(DeletionDelayRunner::stop);
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
}
