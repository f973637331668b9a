// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.hbase3;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.hbase.HBaseTestingUtil;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.rsgroup.RSGroupInfo;
import org.apache.hadoop.hbase.util.Bytes;
import org.awaitility.Awaitility;

/**
 * A table whose requests all go to the regions that one server holds at the start: real gets and puts from one client
 * thread, as fast as they go, until it is closed.
 */
final class HBase3HotServerLoad implements AutoCloseable {

    static final TableName TABLE = TableName.valueOf("hot");
    private static final byte[] FAMILY = Bytes.toBytes("f");

    private final HBaseTestingUtil cluster;
    private final List<byte[]> hotRows = new ArrayList<>();
    private final AtomicReference<Exception> failure = new AtomicReference<>();
    private final Thread client = new Thread(this::drive, "hot server's client");
    private volatile boolean isClosed;

    private HBase3HotServerLoad(HBaseTestingUtil cluster) {
        this.cluster = cluster;
    }

    static HBase3HotServerLoad start(HBaseTestingUtil cluster, int regions) throws IOException {
        return start(cluster, regions, RSGroupInfo.DEFAULT_GROUP);
    }

    /** The same with the table in this group of servers. */
    static HBase3HotServerLoad start(HBaseTestingUtil cluster, int regions, String group) throws IOException {
        HBase3HotServerLoad hot = new HBase3HotServerLoad(cluster);
        cluster.getAdmin().createTable(table(TABLE, group), splits(regions));
        hot.chooseRows();
        hot.client.start();
        return hot;
    }

    static TableDescriptor table(TableName name, String group) {
        return TableDescriptorBuilder.newBuilder(name)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                .setRegionServerGroup(group)
                .build();
    }

    static byte[][] splits(int regions) {
        byte[][] splits = new byte[regions - 1][];
        for (int split = 1; split < regions; split++) {
            splits[split - 1] = row(split);
        }
        return splits;
    }

    private static byte[] row(int region) {
        return Bytes.toBytes(String.format("%04d", region));
    }

    private void chooseRows() throws IOException {
        try (RegionLocator locator = cluster.getConnection().getRegionLocator(TABLE)) {
            List<HRegionLocation> locations = locator.getAllRegionLocations();
            ServerName hot = locations.get(0).getServerName();
            for (int region = 0; region < locations.size(); region++) {
                if (locations.get(region).getServerName().equals(hot)) {
                    hotRows.add(Bytes.toBytes(String.format("%04d-row", region)));
                }
            }
        }
    }

    private void drive() {
        try (Table table = cluster.getConnection().getTable(TABLE)) {
            for (long turn = 0; !isClosed; turn++) {
                byte[] row = hotRows.get((int) (turn % hotRows.size()));
                table.put(new Put(row).addColumn(FAMILY, FAMILY, Bytes.toBytes(turn)));
                table.get(new Get(row));
            }
        } catch (IOException | RuntimeException e) {
            failure.set(e);
        }
    }

    /** How many of the hot regions each server holds now. */
    Map<ServerName, Integer> hotRegionsByServer() throws IOException {
        Map<ServerName, Integer> count = new TreeMap<>();
        try (RegionLocator locator = cluster.getConnection().getRegionLocator(TABLE)) {
            for (byte[] row : hotRows) {
                count.merge(locator.getRegionLocation(row, true).getServerName(), 1, Integer::sum);
            }
        }
        return count;
    }

    /** Ends the client; fails if it met an error. */
    @Override
    public void close() {
        isClosed = true;
        Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> !client.isAlive());
        if (failure.get() != null) {
            throw new AssertionError("The client of " + TABLE + " met an error", failure.get());
        }
    }
}
