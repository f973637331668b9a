package io.hearth.bench.cluster;

import io.hearth.load.LoadTable;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Reads from a RegionServer that has just been started, from a table of its own. A new JVM compiles its code while it answers its first requests; on few
 * processors every other server waits for that, which would be taken for what healing costs.
 */
final class WarmUp {

    private static final TableName NAME = TableName.valueOf("hearth_bench_warm");
    private static final byte[] QUALIFIER = {'v'};
    private static final int ROWS = 2_000;
    private static final int MULTIGET = 10;
    private static final long PAUSE_MS = 10;
    private static final long SERVER_LIMIT_SECONDS = 120;

    private WarmUp() {}

    /** Waits until there is a RegionServer on that host and reads from it for so long. The balancer is to be off. */
    static void of(String host, Connection connection, int seconds) throws IOException, InterruptedException {
        try (Admin admin = connection.getAdmin()) {
            ServerName server = await(host, admin);
            admin.createTable(TableDescriptorBuilder.newBuilder(NAME)
                    .setColumnFamily(ColumnFamilyDescriptorBuilder.of(LoadTable.FAMILY))
                    .build());
            try (Table table = connection.getTable(NAME)) {
                fill(table);
                admin.flush(NAME);
                RegionInfo region = admin.getRegions(NAME).get(0);
                admin.move(region.getEncodedNameAsBytes(), server);
                read(table, System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds));
            } finally {
                admin.disableTable(NAME);
                admin.deleteTable(NAME);
            }
        }
    }

    private static ServerName await(String host, Admin admin) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SERVER_LIMIT_SECONDS);
        while (System.nanoTime() < deadline) {
            for (ServerName server : admin.getRegionServers()) {
                if (server.getHostname().equals(host)) {
                    return server;
                }
            }
            TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
        }
        throw new IOException("there is no RegionServer on " + host + " after " + SERVER_LIMIT_SECONDS + " s");
    }

    private static void fill(Table table) throws IOException {
        byte[] value = new byte[Scale.VALUE_BYTES];
        Put[] rows = new Put[ROWS];
        Arrays.setAll(rows, row -> new Put(key(row)).addColumn(LoadTable.FAMILY, QUALIFIER, value));
        table.put(List.of(rows));
    }

    private static void read(Table table, long untilNanos) throws IOException, InterruptedException {
        SplittableRandom random = new SplittableRandom(ROWS);
        while (System.nanoTime() < untilNanos) {
            table.get(get(random));
            table.get(Stream.generate(() -> get(random)).limit(MULTIGET).toList());
            TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
        }
    }

    private static Get get(SplittableRandom random) {
        return new Get(key(random.nextInt(ROWS))).setCacheBlocks(false);
    }

    private static byte[] key(int row) {
        return Bytes.toBytes(row);
    }
}
