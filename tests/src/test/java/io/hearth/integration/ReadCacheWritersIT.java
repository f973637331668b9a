// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.integration;

import static io.hearth.integration.ReadCacheCluster.PAGE_BYTES;
import static io.hearth.integration.ReadCacheCluster.growth;
import static io.hearth.integration.ReadCacheCluster.metric;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hearth.integration.HeldPageStore.Hold;
import io.hearth.integration.HeldPageStore.Moment;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockUnderConstructionFeature;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataNodeFaultInjector;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The read cache in a stock DataNode whose blocks are changed while they come to the SSD, or get another generation stamp by the
 * recovery of a pipeline, in pages and in whole blocks, under a client that verifies checksums and one that does not.
 */
class ReadCacheWritersIT {

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final int WHOLE_BLOCKS = 0;
    private static final int BLOCK_BYTES = 4 << 20;

    /** One block of four pages at least, the last one with a part of a page and of a chunk. */
    private static final int LENGTH = 3 * (1 << 20) + 300_123;

    /** Neither the first nor the last one, and of no meta file. */
    private static final int HELD_PAGE = 2;

    private static final int APPENDED_BYTES = 1_000;
    private static final int MOST_ATTEMPTS = 40;

    @TempDir
    private Path folder;

    private ReadCacheCluster cluster;
    private MiniDFSCluster dfs;
    private HeldPageStore pages;
    private long seed;

    @Test
    @Tag("soak")
    void readersOfWhatIsChangedGetNoErrorAndNoWrongByte() throws Exception {
        writersComeDuringFillsAndRecover(BlockTransport.TRANSFER_TO);
    }

    /** What takes more than five seconds counts as the SSD's error: one that is held waits for clients and the NameNode. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "TRANSFER_TO")
    @Tag("release-checks")
    @Tag("alone")
    void norByBuffersNorEncrypted(BlockTransport transport) throws Exception {
        writersComeDuringFillsAndRecover(transport);
    }

    private void writersComeDuringFillsAndRecover(BlockTransport transport) throws Exception {
        try (ReadCacheCluster started = new ReadCacheCluster(folder, transport)) {
            cluster = started;
            dfs = cluster.dfs();
            pages = cluster.holdPages();
            for (int pageBytes : new int[] {PAGE_BYTES, WHOLE_BLOCKS}) {
                cluster.awaitPages(pageBytes);
                anAppendDuringAFill(cluster.clients().get(0), Moment.BEFORE_PUT);
                aDeletionDuringAFill(cluster.clients().get(1), Moment.AFTER_PUT);
                if (pageBytes != WHOLE_BLOCKS) {
                    // Whole blocks are filled in the background, whoever reads.
                    anAppendDuringAFill(cluster.clients().get(1), Moment.AFTER_PUT);
                    aDeletionDuringAFill(cluster.clients().get(0), Moment.BEFORE_PUT);
                }
                aTruncationDuringAFill(cluster.clients().get(1), Moment.BEFORE_PUT);
                aCloseThatIsRecovered();
                anAppendThatIsRecovered();
                aDataNodeIsKilledUnderAnAppend();
            }
        }
    }

    private void anAppendDuringAFill(DistributedFileSystem filling, Moment moment) throws Exception {
        byte[] appended = randomBytes(LENGTH + APPENDED_BYTES);
        byte[] bytes = Arrays.copyOf(appended, LENGTH);
        write("/appended", bytes, 1);
        duringAFill("/appended", bytes, filling, moment, () -> {
            append("/appended", appended);
            return true;
        });
        isCachedAnew("/appended", appended);
    }

    /** Another file of the same name and length takes its place. */
    private void aDeletionDuringAFill(DistributedFileSystem filling, Moment moment) throws Exception {
        byte[] bytes = randomBytes(LENGTH);
        write("/deleted", bytes, 1);
        duringAFill("/deleted", bytes, filling, moment, () -> {
            long dropped = metric("DroppedBlocks");
            cluster.fileSystem().delete(path("/deleted"), false);
            await("its replica goes").atMost(PATIENCE).until(() -> metric("DroppedBlocks") > dropped);
            return true;
        });
        byte[] others = randomBytes(LENGTH);
        write("/deleted", others, 1);
        isCachedAnew("/deleted", others);
    }

    /** What it takes away nobody asks for. */
    private void aTruncationDuringAFill(DistributedFileSystem filling, Moment moment) throws Exception {
        byte[] bytes = randomBytes(LENGTH);
        byte[] truncated = Arrays.copyOf(bytes, LENGTH - 50_001);
        write("/truncated", bytes, 1);
        duringAFill("/truncated", Arrays.copyOf(bytes, 3 << 20), filling, moment, () -> {
            cluster.fileSystem().truncate(path("/truncated"), truncated.length);
            await("the block is recovered").atMost(PATIENCE).until(() -> cluster.fileSystem()
                    .isFileClosed(path("/truncated")));
            return true;
        });
        isCachedAnew("/truncated", truncated);
    }

    /**
     * Changes a file while a page of it is held on its way to the SSD: where pages are filled by reads, that read is held with it; where
     * whole blocks are filled in the background, that is. Nobody else waits.
     *
     * @param bytes the file's, or those of its beginning that are read
     */
    private void duringAFill(
            String file, byte[] bytes, DistributedFileSystem filling, Moment moment, Callable<?> change)
            throws Exception {
        long errors = metric("SsdErrors");
        long tooLate = metric("RejectedChanged");
        try (Hold hold = pages.hold(moment, HELD_PAGE)) {
            FutureTask<byte[]> read = inBackground(() -> read(filling, file, bytes.length));
            hold.awaitHeld();
            for (DistributedFileSystem client : cluster.clients()) {
                if (client != filling) {
                    assertThat(read(client, file, bytes.length)).isEqualTo(bytes);
                }
            }
            assertThat(growth("DroppedBlocks", change)).isEqualTo(1);
            if (moment == Moment.BEFORE_PUT) {
                await("its copies have gone").atMost(PATIENCE).until(() -> cluster.copies()
                        .isEmpty());
            }
            hold.end();
            assertThat(read.get(1, TimeUnit.MINUTES)).isEqualTo(bytes);
        }
        await("the page comes too late").atMost(PATIENCE).untilAsserted(() -> assertThat(
                        metric("RejectedChanged") - tooLate)
                .isEqualTo(1));
        cluster.awaitNothing();
        assertThat(metric("SsdErrors")).isEqualTo(errors);
    }

    private static byte[] read(DistributedFileSystem client, String file, int length) throws IOException {
        try (FSDataInputStream in = client.open(path(file))) {
            return in.readNBytes(length);
        }
    }

    /** As it is now it is read, cached and deleted. */
    private void isCachedAnew(String file, byte[] bytes) throws Exception {
        cluster.bothReadsAre(file, bytes).call();
        cluster.untilBothComeFromTheSsd(file, bytes);
        cluster.awaitOnlyWhatIsCached();
        assertThat(cluster.files()).as("data and checksums of one block").hasSize(2);
        assertThat(cluster.corruptOrMissing()).isZero();
        cluster.deleteLast(file);
    }

    /** The block is whole, read and cached when its writer loses the pipeline's first DataNode with the last acknowledgement. */
    private void aCloseThatIsRecovered() throws Exception {
        DataNode other = startOther();
        // Whole chunks: a part of one would be sent once more, and acknowledged, before the last packet.
        byte[] bytes = randomBytes(585 * 512);
        FSDataOutputStream out = writtenByWayOf(other, "/closed", bytes);
        long stamp;
        try (HeldAcknowledgements held = new HeldAcknowledgements()) {
            FutureTask<Boolean> close = inBackground(() -> {
                out.close();
                return true;
            });
            held.awaitHeld();
            isReadFromTheSsd("/closed", bytes);
            stamp = block("/closed").getGenerationStamp();
            assertThat(growth("DroppedBlocks", () -> {
                        dfs.stopDataNode(1);
                        return close.get(1, TimeUnit.MINUTES);
                    }))
                    .isEqualTo(1);
        }
        assertThat(block("/closed").getGenerationStamp()).isGreaterThan(stamp);
        isCachedAnew("/closed", bytes);
        forget(other);
    }

    /** The pipeline's first DataNode is gone before the append comes to the other one, whose block is whole and cached. */
    private void anAppendThatIsRecovered() throws Exception {
        DataNode other = startOther();
        byte[] appended = randomBytes(300_123 + APPENDED_BYTES);
        byte[] bytes = Arrays.copyOf(appended, 300_123);
        writtenAndFirstReportedBy(other, "/append", bytes);
        isReadFromTheSsd("/append", bytes);
        long stamp = block("/append").getGenerationStamp();
        dfs.stopDataNode(1);
        assertThat(growth("DroppedBlocks", () -> {
                    append("/append", appended);
                    return true;
                }))
                .isEqualTo(1);
        assertThat(block("/append").getGenerationStamp()).isGreaterThan(stamp);
        isCachedAnew("/append", appended);
        forget(other);
    }

    /** Streams that were open before read on, and what is written is read before it is closed; none of that is cached. */
    private void aDataNodeIsKilledUnderAnAppend() throws Exception {
        DataNode other = startOther();
        byte[] appended = randomBytes(300_123 + 2 * APPENDED_BYTES);
        byte[] bytes = Arrays.copyOf(appended, 300_123);
        write("/killed", bytes, 2);
        isReadFromTheSsd("/killed", bytes);
        List<FSDataInputStream> open = new ArrayList<>();
        for (DistributedFileSystem client : cluster.clients()) {
            open.add(client.open(path("/killed")));
        }
        FSDataOutputStream out;
        try (RepeatedReads reads = beginningsAre(open, bytes)) {
            out = cluster.fileSystem().append(path("/killed"));
            out.write(appended, bytes.length, APPENDED_BYTES);
            out.hflush();
            long fills = metric("Fills");
            long stamp = block("/killed").getGenerationStamp();
            dfs.stopDataNode(1);
            out.write(appended, bytes.length + APPENDED_BYTES, APPENDED_BYTES);
            out.hflush();
            assertThat(block("/killed").getGenerationStamp()).isGreaterThan(stamp);
            cluster.bothReadsAre("/killed", appended).call();
            assertThat(metric("Fills")).isEqualTo(fills);
            reads.haveAllBeenRight();
        }
        // A read that opens a replica's checksums just when it is finalized finds them gone, and BlockSender reports
        // the replica as missing, with the cache or without it. It is the only one here.
        out.close();
        for (FSDataInputStream in : open) {
            in.close();
        }
        isCachedAnew("/killed", appended);
        forget(other);
    }

    /** Not their last chunk, which an append changes. */
    private static RepeatedReads beginningsAre(List<FSDataInputStream> open, byte[] bytes) {
        byte[] expected = Arrays.copyOf(bytes, 2 * PAGE_BYTES);
        return new RepeatedReads(open.stream()
                .map(in -> (Callable<?>) () -> {
                    byte[] beginning = new byte[expected.length];
                    in.readFully(0, beginning);
                    return assertThat(beginning).isEqualTo(expected);
                })
                .toList());
    }

    /** A client may be sent to the DataNode without a cache. */
    private void isReadFromTheSsd(String file, byte[] bytes) {
        await("it is cached, and read from there")
                .atMost(PATIENCE)
                .until(() -> growth("SsdBytes", cluster.bothReadsAre(file, bytes)) >= bytes.length);
    }

    /** A second DataNode, without a cache, which is the one to be killed. */
    private DataNode startOther() throws IOException {
        cluster.startStockDataNodes(1);
        assertThat(dfs.getDataNodes()).hasSize(2);
        return dfs.getDataNodes().get(1);
    }

    /** Has the NameNode know that it is dead. */
    private void forget(DataNode killed) throws IOException {
        dfs.setDataNodeDead(descriptor(killed));
    }

    private DatanodeDescriptor descriptor(DataNode dataNode) {
        return dfs.getNamesystem().getBlockManager().getDatanodeManager().getDatanode(dataNode.getDatanodeUuid());
    }

    private static org.apache.hadoop.fs.Path path(String file) {
        return new org.apache.hadoop.fs.Path(file);
    }

    private byte[] randomBytes(int length) {
        byte[] bytes = new byte[length];
        new Random(seed++).nextBytes(bytes);
        return bytes;
    }

    private FSDataOutputStream create(String file, int replication) throws IOException {
        return cluster.fileSystem().create(path(file), true, 4_096, (short) replication, BLOCK_BYTES);
    }

    private void write(String file, byte[] bytes, int replication) throws IOException {
        try (FSDataOutputStream out = create(file, replication)) {
            out.write(bytes);
        }
    }

    /** Appends what a file does not have of these bytes. */
    private void append(String file, byte[] bytes) throws IOException {
        int length = bytes.length - APPENDED_BYTES;
        try (FSDataOutputStream out = cluster.fileSystem().append(path(file))) {
            out.write(bytes, length, APPENDED_BYTES);
        }
    }

    /** A file that is written, not closed, by way of this DataNode to that with the cache: HDFS chooses the order by chance. */
    private FSDataOutputStream writtenByWayOf(DataNode first, String file, byte[] bytes) throws IOException {
        for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
            FSDataOutputStream out = create(file, 2);
            out.write(bytes);
            out.hflush();
            if (isFirstOfTwo(first, file)) {
                return out;
            }
            out.close();
        }
        throw new AssertionError("no pipeline begins with " + first.getDisplayName());
    }

    /** A file of which the NameNode knows this DataNode's replica first: an append begins with that. */
    private void writtenAndFirstReportedBy(DataNode first, String file, byte[] bytes) throws IOException {
        int attempts = 0;
        do {
            assertThat(attempts++).isLessThan(MOST_ATTEMPTS);
            write(file, bytes, 2);
            await("both have it").atMost(PATIENCE).until(() -> holders(file).size() == 2);
        } while (!isFirstOfTwo(first, file));
    }

    private boolean isFirstOfTwo(DataNode dataNode, String file) throws IOException {
        List<DatanodeDescriptor> holders = holders(file);
        return holders.size() == 2 && holders.get(0).equals(descriptor(dataNode));
    }

    /** In the order of the pipeline while the block is written, and of the reports later. */
    private List<DatanodeDescriptor> holders(String file) throws IOException {
        BlockInfo block =
                dfs.getNamesystem().getBlockManager().getStoredBlock(block(file).getLocalBlock());
        List<DatanodeDescriptor> holders = new ArrayList<>();
        BlockUnderConstructionFeature written = block.getUnderConstructionFeature();
        Iterator<DatanodeStorageInfo> storages = written == null
                ? block.getStorageInfos()
                : Arrays.asList(written.getExpectedStorageLocations()).iterator();
        storages.forEachRemaining(storage -> holders.add(storage.getDatanodeDescriptor()));
        return holders;
    }

    private ExtendedBlock block(String file) throws IOException {
        return cluster.fileSystem()
                .getClient()
                .getLocatedBlocks(file, 0)
                .getLastLocatedBlock()
                .getBlock();
    }

    private static <T> FutureTask<T> inBackground(Callable<T> action) {
        FutureTask<T> task = new FutureTask<>(action);
        Thread thread = new Thread(task, "client");
        thread.setDaemon(true);
        thread.start();
        return task;
    }

    /** Acknowledgements that DataNodes with another one after them do not send, until it is closed or the DataNode stops. */
    private static final class HeldAcknowledgements extends DataNodeFaultInjector implements AutoCloseable {

        private final DataNodeFaultInjector before = DataNodeFaultInjector.get();
        private final CountDownLatch begun = new CountDownLatch(1);
        private final CountDownLatch ended = new CountDownLatch(1);

        HeldAcknowledgements() {
            DataNodeFaultInjector.set(this);
        }

        void awaitHeld() throws InterruptedException {
            assertThat(begun.await(1, TimeUnit.MINUTES))
                    .as("a DataNode acknowledges")
                    .isTrue();
        }

        @Override
        public void delaySendingAckToUpstream(String upstream) throws IOException {
            if (Thread.currentThread().getName().contains("type=HAS_DOWNSTREAM_IN_PIPELINE")) {
                begun.countDown();
                try {
                    ended.await();
                } catch (InterruptedException stopped) {
                    throw new InterruptedIOException();
                }
            }
        }

        @Override
        public void close() {
            DataNodeFaultInjector.set(before);
            ended.countDown();
        }
    }
}
