// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.cache;

import static io.hearth.datanode.cache.FaultyPageStore.failing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hearth.datanode.cache.BlockKey.ReplicaVersion;
import io.hearth.datanode.cache.ReadCacheCounts.Counter;
import io.hearth.datanode.cache.ReplicaLookup.Presence;
import io.hearth.datanode.cache.ReplicaMeta.SumType;
import io.hearth.datanode.config.ReadCacheSettings.Storage;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.WritableByteChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class SsdCacheTest {

    private static final int PAGE = CacheFixture.PAGE;

    @TempDir
    Path folder;

    private CacheFixture it;

    @BeforeEach
    void open() throws IOException {
        it = new CacheFixture(folder);
    }

    @AfterEach
    void close() throws IOException {
        assertThat(it.cache.sendBuffers().taken()).isZero();
        it.close();
    }

    @Test
    void onlyAnAdmittedBlockIsCached() throws IOException {
        FakeReplica replica = it.replica(1, 3 * PAGE);
        assertThat(it.cache.open(replica, false)).isEmpty();
        assertThat(it.counts.get(Counter.NOT_ADMITTED)).isEqualTo(1);
        assertThat(it.files()).isEmpty();

        it.warm(replica);
        assertThat(it.read(replica, false)).isEqualTo(replica.bytes);
        assertThat(it.counts.get(Counter.HITS)).isEqualTo(6);
        assertThat(it.counts.get(Counter.FILLS)).isEqualTo(3);
        assertThat(it.counts.get(Counter.SSD_BYTES)).isEqualTo(2L * replica.bytes.length);
        assertThat(it.counts.get(Counter.DISK_BYTES)).isEqualTo(replica.bytes.length);
    }

    /** The first read fills from its own read; the next needs no data of the disk at all. */
    @Test
    void theDiskIsReadOnce() throws IOException {
        FakeReplica replica = it.replica(1, 3 * PAGE + 77);
        it.read(replica);
        assertThat(replica.dataOpenings).hasValue(1);
        assertThat(it.counts.get(Counter.FILL_READ_BYTES)).isEqualTo(replica.bytes.length);
        Files.delete(replica.dataFile);

        assertThat(it.read(replica)).isEqualTo(replica.bytes);
        assertThat(replica.dataOpenings).hasValue(1);
    }

    static Stream<Arguments> kinds() {
        return Stream.of(SumType.values()).flatMap(type -> Stream.of(1, 100, 512, 1_000, PAGE, 3 * PAGE, 200_000)
                .map(chunkBytes -> Arguments.of(type, chunkBytes)));
    }

    /** Any range, in any order, admitted or not: the very bytes, whatever the chunks are. */
    @ParameterizedTest
    @MethodSource("kinds")
    void everyRangeIsRight(SumType type, int chunkBytes) throws IOException {
        long seed = 10L * chunkBytes + type.ordinal();
        Random random = new Random(seed);
        ReplicaVersion version = new ReplicaVersion(new BlockKey("BP-1", 1), 1_001, 20 * PAGE + random.nextInt(PAGE));
        FakeReplica replica = new FakeReplica(it.disk, version, type, chunkBytes);
        for (int round = 0; round < 60; round++) {
            int from = random.nextInt(replica.bytes.length);
            int count = 1 + random.nextInt(replica.bytes.length - from);
            byte[] expected = Arrays.copyOfRange(replica.bytes, from, from + count);
            CachedRead read =
                    it.cache.open(replica, round == 0 || random.nextBoolean()).orElseThrow();
            try (CachedBlockReader data = read.openData()) {
                assertThat(CacheFixture.send(data, from, count))
                        .as("seed %s, round %s, from %s, %s bytes", seed, round, from, count)
                        .isEqualTo(expected);
                ByteBuffer target = ByteBuffer.allocate(count);
                while (target.hasRemaining()) {
                    assertThat(data.read(target, from + target.position())).isPositive();
                }
                assertThat(target.array()).as("seed %s, round %s", seed, round).isEqualTo(expected);
            }
        }
        assertThat(it.counts.get(Counter.HITS)).isPositive();
        assertThat(it.counts.get(Counter.VERIFICATION_FAILURES)).isZero();
    }

    @Test
    void theEndOfABlockIsTheEnd() throws IOException {
        FakeReplica replica = it.replica(1, PAGE + 5);
        it.warm(replica);
        try (CachedBlockReader data = it.cache.open(replica, true).orElseThrow().openData()) {
            assertThat(data.length()).isEqualTo(PAGE + 5);
            assertThat(data.read(ByteBuffer.allocate(10), PAGE + 5)).isEqualTo(-1);
            assertThat(data.read(ByteBuffer.allocate(0), 0)).isZero();
            assertThat(data.read(ByteBuffer.allocate(10), PAGE)).isEqualTo(5);
            assertThat(CacheFixture.send(data, PAGE + 5, 10)).isEmpty();
        }
    }

    /** A client that takes 7 bytes at a time. */
    @Test
    void whatAClientDoesNotTakeIsSentNext() throws IOException {
        FakeReplica replica = it.replica(1, 2 * PAGE);
        it.warm(replica);
        ByteBuffer got = ByteBuffer.allocate(replica.bytes.length);
        WritableByteChannel slow = new WritableByteChannel() {
            @Override
            public int write(ByteBuffer bytes) {
                int count = Math.min(7, bytes.remaining());
                got.put(bytes.slice(bytes.position(), count));
                bytes.position(bytes.position() + count);
                return count;
            }

            @Override
            public boolean isOpen() {
                return true;
            }

            @Override
            public void close() {}
        };
        try (CachedBlockReader data = it.cache.open(replica, true).orElseThrow().openData()) {
            long reads = it.counts.get(Counter.HITS);
            while (got.hasRemaining()) {
                data.transferTo(got.position(), got.remaining(), slow);
            }
            assertThat(got.array()).isEqualTo(replica.bytes);
            assertThat(it.counts.get(Counter.HITS) - reads).isEqualTo(2);
        }
    }

    @Test
    void aFailureOfTheClientIsNotTheSsds() throws IOException {
        FakeReplica replica = it.replica(1, 2 * PAGE);
        it.warm(replica);
        WritableByteChannel broken = new WritableByteChannel() {
            @Override
            public int write(ByteBuffer bytes) throws IOException {
                throw new IOException("Broken pipe");
            }

            @Override
            public boolean isOpen() {
                return true;
            }

            @Override
            public void close() {}
        };
        try (CachedBlockReader data = it.cache.open(replica, true).orElseThrow().openData()) {
            assertThatThrownBy(() -> data.transferTo(0, 100, broken))
                    .isInstanceOf(IOException.class)
                    .hasMessage("Broken pipe");
        }
        assertThat(it.counts.get(Counter.SSD_ERRORS)).isZero();
        assertThat(it.cache.status().blocks()).isEqualTo(1);
    }

    private void assertHealed(FakeReplica replica) throws IOException {
        assertThat(it.read(replica)).isEqualTo(replica.bytes);
        assertThat(it.counts.get(Counter.FALLBACKS)).isPositive();
        it.cache.turn();
        it.warm(replica);
        it.cache.turn();
        assertThat(it.files()).hasSize(2);
    }

    @Test
    void aFlippedByteOfDataNeverLeaves() throws IOException {
        FakeReplica replica = it.replica(1, 3 * PAGE);
        it.warm(replica);
        CacheFixture.flip(it.dataCopy(replica), PAGE + 700);

        assertHealed(replica);
        assertThat(it.counts.get(Counter.VERIFICATION_FAILURES)).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2, 6, 7, 20})
    void aFlippedByteOfChecksumsNeverLeaves(int at) throws IOException {
        FakeReplica replica = it.replica(1, 3 * PAGE);
        it.warm(replica);
        Path copy = it.metaCopy(replica);
        CacheFixture.flip(copy, at);

        assertHealed(replica);
        assertThat(it.counts.get(Counter.VERIFICATION_FAILURES)).isEqualTo(1);
    }

    @Test
    void aTruncatedCopyIsLeftAlone() throws IOException {
        FakeReplica replica = it.replica(1, 3 * PAGE);
        it.warm(replica);
        Path copy = it.dataCopy(replica);
        Files.write(copy, Arrays.copyOf(Files.readAllBytes(copy), 2 * PAGE + 9));

        assertHealed(replica);
    }

    @Test
    void aMissingCopyIsLeftAlone() throws IOException {
        FakeReplica replica = it.replica(1, 3 * PAGE);
        it.warm(replica);
        for (Path file : it.files()) {
            Files.delete(file);
        }
        assertHealed(replica);
        assertThat(it.counts.get(Counter.SSD_ERRORS)).isEqualTo(1);
    }

    @Test
    void anErrorInTheMiddleGoesOnFromTheDisk() throws IOException {
        FakeReplica replica = it.replica(1, 3 * PAGE);
        it.warm(replica);
        try (CachedBlockReader data = it.cache.open(replica, true).orElseThrow().openData()) {
            byte[] first = CacheFixture.send(data, 0, PAGE + 100);
            it.store.onGet = failing("Input/output error");
            byte[] rest = CacheFixture.send(data, PAGE + 100, replica.bytes.length);
            assertThat(first).isEqualTo(Arrays.copyOf(replica.bytes, PAGE + 100));
            assertThat(rest).isEqualTo(Arrays.copyOfRange(replica.bytes, PAGE + 100, replica.bytes.length));
        }
        it.store.onGet = () -> {};
        assertThat(it.counts.get(Counter.SSD_ERRORS)).isEqualTo(1);
        assertThat(it.counts.get(Counter.FALLBACKS)).isEqualTo(1);
        assertThat(it.cache.status().blocks()).isZero();
        it.warm(replica);
    }

    /** Its channel is closed by the interrupt, as the disk's would be; the copy stays, and nobody is to blame. */
    @Test
    void anInterruptedReaderLosesNothing() throws IOException {
        FakeReplica replica = it.replica(1, 3 * PAGE);
        it.warm(replica);
        try (CachedBlockReader data = it.cache.open(replica, true).orElseThrow().openData()) {
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> data.read(ByteBuffer.allocate(100), 0))
                    .isInstanceOf(ClosedByInterruptException.class);
            assertThat(Thread.interrupted()).isTrue();
        }
        assertThat(it.counts.get(Counter.SSD_ERRORS)).isZero();
        assertThat(it.counts.get(Counter.FALLBACKS)).isZero();
        assertThat(it.cache.status().blocks()).isEqualTo(1);
        assertThat(it.read(replica)).isEqualTo(replica.bytes);
    }

    /** HDFS reports the replica as bad where a read ends with an "Input/output error". */
    @Test
    void anErrorOfTheSsdIsNotThrownAtAnInterruptedReader() throws IOException {
        FakeReplica replica = it.replica(1, 3 * PAGE);
        it.warm(replica);
        it.store.onGet = failing("Input/output error");
        try (CachedBlockReader data = it.cache.open(replica, true).orElseThrow().openData()) {
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> data.read(ByteBuffer.allocate(100), 0))
                    .isInstanceOf(InterruptedIOException.class)
                    .hasMessage("the read of a cached block was interrupted")
                    .hasRootCauseMessage("Input/output error");
            assertThat(Thread.interrupted()).isTrue();
        }
        assertThat(it.counts.get(Counter.SSD_ERRORS)).isZero();
    }

    /** BlockSender tells it apart from what a bad disk says, too. */
    @Test
    void whatTheProcessHasRunOutOfIsNoErrorOfTheSsd() throws IOException {
        FakeReplica replica = it.replica(1, 3 * PAGE);
        it.warm(replica);
        it.store.onOpen = () -> {
            throw new FileSystemException("/ssd/x", null, "Too many open files");
        };
        for (int read = 0; read < 10; read++) {
            assertThat(it.read(replica)).isEqualTo(replica.bytes);
        }
        assertThat(it.counts.get(Counter.FALLBACKS)).isPositive();
        assertThat(it.counts.get(Counter.SSD_ERRORS)).isZero();
        assertThat(it.cache.status().trips()).isZero();

        it.store.onOpen = () -> {};
        Files.delete(replica.dataFile);
        assertThat(it.read(replica)).isEqualTo(replica.bytes);
        assertThat(it.counts.get(Counter.DROPPED_BLOCKS)).isZero();
    }

    static Stream<Throwable> faults() {
        return Stream.of(
                new IllegalStateException("a fault of the store"), new NoClassDefFoundError("of/a/foreign/Store"));
    }

    /** A channel needs direct memory even for a buffer of the heap. Each try costs half a second, so that one in a minute is enough. */
    @Test
    void aProcessWithoutDirectMemoryReadsFromTheDiskForAMinute() throws IOException {
        FakeReplica replica = it.replica(1, 3 * PAGE);
        it.warm(replica);
        AtomicInteger tries = new AtomicInteger();
        it.store.onGet = () -> {
            tries.incrementAndGet();
            throw new OutOfMemoryError("Cannot reserve 131072 bytes of direct buffer memory");
        };
        for (int read = 0; read < 20; read++) {
            // JUnit ends all tests at an OutOfMemoryError.
            assertThatCode(() -> assertThat(it.read(replica)).isEqualTo(replica.bytes))
                    .doesNotThrowAnyException();
        }
        assertThat(tries).hasValue(1);
        assertThat(it.counts.get(Counter.SSD_ERRORS)).isZero();
        assertThat(it.counts.get(Counter.DROPPED_BLOCKS)).isZero();
        assertThat(it.cache.status().trips()).isZero();

        it.store.onGet = () -> {};
        it.passMs(BufferPool.PAUSE_MS);
        Files.delete(replica.dataFile);
        assertThat(it.read(replica)).isEqualTo(replica.bytes);
    }

    @ParameterizedTest
    @MethodSource("faults")
    void whateverTheStoreThrowsGoesOnFromTheDisk(Throwable fault) throws IOException {
        FakeReplica replica = it.replica(1, 3 * PAGE);
        it.warm(replica);
        it.store.onGet = () -> {
            if (fault instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) fault;
        };
        // JUnit ends all tests at an OutOfMemoryError.
        assertThatCode(() -> assertThat(it.read(replica)).isEqualTo(replica.bytes))
                .doesNotThrowAnyException();
        assertThat(it.counts.get(Counter.SSD_ERRORS)).isPositive();

        it.store.onGet = () -> {};
        it.warm(replica);
    }

    /** Otherwise the disk's file would stay open, and its volume could not be removed. */
    @Test
    void whatTheStoreThrowsAtAnEndLeavesNoFileOpen() throws IOException {
        FakeReplica replica = it.replica(1, 3 * PAGE);
        CachedBlockReader data = it.cache.open(replica, true).orElseThrow().openData();
        it.store.onClose = () -> {
            throw new IllegalStateException("a fault of the store");
        };
        assertThatCode(data::close).doesNotThrowAnyException();
    }

    @Test
    void anInterruptedFillLosesNothingButItsPage() throws IOException {
        FakeReplica replica = it.replica(1, 3 * PAGE);
        it.read(it.replica(2, PAGE));
        long budget = it.cache.status().writeBudgetBytes();
        long used = it.usedBytes();
        CachedRead read = it.cache.open(replica, true).orElseThrow();
        it.store.onPut = () -> {
            Thread.currentThread().interrupt();
            throw new ClosedByInterruptException();
        };
        try (CachedBlockReader data = read.openData()) {
            assertThatThrownBy(() -> data.read(ByteBuffer.allocate(100), 0))
                    .isInstanceOf(ClosedByInterruptException.class);
            assertThat(Thread.interrupted()).isTrue();
        }
        it.store.onPut = () -> {};
        assertThat(it.counts.get(Counter.SSD_ERRORS)).isZero();
        assertThat(it.cache.status().blocks()).isEqualTo(2);
        assertThat(it.usedBytes()).isEqualTo(used + replica.meta.length);
        assertThat(it.cache.status().writeBudgetBytes()).isEqualTo(budget - replica.meta.length);
        it.warm(replica);
    }

    @Test
    void anotherGenerationIsAnotherCopy() throws IOException {
        FakeReplica old = it.replica(1, 2 * PAGE);
        it.warm(old);
        FakeReplica appended =
                new FakeReplica(it.disk, new ReplicaVersion(old.key(), 1_002, 3 * PAGE), SumType.CRC32C, 512);

        it.warm(appended);
        it.cache.turn();
        assertThat(it.cache.status().blocks()).isEqualTo(1);
        assertThat(it.files()).hasSize(2);
        assertThat(it.usedBytes()).isEqualTo(3 * PAGE + appended.meta.length);

        FakeReplica truncated =
                new FakeReplica(it.disk, new ReplicaVersion(old.key(), 1_002, PAGE), SumType.CRC32C, 512);
        it.warm(truncated);
    }

    @Test
    void twoBlockPoolsMayUseTheSameId() throws IOException {
        FakeReplica one = it.replica(1, 2 * PAGE);
        FakeReplica other = new FakeReplica(
                it.disk, new ReplicaVersion(new BlockKey("BP-2", 1), 1_001, 2 * PAGE), SumType.CRC32C, 512);
        it.warm(one);
        it.warm(other);
        assertThat(it.cache.status().blocks()).isEqualTo(2);

        it.cache.dropBlockPool("BP-1");
        assertThat(it.cache.open(one, false)).isEmpty();
        assertThat(it.cache.open(other, false)).isPresent();
    }

    @Test
    void aDroppedBlockLeavesNothing() throws IOException {
        FakeReplica replica = it.replica(1, 3 * PAGE);
        it.warm(replica);
        it.cache.drop(replica.key());
        it.cache.drop(replica.key());

        assertThat(it.cache.open(replica, false)).isEmpty();
        assertThat(it.usedBytes()).isZero();
        it.cache.turn();
        assertThat(it.files()).isEmpty();
        assertThat(it.counts.get(Counter.DROPPED_BLOCKS)).isEqualTo(1);
    }

    /** As a file that is deleted while it is open can be read to its end. */
    @Test
    void aReadThatIsUnderWayOutlivesItsReplica() throws IOException {
        FakeReplica replica = it.replica(1, 3 * PAGE);
        it.warm(replica);
        FakeReplica half = it.replica(2, 3 * PAGE);
        try (CachedBlockReader data = it.cache.open(replica, true).orElseThrow().openData();
                CachedBlockReader other =
                        it.cache.open(half, true).orElseThrow().openData()) {
            CacheFixture.send(other, 0, PAGE);
            for (FakeReplica gone : new FakeReplica[] {replica, half}) {
                Files.delete(gone.dataFile);
                Files.delete(gone.metaFile);
                it.cache.drop(gone.key());
            }
            it.cache.turn();
            assertThat(it.files()).isEmpty();
            assertThat(CacheFixture.send(data, 0, 3 * PAGE)).isEqualTo(replica.bytes);
            assertThat(CacheFixture.send(other, 0, 3 * PAGE)).isEqualTo(half.bytes);
        }
        it.cache.turn();
        assertThat(it.files()).isEmpty();
        assertThat(it.usedBytes()).isZero();
        assertThat(it.counts.get(Counter.SSD_ERRORS)).isZero();
    }

    @Test
    void aBlockThatIsDroppedDuringAFillGetsNoPage() throws IOException {
        FakeReplica replica = it.replica(1, 3 * PAGE);
        CachedRead read = it.cache.open(replica, true).orElseThrow();
        long budget = it.cache.status().writeBudgetBytes();
        it.store.onPut = () -> {
            it.store.onPut = () -> {};
            it.cache.drop(replica.key());
            it.cache.turn();
        };
        try (CachedBlockReader data = read.openData()) {
            assertThat(CacheFixture.send(data, 0, 3 * PAGE)).isEqualTo(replica.bytes);
        }
        it.cache.turn();
        assertThat(it.files()).isEmpty();
        assertThat(it.usedBytes()).isZero();
        assertThat(it.counts.get(Counter.FILLS)).isZero();
        assertThat(it.counts.get(Counter.SSD_ERRORS)).isZero();
        assertThat(it.cache.status().writeBudgetBytes()).isEqualTo(budget);
    }

    /** The volume map has lost it while its meta file was copied, and the drop came before there was anything to drop. */
    @Test
    void aReplicaThatGoesDuringACreationIsNotCached() throws IOException {
        FakeReplica replica = it.replica(1, 3 * PAGE);
        it.store.onCreate = () -> {
            replica.isCurrent = false;
            it.cache.drop(replica.key());
        };
        assertThat(it.cache.open(replica, true)).isEmpty();
        it.cache.turn();
        assertThat(it.files()).isEmpty();
        assertThat(it.usedBytes()).isZero();
    }

    /** An id is not used again, so that a deletion that is late meets nothing. */
    @Test
    void aLateDeletionDoesNotMeetTheRefill() throws IOException {
        FakeReplica replica = it.replica(1, 3 * PAGE);
        it.warm(replica);
        it.cache.drop(replica.key());
        it.warm(replica);
        it.cache.turn();
        assertThat(it.files()).hasSize(2);
        Files.delete(replica.dataFile);
        assertThat(it.read(replica)).isEqualTo(replica.bytes);
    }

    @Test
    void bytesAndBlocksHaveLimits() throws IOException {
        long each = 2 * PAGE + 7 + 4 * 16;
        it.storage = new Storage(3 * each, 0, 1_000, PAGE, 100);
        for (int block = 1; block <= 4; block++) {
            it.warm(it.replica(block, 2 * PAGE));
            assertThat(it.usedBytes()).isLessThanOrEqualTo(3 * each);
        }
        assertThat(it.cache.status().blocks()).isEqualTo(3);
        assertThat(it.counts.get(Counter.EVICTED_BLOCKS)).isEqualTo(1);
        assertThat(it.cache.open(it.replica(1, 2 * PAGE), false)).isEmpty();

        it.storage = new Storage(3 * each, 0, 2, PAGE, 100);
        it.cache.turn();
        assertThat(it.files()).hasSize(4 + 2);
        it.cache.turn();
        assertThat(it.files()).hasSize(4);
        assertThat(it.cache.status().blocks()).isEqualTo(2);
    }

    /** The thread that deletes waits for the SSD, or does something else. */
    @Test
    void whatIsNotDeletedYetHasALimitToo() throws IOException {
        it.close();
        int page = 1 << 20;
        long maxBytes = 3L * (4L * page + (32 << 10));
        it.storage = new Storage(maxBytes, 0, 1_000, page, 1_000);
        it.open();
        assertThat(it.cache.restore(() -> false)).isTrue();
        for (int block = 1; block <= 20; block++) {
            FakeReplica replica = it.replica(block, 4 * page);
            assertThat(it.read(replica)).isEqualTo(replica.bytes);
            assertThat(it.fileBytes()).isLessThanOrEqualTo(maxBytes + CacheFiller.LEAST_BYTES_ABOVE + page);
        }
        assertThat(it.counts.get(Counter.EVICTED_BLOCKS)).isPositive();
        assertThat(it.counts.get(Counter.REJECTED_FULL)).isPositive();

        it.cache.turn();
        assertThat(it.fileBytes()).isEqualTo(it.usedBytes());
        it.warm(it.replica(21, 4 * page));
        it.cache.turn();
        it.cache.dropBlockPool("BP-1");
        it.cache.turn();
        assertThat(it.files()).isEmpty();
        it.warm(it.replica(22, 4 * page));
    }

    @Test
    void aBlockThatIsLargerThanTheSsdIsCachedInPart() throws IOException {
        FakeReplica replica = it.replica(1, 10 * PAGE);
        it.storage = new Storage(4 * PAGE, 0, 1_000, PAGE, 100);
        assertThat(it.read(replica)).isEqualTo(replica.bytes);
        assertThat(it.read(replica)).isEqualTo(replica.bytes);
        assertThat(it.counts.get(Counter.FILLS)).isEqualTo(3);
        assertThat(it.counts.get(Counter.REJECTED_SPACE)).isEqualTo(14);
        assertThat(it.counts.get(Counter.SSD_BYTES)).isEqualTo(3 * PAGE);
    }

    @Test
    void aDayHasAWriteBudget() throws IOException {
        it.storage = new Storage(1 << 20, 0, 1_000, PAGE, 0.02);
        FakeReplica replica = it.replica(1, 10 * PAGE);
        assertThat(it.read(replica)).isEqualTo(replica.bytes);
        assertThat(it.counts.get(Counter.FILLS)).isEqualTo(5);
        assertThat(it.counts.get(Counter.WRITTEN_BYTES)).isEqualTo(5 * PAGE + replica.meta.length);
        assertThat(it.counts.get(Counter.REJECTED_BUDGET)).isEqualTo(5);
        it.passMs(86_400_000);
        it.warm(it.replica(2, 4 * PAGE));
    }

    @Test
    void whatWasNotWrittenCostsNoBudget() throws IOException {
        FakeReplica replica = it.replica(1, 3 * PAGE);
        long before = it.cache.status().writeBudgetBytes();
        it.store.onPut = failing("Input/output error");
        assertThat(it.read(replica)).isEqualTo(replica.bytes);
        assertThat(it.cache.status().writeBudgetBytes()).isEqualTo(before);
        assertThat(it.usedBytes()).isZero();
        assertThat(it.files()).isEmpty();

        it.store.onPut = () -> {};
        CachedRead read = it.cache.open(replica, true).orElseThrow();
        it.store.onPut = failing("Input/output error");
        try (CachedBlockReader data = read.openData()) {
            assertThat(CacheFixture.send(data, 0, 3 * PAGE)).isEqualTo(replica.bytes);
        }
        assertThat(it.cache.status().writeBudgetBytes()).isEqualTo(before - replica.meta.length);
        assertThat(it.cache.status().blocks()).isZero();
    }

    @Test
    void aFullSsdPausesWritingAndServesOn() throws IOException {
        FakeReplica cached = it.replica(1, 3 * PAGE);
        it.warm(cached);
        it.store.onPut = failing("No space left on device");
        FakeReplica replica = it.replica(2, 3 * PAGE);
        assertThat(it.read(replica)).isEqualTo(replica.bytes);
        it.store.onPut = () -> {};

        assertThat(it.read(replica)).isEqualTo(replica.bytes);
        assertThat(it.counts.get(Counter.REJECTED_FULL)).isPositive();
        assertThat(it.counts.get(Counter.SSD_ERRORS)).isZero();
        it.warm(cached);
        it.passMs(60_000);
        it.warm(replica);
    }

    @Test
    void belowTheFloorNothingIsWrittenAndOldBlocksGo() throws IOException {
        FakeReplica first = it.replica(1, 3 * PAGE);
        FakeReplica second = it.replica(2, 3 * PAGE);
        it.warm(first);
        it.warm(second);
        it.storage = new Storage(1L << 30, Long.MAX_VALUE / 2, 1_000, PAGE, 100);
        it.cache.turn();
        assertThat(it.cache.status().blocks()).isZero();
        assertThat(it.files()).isEmpty();
        assertThat(it.cache.open(first, true)).isEmpty();

        it.storage = CacheFixture.PLENTY;
        it.cache.turn();
        it.warm(first);
    }

    /** An SSD of "1 TB" has less than the limit that is the default. */
    @Test
    void onAnSsdSmallerThanTheLimitTheLeastRecentlyReadBlocksGo() throws IOException {
        long capacity = 64 * PAGE;
        it.storage = new Storage(1L << 40, 8 * PAGE, 1_000, PAGE, 100);
        it.store.free = () -> capacity - it.fileBytes();
        for (int block = 1; block <= 50; block++) {
            it.cache.turn();
            it.warm(it.replica(block, 3 * PAGE));
            it.passMs(500);
        }
        it.cache.turn();

        assertThat(it.counts.get(Counter.REJECTED_FULL)).isZero();
        assertThat(it.counts.get(Counter.REJECTED_SPACE)).isZero();
        assertThat(it.fileBytes()).isBetween(capacity - 13 * PAGE, capacity - 8 * PAGE);
        assertThat(it.cache.open(it.replica(1, 3 * PAGE), false)).isEmpty();
        assertThat(it.cache.open(it.replica(34, 3 * PAGE), false)).isPresent();
    }

    /** Others write to the SSD, or what was deleted is not free: the cache would be emptied within seconds. */
    @Test
    void blocksGoForFreeSpaceOnceAMinuteWhereThatDoesNotHelp() throws IOException {
        for (int block = 1; block <= 4; block++) {
            it.warm(it.replica(block, 3 * PAGE));
        }
        it.store.free = () -> it.storage.minFreeBytes() - 1;
        it.cache.turn();
        assertThat(it.cache.status().blocks()).isEqualTo(3);
        assertThat(it.files()).hasSize(6);

        for (int turn = 0; turn < 119; turn++) {
            it.passMs(500);
            it.cache.turn();
            assertThat(it.cache.status().blocks()).isEqualTo(3);
        }
        assertThat(it.cache.open(it.replica(9, PAGE), true)).isEmpty();
        assertThat(it.counts.get(Counter.REJECTED_FULL)).isEqualTo(1);
        it.passMs(500);
        it.cache.turn();
        assertThat(it.cache.status().blocks()).isEqualTo(2);

        it.store.free = () -> it.storage.minFreeBytes() + (1 << 20);
        it.passMs(500);
        it.cache.turn();
        it.warm(it.replica(9, PAGE));
    }

    @Test
    void anSsdThatFailsOftenIsLeftAloneForAnHour() throws IOException {
        FakeReplica good = it.replica(99, 2 * PAGE);
        it.warm(good);
        it.store.onPut = failing("Input/output error");
        for (int block = 0; block < 10; block++) {
            assertThat(it.cache.open(it.replica(block, PAGE), true)).isEmpty();
        }
        assertThat(it.cache.status().isUsable()).isFalse();
        assertThat(it.cache.status().trips()).isEqualTo(1);
        assertThat(it.cache.open(good, true)).isEmpty();
        assertThat(it.counts.get(Counter.SSD_ERRORS)).isEqualTo(10);

        it.store.onPut = () -> {};
        it.passMs(3_600_000);
        assertThat(it.cache.open(good, false)).isPresent();
        it.warm(good);
    }

    @Test
    void aReadIsFinishedFromTheDiskWhenTheSsdIsSwitchedOff() throws IOException {
        FakeReplica replica = it.replica(1, 3 * PAGE);
        it.warm(replica);
        try (CachedBlockReader data = it.cache.open(replica, true).orElseThrow().openData()) {
            CacheFixture.send(data, 0, PAGE);
            it.store.onGet = failing("Input/output error");
            it.store.onPut = failing("Input/output error");
            for (int block = 10; block < 20; block++) {
                it.cache.open(it.replica(block, PAGE), true);
            }
            assertThat(CacheFixture.send(data, PAGE, 2 * PAGE))
                    .isEqualTo(Arrays.copyOfRange(replica.bytes, PAGE, 3 * PAGE));
            assertThat(it.counts.get(Counter.FALLBACKS)).isZero();
        }
    }

    /** HDFS puts zeros in place of checksums that it can't read, and its client reports the replica as corrupt. */
    @Test
    void aReadWhoseChecksumsAreLostEndsWithoutChecksums() throws IOException {
        FakeReplica replica = it.replica(1, 3 * PAGE);
        it.warm(replica);
        CachedRead read = it.cache.open(replica, true).orElseThrow();
        try (InputStream begun = read.openMeta();
                InputStream fresh = read.openMeta()) {
            assertThat(begun.readNBytes(7)).isEqualTo(Arrays.copyOf(replica.meta, 7));
            it.cache.close();
            Files.delete(replica.metaFile);

            assertThatThrownBy(begun::read)
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessage("the checksums of " + replica.key() + " can't be read any more");
            assertThatThrownBy(fresh::read).isInstanceOf(NoSuchFileException.class);
        }
    }

    @Test
    void aBlockWithoutChecksumsIsNotCached() throws IOException {
        FakeReplica replica = it.replica(1, PAGE);
        Files.write(replica.metaFile, MetaFiles.header(1, 0, 512, 0).array());
        assertThat(it.cache.open(replica, true)).isEmpty();
        assertThat(it.cache.open(it.replica(2, 0), true)).isEmpty();
        assertThat(it.counts.get(Counter.REJECTED_CHECKSUM)).isEqualTo(1);
        assertThat(it.usedBytes()).isZero();
    }

    @Test
    void aMetaFileThatIsTooShortIsNotCopied() throws IOException {
        FakeReplica replica = it.replica(1, 3 * PAGE);
        Files.write(replica.metaFile, Arrays.copyOf(replica.meta, replica.meta.length - 1));
        long before = it.cache.status().writeBudgetBytes();
        assertThat(it.cache.open(replica, true)).isEmpty();
        assertThat(it.counts.get(Counter.REJECTED_CHANGED)).isEqualTo(1);
        assertThat(it.usedBytes()).isZero();
        assertThat(it.cache.status().writeBudgetBytes()).isEqualTo(before);
        assertThat(it.files()).isEmpty();
    }

    /** The disk's own byte is wrong: the client gets it, and finds it, as without a cache. */
    @Test
    void dataThatAreWrongOnTheDiskAreNotCached() throws IOException {
        FakeReplica replica = it.replica(1, 3 * PAGE);
        CacheFixture.flip(replica.dataFile, PAGE + 1);
        byte[] onDisk = Files.readAllBytes(replica.dataFile);
        assertThat(it.read(replica)).isEqualTo(onDisk);
        assertThat(it.read(replica)).isEqualTo(onDisk);
        assertThat(it.counts.get(Counter.FILLS)).isEqualTo(2);
        assertThat(it.counts.get(Counter.REJECTED_MISMATCH)).isEqualTo(2);
        assertThat(it.counts.get(Counter.VERIFICATION_FAILURES)).isZero();
    }

    /** The client asked for other bytes of that page: a DataNode reports a replica as bad if a client's read meets such an error. */
    @Test
    void whatTheDiskCannotReadIsNotTheClientsUnlessItAsksForIt() throws IOException {
        FakeReplica replica = it.replica(1, 3 * PAGE);
        replica.badPosition = PAGE + 3_000;
        try (CachedBlockReader data = it.cache.open(replica, true).orElseThrow().openData()) {
            assertThat(CacheFixture.send(data, PAGE, 1_000))
                    .isEqualTo(Arrays.copyOfRange(replica.bytes, PAGE, PAGE + 1_000));
            ByteBuffer got = ByteBuffer.allocate(1_000);
            assertThat(data.read(got, PAGE + 1_000)).isEqualTo(1_000);
            assertThat(got.array()).isEqualTo(Arrays.copyOfRange(replica.bytes, PAGE + 1_000, PAGE + 2_000));
            assertThat(CacheFixture.send(data, 2 * PAGE, PAGE))
                    .isEqualTo(Arrays.copyOfRange(replica.bytes, 2 * PAGE, 3 * PAGE));
            assertThatThrownBy(() -> CacheFixture.send(data, PAGE, PAGE))
                    .isInstanceOf(IOException.class)
                    .hasMessage("Input/output error");
        }
        assertThat(it.counts.get(Counter.FILLS)).isEqualTo(1);
        assertThat(it.counts.get(Counter.SSD_ERRORS)).isZero();
        assertThat(it.usedBytes()).isEqualTo(PAGE + replica.meta.length);
    }

    /** As after a truncation under a reader: HDFS's sendfile would ask for the rest for ever if it got 0 bytes. */
    @Test
    void aDiskFileThatIsTooShortEndsTheRead() throws IOException {
        FakeReplica replica = it.replica(1, 3 * PAGE);
        try (CachedBlockReader data = it.cache.open(replica, true).orElseThrow().openData()) {
            assertThat(CacheFixture.send(data, 0, PAGE)).isEqualTo(Arrays.copyOf(replica.bytes, PAGE));
            Files.write(replica.dataFile, Arrays.copyOf(replica.bytes, 2 * PAGE - 10));

            assertThat(CacheFixture.send(data, PAGE, PAGE - 10))
                    .isEqualTo(Arrays.copyOfRange(replica.bytes, PAGE, 2 * PAGE - 10));
            assertThatThrownBy(() -> CacheFixture.send(data, 2 * PAGE - 10, PAGE))
                    .isInstanceOf(EOFException.class)
                    .hasMessage("the data of " + replica.key() + " end at " + (2 * PAGE - 10) + ", before " + 3 * PAGE);
            assertThat(data.read(ByteBuffer.allocate(10), 2 * PAGE - 10)).isEqualTo(-1);
        }
    }

    @Test
    void wholeBlocksAreFilledInTheBackground() throws IOException {
        it.close();
        it.storage = new Storage(1L << 30, 0, 1_000, 0, 100);
        it.open();
        assertThat(it.cache.restore(() -> false)).isTrue();
        FakeReplica replica = it.replica(1, (2 << 20) + 5);
        assertThat(it.read(replica)).isEqualTo(replica.bytes);
        assertThat(it.read(replica)).isEqualTo(replica.bytes);
        assertThat(it.counts.get(Counter.FILLS)).isZero();

        assertThat(it.cache.fillNextBlock(() -> false)).isTrue();
        assertThat(it.cache.fillNextBlock(() -> false)).isFalse();
        assertThat(it.counts.get(Counter.FILLS)).isEqualTo(3);
        Files.delete(replica.dataFile);
        assertThat(it.read(replica)).isEqualTo(replica.bytes);
        assertThat(it.cache.fillNextBlock(() -> false)).isFalse();
    }

    /** 64 blocks wait at most; one that waits already is not given up when it is read again. */
    @Test
    void aBlockThatMayNotWaitForItsFillIsCounted() throws IOException {
        it.close();
        it.storage = new Storage(1L << 30, 0, 1_000, 0, 100);
        it.open();
        assertThat(it.cache.restore(() -> false)).isTrue();
        FakeReplica first = it.replica(0, PAGE);
        it.read(first);
        for (int block = 1; block < 66; block++) {
            it.read(it.replica(block, PAGE));
        }
        it.read(first);
        assertThat(it.counts.get(Counter.REJECTED_BUSY)).isEqualTo(2);
    }

    @Test
    void aFillInTheBackgroundEndsWithItsReplica() throws IOException {
        it.close();
        it.storage = new Storage(1L << 30, 0, 1_000, 0, 100);
        it.open();
        assertThat(it.cache.restore(() -> false)).isTrue();
        FakeReplica replica = it.replica(1, 3 << 20);
        it.read(replica);
        it.store.onPut = () -> replica.isCurrent = false;
        assertThat(it.cache.fillNextBlock(() -> false)).isTrue();
        assertThat(it.counts.get(Counter.FILLS)).isEqualTo(1);
        it.read(replica);
        assertThat(it.cache.fillNextBlock(() -> true)).isTrue();
        assertThat(it.counts.get(Counter.FILLS)).isEqualTo(1);
    }

    @Test
    void theSweepDropsWhatTheDataNodeDoesNotHave() throws IOException {
        FakeReplica kept = it.replica(1, PAGE);
        FakeReplica gone = it.replica(2, PAGE);
        FakeReplica unknown =
                new FakeReplica(it.disk, new ReplicaVersion(new BlockKey("BP-2", 3), 1_001, PAGE), SumType.CRC32C, 512);
        it.warm(kept);
        it.warm(gone);
        it.warm(unknown);
        ReplicaLookup volumeMap = version -> version.equals(kept.version())
                ? Presence.CURRENT
                : version.equals(gone.version()) ? Presence.GONE : Presence.UNKNOWN;

        assertThat(it.cache.sweep(volumeMap)).isEqualTo(1);
        assertThat(it.cache.open(gone, false)).isEmpty();
        assertThat(it.cache.open(unknown, false)).isPresent();
        it.passMs(SsdCache.UNKNOWN_POOL_MS);
        assertThat(it.cache.sweep(volumeMap)).isEqualTo(1);
        assertThat(it.cache.open(unknown, false)).isEmpty();
        assertThat(it.cache.open(kept, false)).isPresent();
        it.cache.turn();
        assertThat(it.files()).hasSize(2);
    }

    /** A DataNode that stops ends its block pools first; what is cached of them is to be there after the restart. */
    @Test
    void aBlockPoolThatStopsKeepsItsBlocksForAnHour() throws IOException {
        FakeReplica replica = it.replica(1, PAGE);
        it.warm(replica);
        it.passMs(2 * SsdCache.UNKNOWN_POOL_MS);
        assertThat(it.cache.sweep(version -> Presence.CURRENT)).isZero();

        it.passMs(SsdCache.UNKNOWN_POOL_MS - 1);
        assertThat(it.cache.sweep(version -> Presence.UNKNOWN)).isZero();
        it.passMs(1);
        assertThat(it.cache.sweep(version -> Presence.UNKNOWN)).isEqualTo(1);
    }

    @Test
    void filesThatBelongToNothingAreRemoved() throws IOException {
        FakeReplica replica = it.replica(1, PAGE);
        it.warm(replica);
        Path orphan = Files.write(it.ssd.resolve("pages/00/0000000000000100"), new byte[10]);
        int[] removed = {0};
        it.store.onPut = () -> removed[0] += it.cache.removeUnknownFiles(() -> false);
        it.warm(it.replica(2, PAGE));

        assertThat(removed[0]).isEqualTo(1);
        assertThat(orphan).doesNotExist();
        assertThat(it.files()).hasSize(4);
    }

    @Test
    void aFileThatCannotBeDeletedIsDeletedLater() throws IOException {
        FakeReplica replica = it.replica(1, PAGE);
        it.warm(replica);
        it.cache.drop(replica.key());
        it.store.onDelete = failing("Input/output error");
        it.cache.turn();
        assertThat(it.files()).hasSize(2);
        assertThat(it.counts.get(Counter.SSD_ERRORS)).isEqualTo(1);
        it.store.onDelete = () -> {};
        it.cache.turn();
        assertThat(it.files()).isEmpty();
    }
}
