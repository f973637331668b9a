// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.datanode.cache.BlockKey.ReplicaVersion;
import io.hearth.datanode.cache.PageStore.PageFile;
import io.hearth.datanode.cache.ReadCacheCounts.Counter;
import io.hearth.datanode.cache.ReplicaLookup.Presence;
import io.hearth.datanode.cache.ReplicaMeta.SumType;
import io.hearth.datanode.config.ReadCacheSettings.Storage;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class SsdCacheRestartTest {

    private static final int PAGE = CacheFixture.PAGE;
    private static final int MANY = 100_000;

    @TempDir
    Path folder;

    private CacheFixture it;

    @BeforeEach
    void open() throws IOException {
        it = new CacheFixture(folder);
    }

    @AfterEach
    void close() throws IOException {
        it.close();
    }

    private byte[] readFromSsd(FakeReplica replica) throws IOException {
        long before = it.counts.get(Counter.SSD_BYTES);
        byte[] got = it.read(replica, false);
        assertThat(it.counts.get(Counter.SSD_BYTES) - before).isEqualTo(replica.bytes.length);
        return got;
    }

    @Test
    void whatIsOnTheSsdIsServedAfterARestart() throws IOException {
        FakeReplica replica = it.replica(1, 3 * PAGE + 5);
        it.warm(replica);
        long usedBytes = it.usedBytes();
        it.restart();

        assertThat(it.usedBytes()).isEqualTo(usedBytes);
        assertThat(readFromSsd(replica)).isEqualTo(replica.bytes);
        assertThat(it.counts.get(Counter.FILLS)).isZero();
    }

    @Test
    void ofTwoPagesOneIsFilledLater() throws IOException {
        FakeReplica replica = it.replica(1, 2 * PAGE);
        try (CachedBlockReader data = it.cache.open(replica, true).orElseThrow().openData()) {
            CacheFixture.send(data, PAGE, 10);
        }
        it.restart();
        assertThat(it.read(replica)).isEqualTo(replica.bytes);
        assertThat(it.counts.get(Counter.FILLS)).isEqualTo(1);
        assertThat(it.counts.get(Counter.HITS)).isEqualTo(1);
    }

    @Test
    void theOrderOfUseOutlivesARestart() throws IOException {
        FakeReplica first = it.replica(1, PAGE);
        FakeReplica second = it.replica(2, PAGE);
        it.warm(first);
        it.warm(second);
        it.read(first);
        it.restart();
        it.storage = new Storage(1 << 20, 0, 1, PAGE, 100);
        it.cache.turn();
        assertThat(it.cache.open(second, false)).isEmpty();
        assertThat(it.cache.open(first, false)).isPresent();
    }

    /** Whether the same stamp was given out again after a rollback, or the meta file has changed otherwise. */
    @Test
    void aCopyOfAnotherReplicaIsNotServed() throws IOException {
        FakeReplica before = it.replica(1, 3 * PAGE);
        it.warm(before);
        it.restart();
        FakeReplica now = new FakeReplica(it.disk, before.version(), SumType.CRC32, 512);

        assertThat(it.cache.open(now, false)).isEmpty();
        it.cache.turn();
        assertThat(it.files()).isEmpty();
        it.warm(now);
    }

    @Test
    void aReplicaWhoseStampHasChangedMeanwhileIsNotServed() throws IOException {
        FakeReplica before = it.replica(1, 3 * PAGE);
        it.warm(before);
        it.restart();
        FakeReplica now =
                new FakeReplica(it.disk, new ReplicaVersion(before.key(), 1_002, 3 * PAGE), SumType.CRC32C, 512);
        assertThat(it.cache.open(now, false)).isEmpty();
        assertThat(it.cache.status().blocks()).isZero();
    }

    @Test
    void aMetaFileThatCannotBeReadKeepsTheCopy() throws IOException {
        FakeReplica replica = it.replica(1, 3 * PAGE);
        it.warm(replica);
        it.restart();
        Path away = Files.move(replica.metaFile, it.disk.resolve("away"));
        assertThat(it.cache.open(replica, false)).isEmpty();
        assertThat(it.counts.get(Counter.SSD_ERRORS)).isZero();
        Files.move(away, replica.metaFile);
        assertThat(readFromSsd(replica)).isEqualTo(replica.bytes);
    }

    /** What was filled after the index was saved is gone with the process; what is left are files that nobody knows. */
    @Test
    void aKilledProcessLeavesNothingUnknown() throws IOException {
        FakeReplica saved = it.replica(1, 3 * PAGE);
        it.warm(saved);
        it.passMs(SsdCache.INDEX_MS);
        it.cache.turn();
        it.warm(it.replica(2, 3 * PAGE));
        it.cache.drop(saved.key());
        it.kill();

        assertThat(it.files()).hasSize(2);
        assertThat(readFromSsd(saved)).isEqualTo(saved.bytes);
        assertThat(it.cache.sweep(version -> Presence.GONE)).isEqualTo(1);
        it.cache.turn();
        assertThat(it.files()).isEmpty();
    }

    /** The first of three pages is in the restart index, the others were filled after it. */
    private FakeReplica filledAfterTheIndex() throws IOException {
        FakeReplica replica = it.replica(1, 3 * PAGE);
        try (CachedBlockReader data = it.cache.open(replica, true).orElseThrow().openData()) {
            CacheFixture.send(data, 0, PAGE);
            it.passMs(SsdCache.INDEX_MS);
            it.cache.turn();
            CacheFixture.send(data, PAGE, 2 * PAGE);
        }
        assertThat(it.fileBytes()).isEqualTo(3 * PAGE + replica.meta.length);
        return replica;
    }

    @Test
    void whatWasFilledAfterTheIndexTakesNoSpaceUncounted() throws IOException {
        FakeReplica replica = filledAfterTheIndex();
        it.kill();

        assertThat(it.usedBytes()).isEqualTo(PAGE + replica.meta.length);
        assertThat(it.fileBytes()).isEqualTo(it.usedBytes());
        assertThat(it.read(replica)).isEqualTo(replica.bytes);
        assertThat(it.counts.get(Counter.HITS)).isEqualTo(1);
        assertThat(it.counts.get(Counter.FILLS)).isEqualTo(2);
        assertThat(readFromSsd(replica)).isEqualTo(replica.bytes);
    }

    @Test
    void aCopyWhoseSpaceCannotBeGivenUpGoes() throws IOException {
        FakeReplica replica = filledAfterTheIndex();
        it.store.close();
        it.open();
        it.store.onTrim = FaultyPageStore.failing("Input/output error");

        assertThat(it.cache.restore(() -> false)).isTrue();
        assertThat(it.counts.get(Counter.SSD_ERRORS)).isEqualTo(1);
        assertThat(it.cache.open(replica, false)).isEmpty();
        it.cache.turn();
        assertThat(it.files()).isEmpty();
        it.warm(replica);
    }

    @Test
    void aBlockWhoseFilesWereDeletedIsForgotten() throws IOException {
        it.warm(it.replica(1, PAGE));
        it.passMs(SsdCache.INDEX_MS);
        it.cache.turn();
        it.cache.drop(new BlockKey("BP-1", 1));
        it.cache.turn();
        it.kill();
        assertThat(it.cache.status().blocks()).isZero();
        assertThat(it.usedBytes()).isZero();
    }

    /** After a power cut the index may know pages that never came to be; the SSD is not blamed for it. */
    @Test
    void lostPagesAreNoErrorOfTheSsd() throws IOException {
        FakeReplica replica = it.replica(1, 3 * PAGE);
        it.warm(replica);
        Path copy = it.dataCopy(replica);
        it.restart();
        byte[] bytes = Files.readAllBytes(copy);
        Arrays.fill(bytes, PAGE, 2 * PAGE, (byte) 0);
        Files.write(copy, bytes);

        assertThat(it.read(replica)).isEqualTo(replica.bytes);
        assertThat(it.counts.get(Counter.VERIFICATION_FAILURES)).isEqualTo(1);
        assertThat(it.counts.get(Counter.SSD_ERRORS)).isZero();
        it.warm(replica);
    }

    @Test
    void aDamagedIndexIsAnEmptyCache() throws IOException {
        FakeReplica replica = it.replica(1, PAGE);
        it.warm(replica);
        it.close();
        CacheFixture.flip(it.ssd.resolve("index"), 20);
        it.open();
        assertThat(it.cache.restore(() -> false)).isTrue();
        assertThat(it.files()).isEmpty();
        assertThat(it.cache.status().blocks()).isZero();
        it.warm(replica);
    }

    @Test
    void nothingIsServedBeforeTheRestore() throws IOException {
        FakeReplica replica = it.replica(1, PAGE);
        it.warm(replica);
        it.close();
        it.open();
        assertThat(it.cache.open(replica, true)).isEmpty();
        assertThat(it.cache.status().isRestored()).isFalse();
        it.cache.turn();
        assertThat(it.cache.removeUnknownFiles(() -> false)).isZero();
        it.cache.drop(replica.key());
        assertThat(it.files()).hasSize(2);
        assertThat(it.cache.restore(() -> false)).isTrue();
        assertThat(it.cache.status().isRestored()).isTrue();
    }

    @Test
    void aRestoreCanBeCancelledAndMadeAgain() throws IOException {
        FakeReplica replica = it.replica(1, PAGE);
        it.warm(replica);
        it.close();
        it.open();
        assertThat(it.cache.restore(() -> true)).isFalse();
        assertThat(it.cache.open(replica, true)).isEmpty();
        assertThat(it.cache.restore(() -> false)).isTrue();
        assertThat(readFromSsd(replica)).isEqualTo(replica.bytes);
    }

    @Test
    void anInterruptedRestoreLosesNothing() throws IOException {
        FakeReplica replica = it.replica(1, PAGE);
        it.warm(replica);
        it.close();
        it.open();
        Thread.currentThread().interrupt();
        assertThat(it.cache.restore(() -> Thread.currentThread().isInterrupted()))
                .isFalse();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(it.cache.restore(() -> false)).isTrue();
        assertThat(readFromSsd(replica)).isEqualTo(replica.bytes);
        assertThat(it.counts.get(Counter.SSD_ERRORS)).isZero();
    }

    @Test
    void aCloseDuringTheRestoreWins() throws IOException {
        it.warm(it.replica(1, PAGE));
        it.close();
        it.open();
        it.close();
        assertThat(it.cache.restore(() -> false)).isFalse();
        assertThat(it.cache.status().isRestored()).isFalse();
    }

    @Test
    void aRollbackLeavesNothing() throws IOException {
        FakeReplica replica = it.replica(1, PAGE);
        it.warm(replica);
        it.close();
        it.open();
        assertThat(it.cache.wipe(() -> false)).isTrue();
        assertThat(it.files()).isEmpty();
        assertThat(it.ssd.resolve("index")).doesNotExist();
        assertThat(it.cache.open(replica, false)).isEmpty();
        it.warm(replica);
    }

    @Test
    void aSmallerLimitHoldsForWhatIsRestored() throws IOException {
        for (int block = 1; block <= 4; block++) {
            it.warm(it.replica(block, PAGE));
        }
        it.storage = new Storage(1 << 20, 0, 3, PAGE, 100);
        it.restart();
        assertThat(it.cache.status().blocks()).isEqualTo(3);
        it.cache.turn();
        assertThat(it.files()).hasSize(6);
        assertThat(it.cache.open(it.replica(1, PAGE), false)).isEmpty();
        for (int block = 2; block <= 4; block++) {
            assertThat(it.read(it.replica(block, PAGE), false)).isEqualTo(it.replica(block, PAGE).bytes);
        }
        assertThat(it.counts.get(Counter.SSD_BYTES)).isEqualTo(3 * PAGE);
    }

    /** A block that is too large for what is left does not keep a smaller one out. */
    @Test
    void aSmallerLimitOfBytesKeepsTheMostRecentlyRead() throws IOException {
        int[] lengths = {PAGE, PAGE, 4 * PAGE, 2 * PAGE};
        for (int block = 0; block < lengths.length; block++) {
            it.warm(it.replica(block, lengths[block]));
        }
        it.storage = new Storage(3 * PAGE + 500, 0, 100, PAGE, 100);
        it.restart();
        for (int block = 0; block < lengths.length; block++) {
            assertThat(it.cache.open(it.replica(block, lengths[block]), false).isPresent())
                    .as("block %s", block)
                    .isEqualTo(block == 1 || block == 3);
        }
    }

    @Test
    void restartsBringNoNewWriteBudget() throws IOException {
        it.storage = new Storage(1 << 20, 0, 100, PAGE, 0.02);
        FakeReplica replica = it.replica(1, 4 * PAGE);
        it.warm(replica);
        long left = it.cache.status().writeBudgetBytes();
        assertThat(left).isLessThan(2 * PAGE);
        it.restart();
        assertThat(it.cache.status().writeBudgetBytes()).isEqualTo(left);
    }

    @Test
    void theIndexIsSavedWhenSomethingHasChanged() throws IOException {
        it.cache.turn();
        Path index = it.ssd.resolve("index");
        Files.delete(index);
        it.passMs(SsdCache.INDEX_MS);
        it.cache.turn();
        assertThat(index).doesNotExist();
        it.warm(it.replica(1, PAGE));
        it.passMs(SsdCache.INDEX_MS - 1);
        it.cache.turn();
        assertThat(index).doesNotExist();
        it.passMs(1);
        it.cache.turn();
        assertThat(index).exists();
    }

    private SsdCache manyCached(ListedStore store) throws IOException {
        List<CachedBlock> blocks = new ArrayList<>();
        for (int block = 0; block < MANY; block++) {
            ReplicaVersion version = new ReplicaVersion(new BlockKey("BP-1", block), 1_001, PAGE);
            BitSet present = new BitSet();
            present.set(0);
            blocks.add(CachedBlock.restored(
                    version,
                    new PageFile(2L * block, PAGE, PAGE),
                    new PageFile(2L * block + 1, 39, CacheFiller.META_PAGE_BYTES),
                    present));
        }
        Path many = Files.createDirectories(folder.resolve("many"));
        new IndexFile(many).write(blocks);
        return new SsdCache(many, store, () -> new Storage(1L << 40, 0, MANY, PAGE, 100), it.counts, it.nanos::get);
    }

    @Test
    void aRestoreOfManyBlocksListsTheFolderOnceAndOpensNoneOfThem() throws IOException {
        ListedStore store = new ListedStore(2 * MANY);
        try (SsdCache cache = manyCached(store)) {
            assertThat(cache.restore(() -> false)).isTrue();
            assertThat(cache.status().blocks()).isEqualTo(MANY);
            assertThat(cache.status().bytes()).isEqualTo((long) MANY * (PAGE + 39));
            assertThat(store.listings).isEqualTo(1);
        }
    }

    /** A DataNode registers, is read and loses replicas meanwhile. */
    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void whileTheFolderIsListedNobodyWaits() throws IOException, InterruptedException {
        ListedStore store = new ListedStore(2 * MANY);
        store.mayEnd = new CountDownLatch(1);
        FakeReplica replica = it.replica(1, PAGE);
        try (SsdCache cache = manyCached(store)) {
            Thread restorer = new Thread(() -> cache.restore(() -> false), "restorer");
            restorer.start();
            store.hasBegun.await();

            assertThat(cache.open(replica, true)).isEmpty();
            cache.drop(replica.key());
            cache.dropBlockPool("BP-2");
            cache.turn();
            cache.watch();
            assertThat(cache.sweep(version -> Presence.GONE)).isZero();
            assertThat(cache.removeUnknownFiles(() -> false)).isZero();
            assertThat(cache.status().isRestored()).isFalse();
            assertThat(cache.status().blocks()).isZero();

            store.mayEnd.countDown();
            restorer.join();
            assertThat(cache.status().isRestored()).isTrue();
            assertThat(cache.status().blocks()).isEqualTo(MANY);
            assertThat(cache.sweep(version -> version.key().blockId() < 7 ? Presence.GONE : Presence.CURRENT))
                    .as("replicas that went meanwhile")
                    .isEqualTo(7);
        }
    }

    /** Files that are there, of which none may be touched. */
    private static final class ListedStore implements PageStore {

        final CountDownLatch hasBegun = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(0);
        int listings;
        private final int files;

        ListedStore(int files) {
            this.files = files;
        }

        @Override
        public int deleteUnknown(LongPredicate isKnown, BooleanSupplier isCancelled) throws IOException {
            listings++;
            hasBegun.countDown();
            try {
                mayEnd.await();
            } catch (InterruptedException ended) {
                throw new InterruptedIOException();
            }
            int unknown = 0;
            for (int id = 0; id < files; id++) {
                unknown += isKnown.test(id) ? 0 : 1;
            }
            assertThat(unknown).isZero();
            return unknown;
        }

        @Override
        public long newFileId() {
            return files;
        }

        @Override
        public void create(PageFile file) {
            throw new AssertionError(file);
        }

        @Override
        public void put(PageFile file, int page, ByteBuffer bytes) {
            throw new AssertionError(file);
        }

        @Override
        public PageReader open(PageFile file) {
            throw new AssertionError(file);
        }

        @Override
        public void trim(PageFile file, BitSet kept) {
            throw new AssertionError(file);
        }

        @Override
        public void delete(long fileId) {
            throw new AssertionError("file " + fileId);
        }

        @Override
        public long freeBytes() {
            return 1L << 40;
        }

        @Override
        public Optional<Path> path(PageFile file) {
            return Optional.empty();
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    }
}
