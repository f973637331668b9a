// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.cache;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongPredicate;

/**
 * Pages in files of a local file system, one sparse file for each {@link PageStore.PageFile}, with a page at the offset that it has in
 * the block.
 *
 * <p>Files lie in 256 folders below {@code pages/}, which are made when the store is opened and never afterwards: where the SSD is
 * unmounted, nothing is written below its mount point. A file's id has the number of this opening in its upper half; the number is
 * forced to the SSD before the first id is given out. The folder is locked while the store is open. Thread-safe: every put and every
 * reader has a channel of its own, because an interrupt closes the channel that it meets.
 */
public final class LocalPageStore implements PageStore {

    private static final int FOLDERS = 256;
    private static final String PAGES = "pages";
    private static final int FILES_BETWEEN_QUESTIONS = 256;
    /** A channel copies a buffer of the heap through direct memory of the same size, which its thread keeps to its end. */
    private static final int MOST_HEAP_BYTES_AT_ONCE = 128 << 10;

    private final Path folder;
    private final FileChannel lockChannel;
    private final AtomicLong nextId;

    private LocalPageStore(Path folder, FileChannel lockChannel, long epoch) {
        this.folder = folder;
        this.lockChannel = lockChannel;
        this.nextId = new AtomicLong(epoch << 32);
    }

    /**
     * Opens the store in this folder, which is made if it is not there, and is readable for its owner alone from now on.
     *
     * @throws IOException where the folder can't be written, or another store has it
     */
    public static LocalPageStore open(Path folder) throws IOException {
        makePrivateFolder(folder);
        for (int part = 0; part < FOLDERS; part++) {
            Files.createDirectories(partFolder(folder, part));
        }
        FileChannel lockChannel = lock(folder);
        try {
            return new LocalPageStore(folder, lockChannel, nextEpoch(folder));
        } catch (IOException | RuntimeException failure) {
            lockChannel.close();
            throw failure;
        }
    }

    private static void makePrivateFolder(Path folder) throws IOException {
        Files.createDirectories(folder);
        if (Files.getFileStore(folder).supportsFileAttributeView("posix")) {
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
        }
    }

    private static FileChannel lock(Path folder) throws IOException {
        Path file = folder.resolve("in_use.lock");
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            FileLock lock = channel.tryLock();
            if (lock != null) {
                return channel;
            }
        } catch (OverlappingFileLockException ofThisProcess) {
            // The same as a lock of another process.
        } catch (IOException | RuntimeException failure) {
            channel.close();
            throw failure;
        }
        channel.close();
        throw new IOException(
                folder + " is in use by another DataNode. Give each DataNode a hearth.datanode.cache.dir of its own.");
    }

    /** The number of this opening, which is on the SSD when this returns. */
    private static long nextEpoch(Path folder) throws IOException {
        Path file = folder.resolve("epoch");
        // A power cut may bring an older number back than that of files which have outlived it.
        long epoch = 1 + Math.max(readEpoch(file), highestEpoch(folder));
        Path fresh = folder.resolve("epoch.tmp");
        try (FileChannel out = FileChannel.open(
                fresh, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            writeAll(out, ByteBuffer.wrap((epoch + "\n").getBytes(StandardCharsets.US_ASCII)), 0);
            out.force(true);
        }
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
        return epoch;
    }

    /** What is written there; 0 where nothing is that can be read. */
    private static long readEpoch(Path file) throws IOException {
        if (!Files.exists(file)) {
            return 0;
        }
        try {
            return Long.parseLong(
                    Files.readString(file, StandardCharsets.ISO_8859_1).trim());
        } catch (NumberFormatException damaged) {
            return 0;
        }
    }

    private static long highestEpoch(Path folder) throws IOException {
        long[] highest = {0};
        visit(folder, (file, id) -> highest[0] = Math.max(highest[0], id >> 32), () -> false);
        return highest[0];
    }

    @FunctionalInterface
    private interface FileVisitor {
        void visit(Path file, long id) throws IOException;
    }

    /** Visits each file with the id that its name says; one with another name has id -1, which is none. */
    private static void visit(Path folder, FileVisitor visitor, BooleanSupplier isCancelled) throws IOException {
        int visited = 0;
        for (int part = 0; part < FOLDERS; part++) {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(partFolder(folder, part))) {
                for (Path file : files) {
                    if (visited++ % FILES_BETWEEN_QUESTIONS == 0 && isCancelled.getAsBoolean()) {
                        return;
                    }
                    visitor.visit(file, idOf(file.getFileName().toString()).orElse(-1));
                }
            } catch (DirectoryIteratorException failure) {
                throw failure.getCause();
            }
        }
    }

    private static OptionalLong idOf(String name) {
        try {
            return name.length() == 16 ? OptionalLong.of(HexFormat.fromHexDigitsToLong(name)) : OptionalLong.empty();
        } catch (IllegalArgumentException ofSomebodyElse) {
            return OptionalLong.empty();
        }
    }

    private static Path partFolder(Path folder, int part) {
        return folder.resolve(PAGES).resolve(String.format(Locale.ROOT, "%02x", part));
    }

    private Path pathOf(long fileId) {
        return partFolder(folder, (int) (fileId & (FOLDERS - 1)))
                .resolve(HexFormat.of().toHexDigits(fileId));
    }

    @Override
    public long newFileId() {
        return nextId.incrementAndGet();
    }

    @Override
    public void create(PageFile file) throws IOException {
        FileChannel.open(
                        pathOf(file.id()),
                        StandardOpenOption.CREATE_NEW,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.SPARSE)
                .close();
    }

    @Override
    public void put(PageFile file, int page, ByteBuffer bytes) throws IOException {
        try (FileChannel out = FileChannel.open(pathOf(file.id()), StandardOpenOption.WRITE)) {
            writeAll(out, bytes, file.startOf(page));
        }
    }

    private static void writeAll(FileChannel out, ByteBuffer bytes, long start) throws IOException {
        long position = start;
        int limit = bytes.limit();
        while (bytes.position() < limit) {
            bytes.limit(endOfPiece(bytes, limit));
            position += out.write(bytes, position);
        }
    }

    private static int endOfPiece(ByteBuffer bytes, int limit) {
        return bytes.isDirect() ? limit : Math.min(limit, bytes.position() + MOST_HEAP_BYTES_AT_ONCE);
    }

    @Override
    public PageReader open(PageFile file) throws IOException {
        return new LocalPageReader(file, FileChannel.open(pathOf(file.id()), StandardOpenOption.READ));
    }

    @Override
    public void delete(long fileId) throws IOException {
        Files.deleteIfExists(pathOf(fileId));
    }

    @Override
    public int deleteUnknown(LongPredicate isKnown, BooleanSupplier isCancelled) throws IOException {
        int[] deleted = {0};
        visit(
                folder,
                (file, id) -> {
                    if (!isKnown.test(id) && !Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
                        Files.deleteIfExists(file);
                        deleted[0]++;
                    }
                },
                isCancelled);
        return deleted[0];
    }

    @Override
    public long freeBytes() throws IOException {
        return Files.getFileStore(folder.resolve(PAGES)).getUsableSpace();
    }

    @Override
    public Optional<Path> path(PageFile file) {
        return Optional.of(pathOf(file.id()));
    }

    @Override
    public void close() throws IOException {
        lockChannel.close();
    }

    /** A file of the store, by a channel of its own. */
    private record LocalPageReader(PageFile file, FileChannel in) implements PageReader {

        @Override
        public int get(int page, int offset, ByteBuffer target) throws IOException {
            int wanted = Math.min(target.remaining(), file.lengthOf(page) - offset);
            int limit = target.limit();
            int end = target.position() + wanted;
            int read = 0;
            try {
                while (read < wanted) {
                    target.limit(endOfPiece(target, end));
                    int more = in.read(target, file.startOf(page) + offset + read);
                    if (more < 0) {
                        break;
                    }
                    read += more;
                }
            } finally {
                target.limit(limit);
            }
            return read;
        }

        @Override
        public void close() throws IOException {
            in.close();
        }
    }
}
