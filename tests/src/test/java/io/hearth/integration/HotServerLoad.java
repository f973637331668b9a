// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.integration;

import io.hearth.testkit.embedded.EmbeddedCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.RegionReplicaUtil;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.awaitility.Awaitility;

/**
 * A table whose requests all go to the regions that one server holds at the start: real gets and puts from one client
 * thread, as fast as they go, until it is closed.
 */
public final class HotServerLoad implements AutoCloseable {

    public static final TableName TABLE = TableName.valueOf("hot");
    private static final byte[] FAMILY = Bytes.toBytes("f");

    private final EmbeddedCluster cluster;
    private volatile List<byte[]> hotRows = List.of();
    private final AtomicReference<Exception> failure = new AtomicReference<>();
    private final Thread client = new Thread(this::drive, "hot server's client");
    private volatile boolean isClosed;

    private HotServerLoad(EmbeddedCluster cluster) {
        this.cluster = cluster;
    }

    public static HotServerLoad start(EmbeddedCluster cluster, int regions) throws IOException {
        return start(cluster, regions, 1);
    }

    /** The same with every region served so many times. */
    static HotServerLoad start(EmbeddedCluster cluster, int regions, int replicas) throws IOException {
        HotServerLoad hot = new HotServerLoad(cluster);
        cluster.admin().createTable(table(replicas), splits(regions));
        hot.chooseRows();
        hot.client.start();
        return hot;
    }

    private static TableDescriptor table(int replicas) {
        return TableDescriptorBuilder.newBuilder(TABLE)
                .setRegionReplication(replicas)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                .build();
    }

    private static byte[][] splits(int regions) {
        byte[][] splits = new byte[regions - 1][];
        for (int split = 1; split < regions; split++) {
            splits[split - 1] = row(split);
        }
        return splits;
    }

    private static byte[] row(int region) {
        return Bytes.toBytes(String.format("%04d", region));
    }

    /** From now on all requests go to the regions of the server that has most of them now. */
    void chooseRows() throws IOException {
        List<byte[]> rows = new ArrayList<>();
        try (RegionLocator locator = cluster.connection().getRegionLocator(TABLE)) {
            List<HRegionLocation> primaries = locator.getAllRegionLocations().stream()
                    .filter(location -> RegionReplicaUtil.isDefaultReplica(location.getRegion()))
                    .toList();
            Map<ServerName, Long> primariesByServer = primaries.stream()
                    .collect(Collectors.groupingBy(HRegionLocation::getServerName, Collectors.counting()));
            ServerName hot = Collections.max(primariesByServer.entrySet(), Map.Entry.comparingByValue())
                    .getKey();
            for (int region = 0; region < primaries.size(); region++) {
                if (primaries.get(region).getServerName().equals(hot)) {
                    rows.add(Bytes.toBytes(String.format("%04d-row", region)));
                }
            }
        }
        hotRows = List.copyOf(rows);
    }

    private void drive() {
        try (Table table = cluster.connection().getTable(TABLE)) {
            for (long turn = 0; !isClosed; turn++) {
                List<byte[]> rows = hotRows;
                byte[] row = rows.get((int) (turn % rows.size()));
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
        try (RegionLocator locator = cluster.connection().getRegionLocator(TABLE)) {
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
