// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.datanode.cache.ReadCacheCounts.Counter;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The read cache over Alluxio's store: whatever becomes of its files, a client gets the right bytes. */
class AlluxioReadCacheTest {

    private static final int PAGE = CacheFixture.PAGE;

    @TempDir
    private Path folder;

    private CacheFixture it;
    private FakeReplica replica;

    @BeforeEach
    void aBlockOfThreePagesIsCached() throws IOException {
        it = new CacheFixture(folder, AlluxioPageStoreTest.STORES);
        replica = it.replica(1, 3 * PAGE);
        it.warm(replica);
        assertThat(files()).hasSize(4);
    }

    @AfterEach
    void close() throws IOException {
        assertThat(it.cache.sendBuffers().taken()).isZero();
        it.close();
    }

    /** Every page on the SSD, of data and of copies of meta files. */
    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.walk(it.ssd.resolve("1048576"))) {
            return all.filter(Files::isRegularFile).toList();
        }
    }

    private Path page(int number) throws IOException {
        return fileWith(Arrays.copyOfRange(replica.bytes, number * PAGE, (number + 1) * PAGE));
    }

    private Path fileWith(byte[] content) throws IOException {
        for (Path file : files()) {
            if (Arrays.equals(Files.readAllBytes(file), content)) {
                return file;
            }
        }
        throw new AssertionError("not on the SSD");
    }

    private void assertHealed() throws IOException {
        assertThat(it.read(replica)).isEqualTo(replica.bytes);
        assertThat(it.counts.get(Counter.FALLBACKS)).isPositive();
        assertThat(it.counts.get(Counter.VERIFICATION_FAILURES)).isEqualTo(1);
        it.cache.turn();
        it.warm(replica);
        it.cache.turn();
        assertThat(files()).hasSize(4);
    }

    /** Alluxio's store serves it without notice. */
    @Test
    void aFlippedByteOfDataNeverLeaves() throws IOException {
        CacheFixture.flip(page(1), 700);
        assertHealed();
    }

    @Test
    void aFlippedByteOfChecksumsNeverLeaves() throws IOException {
        CacheFixture.flip(fileWith(replica.meta), 20);
        assertHealed();
    }

    @Test
    void aTruncatedPageIsLeftAlone() throws IOException {
        Files.write(page(2), Arrays.copyOf(replica.bytes, 9));
        assertHealed();
    }

    @Test
    void aMissingPageIsLeftAlone() throws IOException {
        Files.delete(page(1));
        assertHealed();
    }

    @Test
    void aMissingFileIsLeftAlone() throws IOException {
        for (Path file : files()) {
            Files.delete(file);
        }
        assertHealed();
    }

    @Test
    void aFullSsdPausesWritingAndIsNoError() throws IOException {
        FakeReplica other = it.replica(2, 2 * PAGE);
        List<Path> before = files();
        CachedRead read = it.cache.open(other, true).orElseThrow();
        Path meta = files().stream()
                .filter(file -> !before.contains(file))
                .findFirst()
                .orElseThrow();
        // The file of the data was made after that of the checksums.
        long dataId = 1 + Long.parseLong(meta.getParent().getFileName().toString(), 16);
        Files.createSymbolicLink(folderOf(dataId).resolve("0"), Path.of("/dev/full"));

        try (CachedBlockReader data = read.openData()) {
            assertThat(CacheFixture.send(data, 0, other.bytes.length)).isEqualTo(other.bytes);
        }
        assertThat(it.counts.get(Counter.SSD_ERRORS)).isZero();
        assertThat(it.counts.get(Counter.REJECTED_FULL)).isPositive();
        assertThat(it.cache.status().blocks()).isEqualTo(2);
        it.passMs(60_000);
        it.warm(other);
        assertThat(files()).hasSize(4 + 3);
    }

    private Path folderOf(long fileId) throws IOException {
        try (Stream<Path> all = Files.walk(it.ssd)) {
            return all.filter(path -> path.endsWith(PageStoreFolder.nameOf(fileId)))
                    .findFirst()
                    .orElseThrow();
        }
    }

    @Test
    void aRestartTakesUpWhatWasCached() throws IOException {
        it.restart();
        Files.delete(replica.dataFile);
        assertThat(it.read(replica)).isEqualTo(replica.bytes);
        assertThat(it.counts.get(Counter.SSD_BYTES)).isEqualTo(replica.bytes.length);
    }

    @Test
    void whatAKilledProcessHasNotSavedIsRemoved() throws IOException {
        it.kill();
        assertThat(files()).isEmpty();
        it.warm(replica);
    }

    @Test
    void aDroppedBlockLeavesNothing() throws IOException {
        it.cache.drop(replica.key());
        it.cache.turn();
        assertThat(files()).isEmpty();
        assertThat(it.cache.open(replica, false)).isEmpty();
    }

    /** The replica is deleted while a client reads it: of the disk's files nothing is open. */
    @Test
    void aReadEndsWellThoughItsBlockIsDeleted() throws IOException {
        CachedRead read = it.cache.open(replica, true).orElseThrow();
        try (InputStream meta = read.openMeta();
                CachedBlockReader data = read.openData()) {
            byte[] begun = meta.readNBytes(7);
            byte[] first = CacheFixture.send(data, 0, PAGE);
            it.cache.drop(replica.key());
            Files.delete(replica.dataFile);
            Files.delete(replica.metaFile);
            it.cache.turn();

            assertThat(begun).isEqualTo(Arrays.copyOf(replica.meta, 7));
            assertThat(meta.readAllBytes()).isEqualTo(Arrays.copyOfRange(replica.meta, 7, replica.meta.length));
            assertThat(first).isEqualTo(Arrays.copyOf(replica.bytes, PAGE));
            assertThat(CacheFixture.send(data, PAGE, 2 * PAGE))
                    .isEqualTo(Arrays.copyOfRange(replica.bytes, PAGE, 3 * PAGE));
        }
        assertThat(files()).isEmpty();
        assertThat(it.counts.get(Counter.FALLBACKS)).isZero();
    }

    /** The index that Alluxio's store left names files that the other one does not have. */
    @Test
    void anotherStoreBeginsEmpty() throws IOException {
        it.close();
        it = new CacheFixture(folder);
        assertThat(it.cache.status().blocks()).isZero();
        assertThat(it.ssd.resolve("1048576")).doesNotExist();
        it.warm(replica);
        assertThat(it.files()).hasSize(2);
    }
}
