// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hearth.datanode.cache.LocalPageStore;
import io.hearth.datanode.cache.ReadCache;
import io.hearth.datanode.cache.SsdCache;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.hdfs.DataNodeRestarts;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.EmulatedDiskDatasetFactory;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;

/** An HDFS with one DataNode whose read cache takes what was read once, configured by an hdfs-site.xml. */
final class ReadCacheCluster implements AutoCloseable {

    static final int BLOCK_BYTES = 1 << 20;
    static final int PAGE_BYTES = 64 << 10;
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /** More than one JVM starts in all. */
    private static final int MOST_DATANODES = 30;

    private final TestedPageStore store = TestedPageStore.configured();
    private final Path folder;
    private final Path ssd;
    private final MiniDFSCluster dfs;
    private long changes;

    /** A client that compares no checksums: a wrong byte would reach it. Empty until somebody asks for it. */
    private Optional<DistributedFileSystem> unverified = Optional.empty();

    ReadCacheCluster(Path folder, BlockTransport transport) throws IOException {
        this(folder, transport.settings(), MiniDFSNNTopology.simpleSingleNN(0, 0));
    }

    /** @param settings of HDFS, beside those that it has anyway */
    ReadCacheCluster(Path folder, Map<String, String> settings, MiniDFSNNTopology nameNodes) throws IOException {
        this.folder = folder;
        this.ssd = Files.createDirectories(folder.resolve("ssd"));
        configure("on");
        HdfsConfiguration conf = new HdfsConfiguration();
        conf.setClassLoader(
                new URLClassLoader(new URL[] {folder.toUri().toURL()}, ReadCacheCluster.class.getClassLoader()));
        conf.reloadConfiguration();
        conf.set(
                "dfs.datanode.fsdataset.factory",
                "org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.HearthDatasetFactory");
        conf.set("hdfs.minidfs.basedir", folder.resolve("dfs").toString());
        // Its default asks for the machine's own name, which the hosts file of the build's JVM does not hold.
        conf.set("hadoop.http.authentication.kerberos.principal", "HTTP/localhost@LOCALHOST");
        settings.forEach(conf::set);
        conf.setInt("dfs.heartbeat.interval", 1);
        conf.setInt("dfs.namenode.redundancy.interval.seconds", 1);
        conf.setLong("dfs.blocksize", BLOCK_BYTES);
        dfs = new MiniDFSCluster.Builder(conf)
                .nnTopology(nameNodes)
                .numDataNodes(1)
                .build();
        awaitServing();
    }

    /** Sets the mode as an operator does. */
    void configure(String mode) throws IOException {
        configure(mode, PAGE_BYTES);
    }

    void configure(String mode, int pageBytes) throws IOException {
        configure(mode, pageBytes, 0);
    }

    private void configure(String mode, int pageBytes, int reads) throws IOException {
        changes++;
        Map<String, String> lines = new TreeMap<>(store.settings());
        lines.put("hearth.datanode.cache.mode", mode);
        lines.put("hearth.datanode.cache.dir", ssd.toString());
        lines.put("hearth.datanode.cache.page.bytes", "" + pageBytes);
        lines.put("hearth.datanode.cache.max.bytes", "" + maxBytes(pageBytes + reads));
        lines.put("hearth.datanode.cache.min.free.bytes", "0");
        lines.put("hearth.datanode.cache.admission.reads", "" + reads);
        lines.put("hearth.datanode.cache.max.daily.writes", "100");
        DeletionDelayCluster.writeSite(folder, lines, 1_000 * changes);
    }

    /** Sets the size of pages, 0 for whole blocks, and waits until the DataNode has read it. */
    void awaitPages(int pageBytes) throws IOException {
        configure("on", pageBytes);
        awaitMaxBytes(pageBytes);
    }

    /** Sets that what is read more often than that is cached, and waits until the DataNode has read it. */
    void awaitAdmission(int reads) throws IOException {
        configure("on", PAGE_BYTES, reads);
        awaitMaxBytes(PAGE_BYTES + reads);
    }

    private static void awaitMaxBytes(int sign) {
        await("the DataNode has read its settings").atMost(PATIENCE).untilAsserted(() -> assertThat(metric("MaxBytes"))
                .isEqualTo(maxBytes(sign)));
    }

    /** More than is ever needed; no metric tells the size of pages, nor after how many reads something is cached. */
    private static long maxBytes(int sign) {
        return (1L << 40) + sign;
    }

    void awaitMode(int mode) {
        await("the mode is " + mode).atMost(PATIENCE).untilAsserted(() -> assertThat(metric("Mode"))
                .isEqualTo(mode));
    }

    void awaitServing() {
        await("the SSD is served from").atMost(PATIENCE).untilAsserted(() -> assertThat(metric("Serving"))
                .isEqualTo(1));
    }

    MiniDFSCluster dfs() {
        return dfs;
    }

    DistributedFileSystem fileSystem() throws IOException {
        return dfs.getFileSystem(0);
    }

    /** One that does not verify checksums, and one that does. */
    List<DistributedFileSystem> clients() throws IOException {
        if (unverified.isEmpty()) {
            DistributedFileSystem client = (DistributedFileSystem)
                    org.apache.hadoop.fs.FileSystem.newInstance(dfs.getURI(0), dfs.getConfiguration(0));
            client.setVerifyChecksum(false);
            unverified = Optional.of(client);
        }
        return List.of(unverified.get(), fileSystem());
    }

    /** Starts DataNodes that have no cache. */
    void startStockDataNodes(int count) throws IOException {
        HdfsConfiguration stock = new HdfsConfiguration(dfs.getConfiguration(0));
        stock.set(
                "dfs.datanode.fsdataset.factory",
                "org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.FsDatasetFactory");
        dfs.startDataNodes(stock, count, true, null, null);
        dfs.waitActive();
    }

    /** Has the DataNode keep its pages, until it is restarted, in a store that can hold them up. */
    HeldPageStore holdPages() throws IOException {
        ReadCache cache =
                EmulatedDiskDatasetFactory.readCache(dfs.getDataNodes().get(0));
        cache.close();
        Path pages = ssd.resolve(SsdCache.FOLDER);
        HeldPageStore held = new HeldPageStore(LocalPageStore.open(pages));
        SsdCache fresh = cache.openFolder(pages, held);
        assertThat(fresh.restore(() -> false)).isTrue();
        cache.use(fresh);
        return held;
    }

    /** The folder on the SSD that is configured. */
    Path ssd() {
        return ssd;
    }

    /** Stops the DataNode, which reads its settings when it starts again, as another process would. */
    DataNodeProperties stopDataNode() {
        DataNodeProperties stopped = dfs.stopDataNode(0);
        DataNodeRestarts.readFilesAgain(stopped);
        return stopped;
    }

    void restartDataNode() throws IOException {
        dfs.restartDataNode(stopDataNode());
        dfs.waitActive();
        awaitServing();
    }

    /** Writes a file of random bytes. */
    byte[] write(String path, int length) throws IOException {
        return write(fileSystem(), path, length);
    }

    static byte[] write(DistributedFileSystem fs, String path, int length) throws IOException {
        byte[] bytes = new byte[length];
        new Random(path.hashCode()).nextBytes(bytes);
        try (FSDataOutputStream out = fs.create(new org.apache.hadoop.fs.Path(path), (short) 1)) {
            out.write(bytes);
        }
        return bytes;
    }

    byte[] read(String path) throws IOException {
        return read(fileSystem(), path);
    }

    static byte[] read(DistributedFileSystem fs, String path) throws IOException {
        try (FSDataInputStream in = fs.open(new org.apache.hadoop.fs.Path(path))) {
            return in.readAllBytes();
        }
    }

    byte[] read(String path, long position, int length) throws IOException {
        byte[] bytes = new byte[length];
        try (FSDataInputStream in = fileSystem().open(new org.apache.hadoop.fs.Path(path))) {
            in.readFully(position, bytes);
        }
        return bytes;
    }

    /** The files on the SSD that have blocks' data or copies of their meta files. */
    List<Path> copies() throws IOException {
        return store.copies(ssd);
    }

    /** The data and the copies of meta files on the SSD, two for each block, each in one file or in one for each page. */
    List<Path> files() throws IOException {
        return store.files(ssd);
    }

    /** Waits until the SSD has the data and the copy of the meta file of each block that is cached, and no other file. */
    void awaitOnlyWhatIsCached() {
        await("the SSD has nothing else").atMost(PATIENCE).untilAsserted(() -> assertThat(files())
                .hasSize((int) (2 * metric("CachedBlocks"))));
    }

    /** Blocks and replicas that the NameNode believes to be corrupt, and blocks that it misses. */
    long corruptOrMissing() throws IOException {
        dfs.triggerHeartbeats();
        dfs.triggerBlockReports();
        return dfs.getNamesystem().getCorruptReplicaBlocks()
                + fileSystem().getCorruptBlocksCount()
                + fileSystem().getMissingBlocksCount();
    }

    /** How much a metric grows by that. */
    static long growth(String metric, Callable<?> action) throws Exception {
        long before = metric(metric);
        action.call();
        return metric(metric) - before;
    }

    /** Reads a whole file, which has these bytes. */
    Callable<?> readsAre(String file, byte[] bytes) {
        return () -> {
            assertThat(read(file)).isEqualTo(bytes);
            return true;
        };
    }

    /** Both {@link #clients} read a whole file, which has these bytes. */
    Callable<?> bothReadsAre(String file, byte[] bytes) {
        return () -> {
            for (DistributedFileSystem client : clients()) {
                assertThat(read(client, file)).isEqualTo(bytes);
            }
            return true;
        };
    }

    /** Waits until the SSD has a file, which has these bytes, and nothing of it comes from the disk. */
    void untilBothComeFromTheSsd(String file, byte[] bytes) {
        await("all of it comes from the SSD, to both")
                .atMost(PATIENCE)
                .until(() -> growth("SsdBytes", bothReadsAre(file, bytes)) == 2L * bytes.length);
    }

    /** Deletes a file, and waits until the SSD has nothing more. */
    void deleteLast(String file) throws IOException {
        fileSystem().delete(new org.apache.hadoop.fs.Path(file), false);
        awaitNothing();
    }

    /** Waits until the SSD has nothing, and no room of it is reserved. */
    void awaitNothing() {
        await("the copies have gone").atMost(PATIENCE).untilAsserted(() -> {
            assertThat(copies()).isEmpty();
            assertThat(metric("CachedBytes")).isZero();
        });
        assertThat(metric("CachedBlocks")).isZero();
    }

    /** The sum over the DataNodes of this JVM that have a read cache. */
    static long metric(String name) {
        return sums().getOrDefault(name, 0L);
    }

    private static Map<String, Long> sums() {
        Map<String, Long> sums = new TreeMap<>();
        for (int i = 0; i < MOST_DATANODES; i++) {
            // The first DataNode of a JVM has the plain name, the others a number after it.
            MetricsSource source =
                    DefaultMetricsSystem.instance().getSource("HearthReadCache" + (i == 0 ? "" : "-" + i));
            if (source != null) {
                MetricsCollectorImpl collector = new MetricsCollectorImpl();
                source.getMetrics(collector, true);
                // Their class is not public in Hadoop 3.3.
                List<? extends MetricsRecord> records = collector.getRecords();
                for (AbstractMetric metric : records.get(0).metrics()) {
                    sums.merge(metric.name(), metric.value().longValue(), Long::sum);
                }
            }
        }
        return sums;
    }

    @Override
    public void close() throws IOException {
        if (unverified.isPresent()) {
            unverified.get().close();
        }
        dfs.shutdown(true);
    }
}
