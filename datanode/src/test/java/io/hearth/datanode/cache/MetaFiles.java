// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.cache;

import io.hearth.datanode.cache.ReplicaMeta.SumType;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;

/** Meta files as HDFS writes them. */
final class MetaFiles {

    private MetaFiles() {}

    static byte[] of(byte[] block, SumType type, int chunkBytes) {
        return of(block, type == SumType.CRC32 ? 1 : 2, chunkBytes, type == SumType.CRC32 ? new CRC32() : new CRC32C());
    }

    private static byte[] of(byte[] block, int code, int chunkBytes, Checksum checksum) {
        int chunks = (block.length + chunkBytes - 1) / chunkBytes;
        ByteBuffer file = header(1, code, chunkBytes, 4 * chunks);
        for (int chunk = 0; chunk < chunks; chunk++) {
            int start = chunk * chunkBytes;
            checksum.reset();
            checksum.update(block, start, Math.min(chunkBytes, block.length - start));
            file.putInt((int) checksum.getValue());
        }
        return file.array();
    }

    /** A header, and room for so many bytes. */
    static ByteBuffer header(int version, int code, int chunkBytes, int room) {
        return ByteBuffer.allocate(7 + room)
                .putShort((short) version)
                .put((byte) code)
                .putInt(chunkBytes);
    }
}
