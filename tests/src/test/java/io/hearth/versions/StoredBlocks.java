// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.versions;

import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;

/** The folder of a DataNode's volume with finalized replicas in it, and one for its read cache. Immutable. */
final class StoredBlocks {

    static final String BLOCK_POOL = "BP-1";
    static final long READ = 1;
    static final long OF_DELETED_FILE = 2;
    static final long LEFT = 3;
    private static final long STAMP = 1_001;
    private static final int CHUNK_BYTES = 512;

    private final Path volume;
    private final Path ssd;
    private final Path replicas;
    private final byte[] content = new byte[3 * CHUNK_BYTES];

    StoredBlocks(Path folder) throws IOException {
        this.volume = Files.createDirectories(folder.resolve("volume"));
        this.ssd = Files.createDirectories(folder.resolve("ssd"));
        new Random(1).nextBytes(content);
        this.replicas =
                Files.createDirectories(volume.resolve("current/" + BLOCK_POOL + "/current/finalized/subdir0/subdir0"));
        for (long block : List.of(READ, OF_DELETED_FILE, LEFT)) {
            Files.write(replicas.resolve("blk_" + block), content);
            writeMeta(replicas.resolve("blk_" + block + "_" + STAMP + ".meta"));
        }
    }

    private void writeMeta(Path file) throws IOException {
        try (DataOutputStream meta = new DataOutputStream(Files.newOutputStream(file))) {
            meta.writeShort(1);
            meta.writeByte(2);
            meta.writeInt(CHUNK_BYTES);
            for (int start = 0; start < content.length; start += CHUNK_BYTES) {
                CRC32C sum = new CRC32C();
                sum.update(content, start, CHUNK_BYTES);
                meta.writeInt((int) sum.getValue());
            }
        }
    }

    Path volume() {
        return volume;
    }

    Path ssd() {
        return ssd;
    }

    ExtendedBlock block(long id) {
        return new ExtendedBlock(BLOCK_POOL, id, content.length, STAMP);
    }

    boolean isOnDisk(long id) {
        return Files.exists(replicas.resolve("blk_" + id));
    }

    boolean isContent(byte[] read) {
        return Arrays.equals(read, content);
    }
}
