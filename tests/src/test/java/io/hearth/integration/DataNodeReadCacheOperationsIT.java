// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.integration;

import static io.hearth.integration.ReadCacheCluster.BLOCK_BYTES;
import static io.hearth.integration.ReadCacheCluster.PAGE_BYTES;
import static io.hearth.integration.ReadCacheCluster.growth;
import static io.hearth.integration.ReadCacheCluster.metric;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
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
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeManager;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The read cache in a stock DataNode of two disks, in pages and in whole blocks, under a client that verifies checksums and one that
 * does not: faults of the SSD, then what operators do with disks and DataNodes. Nobody gets an error or a wrong byte.
 */
class DataNodeReadCacheOperationsIT {

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final int WHOLE_BLOCKS = 0;

    /** Two blocks, the last one with a part of a page and of a chunk. */
    private static final int LENGTH = BLOCK_BYTES + 300_123;

    private static final int MANY_BLOCKS = 8;
    private static final org.apache.hadoop.fs.Path MANY = new org.apache.hadoop.fs.Path("/many");

    @TempDir
    private Path folder;

    private ReadCacheCluster cluster;
    private MiniDFSCluster dfs;
    private Path excluded;

    /** One cluster for all of it, and the SSD's errors first: they are of one DataNode, whose copies are all that there is. */
    @Test
    @Tag("soak")
    void nobodyGetsAnErrorOrAWrongByte() throws Exception {
        try (ReadCacheCluster started = start(BlockTransport.TRANSFER_TO)) {
            cluster = started;
            dfs = cluster.dfs();
            for (int pageBytes : new int[] {PAGE_BYTES, WHOLE_BLOCKS}) {
                aSickSsdReachesNobody(pageBytes);
            }
            cluster.awaitPages(PAGE_BYTES);
            aRestoreThatHangsHoldsNobodyUp();
            aRollbackTakesEveryCopyAway(PAGE_BYTES);
            disksAndDataNodesComeAndGo(WHOLE_BLOCKS, PAGE_BYTES);
        }
    }

    @ParameterizedTest
    @CsvSource({"TRANSFER_TO, 0", "BUFFERS, 65536", "BUFFERS, 0", "ENCRYPTED, 65536", "ENCRYPTED, 0"})
    @Tag("release-checks")
    void norByBuffersNorEncryptedNorInWholeBlocks(BlockTransport transport, int pageBytes) throws Exception {
        try (ReadCacheCluster started = start(transport)) {
            cluster = started;
            dfs = cluster.dfs();
            aSickSsdReachesNobody(pageBytes);
            aRestoreThatHangsHoldsNobodyUp();
            aRollbackTakesEveryCopyAway(pageBytes);
            disksAndDataNodesComeAndGo(pageBytes);
        }
    }

    private ReadCacheCluster start(BlockTransport transport) throws IOException {
        excluded = Files.createFile(folder.resolve("excluded"));
        Map<String, String> settings = new TreeMap<>(transport.settings());
        settings.put("dfs.datanode.failed.volumes.tolerated", "1");
        settings.put("dfs.datanode.disk.check.min.gap", "0");
        settings.put("dfs.hosts.exclude", excluded.toString());
        settings.put("dfs.namenode.decommission.interval", "1");
        return new ReadCacheCluster(folder, settings, MiniDFSNNTopology.simpleSingleNN(0, 0));
    }

    private void nothingIsCorruptOrMissing() throws IOException {
        assertThat(cluster.corruptOrMissing()).isZero();
    }

    private void aSickSsdReachesNobody(int pageBytes) throws Exception {
        cluster.awaitPages(pageBytes);
        String file = "/sick-" + pageBytes;
        byte[] bytes = cluster.write(file, LENGTH);
        for (DistributedFileSystem first : cluster.clients()) {
            // A restart forgets the errors that would switch the cache off.
            cluster.restartDataNode();
            aFlippedByteReachesNobody(first, file, bytes);
            anErrorOfTheSsdReachesNobody(first, file, bytes);
            cluster.restartDataNode();
            lostBytesReachNobody(first, file, bytes, DataNodeReadCacheOperationsIT::cut);
            lostBytesReachNobody(first, file, bytes, Files::delete);
        }
        aFullSsdReachesNobody(pageBytes);
        cluster.restartDataNode();
        anSsdThatIsUnmountedReachesNobody(file, bytes);
        cluster.deleteLast(file);
    }

    private void aFlippedByteReachesNobody(DistributedFileSystem first, String file, byte[] bytes) throws Exception {
        cluster.untilBothComeFromTheSsd(file, bytes);
        cluster.awaitOnlyWhatIsCached();
        for (Path copy : cluster.copies()) {
            flip(copy);
        }
        assertThat(growth("VerificationFailures", () -> assertThat(ReadCacheCluster.read(first, file))
                        .isEqualTo(bytes)))
                .isBetween(2L, 4L);
        cluster.bothReadsAre(file, bytes).call();
        nothingIsCorruptOrMissing();
    }

    private static void flip(Path copy) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(copy.toFile(), "rw")) {
            long at = file.length() / 2;
            file.seek(at);
            int there = file.read();
            file.seek(at);
            file.write(there ^ 1);
        }
    }

    private void lostBytesReachNobody(DistributedFileSystem first, String file, byte[] bytes, Loss loss)
            throws Exception {
        cluster.untilBothComeFromTheSsd(file, bytes);
        cluster.awaitOnlyWhatIsCached();
        for (Path copy : cluster.copies()) {
            loss.of(copy);
        }
        assertThat(growth("Fallbacks", () -> assertThat(ReadCacheCluster.read(first, file))
                        .isEqualTo(bytes)))
                .isBetween(2L, 4L);
        cluster.bothReadsAre(file, bytes).call();
        nothingIsCorruptOrMissing();
        cluster.untilBothComeFromTheSsd(file, bytes);
    }

    /** What happens to a file of the SSD. */
    @FunctionalInterface
    private interface Loss {
        void of(Path copy) throws IOException;
    }

    private static void cut(Path copy) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(copy.toFile(), "rw")) {
            file.setLength(file.length() / 2);
        }
    }

    /** Nothing is mapped at the low addresses of a process, so that reading them is an EIO, the error of a bad sector. */
    private void anErrorOfTheSsdReachesNobody(DistributedFileSystem first, String file, byte[] bytes) throws Exception {
        cluster.untilBothComeFromTheSsd(file, bytes);
        cluster.awaitOnlyWhatIsCached();
        for (Path copy : cluster.copies()) {
            Files.delete(copy);
            Files.createSymbolicLink(copy, Path.of("/proc/self/mem"));
        }
        assertThat(growth("SsdErrors", () -> assertThat(ReadCacheCluster.read(first, file))
                        .isEqualTo(bytes)))
                .isBetween(2L, 6L);
        cluster.bothReadsAre(file, bytes).call();
        nothingIsCorruptOrMissing();
        cluster.untilBothComeFromTheSsd(file, bytes);
    }

    /** The copy has one page, which nobody reads, and no other can be written. */
    private void aFullSsdReachesNobody(int pageBytes) throws Exception {
        cluster.awaitPages(PAGE_BYTES);
        cluster.awaitOnlyWhatIsCached();
        List<Path> before = cluster.copies();
        byte[] bytes = cluster.write("/full", BLOCK_BYTES);
        assertThat(cluster.read("/full", 0, 10)).isEqualTo(Arrays.copyOf(bytes, 10));
        List<Path> fresh = new ArrayList<>(cluster.copies());
        fresh.removeAll(before);
        Path data = fresh.stream()
                .max(Comparator.comparing(copy -> copy.toFile().length()))
                .orElseThrow();
        TestedPageStore.configured().fill(data, 5);
        cluster.awaitPages(pageBytes);

        long rejected = metric("RejectedSsdFull");
        await("no other page is written").atMost(PATIENCE).untilAsserted(() -> {
            for (DistributedFileSystem client : cluster.clients()) {
                try (FSDataInputStream in = client.open(new org.apache.hadoop.fs.Path("/full"))) {
                    in.seek(5 * PAGE_BYTES);
                    assertThat(in.readAllBytes()).isEqualTo(Arrays.copyOfRange(bytes, 5 * PAGE_BYTES, BLOCK_BYTES));
                }
            }
            assertThat(metric("RejectedSsdFull")).isGreaterThan(rejected);
        });
        cluster.bothReadsAre("/full", bytes).call();
        nothingIsCorruptOrMissing();
        cluster.fileSystem().delete(new org.apache.hadoop.fs.Path("/full"), false);
        await("its copies have gone").atMost(PATIENCE).untilAsserted(() -> assertThat(cluster.copies())
                .containsExactlyInAnyOrderElementsOf(before));
    }

    private void anSsdThatIsUnmountedReachesNobody(String file, byte[] bytes) throws Exception {
        cluster.untilBothComeFromTheSsd(file, bytes);
        Path mounted = cluster.ssd().resolve("hearth-read-cache");
        Path away = folder.resolve("away");
        Files.move(mounted, away);

        cluster.bothReadsAre(file, bytes).call();
        await("it is switched off").atMost(PATIENCE).untilAsserted(() -> assertThat(metric("Serving"))
                .isZero());
        assertThat(growth("SsdBytes", cluster.bothReadsAre(file, bytes))).isZero();
        assertThat(cluster.ssd()).as("its mount point").isEmptyDirectory();
        nothingIsCorruptOrMissing();

        Files.move(away, mounted);
        cluster.restartDataNode();
        cluster.untilBothComeFromTheSsd(file, bytes);
        assertThat(cluster.files()).as("data and checksums of two blocks").hasSize(4);
    }

    /** The restart index is a pipe to which nobody writes: the DataNode registers, reports its blocks and is read meanwhile. */
    private void aRestoreThatHangsHoldsNobodyUp() throws Exception {
        byte[] bytes = cluster.write("/restored", LENGTH);
        cluster.untilBothComeFromTheSsd("/restored", bytes);
        DataNodeProperties dataNode = cluster.stopDataNode();
        Path index = cluster.ssd().resolve("hearth-read-cache/index");
        Files.delete(index);
        assertThat(new ProcessBuilder("mkfifo", index.toString()).start().waitFor())
                .isZero();
        FutureTask<Boolean> restart = new FutureTask<>(() -> dfs.restartDataNode(dataNode, true));
        new Thread(restart, "restart").start();

        assertThat(restart.get(1, TimeUnit.MINUTES)).isTrue();
        dfs.waitActive();
        dfs.waitFirstBRCompleted(0, (int) PATIENCE.toMillis());
        assertThat(growth("DiskBytes", cluster.bothReadsAre("/restored", bytes)))
                .isEqualTo(2L * LENGTH);
        assertThat(metric("Serving")).isZero();

        Files.newOutputStream(index).close();
        cluster.awaitServing();
        cluster.untilBothComeFromTheSsd("/restored", bytes);
        cluster.awaitOnlyWhatIsCached();
        cluster.deleteLast("/restored");
    }

    /**
     * What was written since the upgrade has stamps that the NameNode gives out again. Whole blocks may be filled while they are read for
     * the first time.
     */
    private void aRollbackTakesEveryCopyAway(int pageBytes) throws Exception {
        byte[] before = cluster.write("/rolled", LENGTH);
        cluster.untilBothComeFromTheSsd("/rolled", before);
        DataNodeProperties dataNode = cluster.stopDataNode();
        dfs.restartNameNode(0, false, "-upgrade");
        restart(dataNode);
        byte[] after = Arrays.copyOf(before, LENGTH + 1_000);
        try (FSDataOutputStream out = cluster.fileSystem().append(new org.apache.hadoop.fs.Path("/rolled"))) {
            out.write(after, LENGTH, 1_000);
        }
        cluster.untilBothComeFromTheSsd("/rolled", after);
        assertThat(cluster.files()).hasSize(4);

        dataNode = cluster.stopDataNode();
        dfs.shutdownNameNode(0);
        assertThat(NameNode.doRollback(dfs.getConfiguration(0), false)).isFalse();
        dfs.restartNameNode(0, false);
        dataNode.setDnArgs("-rollback");
        restart(dataNode);

        assertThat(cluster.copies()).isEmpty();
        assertThat(growth("SsdBytes", () -> assertThat(
                                ReadCacheCluster.read(cluster.clients().get(0), "/rolled"))
                        .isEqualTo(before)))
                .isLessThan(pageBytes == WHOLE_BLOCKS ? LENGTH : 1);
        cluster.untilBothComeFromTheSsd("/rolled", before);
        nothingIsCorruptOrMissing();
        cluster.deleteLast("/rolled");
    }

    private void restart(DataNodeProperties dataNode) throws Exception {
        dfs.restartDataNode(dataNode, true);
        dfs.waitActive();
        cluster.awaitServing();
        await("it has left its safe mode").atMost(PATIENCE).until(() -> !dfs.getNameNode(0)
                .isInSafeMode());
    }

    /** Two other DataNodes, which have no cache, have what the first one loses. */
    private void disksAndDataNodesComeAndGo(int... sizesOfPages) throws Exception {
        cluster.startStockDataNodes(2);
        byte[] bytes = cluster.write("/many", MANY_BLOCKS * BLOCK_BYTES);
        cluster.fileSystem().setReplication(MANY, (short) 3);
        await("each DataNode has each block").atMost(PATIENCE).untilAsserted(() -> assertThat(
                        cluster.fileSystem().getFileBlockLocations(MANY, 0, bytes.length))
                .allSatisfy(block -> assertThat(block.getNames()).hasSize(3)));
        try (RepeatedReads reads = repeatedReads("/many", bytes)) {
            everyBlockIsCached();
            for (int pageBytes : sizesOfPages) {
                cluster.awaitPages(pageBytes);
                aDiskIsTakenOutAndPutBack();
                aDiskIsTakenOutAndPutBack();
            }
            aDiskThatFailsTakesItsCopiesAlong();
            aDataNodeIsDecommissionedAndComesBack();
            reads.haveAllBeenRight();
        }
        nothingIsCorruptOrMissing();
        cluster.awaitOnlyWhatIsCached();
        cluster.deleteLast("/many");
    }

    /** Both clients open and read a file, which has these bytes. */
    private RepeatedReads repeatedReads(String file, byte[] bytes) throws IOException {
        List<Callable<?>> reads = new ArrayList<>();
        for (DistributedFileSystem client : cluster.clients()) {
            reads.add(() -> assertThat(ReadCacheCluster.read(client, file)).isEqualTo(bytes));
        }
        return new RepeatedReads(reads);
    }

    private void everyBlockIsCached() {
        await("every block is cached").atMost(PATIENCE).untilAsserted(() -> assertThat(metric("CachedBlocks"))
                .isEqualTo(MANY_BLOCKS));
    }

    private DataNode dataNode() {
        return dfs.getDataNodes().get(0);
    }

    private File disk(int number) {
        return dfs.getInstanceStorageDir(0, number);
    }

    /** As the DataNode reports them: a disk that was out has files of replicas that are on the other one meanwhile. */
    private int replicasOn(File disk) throws IOException {
        String storage = DataNodeTestUtils.getVolume(dataNode(), disk).getStorageID();
        return dataNode().getFSDataset().getBlockReports(dfs.getNamesystem().getBlockPoolId()).entrySet().stream()
                .filter(report -> report.getKey().getStorageID().equals(storage))
                .mapToInt(report -> report.getValue().getNumberOfBlocks())
                .sum();
    }

    private File fullerDisk() throws IOException {
        File fuller = replicasOn(disk(0)) > replicasOn(disk(1)) ? disk(0) : disk(1);
        assertThat(replicasOn(fuller)).isPositive();
        return fuller;
    }

    private File otherThan(File disk) {
        return disk.equals(disk(0)) ? disk(1) : disk(0);
    }

    /** Its blocks are copied to the other disk, from DataNodes that have them still. */
    private void aDiskThatFailsTakesItsCopiesAlong() throws Exception {
        File failing = fullerDisk();
        int lost = replicasOn(failing);
        FsVolumeSpi volume = DataNodeTestUtils.getVolume(dataNode(), failing);
        long dropped = metric("DroppedBlocks");
        DataNodeTestUtils.injectDataDirFailure(failing);
        DataNodeTestUtils.waitForDiskError(dataNode(), volume);

        await("the disk is given up")
                .atMost(PATIENCE)
                .until(() -> dataNode().getFSDataset().getNumFailedVolumes() == 1);
        await("its blocks' copies go").atMost(PATIENCE).untilAsserted(() -> assertThat(
                        metric("DroppedBlocks") - dropped)
                .isGreaterThanOrEqualTo(lost));
        everyBlockIsCached();
        assertThat(replicasOn(otherThan(failing))).isEqualTo(MANY_BLOCKS);
        nothingIsCorruptOrMissing();
        cluster.awaitOnlyWhatIsCached();
    }

    private void aDiskIsTakenOutAndPutBack() throws Exception {
        File out = fullerDisk();
        int lost = replicasOn(out);
        long dropped = metric("DroppedBlocks");
        disksAre(otherThan(out));
        assertThat(metric("DroppedBlocks") - dropped).isGreaterThanOrEqualTo(lost);
        everyBlockIsCached();
        assertThat(replicasOn(otherThan(out))).isEqualTo(MANY_BLOCKS);
        nothingIsCorruptOrMissing();

        disksAre(disk(0), disk(1));
        everyBlockIsCached();
        cluster.awaitOnlyWhatIsCached();
    }

    private void disksAre(File... disks) throws Exception {
        dataNode()
                .reconfigurePropertyImpl(
                        "dfs.datanode.data.dir",
                        String.join(
                                ",",
                                Stream.of(disks)
                                        .map(disk -> "[DISK]" + disk.toURI())
                                        .toList()));
        assertThat(dataNode().getFSDataset().getNumFailedVolumes()).isZero();
    }

    private void aDataNodeIsDecommissionedAndComesBack() throws Exception {
        DatanodeManager nodes = dfs.getNamesystem().getBlockManager().getDatanodeManager();
        DatanodeDescriptor node = nodes.getDatanode(dataNode().getDatanodeUuid());
        cluster.fileSystem().setReplication(MANY, (short) 2);
        Files.writeString(excluded, node.getXferAddr());
        nodes.refreshNodes(dfs.getConfiguration(0));
        await("it is decommissioned").atMost(PATIENCE).until(node::isDecommissioned);
        nothingIsCorruptOrMissing();
        cluster.awaitOnlyWhatIsCached();

        Files.writeString(excluded, "");
        nodes.refreshNodes(dfs.getConfiguration(0));
        await("it is in service").atMost(PATIENCE).until(node::isInService);
        nothingIsCorruptOrMissing();
    }
}
