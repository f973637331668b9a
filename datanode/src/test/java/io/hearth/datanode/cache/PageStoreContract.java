// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hearth.datanode.cache.PageStore.PageFile;
import io.hearth.datanode.cache.PageStore.PageReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What every page store has to keep; its tests extend this class. */
abstract class PageStoreContract {

    @TempDir
    Path folder;

    PageStore store;

    abstract PageStore open(Path folder) throws IOException;

    @BeforeEach
    void open() throws IOException {
        store = open(folder);
    }

    @AfterEach
    void close() throws IOException {
        store.close();
    }

    PageFile create(long length, int pageBytes) throws IOException {
        PageFile file = new PageFile(store.newFileId(), length, pageBytes);
        store.create(file);
        return file;
    }

    static byte[] bytes(long seed, int count) {
        byte[] bytes = new byte[count];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    byte[] get(PageFile file, int page, int offset, int count) throws IOException {
        ByteBuffer target = ByteBuffer.allocate(count);
        try (PageReader reader = store.open(file)) {
            int read = reader.get(page, offset, target);
            assertThat(target.position()).isEqualTo(read);
        }
        return Arrays.copyOf(target.array(), target.position());
    }

    @Test
    void whatWasPutComesBack() throws IOException {
        PageFile file = create(2_500, 1_000);
        store.put(file, 2, ByteBuffer.wrap(bytes(2, 500)));
        store.put(file, 0, ByteBuffer.wrap(bytes(0, 1_000)));
        store.put(file, 1, ByteBuffer.wrap(bytes(1, 1_000)));

        assertThat(get(file, 0, 0, 1_000)).isEqualTo(bytes(0, 1_000));
        assertThat(get(file, 1, 0, 1_000)).isEqualTo(bytes(1, 1_000));
        assertThat(get(file, 2, 0, 500)).isEqualTo(bytes(2, 500));
        assertThat(get(file, 1, 990, 4)).isEqualTo(Arrays.copyOfRange(bytes(1, 1_000), 990, 994));
    }

    @Test
    void aReadEndsWithItsPage() throws IOException {
        PageFile file = create(2_500, 1_000);
        store.put(file, 1, ByteBuffer.wrap(bytes(1, 1_000)));
        store.put(file, 2, ByteBuffer.wrap(bytes(2, 500)));

        assertThat(get(file, 1, 900, 5_000)).hasSize(100);
        assertThat(get(file, 2, 400, 5_000)).hasSize(100);
    }

    @Test
    void aPutAfterTheDeletionFailsAndLeavesNothing() throws IOException {
        PageFile file = create(1_000, 1_000);
        store.delete(file.id());

        assertThatThrownBy(() -> store.put(file, 0, ByteBuffer.wrap(bytes(0, 1_000))))
                .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> get(file, 0, 0, 1)).isInstanceOf(IOException.class);
        assertThat(store.deleteUnknown(id -> false, () -> false)).isZero();
    }

    @Test
    void whatIsNotKeptIsGivenUpFromTheEnd() throws IOException {
        PageFile file = create(4_500, 1_000);
        for (int page = 0; page < file.pages(); page++) {
            store.put(file, page, ByteBuffer.wrap(bytes(page, file.lengthOf(page))));
        }
        BitSet kept = new BitSet();
        kept.set(0);
        kept.set(2);
        store.trim(file, kept);

        assertThat(get(file, 0, 0, 1_000)).isEqualTo(bytes(0, 1_000));
        assertThat(get(file, 2, 0, 1_000)).isEqualTo(bytes(2, 1_000));
        assertThat(get(file, 3, 0, 1_000)).isEmpty();
        assertThat(get(file, 4, 0, 500)).isEmpty();

        store.put(file, 4, ByteBuffer.wrap(bytes(9, 500)));
        kept.set(4);
        store.trim(file, kept);
        assertThat(get(file, 4, 0, 500)).isEqualTo(bytes(9, 500));

        store.trim(file, new BitSet());
        assertThat(get(file, 0, 0, 1_000)).isEmpty();
        store.put(file, 0, ByteBuffer.wrap(bytes(8, 1_000)));
        assertThat(get(file, 0, 0, 1_000)).isEqualTo(bytes(8, 1_000));

        store.delete(file.id());
        assertThatThrownBy(() -> store.trim(file, kept)).isInstanceOf(IOException.class);
    }

    @Test
    void whatIsNotThereCanBeDeleted() throws IOException {
        store.delete(store.newFileId());
    }

    @Test
    void onlyUnknownFilesAreDeleted() throws IOException {
        PageFile kept = create(10, 10);
        PageFile unknown = create(10, 10);
        store.put(kept, 0, ByteBuffer.wrap(bytes(1, 10)));
        store.put(unknown, 0, ByteBuffer.wrap(bytes(2, 10)));

        assertThat(store.deleteUnknown(id -> id == kept.id(), () -> false)).isEqualTo(1);
        assertThat(get(kept, 0, 0, 10)).isEqualTo(bytes(1, 10));
        assertThatThrownBy(() -> get(unknown, 0, 0, 10)).isInstanceOf(IOException.class);
    }

    @Test
    void aRemovalOfUnknownFilesCanBeCancelled() throws IOException {
        PageFile unknown = create(10, 10);
        store.put(unknown, 0, ByteBuffer.wrap(bytes(2, 10)));
        assertThat(store.deleteUnknown(id -> false, () -> true)).isZero();
        assertThat(get(unknown, 0, 0, 10)).isEqualTo(bytes(2, 10));
    }

    /** Even if every file with a higher id is gone. */
    @Test
    void noIdIsUsedTwiceOverRestarts() throws IOException {
        Set<Long> ids = new HashSet<>();
        for (int restart = 0; restart < 5; restart++) {
            for (int i = 0; i < 10; i++) {
                PageFile file = create(10, 10);
                assertThat(ids.add(file.id())).isTrue();
                store.delete(file.id());
            }
            store.close();
            store = open(folder);
        }
    }

    @Test
    void pagesOutliveARestart() throws IOException {
        PageFile file = create(10, 10);
        store.put(file, 0, ByteBuffer.wrap(bytes(1, 10)));
        store.close();
        store = open(folder);
        assertThat(get(file, 0, 0, 10)).isEqualTo(bytes(1, 10));
    }

    @Test
    void freeSpaceIsKnown() throws IOException {
        assertThat(store.freeBytes()).isPositive();
    }

    @Test
    void anInterruptedThreadHarmsNoOtherReader() throws Exception {
        PageFile file = create(1_000, 1_000);
        store.put(file, 0, ByteBuffer.wrap(bytes(1, 1_000)));
        try (PageReader other = store.open(file)) {
            Thread interrupted = new Thread(() -> {
                Thread.currentThread().interrupt();
                try (PageReader own = store.open(file)) {
                    own.get(0, 0, ByteBuffer.allocate(10));
                } catch (IOException ofThisThread) {
                    Thread.currentThread().interrupt();
                }
            });
            interrupted.start();
            interrupted.join();
            ByteBuffer target = ByteBuffer.allocate(1_000);
            assertThat(other.get(0, 0, target)).isEqualTo(1_000);
            assertThat(target.array()).isEqualTo(bytes(1, 1_000));
        }
    }
}
