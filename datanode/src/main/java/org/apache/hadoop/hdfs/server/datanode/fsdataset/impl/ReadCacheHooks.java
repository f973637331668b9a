// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.hearth.common.hadoop.LinkFailure;
import io.hearth.datanode.cache.BlockKey;
import io.hearth.datanode.cache.CachedBlockReader;
import io.hearth.datanode.cache.CachedRead;
import io.hearth.datanode.cache.ReadCache;
import io.hearth.datanode.cache.ReadCache.ClientRead;
import io.hearth.datanode.cache.ReadCacheCounts.Counter;
import io.hearth.datanode.hdfs.LiveDataNodeConfig;
import io.hearth.datanode.hdfs.ReadCacheRunner;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.StartupOption;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.LengthInputStream;
import org.jspecify.annotations.NullMarked;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the dataset does for the read cache: reads of clients over the network go through it, and copies go with their replicas.
 *
 * <p>HDFS asks for a block's meta file first and for its data afterwards, in one thread; both belong to one read. In between no file is
 * open for it, so that nothing leaks where HDFS gives up there. Whatever of ours fails before bytes are sent, the stream is the stock
 * one. Thread-safe.
 */
@NullMarked
final class ReadCacheHooks {

    private static final Logger LOG = LoggerFactory.getLogger(ReadCacheHooks.class);
    /** HDFS reads ahead by the descriptor, which for a block that is cached must not read the disk. */
    private static final Path EMPTY_FILE = Path.of("/dev/null");

    private static final String GONE = "a replica that has gone";

    /** The stock meta file of a block. */
    @FunctionalInterface
    interface StockMeta {
        LengthInputStream open() throws IOException;
    }

    /** The stock data of a block, from the position on that the client asks for. */
    @FunctionalInterface
    interface StockData {
        InputStream open() throws IOException;
    }

    /** What HDFS itself holds in memory by its cache directives, which is faster than any SSD. */
    @FunctionalInterface
    interface BlocksInMemory {
        boolean contains(String blockPool, long blockId);
    }

    /** A read whose meta file this thread has opened. */
    private record PendingRead(BlockKey key, long generationStamp, ClientRead read) {

        boolean isOf(ExtendedBlock block) {
            return key.equals(keyOf(block)) && generationStamp == block.getGenerationStamp();
        }
    }

    private static final ThreadLocal<PendingRead> PENDING = new ThreadLocal<>();

    private final FinalizedReplicas replicas;
    private final BlocksInMemory inMemory;
    private final Optional<ReadCache> cache;
    private final BiConsumer<String, Throwable> log;
    private final Runnable stop;

    /**
     * @param inMemory blocks that are read as if there were no cache
     * @param cache empty where there is none, and then everything is stock
     * @param log gets what failed, and at what
     * @param stop ends the cache
     */
    ReadCacheHooks(
            FinalizedReplicas replicas,
            BlocksInMemory inMemory,
            Optional<ReadCache> cache,
            BiConsumer<String, Throwable> log,
            Runnable stop) {
        this.replicas = replicas;
        this.inMemory = inMemory;
        this.cache = cache;
        this.log = log;
        this.stop = stop;
    }

    /** Starts the read cache of a DataNode; what can't be started is logged. */
    static ReadCacheHooks start(
            ReplicaMap volumeMap, BlocksInMemory inMemory, Optional<LiveDataNodeConfig> config, Configuration conf) {
        FinalizedReplicas replicas = new FinalizedReplicas(volumeMap);
        return config.flatMap(settings -> startRunner(settings, conf, replicas))
                .map(runner -> new ReadCacheHooks(
                        replicas, inMemory, Optional.of(runner.cache()), runner::failed, runner::stop))
                .orElseGet(() ->
                        new ReadCacheHooks(replicas, inMemory, Optional.empty(), (what, failure) -> {}, () -> {}));
    }

    /** The cache; empty where it could not be started. */
    Optional<ReadCache> cache() {
        return cache;
    }

    private static Optional<ReadCacheRunner> startRunner(
            LiveDataNodeConfig config, Configuration conf, FinalizedReplicas replicas) {
        try {
            return Optional.of(ReadCacheRunner.start(config, isRollback(conf), replicas));
        } catch (Throwable failure) {
            LinkFailure.warn(LOG, "The read cache can't start; the disks are read.", failure);
            return Optional.empty();
        }
    }

    private static boolean isRollback(Configuration conf) {
        return StartupOption.ROLLBACK.toString().equals(conf.get(DFSConfigKeys.DFS_DATANODE_STARTUP_KEY));
    }

    private static BlockKey keyOf(ExtendedBlock block) {
        return new BlockKey(block.getBlockPoolId(), block.getBlockId());
    }

    /** The meta file of a block that this thread is about to send, or whatever else it does with it. */
    LengthInputStream openMeta(ExtendedBlock block, StockMeta stock) throws IOException {
        takePending().ifPresent(left -> left.read().close());
        if (cache.isEmpty()
                || !ReaderThreads.isRemoteClient(Thread.currentThread().getName())) {
            return stock.open();
        }
        try {
            Optional<ClientRead> read = begin(cache.get(), block);
            read.ifPresent(begun -> PENDING.set(new PendingRead(keyOf(block), block.getGenerationStamp(), begun)));
            Optional<CachedRead> cached = read.flatMap(ClientRead::cached);
            if (cached.isPresent()) {
                return new LengthInputStream(
                        cached.get().openMeta(), cached.get().metaLength());
            }
        } catch (Throwable failure) {
            takePending();
            failed("the meta file of a block", failure);
        }
        return stock.open();
    }

    /** The data of a block that this thread is about to send, or whatever else it does with them. */
    InputStream openData(ExtendedBlock block, long position, StockData stock) throws IOException {
        String thread = Thread.currentThread().getName();
        if (cache.isEmpty()) {
            return stock.open();
        }
        if (!ReaderThreads.isRemoteClient(thread)) {
            if (!ReaderThreads.isShortCircuit(thread)) {
                cache.get().openedByOther();
            }
            return stock.open();
        }
        Optional<ClientRead> read = read(cache.get(), block);
        Optional<InputStream> cached = read.flatMap(begun -> openCached(begun, position, stock));
        if (cached.isPresent()) {
            return cached.get();
        }
        InputStream disk = stock.open();
        return read.map(begun -> counted(disk, begun.fromDisk(), position)).orElse(disk);
    }

    /** The read whose meta file was opened, or one of a client that wants no checksums. */
    private Optional<ClientRead> read(ReadCache cache, ExtendedBlock block) {
        Optional<PendingRead> begun = takePending();
        if (begun.filter(read -> read.isOf(block)).isPresent()) {
            return begun.map(PendingRead::read);
        }
        begun.ifPresent(ofAnother -> ofAnother.read().close());
        try {
            return begin(cache, block);
        } catch (Throwable failure) {
            failed("a block that is opened", failure);
            return Optional.empty();
        }
    }

    private Optional<ClientRead> begin(ReadCache cache, ExtendedBlock block) {
        if (inMemory.contains(block.getBlockPoolId(), block.getBlockId())) {
            return Optional.empty();
        }
        return replicas.find(block.getBlockPoolId(), block.getBlockId(), block.getGenerationStamp())
                .flatMap(cache::open);
    }

    private static Optional<PendingRead> takePending() {
        Optional<PendingRead> taken = Optional.ofNullable(PENDING.get());
        PENDING.remove();
        return taken;
    }

    private Optional<InputStream> openCached(ClientRead read, long position, StockData stock) {
        if (read.cached().isEmpty()) {
            return Optional.empty();
        }
        CachedRead cached = read.cached().get();
        try {
            CachedBlockReader block = cached.openData();
            try {
                return Optional.of(
                        ClientBlockStream.ofCache(descriptorFile(cached.dataFile(), stock), block, read, position));
            } catch (Throwable failure) {
                block.close();
                throw failure;
            }
        } catch (Throwable failure) {
            failed("the data of a block", failure);
            return Optional.empty();
        }
    }

    /** The file on the SSD; an empty one where the store has no such files; the disk's where that one has gone. */
    private static FileInputStream descriptorFile(Optional<Path> onSsd, StockData stock) throws IOException {
        Path file = onSsd.orElse(EMPTY_FILE);
        try {
            return new FileInputStream(file.toFile());
        } catch (FileNotFoundException gone) {
            LOG.debug("{} has gone while it was opened", file);
        }
        return asFile(stock.open())
                .orElseThrow(() -> new IOException("a replica that is no file can't be read through the cache"));
    }

    private static Optional<FileInputStream> asFile(InputStream in) throws IOException {
        if (in instanceof FileInputStream file) {
            return Optional.of(file);
        }
        in.close();
        return Optional.empty();
    }

    /** The same bytes; how many they are is counted. */
    private InputStream counted(InputStream disk, ClientRead read, long position) {
        if (disk instanceof FileInputStream file) {
            try {
                return ClientBlockStream.ofDisk(file, read, position);
            } catch (Throwable failure) {
                failed("the count of a block's bytes", failure);
            }
        }
        return disk;
    }

    private void failed(String what, Throwable failure) {
        cache.ifPresent(running -> running.counts().add(Counter.FALLBACKS));
        log.accept(what, failure);
    }

    /** The volume map has this replica no longer, or another one. Waits for no SSD, and throws nothing. */
    void drop(String blockPool, long blockId) {
        forget(GONE, running -> running.drop(new BlockKey(blockPool, blockId)));
    }

    /** The same of each of these. */
    void drop(String blockPool, Block... blocks) {
        forget(GONE, running -> {
            for (Block block : blocks) {
                running.drop(new BlockKey(blockPool, block.getBlockId()));
            }
        });
    }

    /** The same. */
    void drop(ExtendedBlock block) {
        forget(GONE, running -> running.drop(keyOf(block)));
    }

    /** A replica was one before its files were looked at and is the other now: its copy goes unless they are the same. */
    void scanned(String blockPool, Optional<Block> before, Optional<Block> after) {
        forget("a scanned replica", running -> {
            if (before.isPresent() && !isSameVersion(before.get(), after)) {
                running.drop(new BlockKey(blockPool, before.get().getBlockId()));
            }
        });
    }

    private static boolean isSameVersion(Block before, Optional<Block> after) {
        return after.filter(now -> now.getGenerationStamp() == before.getGenerationStamp()
                        && now.getNumBytes() == before.getNumBytes())
                .isPresent();
    }

    /** All replicas of this block pool are in the volume map. */
    void blockPoolLoaded(String blockPool) {
        replicas.loaded(blockPool);
    }

    /** This block pool is about to leave the volume map, and its replicas stay on the disks. */
    void blockPoolUnloaded(String blockPool) {
        replicas.unloaded(blockPool);
    }

    /** The replicas of this block pool have gone for good. */
    void blockPoolDeleted(String blockPool) {
        forget("a block pool that has gone", running -> running.dropBlockPool(blockPool));
    }

    private void forget(String what, Consumer<ReadCache> drop) {
        try {
            cache.ifPresent(drop);
        } catch (Throwable failure) {
            log.accept(what, failure);
        }
    }

    /** Saves the restart index and ends it. */
    void stop() {
        stop.run();
    }
}
