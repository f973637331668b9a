package io.hearth.demo;

import io.hearth.demo.console.Progress;
import io.hearth.demo.measure.KeySpace;
import java.io.IOException;
import java.util.SplittableRandom;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/** The demo's table: how it is created, and how its data is loaded by a client like any other. */
public final class DemoTable {
    public static final TableName NAME = TableName.valueOf("hearth_demo");
    static final byte[] FAMILY = {'d'};
    static final byte[] LOADED = {'v'};
    static final byte[] WRITTEN = {'w'};

    private static final int VALUE_BYTES = 4_096;
    private static final int PROGRESS_ROWS = 500;

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
        // Compactions would bring data home too: here nothing but healing does.
        admin.createTable(
                TableDescriptorBuilder.newBuilder(NAME)
                        .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                        .setCompactionEnabled(false)
                        .build(),
                keys.splitKeys());
    }

    /** Writes a value of random bytes, which no codec makes smaller, to every key. */
    public static void load(Connection connection, KeySpace keys, long seed, Progress progress) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        long rows = 0;
        try (BufferedMutator mutator = connection.getBufferedMutator(NAME)) {
            for (int row = 0; row < keys.rowsPerRegion(); row++) {
                for (int region = 0; region < keys.regions(); region++) {
                    byte[] value = new byte[VALUE_BYTES];
                    random.nextBytes(value);
                    mutator.mutate(new Put(keys.row(region, row)).addColumn(FAMILY, LOADED, value));
                    if (++rows % PROGRESS_ROWS == 0) {
                        progress.update((rows * VALUE_BYTES) >> 20, "");
                    }
                }
            }
        }
        progress.update((rows * VALUE_BYTES) >> 20, "");
    }
}
