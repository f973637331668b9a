// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.cache;

import io.hearth.bench.cache.EmulatedSsd.SsdTimes;
import io.hearth.datanode.cache.LocalPageStore;
import io.hearth.datanode.cache.ReadCache;
import io.hearth.datanode.cache.SsdCache;
import io.hearth.datanode.config.ReadCacheSettings;
import io.hearth.datanode.config.ReadCacheSettings.Mode;
import io.hearth.datanode.config.ReadCacheSettings.ReadCacheConfig;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.EmulatedDiskDatasetFactory;
import org.awaitility.Awaitility;

/**
 * An HDFS with one DataNode that has the shipped dataset, an {@link EmulatedDisk} and an {@link EmulatedSsd}, all of it in this JVM. Its
 * read cache is configured as an operator does it, by hdfs-site.xml. Not thread-safe.
 */
final class ReadCacheDataNode implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final int WRITTEN_AT_ONCE = 1 << 20;

    private final Path folder;
    private final EmulatedDisk disk;
    private final MiniDFSCluster dfs;
    private final ReadCache cache;
    private int changes;
    private int ssds;

    /**
     * A file of whole blocks. Immutable.
     *
     * @param blockFiles the names of the blocks' files on the DataNode's disk
     */
    record BlockFile(org.apache.hadoop.fs.Path path, int blockBytes, List<String> blockFiles) {

        BlockFile {
            blockFiles = List.copyOf(blockFiles);
        }

        int blocks() {
            return blockFiles.size();
        }
    }

    /** What is configured of the read cache. Immutable. */
    record CacheKeys(Mode mode, int admissionReads, long maxBytes, double dailyWrites) {

        private boolean isIn(ReadCacheConfig config) {
            return config.mode() == mode
                    && config.admission().reads() == admissionReads
                    && config.storage().maxBytes() == maxBytes
                    && config.storage().dailyWrites() == dailyWrites;
        }
    }

    /** Starts it with its files in this folder; its disk is switched off, and it has no SSD yet. */
    ReadCacheDataNode(Path folder, EmulatedDisk disk, int blockBytes, CacheKeys keys) throws IOException {
        this.folder = folder;
        this.disk = disk;
        write(keys);
        HdfsConfiguration conf = new HdfsConfiguration();
        conf.setClassLoader(
                new URLClassLoader(new URL[] {folder.toUri().toURL()}, ReadCacheDataNode.class.getClassLoader()));
        conf.reloadConfiguration();
        conf.set("dfs.datanode.fsdataset.factory", EmulatedDiskDatasetFactory.class.getName());
        conf.set("hdfs.minidfs.basedir", folder.resolve("dfs").toString());
        conf.set("hadoop.http.authentication.kerberos.principal", "HTTP/localhost@LOCALHOST");
        conf.setLong("dfs.blocksize", blockBytes);
        conf.setInt("dfs.client.socketcache.capacity", 256);
        EmulatedDiskDatasetFactory.use(disk);
        dfs = new MiniDFSCluster.Builder(conf).numDataNodes(1).build();
        cache = EmulatedDiskDatasetFactory.readCache(dfs.getDataNodes().get(0));
    }

    /** Configures the read cache, and waits until the DataNode knows. */
    void configure(CacheKeys keys) throws IOException {
        write(keys);
        Awaitility.await("the read cache's configuration")
                .atMost(PATIENCE)
                .until(() -> keys.isIn(cache.status().config()));
    }

    private void write(CacheKeys keys) throws IOException {
        Configuration site = new Configuration(false);
        site.set(ReadCacheSettings.MODE.key(), keys.mode().toString());
        site.set(ReadCacheSettings.ADMISSION_READS.key(), "" + keys.admissionReads());
        site.set(ReadCacheSettings.MAX_BYTES.key(), "" + keys.maxBytes());
        site.set(ReadCacheSettings.DAILY_WRITES.key(), "" + keys.dailyWrites());
        site.set(ReadCacheSettings.MIN_FREE_BYTES.key(), "0");
        Path file = folder.resolve("hdfs-site.xml");
        try (OutputStream out = Files.newOutputStream(file)) {
            site.writeXml(out);
        }
        // A change within the granularity of file times is a change too.
        changes++;
        Files.setLastModifiedTime(file, FileTime.fromMillis(1_000L * changes));
    }

    /** Gives the DataNode another SSD, which is empty. */
    void newSsd(SsdTimes times) throws IOException {
        ssds++;
        Path own = Files.createDirectories(folder.resolve("ssd-" + ssds)).resolve(SsdCache.FOLDER);
        SsdCache fresh = cache.openFolder(
                own, new EmulatedSsd(LocalPageStore.open(own), times, System::nanoTime, EmulatedDisk::park));
        if (!fresh.restore(() -> false)) {
            throw new IOException("the read cache has not begun to serve");
        }
        cache.use(fresh);
    }

    ReadCache cache() {
        return cache;
    }

    EmulatedDisk disk() {
        return disk;
    }

    DistributedFileSystem fileSystem() throws IOException {
        return dfs.getFileSystem();
    }

    /** Writes a file of so many blocks with random bytes. */
    BlockFile write(String name, int blocks, int blockBytes) throws IOException {
        org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(name);
        byte[] piece = new byte[Math.min(blockBytes, WRITTEN_AT_ONCE)];
        SplittableRandom random = new SplittableRandom(name.hashCode());
        try (FSDataOutputStream out = fileSystem().create(path, (short) 1)) {
            for (long left = (long) blocks * blockBytes; left > 0; left -= piece.length) {
                random.nextBytes(piece);
                out.write(piece);
            }
        }
        List<String> blockFiles =
                fileSystem().getClient().getLocatedBlocks(name, 0, Long.MAX_VALUE).getLocatedBlocks().stream()
                        .map(block -> Block.BLOCK_FILE_PREFIX + block.getBlock().getBlockId())
                        .toList();
        return new BlockFile(path, blockBytes, blockFiles);
    }

    @Override
    public void close() {
        dfs.shutdown(true);
    }
}
