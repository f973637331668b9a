// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.load;

import io.hearth.testkit.measure.KeySpace;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The table that a load reads and writes: made for it, marked as such, and never anybody else's.
 *
 * @param name its name
 * @param keys its rows and regions
 * @param valueBytes the length of each value; the bytes are random, so that no codec makes them smaller
 * @param settings of HBase for the table, beside its defaults
 */
public record LoadTable(TableName name, KeySpace keys, int valueBytes, Map<String, String> settings) {

    /** The table of {@code bin/hearth load}. */
    public static final TableName NAME = TableName.valueOf("hearth_load");

    public static final byte[] FAMILY = Bytes.toBytes("f");
    static final byte[] VALUE = Bytes.toBytes("v");

    private static final String MARK = "HEARTH_LOAD";

    public LoadTable {
        settings = Map.copyOf(settings);
    }

    /** A table of at least so many megabytes of values. */
    public static LoadTable of(int regions, int megabytes, int valueBytes, Map<String, String> settings) {
        long rows = ((long) megabytes << 20) / valueBytes;
        return new LoadTable(
                NAME, new KeySpace(regions, Math.toIntExact((rows + regions - 1) / regions)), valueBytes, settings);
    }

    /**
     * Creates it anew and loads and flushes it; one that an earlier load has left goes.
     *
     * @param rowsDone is told now and then how many rows are loaded
     * @throws IOException if there is a table of this name that no load has made
     */
    public void create(Connection connection, long seed, LongConsumer rowsDone) throws IOException {
        drop(connection);
        try (Admin admin = connection.getAdmin()) {
            TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(name)
                    .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                    .setValue(MARK, "true");
            settings.forEach(table::setValue);
            admin.createTable(table.build(), keys.splitKeys());
            rows().fill(connection, name, keys, seed, rowsDone);
            admin.flush(name);
        }
    }

    /** Writes the first rows of each of these regions anew, with values of this seed. */
    public void rewrite(Connection connection, List<Integer> regions, int rowsPerRegion, long seed) throws IOException {
        rows().fill(connection, name, keys, regions, rowsPerRegion, seed, rows -> {});
    }

    /** Deletes it, if it is there. */
    public void drop(Connection connection) throws IOException {
        try (Admin admin = connection.getAdmin()) {
            if (!admin.tableExists(name)) {
                return;
            }
            if (admin.getDescriptor(name).getValue(MARK) == null) {
                throw new IOException("there is a table " + name
                        + " that no load has made; it is left alone. Rename it by a snapshot, or drop it");
            }
            if (admin.isTableEnabled(name)) {
                admin.disableTable(name);
            }
            admin.deleteTable(name);
        }
    }

    RandomRows rows() {
        return new RandomRows(Bytes.toString(FAMILY), Bytes.toString(VALUE), valueBytes);
    }
}
