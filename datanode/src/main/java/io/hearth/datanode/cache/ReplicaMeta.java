// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.cache;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;

/**
 * What is known in memory of a replica's meta file: the kind of its checksums, and a CRC32C of each slice of 16 KiB, by which a copy
 * of the file is verified before its checksums are believed.
 *
 * <p>The file is HDFS's ({@code BlockMetadataHeader}, {@code DataChecksum}): a version in 2 bytes, the type of checksum in 1, the bytes
 * of a chunk in 4, and then 4 bytes for each chunk of the block; all big-endian. Immutable.
 */
final class ReplicaMeta {

    static final int HEADER_BYTES = 7;
    static final int SUM_BYTES = 4;
    static final int SLICE_BYTES = 1 << 14;

    private static final int VERSION = 1;
    /** A chunk is read as a whole to verify it; those of HDFS have 512 bytes unless somebody has set more. */
    private static final int MOST_CHUNK_BYTES = 8 << 20;

    private final Header header;
    private final long length;
    private final int[] sliceSums;

    private ReplicaMeta(Header header, long length, int[] sliceSums) {
        this.header = header;
        this.length = length;
        this.sliceSums = sliceSums;
    }

    /** A kind of checksum that HDFS computes over chunks, with the number that its meta files have for it. */
    enum SumType {
        CRC32(1),
        CRC32C(2);

        private final int code;

        SumType(int code) {
            this.code = code;
        }

        private Checksum newChecksum() {
            return switch (this) {
                case CRC32 -> new CRC32();
                case CRC32C -> new CRC32C();
            };
        }
    }

    /** The first bytes of a meta file. Immutable. */
    record Header(SumType type, int chunkBytes) {

        /**
         * Reads the header of a meta file; empty where the data can't be verified by it: there are no checksums, or they are of a kind
         * that isn't known here.
         */
        static Optional<Header> parse(ByteBuffer file) {
            if (file.remaining() < HEADER_BYTES) {
                return Optional.empty();
            }
            int at = file.position();
            int version = file.getShort(at);
            int code = file.get(at + 2);
            int chunkBytes = file.getInt(at + 3);
            if (version != VERSION || chunkBytes <= 0 || chunkBytes > MOST_CHUNK_BYTES) {
                return Optional.empty();
            }
            return Arrays.stream(SumType.values())
                    .filter(type -> type.code == code)
                    .findFirst()
                    .map(type -> new Header(type, chunkBytes));
        }

        /** The length of the meta file of a block of this length. */
        long metaLength(long blockLength) {
            return HEADER_BYTES + SUM_BYTES * ((blockLength + chunkBytes - 1) / chunkBytes);
        }

        /** The size of a page that is a whole number of chunks: this one, or a little more. */
        int pageBytes(int configuredBytes) {
            return (configuredBytes + chunkBytes - 1) / chunkBytes * chunkBytes;
        }
    }

    Header header() {
        return header;
    }

    /** The bytes of the meta file. */
    long length() {
        return length;
    }

    int sliceLength(int slice) {
        return (int) Math.min(SLICE_BYTES, length - (long) slice * SLICE_BYTES);
    }

    /** Whether these are the bytes of this slice. */
    boolean sliceMatches(int slice, byte[] bytes, int count) {
        return count == sliceLength(slice) && sliceSums[slice] == sumOf(ByteBuffer.wrap(bytes, 0, count));
    }

    /** Where in the meta file the checksum of the chunk at this position of the block is. */
    long sumPosition(long blockPosition) {
        return HEADER_BYTES + SUM_BYTES * (blockPosition / header.chunkBytes());
    }

    /** How many bytes of checksums belong to so many bytes of the block that begin with a chunk. */
    int sumBytes(int dataBytes) {
        return (dataBytes + header.chunkBytes() - 1) / header.chunkBytes() * SUM_BYTES;
    }

    /**
     * Whether the data have these checksums. Both buffers are left as they are.
     *
     * @param data begins with a chunk; only the block's last chunk may be shorter than the others
     * @param sums the checksum of each of the chunks
     */
    boolean matches(ByteBuffer data, ByteBuffer sums) {
        Checksum checksum = header.type().newChecksum();
        ByteBuffer chunk = data.duplicate();
        int sumAt = sums.position();
        for (int at = data.position(); at < data.limit(); at += header.chunkBytes()) {
            chunk.limit(Math.min(data.limit(), at + header.chunkBytes())).position(at);
            checksum.reset();
            checksum.update(chunk);
            if ((int) checksum.getValue() != sums.getInt(sumAt)) {
                return false;
            }
            sumAt += SUM_BYTES;
        }
        return true;
    }

    /** Whether the other meta file is the same, as far as CRC32C tells. */
    boolean isSameAs(ReplicaMeta other) {
        return header.equals(other.header) && length == other.length && Arrays.equals(sliceSums, other.sliceSums);
    }

    private static int sumOf(ByteBuffer bytes) {
        CRC32C sum = new CRC32C();
        sum.update(bytes);
        return (int) sum.getValue();
    }

    /** Takes a meta file piece by piece. Not thread-safe. */
    static final class Builder {

        private final Header header;
        private final long length;
        private final int[] sliceSums;
        private int slices;

        Builder(Header header, long blockLength) {
            this.header = header;
            length = header.metaLength(blockLength);
            sliceSums = new int[Math.toIntExact((length + SLICE_BYTES - 1) / SLICE_BYTES)];
        }

        /** Adds the next piece, which is a whole number of slices unless it is the last; leaves the buffer as it is. */
        void add(ByteBuffer piece) {
            for (int at = piece.position(); at < piece.limit(); at += SLICE_BYTES) {
                int count = Math.min(SLICE_BYTES, piece.limit() - at);
                sliceSums[slices++] = sumOf(piece.slice(at, count));
            }
        }

        ReplicaMeta build() {
            if (slices != sliceSums.length) {
                throw new IllegalStateException(slices + " slices of " + sliceSums.length);
            }
            return new ReplicaMeta(header, length, sliceSums);
        }
    }
}
