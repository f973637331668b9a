// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.zip.CRC32C;

/**
 * A file that records are only added to: a header with the version of the format, then each record with its length and a CRC32C of length
 * and payload. Whoever dies while writing leaves a torn end, which is told from records by length and CRC and cut off before the next
 * record is added. A record that is damaged with whole ones behind it is left out, and they are read. Not thread-safe.
 *
 * <pre>
 * header  "HSLO", version (int)
 * record  length of the payload (int), CRC32C (int), payload
 * </pre>
 */
final class SegmentFile implements AutoCloseable {

    /** The format that this class writes, and the only one that it reads. */
    static final int VERSION = 1;

    static final int HEADER_BYTES = 8;
    static final int FRAME_BYTES = 8;

    private static final int MAGIC = 0x48534C4F;
    private static final int MOST_PAYLOAD_BYTES = 1 << 27;

    private final FileChannel channel;
    private long end;

    private SegmentFile(FileChannel channel, long end) {
        this.channel = channel;
        this.end = end;
    }

    /** Opens files to write to; a test has one whose disk is full. */
    interface Opener {
        FileChannel open(Path file) throws IOException;
    }

    /** Takes a whole record of a file. */
    interface Reader {

        /**
         * Takes one record.
         *
         * @param payload of this record, to be read only until the call returns
         * @param endOffset the first byte of the file behind this record
         */
        void record(ByteBuffer payload, long endOffset) throws IOException;
    }

    /** The file is not of a format that this class reads. */
    static final class OtherFormatException extends IOException {

        private static final long serialVersionUID = 1;

        OtherFormatException(Path file, int version) {
            super(file + " has format " + version + " of another version of Hearth; this one reads " + VERSION
                    + ". It is left out and left alone.");
        }
    }

    /**
     * Opens a file to add to, makes it if it is missing, and cuts off a torn end.
     *
     * @param known takes the records that are there
     * @param problems takes a line for each thing that is wrong
     * @throws OtherFormatException if somebody else has to read it
     */
    static SegmentFile append(Path file, Opener opener, Reader known, Consumer<String> problems) throws IOException {
        long size = Files.exists(file) ? Files.size(file) : 0;
        long end = size == 0 ? 0 : read(file, known, problems);
        FileChannel channel = opener.open(file);
        try {
            if (end < size) {
                channel.truncate(end);
                problems.accept(file + ": the last " + (size - end)
                        + " bytes were cut off, a record that was not written whole (kill -9, or a full disk)");
            }
            SegmentFile segment = new SegmentFile(channel, end);
            if (end == 0) {
                segment.write(ByteBuffer.allocate(HEADER_BYTES)
                        .putInt(MAGIC)
                        .putInt(VERSION)
                        .flip());
            }
            return segment;
        } catch (IOException | RuntimeException failure) {
            channel.close();
            throw failure;
        }
    }

    /**
     * Reads the whole records, and changes nothing. A torn end is where the file ends: another process may be adding to it.
     *
     * @return where the whole records end; 0 if there is not even a whole header
     */
    static long read(Path file, Reader reader, Consumer<String> problems) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
        if (bytes.limit() < HEADER_BYTES) {
            return 0;
        }
        if (bytes.getInt(0) != MAGIC || bytes.getInt(Integer.BYTES) != VERSION) {
            throw new OtherFormatException(file, bytes.getInt(Integer.BYTES));
        }
        int at = HEADER_BYTES;
        while (true) {
            int next = endOf(bytes, at);
            if (next < 0) {
                return at;
            }
            if (isWhole(bytes, at, next)) {
                deliver(file, bytes, at, next, reader, problems);
            } else if (isFollowedByAWholeOne(bytes, next)) {
                problems.accept(file + ": the record at byte " + at + " is damaged and left out");
            } else {
                return at;
            }
            at = next;
        }
    }

    private static void deliver(
            Path file, ByteBuffer bytes, int at, int next, Reader reader, Consumer<String> problems) {
        int start = at + FRAME_BYTES;
        try {
            reader.record(bytes.slice(start, next - start).asReadOnlyBuffer(), next);
        } catch (IOException wrong) {
            problems.accept(file + ": the record at byte " + at + " is left out: " + wrong.getMessage());
        }
    }

    /** Where the record that begins here would end; -1 if no record can begin here. */
    private static int endOf(ByteBuffer bytes, int at) {
        if (bytes.limit() - at < FRAME_BYTES) {
            return -1;
        }
        int length = bytes.getInt(at);
        return length <= 0 || length > bytes.limit() - at - FRAME_BYTES ? -1 : at + FRAME_BYTES + length;
    }

    private static boolean isWhole(ByteBuffer bytes, int at, int next) {
        int start = at + FRAME_BYTES;
        return bytes.getInt(at + Integer.BYTES) == sum(bytes.slice(start, next - start));
    }

    private static boolean isFollowedByAWholeOne(ByteBuffer bytes, int at) {
        int next = endOf(bytes, at);
        return next >= 0 && isWhole(bytes, at, next);
    }

    private static int sum(ByteBuffer payload) {
        CRC32C sum = new CRC32C();
        sum.update(
                ByteBuffer.allocate(Integer.BYTES).putInt(payload.remaining()).flip());
        sum.update(payload);
        return (int) sum.getValue();
    }

    /**
     * Adds a record, and waits until the disk has it.
     *
     * @throws IOException if that failed: then nothing was added, as far as can be
     */
    void add(byte[] payload) throws IOException {
        if (payload.length == 0 || payload.length > MOST_PAYLOAD_BYTES) {
            throw new IllegalArgumentException("a record of " + payload.length + " bytes");
        }
        write(ByteBuffer.allocate(FRAME_BYTES + payload.length)
                .putInt(payload.length)
                .putInt(sum(ByteBuffer.wrap(payload)))
                .put(payload)
                .flip());
    }

    /** From the end of the last whole record on: what a failed attempt left is overwritten, and cut off where that is possible. */
    private void write(ByteBuffer bytes) throws IOException {
        long at = end;
        try {
            while (bytes.hasRemaining()) {
                at += channel.write(bytes, at);
            }
            channel.force(false);
        } catch (IOException failure) {
            cutToEnd(failure);
            throw failure;
        }
        end = at;
    }

    private void cutToEnd(IOException failure) {
        try {
            channel.truncate(end);
        } catch (IOException another) {
            failure.addSuppressed(another);
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
