// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.cache;

import io.hearth.datanode.cache.BlockKey;
import io.hearth.datanode.cache.BlockKey.ReplicaVersion;
import io.hearth.datanode.cache.DiskReplica;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.SplittableRandom;
import org.apache.hadoop.hdfs.server.datanode.BlockMetadataHeader;
import org.apache.hadoop.util.DataChecksum;

/**
 * A replica of random bytes in two files, as HDFS writes them: data, and CRC32C checksums of 512 bytes each. Immutable.
 *
 * @param version which replica
 */
record FileReplica(ReplicaVersion version, Path dataFile, Path metaFile) implements DiskReplica {

    private static final int CHUNK_BYTES = 512;
    private static final int PIECE_BYTES = 1 << 20;

    /** Writes one of so many mebibytes into this folder. */
    static FileReplica write(Path folder, int mebibytes) throws IOException {
        ReplicaVersion version = new ReplicaVersion(new BlockKey("BP-1", 1), 1_001, (long) mebibytes * PIECE_BYTES);
        Path dataFile = folder.resolve("blk_1");
        Path metaFile = folder.resolve("blk_1_1001.meta");
        DataChecksum checksum = DataChecksum.newDataChecksum(DataChecksum.Type.CRC32C, CHUNK_BYTES);
        SplittableRandom random = new SplittableRandom(1);
        byte[] piece = new byte[PIECE_BYTES];
        byte[] sums = new byte[PIECE_BYTES / CHUNK_BYTES * Integer.BYTES];
        try (DataOutputStream data = out(dataFile);
                DataOutputStream meta = out(metaFile)) {
            BlockMetadataHeader.writeHeader(meta, checksum);
            for (int written = 0; written < mebibytes; written++) {
                random.nextBytes(piece);
                data.write(piece);
                checksum.calculateChunkedSums(piece, 0, piece.length, sums, 0);
                meta.write(sums);
            }
        }
        return new FileReplica(version, dataFile, metaFile);
    }

    private static DataOutputStream out(Path file) throws IOException {
        return new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file)));
    }

    @Override
    public InputStream openMeta() throws IOException {
        return Files.newInputStream(metaFile);
    }

    @Override
    public FileChannel openData() throws IOException {
        return FileChannel.open(dataFile, StandardOpenOption.READ);
    }

    @Override
    public boolean isCurrent() {
        return true;
    }
}
