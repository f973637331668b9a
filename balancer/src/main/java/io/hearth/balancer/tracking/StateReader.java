// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.tracking;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/**
 * Reads what {@link StateWriter} wrote. A time that lies in the future by the reader's clock becomes now, so that a clock that
 * was wrong once does not hold a region for ever. Not thread-safe.
 */
final class StateReader {

    /** Something that reads one thing. */
    interface Reader<T> {
        T read() throws IOException;
    }

    private final DataInputStream in;
    private final int version;
    private final long nowMs;
    private final List<String> names = new ArrayList<>();

    /** @param version of the bytes, as their envelope has it */
    StateReader(byte[] bytes, int version, long nowMs) {
        this.version = version;
        in = new DataInputStream(new ByteArrayInputStream(bytes));
        this.nowMs = nowMs;
    }

    int version() {
        return version;
    }

    long number() throws IOException {
        return in.readLong();
    }

    /** Now, where this time lies in the future. */
    long notAfterNow(long timeMs) {
        return Math.min(timeMs, nowMs);
    }

    long time() throws IOException {
        return notAfterNow(in.readLong());
    }

    int count() throws IOException {
        return in.readInt();
    }

    /** A flag that bytes of before there were limits do not have. */
    boolean flagSinceLimits() throws IOException {
        return version != TrackerStateCodec.WITHOUT_LIMITS && in.readBoolean();
    }

    double decimal() throws IOException {
        return in.readDouble();
    }

    String text() throws IOException {
        return in.readUTF();
    }

    String name() throws IOException {
        int number = in.readInt();
        if (number == names.size()) {
            names.add(text());
        }
        if (number < 0 || number >= names.size()) {
            throw new IOException("name " + number + " of " + names.size());
        }
        return names.get(number);
    }

    TableId table() throws IOException {
        return new TableId(name());
    }

    ServerId server() throws IOException {
        return new ServerId(name(), in.readInt(), in.readLong());
    }

    EncodedRegionName region() throws IOException {
        if (!in.readBoolean()) {
            return new EncodedRegionName(text());
        }
        byte[] hash = new byte[16];
        in.readFully(hash);
        return new EncodedRegionName(HexFormat.of().formatHex(hash));
    }

    <K, V> void map(Map<K, V> into, Reader<K> key, Reader<V> value) throws IOException {
        int size = in.readInt();
        for (int entry = 0; entry < size; entry++) {
            K read = key.read();
            into.put(read, value.read());
        }
    }

    <T> void list(Collection<T> into, Reader<T> each) throws IOException {
        int size = in.readInt();
        for (int entry = 0; entry < size; entry++) {
            into.add(each.read());
        }
    }

    boolean isAtEnd() throws IOException {
        return in.available() == 0;
    }
}
