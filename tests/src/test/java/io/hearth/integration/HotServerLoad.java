// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.integration;

import io.hearth.testkit.embedded.EmbeddedCluster;
import io.hearth.testkit.load.OpenLoop;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeoutException;
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

/**
 * A table whose requests all go to the regions that one server holds at the start: real gets and puts from one client thread, at a rate
 * that leaves the processors to the cluster and to the tests beside it, until it is closed.
 */
public final class HotServerLoad implements AutoCloseable {

    public static final TableName TABLE = TableName.valueOf("hot");
    private static final byte[] FAMILY = Bytes.toBytes("f");

    /** Of each kind. As fast as it goes, one client takes more than one processor from everything else. */
    private static final double REQUESTS_PER_SECOND = 100;

    private final EmbeddedCluster cluster;
    private final Table table;
    private volatile List<byte[]> hotRows = List.of();
    private final AtomicReference<Exception> failure = new AtomicReference<>();
    private final OpenLoop client;
    private int turn;

    private HotServerLoad(EmbeddedCluster cluster) throws IOException {
        this.cluster = cluster;
        this.table = cluster.connection().getTable(TABLE);
        chooseRows();
        this.client = OpenLoop.start("hot server's client", REQUESTS_PER_SECOND, dueNanos -> putAndGet());
    }

    public static HotServerLoad start(EmbeddedCluster cluster, int regions) throws IOException {
        return start(cluster, regions, 1);
    }

    /** The same with every region served so many times. */
    static HotServerLoad start(EmbeddedCluster cluster, int regions, int replicas) throws IOException {
        cluster.admin().createTable(table(replicas), splits(regions));
        return new HotServerLoad(cluster);
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
    final void chooseRows() throws IOException {
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

    private void putAndGet() {
        if (failure.get() != null) {
            return;
        }
        try {
            List<byte[]> rows = hotRows;
            byte[] row = rows.get(turn % rows.size());
            table.put(new Put(row).addColumn(FAMILY, FAMILY, Bytes.toBytes(turn)));
            table.get(new Get(row));
        } catch (IOException | RuntimeException e) {
            failure.set(e);
        }
        turn++;
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
    public void close() throws InterruptedException, IOException, TimeoutException {
        client.stop(Duration.ofMinutes(1));
        if (failure.get() != null) {
            throw new AssertionError("The client of " + TABLE + " met an error", failure.get());
        }
        table.close();
    }
}
