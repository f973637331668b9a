// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hearth.datanode.cache.PageStore.PageFile;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LocalPageStoreTest extends PageStoreContract {

    @Override
    PageStore open(Path folder) throws IOException {
        return LocalPageStore.open(folder);
    }

    @Test
    void aPageIsAtTheOffsetThatItHasInTheBlock() throws IOException {
        PageFile file = create(2_500, 1_000);
        store.put(file, 1, ByteBuffer.wrap(bytes(1, 1_000)));

        byte[] onDisk = Files.readAllBytes(store.path(file).orElseThrow());
        assertThat(Arrays.copyOfRange(onDisk, 1_000, 2_000)).isEqualTo(bytes(1, 1_000));
    }

    @Test
    void twoStoresCannotHaveOneFolder() {
        assertThatThrownBy(() -> LocalPageStore.open(folder))
                .isInstanceOf(IOException.class)
                .hasMessage(folder
                        + " is in use by another DataNode. Give each DataNode a hearth.datanode.cache.dir of its own.");
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
        PageFile file = create(8 << 20, 8 << 20);
        AtomicLong keptBytes = new AtomicLong();
        FutureTask<Boolean> work = new FutureTask<>(() -> {
            long before = directBytes();
            byte[] page = bytes(3, 8 << 20);
            store.put(file, 0, ByteBuffer.wrap(page));
            boolean isRight = Arrays.equals(get(file, 0, 0, 8 << 20), page);
            keptBytes.set(directBytes() - before);
            return isRight;
        });
        Thread thread = new Thread(work, "client");
        thread.start();
        assertThat(work.get()).isTrue();
        thread.join();
        assertThat(keptBytes).hasValueLessThan(1 << 20);
    }

    /** As if the SSD were unmounted: what is below its mount point is another file system's. */
    @Test
    void foldersAreNotMadeAgain() throws IOException {
        PageFile file = new PageFile(store.newFileId(), 10, 10);
        Path part = store.path(file).orElseThrow().getParent();
        Files.delete(part);

        assertThatThrownBy(() -> store.create(file)).isInstanceOf(NoSuchFileException.class);
        assertThat(part).doesNotExist();
    }

    @Test
    void idsGoOnWithoutTheFileThatCountsOpenings() throws IOException {
        PageFile file = create(10, 10);
        store.close();
        Files.writeString(folder.resolve("epoch"), "what?");
        store = open(folder);
        assertThat(store.newFileId() >>> 32).isGreaterThan(file.id() >>> 32);
        store.close();
        Files.delete(folder.resolve("epoch"));
        store = open(folder);
        assertThat(store.newFileId() >>> 32).isGreaterThan(file.id() >>> 32);
    }

    /** The rename of a file that was forced may be lost with the power. */
    @Test
    void anOlderNumberOfOpeningsBringsNoIdBack() throws IOException {
        store.close();
        store = open(folder);
        PageFile file = create(10, 10);
        store.close();
        Files.writeString(folder.resolve("epoch"), "1\n");
        Files.writeString(folder.resolve("pages/00/blk_17.tmp"), "a file of somebody else");
        store = open(folder);
        assertThat(store.newFileId() >>> 32).isGreaterThan(file.id() >>> 32);
    }

    /** Alluxio's store has a folder for each file. */
    @Test
    void whatAnotherKindOfStoreHasLeftIsRemovedAndItsIdsStayUsed() throws IOException {
        store.close();
        Files.delete(folder.resolve("epoch"));
        Path other = Files.createDirectories(folder.resolve("1048576/17/0000000900000001"));
        Files.writeString(other.resolve("0"), "a page");
        Files.writeString(other.resolve("1"), "a page");
        store = open(folder);

        assertThat(store.newFileId() >>> 32).isGreaterThan(9);
        PageFile file = create(10, 10);
        assertThat(store.deleteUnknown(id -> id == file.id(), () -> true)).isZero();
        assertThat(other).isDirectory();
        assertThat(store.deleteUnknown(id -> id == file.id(), () -> false)).isEqualTo(2);
        assertThat(folder.resolve("1048576")).doesNotExist();
        assertThat(store.path(file).orElseThrow()).exists();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void onlyTheOwnerMayReadTheFolder(boolean isThereBefore) throws IOException {
        Path made = folder.resolve("below/hearth-read-cache");
        if (isThereBefore) {
            Files.createDirectories(made);
            Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rwxrwxrwx"));
        }
        try (PageStore own = LocalPageStore.open(made)) {
            assertThat(own.freeBytes()).isPositive();
            assertThat(Files.getPosixFilePermissions(made))
                    .containsExactlyInAnyOrder(
                            PosixFilePermission.OWNER_READ,
                            PosixFilePermission.OWNER_WRITE,
                            PosixFilePermission.OWNER_EXECUTE);
        }
    }

    @Test
    void filesOfSomebodyElseAmongThePagesAreUnknown() throws IOException {
        Path foreign = folder.resolve("pages/00/blk_17.tmp");
        Files.writeString(foreign, "x");
        assertThat(store.deleteUnknown(id -> id >= 0, () -> false)).isEqualTo(1);
        assertThat(foreign).doesNotExist();
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left.map(path -> path.getFileName().toString()))
                    .containsExactlyInAnyOrder("pages", "in_use.lock", "epoch");
        }
    }

    @Test
    void aPageFileKnowsItsPages() {
        PageFile file = new PageFile(1, 2_500, 1_000);
        assertThat(file.pages()).isEqualTo(3);
        assertThat(file.lengthOf(0)).isEqualTo(1_000);
        assertThat(file.lengthOf(2)).isEqualTo(500);
        assertThat(file.pageOf(1_999)).isEqualTo(1);
        assertThat(file.startOf(2)).isEqualTo(2_000);
        assertThat(new PageFile(1, 0, 1_000).pages()).isZero();
        assertThat(new PageFile(1, 2_000, 1_000).pages()).isEqualTo(2);
    }
}
