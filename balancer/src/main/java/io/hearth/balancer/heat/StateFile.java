// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.heat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/**
 * The file in which one master leaves what the next should know: named sections of bytes, of which heat is one.
 *
 * <p>Form, all numbers big-endian: the 8 bytes {@code HEARTH} 0 0; the version of the form (int); the number of sections
 * (int); each section's name (as {@link DataOutputStream#writeUTF} writes it), its length (int) and its bytes; CRC-32C (int)
 * of all that. A section's own form has a version of its own.
 */
public final class StateFile {

    static final int VERSION = 1;

    private static final byte[] MAGIC = {'H', 'E', 'A', 'R', 'T', 'H', 0, 0};
    private static final int CHECKSUM_BYTES = Integer.BYTES;

    private StateFile() {}

    /** What a file turned out to hold. */
    public sealed interface Decoded {}

    /** The sections by name. */
    public record Sections(SortedMap<String, byte[]> bytesByName) implements Decoded {}

    /** Nothing that can be used. */
    public record Unusable(Reason reason) implements Decoded {}

    /** Why a file can't be used. */
    public enum Reason {
        /** It does not begin as our files do. */
        UNRECOGNIZED("it is not a file of Hearth"),
        /** Its form is of a later version of Hearth. */
        NEWER("it was written by a newer version of Hearth"),
        /** It is cut off, or its bytes are not those that were written. */
        CORRUPT("it is cut off or damaged"),
        /** It has more bytes than a master reads. */
        TOO_LARGE("it is larger than a state file may be");

        private final String text;

        Reason(String text) {
            this.text = text;
        }

        /** The reason in words, for a log line. */
        public String text() {
            return text;
        }
    }

    public static byte[] encode(Map<String, byte[]> bytesByName) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.write(MAGIC);
            out.writeInt(VERSION);
            out.writeInt(bytesByName.size());
            for (Map.Entry<String, byte[]> section : new TreeMap<>(bytesByName).entrySet()) {
                out.writeUTF(section.getKey());
                out.writeInt(section.getValue().length);
                out.write(section.getValue());
            }
            out.writeInt(checksum(bytes.toByteArray(), bytes.size()));
        } catch (IOException inMemory) {
            throw new UncheckedIOException(inMemory);
        }
        return bytes.toByteArray();
    }

    public static Decoded decode(byte[] file) {
        if (file.length < MAGIC.length) {
            return new Unusable(Reason.CORRUPT);
        }
        if (!Arrays.equals(MAGIC, 0, MAGIC.length, file, 0, MAGIC.length)) {
            return new Unusable(Reason.UNRECOGNIZED);
        }
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(file))) {
            in.skipNBytes(MAGIC.length);
            if (in.readInt() > VERSION) {
                return new Unusable(Reason.NEWER);
            }
            return isWhole(file) ? sections(in) : new Unusable(Reason.CORRUPT);
        } catch (IOException cutOff) {
            return new Unusable(Reason.CORRUPT);
        }
    }

    private static Decoded sections(DataInputStream in) throws IOException {
        SortedMap<String, byte[]> bytesByName = new TreeMap<>();
        int count = in.readInt();
        for (int section = 0; section < count; section++) {
            String name = in.readUTF();
            int length = in.readInt();
            if (length < 0 || length > in.available()) {
                return new Unusable(Reason.CORRUPT);
            }
            bytesByName.put(name, in.readNBytes(length));
        }
        return new Sections(bytesByName);
    }

    private static boolean isWhole(byte[] file) throws IOException {
        int length = file.length - CHECKSUM_BYTES;
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(file, length, CHECKSUM_BYTES))) {
            return in.readInt() == checksum(file, length);
        }
    }

    private static int checksum(byte[] bytes, int length) {
        CRC32C checksum = new CRC32C();
        checksum.update(bytes, 0, length);
        return (int) checksum.getValue();
    }
}
