// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.cache;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The folder of a page store: readable for its owner alone, locked while it is open, and the source of the store's file ids.
 *
 * <p>It is the same for each kind of store, of which one has the folder at a time: {@code KIND/PART/ID} is a file of pages, or a folder
 * with them, and ID the 16 hexadecimal digits of its file id. Parts are made when the folder is opened and never afterwards: where the SSD
 * is unmounted, nothing is written below its mount point. An id has the number of this opening in its upper half; the number is forced to
 * the SSD before the first id is given out, and is above that of each file here, whatever kind of store has made it. Thread-safe.
 */
public final class PageStoreFolder implements Closeable {

    private static final int FILES_BETWEEN_QUESTIONS = 256;

    private final Path folder;
    private final Path ofKind;
    private final List<String> parts;
    private final FileChannel lockChannel;
    private final AtomicLong nextId;

    private PageStoreFolder(Path folder, String kind, List<String> parts, FileChannel lockChannel, long epoch) {
        this.folder = folder;
        this.ofKind = folder.resolve(kind);
        this.parts = List.copyOf(parts);
        this.lockChannel = lockChannel;
        this.nextId = new AtomicLong(epoch << 32);
    }

    /**
     * Opens the folder, which is made if it is not there, and is readable for its owner alone from now on.
     *
     * @param kind what this kind of store calls its folder
     * @param parts the names of the folders in that
     * @throws IOException where the folder can't be written, or another store has it
     */
    public static PageStoreFolder open(Path folder, String kind, List<String> parts) throws IOException {
        makePrivateFolder(folder);
        for (String part : parts) {
            Files.createDirectories(folder.resolve(kind).resolve(part));
        }
        FileChannel lockChannel = lock(folder);
        try {
            return new PageStoreFolder(folder, kind, parts, lockChannel, nextEpoch(folder));
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
            ByteBuffer bytes = ByteBuffer.wrap((epoch + "\n").getBytes(StandardCharsets.US_ASCII));
            while (bytes.hasRemaining()) {
                out.write(bytes);
            }
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
        for (Path kind : subfolders(folder)) {
            for (Path part : subfolders(kind)) {
                visit(part, file -> {
                    highest[0] = Math.max(highest[0], idOf(file).orElse(0) >> 32);
                    return true;
                });
            }
        }
        return highest[0];
    }

    private static List<Path> subfolders(Path folder) throws IOException {
        List<Path> subfolders = new ArrayList<>();
        visit(folder, entry -> !Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS) || subfolders.add(entry));
        return subfolders;
    }

    @FunctionalInterface
    private interface EntryVisitor {

        /** Returns whether it goes on. */
        boolean visit(Path entry) throws IOException;
    }

    private static void visit(Path folder, EntryVisitor visitor) throws IOException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            Iterator<Path> entry = entries.iterator();
            while (entry.hasNext() && visitor.visit(entry.next())) {
                // The visitor does it all.
            }
        } catch (DirectoryIteratorException failure) {
            throw failure.getCause();
        }
    }

    private static OptionalLong idOf(Path file) {
        String name = file.getFileName().toString();
        try {
            return name.length() == 16 ? OptionalLong.of(HexFormat.fromHexDigitsToLong(name)) : OptionalLong.empty();
        } catch (IllegalArgumentException ofSomebodyElse) {
            return OptionalLong.empty();
        }
    }

    /** The name that the file with this id has in its part. */
    public static String nameOf(long fileId) {
        return HexFormat.of().toHexDigits(fileId);
    }

    /** The folder of this kind of store, which has the parts. */
    public Path ofKind() {
        return ofKind;
    }

    /** An id that no file has or had: above all that were given out before. */
    public long newFileId() {
        return nextId.incrementAndGet();
    }

    /** What deletes a file of this kind of store that is not known. */
    @FunctionalInterface
    public interface Deletion {

        /** Deletes this entry of a part; returns whether it was a file of pages, which others' folders are not. */
        boolean delete(Path entry, long fileId) throws IOException;
    }

    /**
     * Deletes every file of this kind of store whose id is not known, and all that another kind has left; returns how many files there
     * were.
     *
     * @param isKnown asked for each file; one with another name has id -1, which is none
     * @param isCancelled asked now and then; ends it early
     */
    public int deleteUnknown(LongPredicate isKnown, Deletion deletion, BooleanSupplier isCancelled) throws IOException {
        Cleaning cleaning = new Cleaning(isCancelled);
        for (Path kind : subfolders(folder)) {
            if (!kind.equals(ofKind)) {
                Files.walkFileTree(kind, cleaning);
            }
        }
        for (String part : parts) {
            visit(ofKind.resolve(part), file -> {
                long id = idOf(file).orElse(-1);
                if (cleaning.isCancelled()) {
                    return false;
                }
                if (!isKnown.test(id) && deletion.delete(file, id)) {
                    cleaning.deleted++;
                }
                return true;
            });
        }
        return cleaning.deleted;
    }

    /** What was deleted, and the deletion of what another kind of store has left. */
    private static final class Cleaning extends SimpleFileVisitor<Path> {

        private final BooleanSupplier cancellation;
        private boolean isCancelled;
        private int visited;
        private int deleted;

        Cleaning(BooleanSupplier cancellation) {
            this.cancellation = cancellation;
        }

        /** Asks before the first file, and then now and then. */
        boolean isCancelled() {
            if (!isCancelled && visited++ % FILES_BETWEEN_QUESTIONS == 0) {
                isCancelled = cancellation.getAsBoolean();
            }
            return isCancelled;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            if (isCancelled()) {
                return FileVisitResult.TERMINATE;
            }
            Files.deleteIfExists(file);
            deleted++;
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path emptied, @Nullable IOException failure) throws IOException {
            if (failure != null) {
                throw failure;
            }
            Files.deleteIfExists(emptied);
            return FileVisitResult.CONTINUE;
        }
    }

    /** The free bytes of what the folder is on. */
    public long freeBytes() throws IOException {
        return Files.getFileStore(ofKind).getUsableSpace();
    }

    @Override
    public void close() throws IOException {
        lockChannel.close();
    }
}
