// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.tracking;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;

/**
 * Writes what is remembered as compact bytes: names that repeat are written once and then by number, encoded region names as
 * the 16 bytes that they stand for. Not thread-safe; {@link StateReader} reads it.
 */
final class StateWriter {

    /** Something that writes one thing. */
    interface Writer<T> {
        void write(T value) throws IOException;
    }

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final DataOutputStream out = new DataOutputStream(bytes);
    private final Map<String, Integer> numberByName = new HashMap<>();

    byte[] toBytes() throws IOException {
        out.flush();
        return bytes.toByteArray();
    }

    void number(long value) throws IOException {
        out.writeLong(value);
    }

    void count(int value) throws IOException {
        out.writeInt(value);
    }

    void decimal(double value) throws IOException {
        out.writeDouble(value);
    }

    void flag(boolean value) throws IOException {
        out.writeBoolean(value);
    }

    /** A text that is not likely to be written again. */
    void text(String value) throws IOException {
        out.writeUTF(value.length() > 1_000 ? value.substring(0, 1_000) : value);
    }

    /** A text that is likely to be written again. */
    void name(String value) throws IOException {
        Integer known = numberByName.get(value);
        if (known != null) {
            out.writeInt(known);
            return;
        }
        out.writeInt(numberByName.size());
        numberByName.put(value, numberByName.size());
        text(value);
    }

    void table(TableId table) throws IOException {
        name(table.name());
    }

    void server(ServerId server) throws IOException {
        name(server.host());
        out.writeInt(server.port());
        out.writeLong(server.startCode());
    }

    void region(EncodedRegionName region) throws IOException {
        boolean isHash = region.encodedName().matches("[0-9a-f]{32}");
        out.writeBoolean(isHash);
        if (isHash) {
            out.write(HexFormat.of().parseHex(region.encodedName()));
        } else {
            text(region.encodedName());
        }
    }

    <K, V> void map(Map<K, V> map, Writer<K> key, Writer<V> value) throws IOException {
        out.writeInt(map.size());
        for (Map.Entry<K, V> entry : map.entrySet()) {
            key.write(entry.getKey());
            value.write(entry.getValue());
        }
    }

    <T> void list(Iterable<T> list, int size, Writer<T> each) throws IOException {
        out.writeInt(size);
        for (T value : list) {
            each.write(value);
        }
    }
}
