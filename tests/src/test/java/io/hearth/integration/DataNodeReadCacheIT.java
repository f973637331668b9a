// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.integration;

import static io.hearth.integration.ReadCacheCluster.growth;
import static io.hearth.integration.ReadCacheCluster.metric;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.Callable;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The read cache in a stock DataNode, with clients over TCP. */
class DataNodeReadCacheIT {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /** For two deletions: the sweep of each minute, which would find them too, comes in time for one of them at most. */
    private static final Duration SOON = Duration.ofSeconds(20);

    private static final String FILE = "/f";
    private static final org.apache.hadoop.fs.Path PATH = new org.apache.hadoop.fs.Path(FILE);

    /** Three blocks, the last one with a part of a page and of a chunk. */
    private static final int LENGTH = 2 * ReadCacheCluster.BLOCK_BYTES + 300_123;

    @TempDir
    private Path folder;

    private ReadCacheCluster cluster;

    @Test
    void clientsGetTheDisksBytesFromTheSsd() throws Exception {
        clientsGetThem(BlockTransport.TRANSFER_TO);
    }

    @Test
    @Tag("soak")
    void clientsGetTheDisksBytesFromTheSsdByBuffers() throws Exception {
        clientsGetThem(BlockTransport.BUFFERS);
    }

    @Test
    @Tag("release-checks")
    void clientsGetTheDisksBytesFromTheSsdEncrypted() throws Exception {
        clientsGetThem(BlockTransport.ENCRYPTED);
    }

    /** One cluster for all of it: the metrics of a JVM do not forget the names of DataNodes that are gone. */
    private void clientsGetThem(BlockTransport transport) throws Exception {
        try (ReadCacheCluster started = new ReadCacheCluster(folder, transport)) {
            cluster = started;
            byte[] bytes = cluster.write(FILE, LENGTH);
            whatWasReadOnceComesFromTheSsd(bytes);
            aFlippedByteReachesNobody(bytes);
            aRestartTakesTheCopiesUpAgain(bytes);
            theModeIsLive(bytes);
            bytes = anAppendDropsTheCopy(bytes);
            bytes = aTruncateDropsTheCopy(bytes);
            wholeBlocksAreFilledInTheBackground();
            whatIsReadMoreThanOnceIsCached();
            whatOthersReadIsCounted(bytes);
            aDeletedFileLeavesNothing();
        }
    }

    private void whatWasReadOnceComesFromTheSsd(byte[] bytes) throws Exception {
        assertThat(growth("DiskBytes", cluster.readsAre(FILE, bytes))).isEqualTo(LENGTH);
        assertThat(growth("SsdBytes", cluster.readsAre(FILE, bytes))).isEqualTo(LENGTH);
        assertThat(growth("DiskBytes", cluster.readsAre(FILE, bytes))).isZero();
        assertThat(metric("Hits")).isPositive();
        assertThat(metric("CachedBlocks")).isEqualTo(3);
        // Whole chunks are sent.
        assertThat(growth("SsdBytes", () -> {
                    assertThat(cluster.read(FILE, 1_000_003, 200_001))
                            .isEqualTo(Arrays.copyOfRange(bytes, 1_000_003, 1_200_004));
                    return true;
                }))
                .isBetween(200_001L, 202_048L);
    }

    private void aFlippedByteReachesNobody(byte[] bytes) throws Exception {
        for (Path copy : cluster.copies()) {
            try (RandomAccessFile file = new RandomAccessFile(copy.toFile(), "rw")) {
                long at = file.length() / 2;
                file.seek(at);
                int there = file.read();
                file.seek(at);
                file.write(there ^ 1);
            }
        }
        assertThat(growth("VerificationFailures", cluster.readsAre(FILE, bytes)))
                .isGreaterThanOrEqualTo(3);
        assertThat(growth("Fallbacks", cluster.readsAre(FILE, bytes)))
                .as("those copies have gone")
                .isZero();
        assertThat(growth("SsdBytes", cluster.readsAre(FILE, bytes)))
                .as("there are new ones")
                .isEqualTo(LENGTH);
        assertThat(cluster.corruptOrMissing()).isZero();
    }

    private void aRestartTakesTheCopiesUpAgain(byte[] bytes) throws Exception {
        cluster.restartDataNode();
        long filled = metric("Fills");

        assertThat(growth("SsdBytes", cluster.readsAre(FILE, bytes))).isEqualTo(LENGTH);
        assertThat(metric("Fills")).isEqualTo(filled);
    }

    private void theModeIsLive(byte[] bytes) throws Exception {
        cluster.configure("shadow");
        cluster.awaitMode(1);
        long fromSsd = metric("SsdBytes");
        assertThat(growth("DiskBytes", cluster.readsAre(FILE, bytes))).isEqualTo(LENGTH);

        cluster.configure("off");
        cluster.awaitMode(0);
        assertThat(growth("Reads", cluster.readsAre(FILE, bytes))).isZero();
        assertThat(metric("SsdBytes")).isEqualTo(fromSsd);

        cluster.configure("on");
        cluster.awaitMode(2);
        assertThat(growth("SsdBytes", cluster.readsAre(FILE, bytes))).isEqualTo(LENGTH);
    }

    private byte[] anAppendDropsTheCopy(byte[] bytes) throws Exception {
        byte[] appended = Arrays.copyOf(bytes, bytes.length + 1_000);
        Arrays.fill(appended, bytes.length, appended.length, (byte) 7);
        assertThat(growth("DroppedBlocks", () -> {
                    try (FSDataOutputStream out = cluster.fileSystem().append(PATH)) {
                        out.write(appended, bytes.length, 1_000);
                    }
                    return true;
                }))
                .isEqualTo(1);

        cluster.readsAre(FILE, appended).call();
        assertThat(growth("SsdBytes", cluster.readsAre(FILE, appended))).isEqualTo(appended.length);
        return appended;
    }

    private byte[] aTruncateDropsTheCopy(byte[] bytes) throws Exception {
        byte[] truncated = Arrays.copyOf(bytes, bytes.length - 50_001);
        assertThat(growth("DroppedBlocks", () -> {
                    cluster.fileSystem().truncate(PATH, truncated.length);
                    await("the last block is recovered").atMost(PATIENCE).until(() -> cluster.fileSystem()
                            .isFileClosed(PATH));
                    return true;
                }))
                .isEqualTo(1);

        cluster.readsAre(FILE, truncated).call();
        assertThat(growth("SsdBytes", cluster.readsAre(FILE, truncated))).isEqualTo(truncated.length);
        assertThat(cluster.corruptOrMissing()).isZero();
        return truncated;
    }

    /** A read that is to fill pages misses none; one of a block that is filled in the background misses them all. */
    private void wholeBlocksAreFilledInTheBackground() throws Exception {
        cluster.configure("on", 0);
        String[] file = new String[1];
        await("the setting is read").atMost(PATIENCE).until(() -> {
            file[0] = "/whole" + System.nanoTime();
            byte[] bytes = cluster.write(file[0], LENGTH);
            return growth("Misses", () -> assertThat(cluster.read(file[0])).isEqualTo(bytes)) > 0;
        });
        await("its blocks are filled")
                .atMost(PATIENCE)
                .until(() -> growth("SsdBytes", () -> cluster.read(file[0])) == LENGTH);
        for (FileStatus written : cluster.fileSystem().listStatus(new org.apache.hadoop.fs.Path("/"))) {
            if (written.getPath().getName().startsWith("whole")) {
                cluster.fileSystem().delete(written.getPath(), false);
            }
        }
    }

    private void whatIsReadMoreThanOnceIsCached() throws Exception {
        cluster.awaitAdmission(1);
        byte[] bytes = cluster.write("/admitted", ReadCacheCluster.BLOCK_BYTES);
        Callable<?> reads = cluster.readsAre("/admitted", bytes);
        assertThat(growth("Fills", reads)).as("once is not more than once").isZero();
        assertThat(growth("DiskBytes", reads)).as("a fill reads the disk").isEqualTo(bytes.length);
        assertThat(growth("SsdBytes", reads)).isEqualTo(bytes.length);

        long cached = metric("CachedBlocks");
        cluster.fileSystem().delete(new org.apache.hadoop.fs.Path("/admitted"), false);
        await("its copy has gone").atMost(SOON).until(() -> metric("CachedBlocks") < cached);
        cluster.awaitPages(ReadCacheCluster.PAGE_BYTES);
    }

    /** The second DataNode has the same folder, which the first one holds: it reads its disk. */
    private void whatOthersReadIsCounted(byte[] bytes) throws Exception {
        long fromSsd = metric("SsdBytes");
        long byOthers = metric("ReadsByOthers");
        cluster.dfs().startDataNodes(cluster.dfs().getConfiguration(0), 1, true, null, null);
        cluster.fileSystem().setReplication(PATH, (short) 2);

        await("there are two replicas").atMost(PATIENCE).untilAsserted(() -> assertThat(
                        cluster.fileSystem().getFileBlockLocations(PATH, 0, bytes.length))
                .allSatisfy(block -> assertThat(block.getHosts()).hasSize(2)));

        assertThat(metric("ReadsByOthers") - byOthers).isGreaterThanOrEqualTo(3);
        assertThat(metric("SsdBytes")).isEqualTo(fromSsd);
        cluster.readsAre(FILE, bytes).call();
    }

    private void aDeletedFileLeavesNothing() throws Exception {
        assertThat(cluster.copies()).isNotEmpty();
        cluster.fileSystem().delete(PATH, false);

        await("the copies have gone").atMost(SOON).untilAsserted(() -> {
            assertThat(metric("CachedBlocks")).isZero();
            assertThat(cluster.copies()).isEmpty();
        });
    }
}
