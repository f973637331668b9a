// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.cache;

import io.hearth.datanode.cache.BlockKey.ReplicaVersion;
import io.hearth.datanode.cache.PageStore.PageFile;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;
import java.util.zip.CheckedOutputStream;

/**
 * The file by which a restart finds the blocks on the SSD again.
 *
 * <p>It says which pages were there when it was written; what was filled later is lost with the process and given up, and what was
 * deleted later is found out by asking the DataNode. Big-endian: a version, the number of blocks, each block, the least recently read
 * first, and a CRC32C of all that. It is written beside the old one, forced, and moved over it.
 */
final class IndexFile {

    private static final int VERSION = 0x48524331;
    private static final int MOST_BLOCKS = 1_000_000;
    private static final int BUFFER_BYTES = 1 << 16;

    private final Path file;

    IndexFile(Path folder) {
        file = folder.resolve("index");
    }

    /** Replaces the file by one with these blocks. */
    void write(List<CachedBlock> blocks) throws IOException {
        Path fresh = file.resolveSibling("index.tmp");
        CRC32C sum = new CRC32C();
        try (FileChannel channel = FileChannel.open(
                        fresh,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.TRUNCATE_EXISTING);
                DataOutputStream out = new DataOutputStream(new CheckedOutputStream(
                        new BufferedOutputStream(Channels.newOutputStream(channel), BUFFER_BYTES), sum))) {
            out.writeInt(VERSION);
            out.writeInt(blocks.size());
            for (CachedBlock block : blocks) {
                write(out, block);
            }
            out.writeLong(sum.getValue());
            out.flush();
            channel.force(true);
        }
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    }

    private static void write(DataOutputStream out, CachedBlock block) throws IOException {
        ReplicaVersion version = block.version();
        out.writeUTF(version.key().blockPool());
        out.writeLong(version.key().blockId());
        out.writeLong(version.generationStamp());
        out.writeLong(version.length());
        out.writeLong(block.dataFile().id());
        out.writeInt(block.dataFile().pageBytes());
        out.writeLong(block.metaFile().id());
        out.writeLong(block.metaFile().length());
        out.writeInt(block.metaFile().pageBytes());
        long[] words = block.present().toLongArray();
        out.writeInt(words.length);
        for (long word : words) {
            out.writeLong(word);
        }
    }

    /**
     * The blocks of the file, unconfirmed; none where there is no file.
     *
     * @throws IOException where the file can't be read or is damaged
     */
    List<CachedBlock> read() throws IOException {
        if (!Files.exists(file)) {
            return List.of();
        }
        CRC32C sum = new CRC32C();
        try (DataInputStream in = new DataInputStream(
                new CheckedInputStream(new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES), sum))) {
            check(in.readInt() == VERSION);
            int count = in.readInt();
            check(count >= 0 && count <= MOST_BLOCKS);
            List<CachedBlock> blocks = new ArrayList<>();
            for (int block = 0; block < count; block++) {
                blocks.add(readBlock(in));
            }
            long expected = sum.getValue();
            check(in.readLong() == expected);
            return blocks;
        }
    }

    private CachedBlock readBlock(DataInputStream in) throws IOException {
        BlockKey key = new BlockKey(in.readUTF(), in.readLong());
        ReplicaVersion version = new ReplicaVersion(key, in.readLong(), in.readLong());
        PageFile dataFile = pageFile(in.readLong(), version.length(), in.readInt());
        long metaId = in.readLong();
        long metaLength = in.readLong();
        PageFile metaFile = pageFile(metaId, metaLength, in.readInt());
        int words = in.readInt();
        check(words >= 0 && words <= (dataFile.pages() + Long.SIZE - 1) / Long.SIZE);
        long[] pages = new long[words];
        for (int word = 0; word < words; word++) {
            pages[word] = in.readLong();
        }
        BitSet present = BitSet.valueOf(pages);
        check(present.length() <= dataFile.pages());
        return CachedBlock.restored(version, dataFile, metaFile, present);
    }

    private PageFile pageFile(long id, long length, int pageBytes) throws IOException {
        check(length >= 0 && pageBytes > 0 && length / pageBytes < Integer.MAX_VALUE);
        return new PageFile(id, length, pageBytes);
    }

    private void check(boolean isAsWritten) throws IOException {
        if (!isAsWritten) {
            throw new IOException(file + " is damaged");
        }
    }

    /** Deletes the file, so that a restart finds nothing. */
    void delete() throws IOException {
        Files.deleteIfExists(file);
    }
}
