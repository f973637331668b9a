// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.hearth.common.hadoop.LinkFailure;
import io.hearth.common.log.RateLimitedLogger;
import io.hearth.datanode.deletion.Replicas;
import io.hearth.datanode.deletion.Replicas.PendingDeletion;
import io.hearth.datanode.deletion.Replicas.ReplicaId;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.ExtendedBlockId;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.ReplicaState;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.apache.hadoop.hdfs.server.datanode.ShortCircuitRegistry.Visitor;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.util.Time;
import org.jspecify.annotations.NullMarked;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The replicas and volumes of a stock dataset. As thread-safe as that. */
@NullMarked
final class DatasetReplicas implements Replicas {

    private static final Logger LOG = LoggerFactory.getLogger(DatasetReplicas.class);
    private static final long AWAIT_MS = 10_000;
    private static final long AWAIT_STEP_MS = 20;

    /** The stock way of deleting replicas. */
    @FunctionalInterface
    interface StockInvalidate {
        void invalidate(String blockPool, Block[] blocks) throws IOException;
    }

    private final RateLimitedLogger rateLimitedLogger = new RateLimitedLogger(LOG);
    private final FsDatasetImpl dataset;
    private final StockInvalidate stock;
    private final DataNode dataNode;
    /** The files of the replicas last deleted in each block pool: the dataset deletes files later, in threads of its own. */
    private final Map<String, List<File>> deletedByBlockPool = new ConcurrentHashMap<>();

    DatasetReplicas(FsDatasetImpl dataset, StockInvalidate stock, DataNode dataNode) {
        this.dataset = dataset;
        this.stock = stock;
        this.dataNode = dataNode;
    }

    static ReplicaId idOf(String blockPool, Block block) {
        return new ReplicaId(blockPool, block.getBlockId(), block.getGenerationStamp());
    }

    @Override
    public Optional<String> volumeOf(ReplicaId replica) {
        return find(replica)
                .filter(info -> info.getState() == ReplicaState.FINALIZED && info.getVolume() != null)
                .map(info -> info.getVolume().getStorageID());
    }

    /** This replica, if it is there. */
    Optional<ReplicaInfo> find(ReplicaId replica) {
        return Optional.ofNullable(
                dataset.volumeMap.get(replica.blockPool(), new Block(replica.blockId(), 0, replica.generationStamp())));
    }

    /** Whether a client holds the replica open by short circuit: it has a slot in the DataNode's {@code ShortCircuitRegistry}. */
    @Override
    public boolean isHeldOpen(ReplicaId replica) {
        ExtendedBlockId block = new ExtendedBlockId(replica.blockId(), replica.blockPool());
        try {
            return dataNode.getShortCircuitRegistry().visit(hasSlotOf(block));
        } catch (RuntimeException unknown) {
            return true;
        } catch (LinkageError otherHadoop) {
            warn("Whether a client holds a replica open can't be known; it counts as held.", otherHadoop);
            return true;
        }
    }

    /** Which library's map has the slots depends on Hadoop's version, so the visitor can't name it: 3.2 has that of Guava itself. */
    private static Visitor hasSlotOf(ExtendedBlockId block) {
        return (Visitor) Proxy.newProxyInstance(
                Visitor.class.getClassLoader(), new Class<?>[] {Visitor.class}, (visitor, accept, segmentsAndSlots) -> {
                    Object slots = segmentsAndSlots[1];
                    Method containsKey = slots.getClass().getMethod("containsKey", Object.class);
                    // The class that declares it is not public.
                    containsKey.setAccessible(true);
                    return containsKey.invoke(slots, block);
                });
    }

    @Override
    public OptionalLong freeBytes(String volume) {
        try (FsDatasetSpi.FsVolumeReferences volumes = dataset.getFsVolumeReferences()) {
            for (FsVolumeSpi candidate : volumes) {
                if (candidate.getStorageID().equals(volume)) {
                    return OptionalLong.of(candidate.getAvailable());
                }
            }
        } catch (IOException unknown) {
            LOG.debug("The free space of {} is unknown", volume, unknown);
        }
        return OptionalLong.empty();
    }

    /** What can't be deleted is logged and given up, as stock HDFS does with an order of the NameNode. */
    @Override
    public void delete(String blockPool, List<PendingDeletion> deletions) {
        Block[] blocks = deletions.stream()
                .map(deletion -> new Block(
                        deletion.replica().blockId(),
                        deletion.bytes(),
                        deletion.replica().generationStamp()))
                .toArray(Block[]::new);
        try {
            deletedByBlockPool.put(blockPool, files(blockPool, blocks));
        } catch (LinkageError otherHadoop) {
            warn("The files of replicas can't be known; nobody waits until they are deleted.", otherHadoop);
        }
        try {
            stock.invalidate(blockPool, blocks);
        } catch (IOException | RuntimeException failure) {
            LOG.warn("Not every replica of {} could be deleted after its deletion delay", blockPool, failure);
        }
    }

    private void warn(String what, Throwable failure) {
        LinkFailure.warn(rateLimitedLogger, what, what, failure, System.nanoTime() / 1_000_000);
    }

    private List<File> files(String blockPool, Block[] blocks) {
        List<File> files = new ArrayList<>();
        for (Block block : blocks) {
            ReplicaInfo info = dataset.volumeMap.get(blockPool, block);
            if (info != null && "file".equals(info.getBlockURI().getScheme())) {
                files.add(new File(info.getBlockURI()));
            }
        }
        return files;
    }

    /**
     * Waits until the files of the replicas last deleted are gone, for at most 10 s. The dataset's own count of pending deletions
     * does not tell: it leaves out a deletion whose thread is just being started.
     *
     * <p>An interrupt does not shorten it and is kept: a DataNode that stops ends a block pool in a thread that it has
     * interrupted ({@code BPServiceActor.stop}).
     */
    void awaitDeletions() {
        long endMs = Time.monotonicNow() + AWAIT_MS;
        boolean isInterrupted = Thread.interrupted();
        while (deletedByBlockPool.values().stream().flatMap(List::stream).anyMatch(File::exists)
                && Time.monotonicNow() < endMs) {
            try {
                TimeUnit.MILLISECONDS.sleep(AWAIT_STEP_MS);
            } catch (InterruptedException kept) {
                isInterrupted = true;
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
