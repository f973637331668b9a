// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.cache;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongPredicate;
import java.util.stream.IntStream;

/**
 * Pages in files of a local file system, one sparse file for each {@link PageStore.PageFile}, with a page at the offset that it has in
 * the block.
 *
 * <p>Files lie in 256 folders below {@code pages/}, as {@link PageStoreFolder} says. Thread-safe: every put and every reader has a channel
 * of its own, because an interrupt closes the channel that it meets.
 */
public final class LocalPageStore implements PageStore {

    private static final List<String> PARTS = IntStream.range(0, 256)
            .mapToObj(part -> HexFormat.of().toHexDigits((byte) part))
            .toList();
    /** A channel copies a buffer of the heap through direct memory of the same size, which its thread keeps to its end. */
    private static final int MOST_HEAP_BYTES_AT_ONCE = 128 << 10;

    private final PageStoreFolder folder;

    private LocalPageStore(PageStoreFolder folder) {
        this.folder = folder;
    }

    /**
     * Opens the store in this folder, which is made if it is not there, and is readable for its owner alone from now on.
     *
     * @throws IOException where the folder can't be written, or another store has it
     */
    public static LocalPageStore open(Path folder) throws IOException {
        return new LocalPageStore(PageStoreFolder.open(folder, "pages", PARTS));
    }

    private Path pathOf(long fileId) {
        return folder.ofKind()
                .resolve(PARTS.get((int) (fileId & (PARTS.size() - 1))))
                .resolve(PageStoreFolder.nameOf(fileId));
    }

    @Override
    public long newFileId() {
        return folder.newFileId();
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

    /** What lies between pages that are kept stays: Java can't punch holes. */
    @Override
    public void trim(PageFile file, BitSet kept) throws IOException {
        int last = kept.length() - 1;
        long end = last < 0 ? 0 : file.startOf(last) + file.lengthOf(last);
        Path path = pathOf(file.id());
        if (Files.size(path) > end) {
            try (FileChannel out = FileChannel.open(path, StandardOpenOption.WRITE)) {
                out.truncate(end);
            }
        }
    }

    @Override
    public int deleteUnknown(LongPredicate isKnown, BooleanSupplier isCancelled) throws IOException {
        return folder.deleteUnknown(isKnown, (file, id) -> deleteUnlessFolder(file), isCancelled);
    }

    private static boolean deleteUnlessFolder(Path file) throws IOException {
        boolean isFile = !Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS);
        if (isFile) {
            Files.deleteIfExists(file);
        }
        return isFile;
    }

    @Override
    public long freeBytes() throws IOException {
        return folder.freeBytes();
    }

    @Override
    public Optional<Path> path(PageFile file) {
        return Optional.of(pathOf(file.id()));
    }

    @Override
    public void close() throws IOException {
        folder.close();
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
