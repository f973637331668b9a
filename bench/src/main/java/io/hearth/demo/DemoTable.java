// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.demo;

import io.hearth.demo.console.DemoConsole.Progress;
import io.hearth.testkit.load.RandomRows;
import io.hearth.testkit.measure.KeySpace;
import java.io.IOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/** The demo's table: how it is created, and how its data is loaded by a client like any other. */
public final class DemoTable {
    public static final TableName NAME = TableName.valueOf("hearth_demo");
    static final byte[] FAMILY = {'d'};
    static final byte[] LOADED = {'v'};
    static final byte[] WRITTEN = {'w'};

    private static final int VALUE_BYTES = 4_096;

    private DemoTable() {}

    /** Keys for at least so many megabytes of values. */
    public static KeySpace keySpace(int regions, int megabytes) {
        long rows = ((long) megabytes << 20) / VALUE_BYTES;
        return new KeySpace(regions, Math.toIntExact((rows + regions - 1) / regions));
    }

    /** Bytes of the values that a load of these keys writes. */
    public static long loadedBytes(KeySpace keys) {
        return keys.rows() * VALUE_BYTES;
    }

    public static void create(Admin admin, KeySpace keys) throws IOException {
        // Compactions would restore locality too: here nothing but healing does.
        admin.createTable(
                TableDescriptorBuilder.newBuilder(NAME)
                        .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                        .setCompactionEnabled(false)
                        .build(),
                keys.splitKeys());
    }

    /** Writes a value of random bytes, which no codec makes smaller, to every key. */
    public static void load(Connection connection, KeySpace keys, long seed, Progress progress) throws IOException {
        new RandomRows(Bytes.toString(FAMILY), Bytes.toString(LOADED), VALUE_BYTES)
                .fill(connection, NAME, keys, seed, rows -> progress.update((rows * VALUE_BYTES) >> 20, ""));
    }
}
