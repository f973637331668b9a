// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hearth.datanode.cache.PageStore.PageFile;
import io.hearth.datanode.cache.PageStore.PageReader;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Alluxio's store as a DataNode has it: from the folder of its jars, by a loader of its own. */
class AlluxioPageStoreTest extends PageStoreContract {

    static final Path JARS = Path.of(System.getProperty("alluxio.folder"));
    static final PageStoreFactory STORES =
            new IsolatedPageStoreFactory(JARS, "hearth.datanode.cache.alluxio.dir", "hearth-datanode-alluxio.jar");

    @Override
    PageStore open(Path folder) throws IOException {
        return STORES.open(folder);
    }

    /** Where Alluxio's store has this page. */
    private Path pathOf(PageFile file, int page) throws IOException {
        return folderOf(file).resolve(Integer.toString(page));
    }

    private Path folderOf(PageFile file) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(path -> path.endsWith(PageStoreFolder.nameOf(file.id())))
                    .findFirst()
                    .orElseThrow();
        }
    }

    @Test
    void fiveJarsAreEnough() throws IOException {
        try (Stream<Path> files = Files.list(JARS)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder(
                            "hearth-datanode-alluxio.jar",
                            "alluxio-core-client-fs-2.9.6.jar",
                            "alluxio-core-common-2.9.6.jar",
                            "grpc-api-1.54.1.jar",
                            "guava-31.0.1-jre.jar");
        }
    }

    @Test
    void theDataNodeSeesNoClassOfAlluxio() throws ClassNotFoundException {
        ClassLoader own = store.getClass().getClassLoader();
        String type = "alluxio.client.file.cache.store.LocalPageStore";

        assertThat(Class.forName(type, false, own).getClassLoader()).isSameAs(own);
        assertThatThrownBy(() -> Class.forName(type)).isInstanceOf(ClassNotFoundException.class);
        assertThatThrownBy(() -> Class.forName(Test.class.getName(), false, own))
                .isInstanceOf(ClassNotFoundException.class);
    }

    @Test
    void twoStoresCannotHaveOneFolder() {
        assertThatThrownBy(() -> STORES.open(folder))
                .isInstanceOf(IOException.class)
                .hasMessage(folder
                        + " is in use by another DataNode. Give each DataNode a hearth.datanode.cache.dir of its own.");
    }

    /** A device that is always full. Alluxio's store wraps what it says, which the cache has to know to pause. */
    @Test
    void aFullSsdIsToldAndLeavesNoPage() throws IOException {
        PageFile file = create(10, 10);
        Path path = pathOf(file, 0);
        Files.createSymbolicLink(path, Path.of("/dev/full"));

        assertThatThrownBy(() -> store.put(file, 0, ByteBuffer.wrap(bytes(1, 10))))
                .isInstanceOf(IOException.class)
                .hasMessage("No space left on device");
        assertThat(Files.isSymbolicLink(path)).isFalse();

        store.put(file, 0, ByteBuffer.wrap(bytes(1, 10)));
        assertThat(get(file, 0, 0, 10)).isEqualTo(bytes(1, 10));
    }

    @Test
    void anInterruptedPutIsToldAsSuchAndLeavesNoPage() throws IOException {
        PageFile file = create(10, 10);
        ByteBuffer page = ByteBuffer.wrap(bytes(1, 10));
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> store.put(file, 0, page)).isInstanceOf(ClosedByInterruptException.class);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(pathOf(file, 0)).doesNotExist();

        store.put(file, 0, ByteBuffer.wrap(bytes(2, 10)));
        assertThat(get(file, 0, 0, 10)).isEqualTo(bytes(2, 10));
    }

    /** The caller finds out what is lost by how much comes back; it is no error of the SSD after a power cut. */
    @Test
    void aPageThatIsShortOrMissingIsReadAsEmpty() throws IOException {
        PageFile file = create(2_000, 1_000);
        store.put(file, 0, ByteBuffer.wrap(bytes(1, 1_000)));
        assertThat(get(file, 1, 0, 1_000)).isEmpty();

        Files.write(pathOf(file, 0), bytes(1, 999));
        assertThat(get(file, 0, 0, 1_000)).isEmpty();
        assertThat(get(file, 0, 0, 999)).isEqualTo(bytes(1, 999));
    }

    /** As HDFS does with a block that is deleted while a client reads it. */
    @Test
    void whatIsDeletedIsReadToItsEndAndGoesWithItsLastReader() throws IOException {
        PageFile file = create(10, 10);
        store.put(file, 0, ByteBuffer.wrap(bytes(1, 10)));
        PageReader first = store.open(file);
        PageReader second = store.open(file);
        store.delete(file.id());

        assertThatThrownBy(() -> store.open(file)).isInstanceOf(NoSuchFileException.class);
        assertThatThrownBy(() -> store.put(file, 0, ByteBuffer.wrap(bytes(2, 10))))
                .isInstanceOf(NoSuchFileException.class);
        first.close();
        first.close();
        ByteBuffer target = ByteBuffer.allocate(10);
        assertThat(second.get(0, 0, target)).isEqualTo(10);
        assertThat(target.array()).isEqualTo(bytes(1, 10));

        second.close();
        assertThat(store.deleteUnknown(id -> false, () -> false)).isZero();
    }

    @Test
    void aFileThatWasReadAndClosedIsDeletedAtOnce() throws IOException {
        PageFile file = create(10, 10);
        store.put(file, 0, ByteBuffer.wrap(bytes(1, 10)));
        assertThat(get(file, 0, 0, 10)).isEqualTo(bytes(1, 10));
        store.delete(file.id());
        assertThat(store.deleteUnknown(id -> false, () -> false)).isZero();
    }

    /** Alluxio's store makes the folder of a deleted file again, and with it its page. */
    @Test
    void putsThatMeetADeletionLeaveNothing() throws Exception {
        byte[] page = bytes(1, 1_000);
        for (int round = 0; round < 50; round++) {
            PageFile file = create(1_000_000, 1_000);
            AtomicInteger put = new AtomicInteger();
            FutureTask<Boolean> puts = new FutureTask<>(() -> {
                try {
                    for (int number = 0; ; number = (number + 1) % file.pages()) {
                        store.put(file, number, ByteBuffer.wrap(page));
                        put.incrementAndGet();
                    }
                } catch (NoSuchFileException deleted) {
                    return true;
                }
            });
            Thread thread = new Thread(puts, "puts");
            thread.start();
            while (put.get() < round % 5 && thread.isAlive()) {
                Thread.onSpinWait();
            }
            store.delete(file.id());
            assertThat(puts.get()).as("round %s", round).isTrue();
            assertThat(store.deleteUnknown(id -> false, () -> false))
                    .as("round %s", round)
                    .isZero();
        }
    }

    /** As if the SSD were unmounted: what is below its mount point is another file system's. */
    @Test
    void foldersAreNotMadeAgain() throws IOException {
        PageFile file = create(10, 10);
        Path own = folderOf(file);
        Path bucket = own.getParent();
        Files.delete(own);
        Files.delete(bucket);

        assertThatThrownBy(() -> store.put(file, 0, ByteBuffer.wrap(bytes(1, 10))))
                .isInstanceOf(NoSuchFileException.class);
        assertThatThrownBy(() -> store.create(file)).isInstanceOf(NoSuchFileException.class);
        assertThat(bucket).doesNotExist();
    }

    @Test
    void filesOfSomebodyElseAmongThePagesAreUnknown() throws IOException {
        PageFile file = create(10, 10);
        store.put(file, 0, ByteBuffer.wrap(bytes(1, 10)));
        Path amongPages = Files.writeString(folderOf(file).resolve("00"), "x");
        Path amongFiles = Files.writeString(folderOf(file).resolveSibling("blk_17.tmp"), "x");
        Path folderAmongFiles = Files.createDirectory(folderOf(file).resolveSibling("lost"));

        assertThat(store.deleteUnknown(id -> id >= 0, () -> false)).isEqualTo(1);
        assertThat(amongFiles).doesNotExist();
        assertThat(folderAmongFiles).exists();
        assertThat(store.deleteUnknown(id -> false, () -> false)).isEqualTo(1);
        assertThat(amongPages).doesNotExist();
    }

    @Test
    void whoeverChangesTheStoreFindsNothingOfTheOtherAndNoIdAgain() throws IOException {
        PageFile ofAlluxio = create(10, 10);
        store.put(ofAlluxio, 0, ByteBuffer.wrap(bytes(1, 10)));
        store.close();

        PageFile own;
        try (PageStore local = LocalPageStore.open(folder)) {
            own = new PageFile(local.newFileId(), 10, 10);
            local.create(own);
            assertThat(own.id()).isGreaterThan(ofAlluxio.id());
            assertThat(local.deleteUnknown(id -> id == own.id(), () -> false)).isEqualTo(1);
            assertThat(folder.resolve("1048576")).doesNotExist();
        }

        store = open(folder);
        assertThat(store.newFileId()).isGreaterThan(own.id());
        assertThat(store.deleteUnknown(id -> true, () -> false)).isEqualTo(1);
        assertThat(folder.resolve("pages")).doesNotExist();
    }

    private static long directBytes() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
    }

    /** A DataNode has thousands of threads, each of which would keep what it once needed. */
    @Test
    void aThreadKeepsLittleDirectMemory() throws Exception {
        PageFile file = create(16 << 20, 8 << 20);
        byte[] page = bytes(3, 8 << 20);
        store.put(file, 0, ByteBuffer.wrap(page));
        FutureTask<Long> work = new FutureTask<>(() -> {
            long before = directBytes();
            store.put(file, 1, ByteBuffer.wrap(page));
            return directBytes() - before;
        });
        Thread thread = new Thread(work, "client");
        thread.start();
        assertThat(work.get()).isLessThan(1 << 20);
        assertThat(get(file, 1, (8 << 20) - 10, 10)).isEqualTo(Arrays.copyOfRange(page, (8 << 20) - 10, 8 << 20));
    }
}
