// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.integration;

import static io.hearth.integration.ReadCacheCluster.PAGE_BYTES;
import static io.hearth.integration.ReadCacheCluster.growth;
import static io.hearth.integration.ReadCacheCluster.metric;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.UntoldDeletions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The read cache in a stock DataNode whose SSD fails, whose process is killed, or which has two block pools. With its pages in Alluxio's
 * page store it is run by the profile {@code alluxio}.
 */
class DataNodeReadCacheFaultsIT {

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final String FILE = "/f";
    private static final int LENGTH = 2 * ReadCacheCluster.BLOCK_BYTES + 300_123;

    /** Nobody else's in this build, and below those that the system gives out. */
    private static final int FIRST_PORT = 29_880;

    private static final TestedPageStore STORE = TestedPageStore.configured();

    @TempDir
    private Path folder;

    private ReadCacheCluster cluster;

    /** Encrypted, a block is read through buffers, and its client has a token of it. */
    @ParameterizedTest(name = "with encryption and block tokens: {0}")
    @ValueSource(booleans = {false, true})
    @Tag("soak")
    void aSickSsdCostsNobodyAnything(boolean isEncrypted) throws Exception {
        Map<String, String> settings = Map.of(
                "dfs.encrypt.data.transfer", "" + isEncrypted, "dfs.block.access.token.enable", "" + isEncrypted);
        try (ReadCacheCluster started =
                new ReadCacheCluster(folder, settings, MiniDFSNNTopology.simpleSingleNN(0, 0))) {
            cluster = started;
            byte[] bytes = cluster.write(FILE, LENGTH);
            untilItComesFromTheSsd(bytes);
            anErrorOfTheSsdReachesNobody(bytes);
            aFullSsdReachesNobody();
            anSsdThatIsUnmountedReachesNobody(bytes);
        }
    }

    private void untilItComesFromTheSsd(byte[] bytes) {
        await("all of it comes from the SSD")
                .atMost(PATIENCE)
                .until(() -> growth("SsdBytes", cluster.readsAre(FILE, bytes)) == LENGTH);
    }

    /** Nothing is mapped at the low addresses of a process, so that reading them is an EIO, the error of a bad sector. */
    private void anErrorOfTheSsdReachesNobody(byte[] bytes) throws Exception {
        for (Path copy : cluster.copies()) {
            Files.delete(copy);
            Files.createSymbolicLink(copy, Path.of("/proc/self/mem"));
        }

        assertThat(growth("SsdErrors", cluster.readsAre(FILE, bytes))).isBetween(3L, 9L);
        assertThat(cluster.corruptOrMissing()).isZero();
        untilItComesFromTheSsd(bytes);
    }

    /** The copy has one page, and no other can be written. */
    private void aFullSsdReachesNobody() throws Exception {
        cluster.awaitOnlyWhatIsCached();
        List<Path> before = cluster.copies();
        byte[] bytes = cluster.write("/full", ReadCacheCluster.BLOCK_BYTES);
        assertThat(cluster.read("/full", 0, 10)).isEqualTo(Arrays.copyOf(bytes, 10));
        List<Path> fresh = new ArrayList<>(cluster.copies());
        fresh.removeAll(before);
        assertThat(fresh).hasSize(2);
        Path data = fresh.stream()
                .max(Comparator.comparing(copy -> copy.toFile().length()))
                .orElseThrow();
        STORE.fill(data, 5);

        for (int page = 5; page < 8; page++) {
            int start = page * PAGE_BYTES;
            long rejected = growth("RejectedSsdFull", () -> assertThat(cluster.read("/full", start, 1_000))
                    .isEqualTo(Arrays.copyOfRange(bytes, start, start + 1_000)));
            assertThat(rejected).isEqualTo(page == 5 ? 0 : 1);
        }
        assertThat(cluster.read("/full")).isEqualTo(bytes);
        cluster.fileSystem().delete(new org.apache.hadoop.fs.Path("/full"), false);
        await("its copies have gone").atMost(PATIENCE).untilAsserted(() -> assertThat(cluster.copies())
                .containsExactlyInAnyOrderElementsOf(before));
    }

    private void anSsdThatIsUnmountedReachesNobody(byte[] bytes) throws Exception {
        Path mounted = cluster.ssd().resolve("hearth-read-cache");
        Path away = folder.resolve("away");
        Files.move(mounted, away);

        cluster.readsAre(FILE, bytes).call();
        await("it is switched off").atMost(PATIENCE).untilAsserted(() -> assertThat(metric("Serving"))
                .isZero());
        assertThat(growth("SsdBytes", cluster.readsAre(FILE, bytes))).isZero();
        assertThat(cluster.ssd()).as("its mount point").isEmptyDirectory();
        assertThat(cluster.corruptOrMissing()).isZero();

        Files.move(away, mounted);
        cluster.restartDataNode();
        untilItComesFromTheSsd(bytes);
        assertThat(cluster.files()).as("data and checksums of three blocks").hasSize(6);
    }

    @Test
    @Tag("soak")
    void twoBlockPoolsMayHaveTheSameBlockIds() throws Exception {
        twoBlockPools(BlockTransport.TRANSFER_TO, PAGE_BYTES);
    }

    @ParameterizedTest
    @CsvSource({"TRANSFER_TO, 0", "BUFFERS, 65536", "BUFFERS, 0", "ENCRYPTED, 65536", "ENCRYPTED, 0"})
    @Tag("release-checks")
    void twoBlockPoolsByOtherWays(BlockTransport transport, int pageBytes) throws Exception {
        twoBlockPools(transport, pageBytes);
    }

    private void twoBlockPools(BlockTransport transport, int pageBytes) throws Exception {
        try (ReadCacheCluster started =
                new ReadCacheCluster(folder, transport.settings(), MiniDFSNNTopology.simpleFederatedTopology(2))) {
            started.awaitPages(pageBytes);
            DistributedFileSystem first = started.dfs().getFileSystem(0);
            DistributedFileSystem second = started.dfs().getFileSystem(1);
            byte[] firstBytes = ReadCacheCluster.write(first, "/first", LENGTH);
            byte[] secondBytes = ReadCacheCluster.write(second, "/second", LENGTH);
            assertThat(blockIds(first, "/first")).isEqualTo(blockIds(second, "/second"));
            Callable<?> reads = () -> {
                assertThat(ReadCacheCluster.read(first, "/first")).isEqualTo(firstBytes);
                assertThat(ReadCacheCluster.read(second, "/second")).isEqualTo(secondBytes);
                return true;
            };

            // Whole blocks may be filled while they are read for the first time.
            assertThat(growth("DiskBytes", reads)).isBetween(pageBytes == 0 ? 1L : 2L * LENGTH, 2L * LENGTH);
            if (pageBytes == 0) {
                await("their blocks are filled").atMost(PATIENCE).until(() -> growth("DiskBytes", reads) == 0);
            }
            assertThat(growth("SsdBytes", reads)).isEqualTo(2 * LENGTH);
            try (DistributedFileSystem firstUnverified = unverified(started.dfs(), 0);
                    DistributedFileSystem secondUnverified = unverified(started.dfs(), 1)) {
                assertThat(growth("SsdBytes", () -> {
                            assertThat(ReadCacheCluster.read(firstUnverified, "/first"))
                                    .isEqualTo(firstBytes);
                            assertThat(ReadCacheCluster.read(secondUnverified, "/second"))
                                    .isEqualTo(secondBytes);
                            return true;
                        }))
                        .isEqualTo(2 * LENGTH);
            }

            first.delete(new org.apache.hadoop.fs.Path("/first"), false);
            await("the copies of one have gone").atMost(PATIENCE).untilAsserted(() -> assertThat(started.files())
                    .hasSize(6));
            assertThat(growth("SsdBytes", () -> assertThat(ReadCacheCluster.read(second, "/second"))
                            .isEqualTo(secondBytes)))
                    .isEqualTo(LENGTH);
            started.dfs().triggerBlockReports();
            for (DistributedFileSystem fs : List.of(first, second)) {
                assertThat(fs.getCorruptBlocksCount() + fs.getMissingBlocksCount())
                        .isZero();
            }
        }
    }

    /** One that compares no checksums: a wrong byte would reach it. */
    private static DistributedFileSystem unverified(MiniDFSCluster dfs, int nameNode) throws IOException {
        DistributedFileSystem client = (DistributedFileSystem)
                org.apache.hadoop.fs.FileSystem.newInstance(dfs.getURI(nameNode), dfs.getConfiguration(nameNode));
        client.setVerifyChecksum(false);
        return client;
    }

    private static List<Long> blockIds(DistributedFileSystem fs, String path) throws IOException {
        try (HdfsDataInputStream in = (HdfsDataInputStream) fs.open(new org.apache.hadoop.fs.Path(path))) {
            return in.getAllBlocks().stream()
                    .map(block -> block.getBlock().getBlockId())
                    .toList();
        }
    }

    /** Nobody tells the cache that a replica has left the volume map: the sweep of each minute finds its copy, and drops no other. */
    @Test
    @Tag("release-checks")
    void aReplicaThatLeavesUntoldIsSwept() throws Exception {
        try (ReadCacheCluster started = new ReadCacheCluster(folder, BlockTransport.TRANSFER_TO)) {
            cluster = started;
            byte[] bytes = cluster.write(FILE, LENGTH);
            untilItComesFromTheSsd(bytes);
            assertThat(metric("CachedBlocks")).isEqualTo(3);
            DataNode dataNode = cluster.dfs().getDataNodes().get(0);
            DistributedFileSystem fs = cluster.fileSystem();
            try (HdfsDataInputStream in = (HdfsDataInputStream) fs.open(new org.apache.hadoop.fs.Path(FILE))) {
                UntoldDeletions.forget(dataNode, in.getAllBlocks().get(0).getBlock());
            }
            await("its copy has gone").atMost(PATIENCE.multipliedBy(2)).until(() -> metric("CachedBlocks") < 3);
            assertThat(metric("CachedBlocks")).isEqualTo(2);
        }
    }

    @Test
    @Tag("soak")
    void aKillDuringAFillLeavesNothingBehind() throws Exception {
        aKillDuringAFill(BlockTransport.TRANSFER_TO, PAGE_BYTES);
    }

    @ParameterizedTest
    @CsvSource({"TRANSFER_TO, 0", "BUFFERS, 65536", "BUFFERS, 0", "ENCRYPTED, 65536", "ENCRYPTED, 0"})
    @Tag("release-checks")
    void norDoesOneByOtherWays(BlockTransport transport, int pageBytes) throws Exception {
        aKillDuringAFill(transport, pageBytes);
    }

    private void aKillDuringAFill(BlockTransport transport, int pageBytes) throws Exception {
        Path ssd = Files.createDirectories(folder.resolve("ssd"));
        try (MiniDFSCluster dfs = startNameNode(transport);
                DataNodeProcess dataNode = startDataNode(dfs, ssd, transport, pageBytes)) {
            DistributedFileSystem fs = dfs.getFileSystem();
            awaitEmpty(dataNode, ssd);
            byte[] bytes = ReadCacheCluster.write(fs, FILE, 64 << 20);
            FutureTask<byte[]> reader = new FutureTask<>(() -> ReadCacheCluster.read(fs, FILE));
            Thread thread = new Thread(reader, "reader");
            thread.setDaemon(true);
            thread.start();
            await("it fills the second block")
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(1))
                    .atMost(PATIENCE)
                    .until(() -> files(ssd).size() > 2 && (pageBytes > 0 || hasAPage(ssd)));

            dataNode.kill();
            assertThat(files(ssd)).isNotEmpty();
            assertThat(ssd.resolve("hearth-read-cache/in_use.lock")).exists();
            dataNode.start();
            await("it serves").atMost(PATIENCE).until(() -> dataNode.metric("Serving") == 1);
            assertRightOrFailed(reader, bytes);
            await("it is there again")
                    .atMost(PATIENCE)
                    .ignoreExceptions()
                    .until(() -> Arrays.equals(ReadCacheCluster.read(fs, FILE), bytes));
            assertThat(ReadCacheCluster.read(fs, FILE)).isEqualTo(bytes);
            if (pageBytes == 0) {
                await("its blocks are filled")
                        .atMost(PATIENCE)
                        .until(() -> Arrays.equals(ReadCacheCluster.read(fs, FILE), bytes)
                                && dataNode.metric("SsdBytes") >= bytes.length);
            }
            await("it is served from the SSD")
                    .atMost(PATIENCE)
                    .until(() -> dataNode.metric("SsdBytes") >= bytes.length);
            try (DistributedFileSystem unverified = unverified(dfs, 0)) {
                assertThat(ReadCacheCluster.read(unverified, FILE)).isEqualTo(bytes);
            }
            assertThat(files(ssd))
                    .as("data and checksums of eight blocks, and nothing else")
                    .hasSize(16);
            assertThat(dataNode.metric("VerificationFailures")).isZero();
            assertThat(fs.getCorruptBlocksCount() + fs.getMissingBlocksCount()).isZero();
        }
    }

    /** The reader's block, if it outlived the kill, was read to its end from the DataNode that came back. */
    private static void assertRightOrFailed(FutureTask<byte[]> reader, byte[] bytes) throws Exception {
        try {
            assertThat(reader.get(1, TimeUnit.MINUTES)).isEqualTo(bytes);
        } catch (ExecutionException itsDataNodeWasKilled) {
            assertThat(itsDataNodeWasKilled).hasCauseInstanceOf(IOException.class);
        }
    }

    private static void awaitEmpty(DataNodeProcess dataNode, Path ssd) {
        await("it serves").atMost(PATIENCE).until(() -> dataNode.metric("Serving") == 1);
        assertThat(files(ssd)).isEmpty();
    }

    private static List<Path> files(Path ssd) {
        try {
            return STORE.files(ssd);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Whether a page of a whole block is there, which has 1 MiB; the checksums of a block have less. */
    private static boolean hasAPage(Path ssd) throws IOException {
        return STORE.copies(ssd).stream().anyMatch(copy -> copy.toFile().length() >= 1 << 20);
    }

    private MiniDFSCluster startNameNode(BlockTransport transport) throws IOException {
        HdfsConfiguration conf = new HdfsConfiguration();
        transport.settings().forEach(conf::set);
        conf.set("hdfs.minidfs.basedir", folder.resolve("dfs").toString());
        // Its default asks for the machine's own name, which the hosts file of the build's JVM does not hold.
        conf.set("hadoop.http.authentication.kerberos.principal", "HTTP/localhost@LOCALHOST");
        conf.setInt("dfs.namenode.redundancy.interval.seconds", 1);
        conf.setLong("dfs.blocksize", 8 << 20);
        return new MiniDFSCluster.Builder(conf).numDataNodes(0).build();
    }

    private DataNodeProcess startDataNode(MiniDFSCluster dfs, Path ssd, BlockTransport transport, int pageBytes)
            throws IOException {
        Map<String, String> lines = new TreeMap<>(STORE.settings());
        lines.putAll(transport.settings());
        lines.put("hearth.datanode.cache.mode", "on");
        lines.put("hearth.datanode.cache.dir", ssd.toString());
        lines.put("hearth.datanode.cache.page.bytes", "" + pageBytes);
        lines.put("hearth.datanode.cache.min.free.bytes", "0");
        lines.put("hearth.datanode.cache.admission.reads", "0");
        lines.put("hearth.datanode.cache.max.daily.writes", "100");
        return DataNodeProcess.start(folder.resolve("dn"), dfs.getURI(), FIRST_PORT, lines);
    }
}
