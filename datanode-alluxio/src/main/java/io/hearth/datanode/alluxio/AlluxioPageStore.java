// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.alluxio;

import static java.util.Objects.requireNonNull;

import alluxio.client.file.cache.PageId;
import alluxio.client.file.cache.store.LocalPageStore;
import alluxio.client.file.cache.store.PageStoreOptions;
import alluxio.exception.PageCorruptedException;
import alluxio.exception.PageNotFoundException;
import alluxio.exception.status.ResourceExhaustedException;
import alluxio.file.ByteBufferTargetBuffer;
import com.google.common.util.concurrent.Striped;
import io.hearth.datanode.cache.PageStore;
import io.hearth.datanode.cache.PageStoreFolder;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongPredicate;
import java.util.stream.IntStream;

/**
 * Pages in Alluxio's local page store: a folder for each file, in it a file for each page.
 *
 * <p>Alluxio's store writes, reads and deletes pages, and has their paths. Of what a {@link PageStore} keeps besides it knows nothing: it
 * makes the folder of a file that was deleted again, lists no files, keeps none open, ignores how much of a page was written, and wraps
 * what interrupted or stopped a write. So a file is there as long as its folder is, which {@link #create} makes; a put holds the file's
 * lock shared and a deletion has it alone; and files are found by their folders. A file that is being read is deleted when its last reader
 * closes: HDFS reads to its end what is deleted meanwhile. Nothing is kept on the heap for a page. Thread-safe.
 */
final class AlluxioPageStore implements PageStore {

    /** Part of each path, and nothing else: a page may have any size. */
    private static final int PAGE_BYTES_IN_PATHS = 1 << 20;

    private static final String PAGE_NAME = "0|[1-9][0-9]{0,8}";
    private static final int BUCKETS = 256;
    private static final int LOCKS = 64;

    private final PageStoreFolder folder;
    private final LocalPageStore pages;
    private final Striped<ReadWriteLock> locks = Striped.readWriteLock(LOCKS);
    /** Of the files that are being read, and of those whose deletion has failed after that. */
    private final Map<Long, Use> useByFile = new ConcurrentHashMap<>();

    private final Object heapPageLock = new Object();
    /** Guarded by {@link #heapPageLock}. */
    private ByteBuffer heapPage = ByteBuffer.allocateDirect(0);

    /** How many readers a file has, and whether it is to be deleted with the last of them. */
    private record Use(int readers, boolean isDeleted) {}

    private AlluxioPageStore(PageStoreFolder folder, LocalPageStore pages) {
        this.folder = folder;
        this.pages = pages;
    }

    static AlluxioPageStore open(Path folder) throws IOException {
        link(ResourceExhaustedException.class);
        LocalPageStore pages = new LocalPageStore(new PageStoreOptions()
                .setRootDir(folder)
                .setPageSize(PAGE_BYTES_IN_PATHS)
                .setFileBuckets(BUCKETS));
        List<String> buckets =
                IntStream.range(0, BUCKETS).mapToObj(Integer::toString).toList();
        return new AlluxioPageStore(
                PageStoreFolder.open(folder, Integer.toString(PAGE_BYTES_IN_PATHS), buckets), pages);
    }

    /** Otherwise the jars that it needs would be missed only when the SSD is full for the first time. */
    private static void link(Class<?> type) {
        try {
            MethodHandles.lookup().ensureInitialized(type);
        } catch (IllegalAccessException notPublicAnyMore) {
            throw new IncompatibleClassChangeError(notPublicAnyMore.getMessage());
        }
    }

    private static PageId page(long fileId, long page) {
        return new PageId(PageStoreFolder.nameOf(fileId), page);
    }

    private Path folderOf(long fileId) {
        return requireNonNull(pages.getPagePath(page(fileId, 0), false).getParent());
    }

    private void requireFile(long fileId) throws IOException {
        Path file = folderOf(fileId);
        Use use = useByFile.get(fileId);
        if ((use != null && use.isDeleted()) || !Files.isDirectory(file)) {
            throw new NoSuchFileException(file.toString());
        }
    }

    @Override
    public long newFileId() {
        return folder.newFileId();
    }

    @Override
    public void create(PageFile file) throws IOException {
        Files.createDirectory(folderOf(file.id()));
    }

    @Override
    public void put(PageFile file, int page, ByteBuffer bytes) throws IOException {
        if (bytes.isDirect()) {
            putDirect(file.id(), page, bytes);
            return;
        }
        // A channel copies it through direct memory, which each of a DataNode's threads would keep to its end.
        synchronized (heapPageLock) {
            if (heapPage.capacity() < bytes.remaining()) {
                heapPage = ByteBuffer.allocateDirect(bytes.remaining());
            }
            putDirect(file.id(), page, heapPage.clear().put(bytes).flip());
        }
    }

    private void putDirect(long fileId, int page, ByteBuffer bytes) throws IOException {
        Lock shared = locks.get(fileId).readLock();
        shared.lock();
        try {
            requireFile(fileId);
            putWhole(page(fileId, page), bytes);
        } finally {
            shared.unlock();
        }
    }

    private void putWhole(PageId page, ByteBuffer bytes) throws IOException {
        int length = bytes.remaining();
        try {
            pages.put(page, bytes, false);
        } catch (IOException wrapped) {
            // A full SSD and an interrupt are told apart by it.
            throw wrapped.getCause() instanceof IOException failure ? failure : wrapped;
        }
        if (bytes.hasRemaining()) {
            // Not by Alluxio's store, which with a first page would delete the folder too.
            Files.deleteIfExists(pages.getPagePath(page, false));
            throw new IOException("no space left for " + bytes.remaining() + " of a page's " + length + " bytes");
        }
    }

    private void deletePage(PageId page) throws IOException {
        try {
            pages.delete(page, false);
        } catch (PageNotFoundException gone) {
            // That is what was wanted.
        }
    }

    @Override
    public PageReader open(PageFile file) throws IOException {
        Lock shared = locks.get(file.id()).readLock();
        shared.lock();
        try {
            requireFile(file.id());
            useByFile.merge(file.id(), new Use(1, false), (use, one) -> new Use(use.readers() + 1, use.isDeleted()));
            return new AlluxioPageReader(file);
        } finally {
            shared.unlock();
        }
    }

    /** Alluxio's store opens the page at each read; the file is kept until this is closed. */
    private final class AlluxioPageReader implements PageReader {

        private final PageFile file;
        private final AtomicBoolean isOpen = new AtomicBoolean(true);

        AlluxioPageReader(PageFile file) {
            this.file = file;
        }

        @Override
        public int get(int page, int offset, ByteBuffer target) throws IOException {
            int wanted = Math.min(target.remaining(), file.lengthOf(page) - offset);
            try {
                return pages.get(page(file.id(), page), offset, wanted, new ByteBufferTargetBuffer(target), false);
            } catch (PageNotFoundException | PageCorruptedException lost) {
                return 0;
            }
        }

        @Override
        public void close() throws IOException {
            if (isOpen.getAndSet(false)) {
                closed(file.id());
            }
        }
    }

    private void closed(long fileId) throws IOException {
        Use left = useByFile.computeIfPresent(
                fileId,
                (id, use) -> use.readers() > 1 || use.isDeleted() ? new Use(use.readers() - 1, use.isDeleted()) : null);
        if (left != null && left.readers() == 0) {
            delete(fileId);
        }
    }

    @Override
    public void delete(long fileId) throws IOException {
        Lock alone = locks.get(fileId).writeLock();
        alone.lock();
        try {
            Use use = useByFile.computeIfPresent(fileId, (id, before) -> new Use(before.readers(), true));
            if (use == null || use.readers() == 0) {
                deleteNow(fileId);
                useByFile.remove(fileId);
            }
        } finally {
            alone.unlock();
        }
    }

    private void deleteNow(long fileId) throws IOException {
        Path file = folderOf(fileId);
        if (Files.isDirectory(file)) {
            for (Path page : pagesIn(file)) {
                deletePage(fileId, page);
            }
            // Alluxio's store has done it with the last page, if there was one.
            Files.deleteIfExists(file);
        }
    }

    private static List<Path> pagesIn(Path file) throws IOException {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(file)) {
            entries.forEach(found::add);
        } catch (DirectoryIteratorException failure) {
            throw failure.getCause();
        }
        return found;
    }

    private void deletePage(long fileId, Path page) throws IOException {
        String name = page.getFileName().toString();
        if (name.matches(PAGE_NAME)) {
            deletePage(page(fileId, Long.parseLong(name)));
        } else {
            Files.deleteIfExists(page);
        }
    }

    @Override
    public void trim(PageFile file, BitSet kept) throws IOException {
        requireFile(file.id());
        for (Path page : pagesIn(folderOf(file.id()))) {
            String name = page.getFileName().toString();
            if (!name.matches(PAGE_NAME) || !kept.get(Integer.parseInt(name))) {
                // Not by Alluxio's store, which with the last page would delete the folder too.
                Files.deleteIfExists(page);
            }
        }
    }

    @Override
    public int deleteUnknown(LongPredicate isKnown, BooleanSupplier isCancelled) throws IOException {
        return folder.deleteUnknown(isKnown, this::deleteEntry, isCancelled);
    }

    private boolean deleteEntry(Path entry, long fileId) throws IOException {
        if (!Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
            Files.deleteIfExists(entry);
            return true;
        }
        boolean isFile = entry.equals(folderOf(fileId));
        if (isFile) {
            delete(fileId);
        }
        return isFile;
    }

    @Override
    public long freeBytes() throws IOException {
        return folder.freeBytes();
    }

    /** None: each page has a file of its own. */
    @Override
    public Optional<Path> path(PageFile file) {
        return Optional.empty();
    }

    @Override
    public void close() throws IOException {
        pages.close();
        folder.close();
    }
}
