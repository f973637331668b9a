// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.integration;

import io.hearth.testkit.embedded.EmbeddedCluster;
import io.hearth.testkit.load.OpenLoop;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A flushed table, one block a region, whose regions are all read at the same rate by one client thread until it is closed.
 */
final class UniformReadLoad implements AutoCloseable {

    private static final TableName NAME = TableName.valueOf("read");
    private static final int REGIONS = 36;
    private static final int BYTES_OF_REGION = 900_000;
    private static final byte[] FAMILY = Bytes.toBytes("f");

    /** As fast as it goes, one client takes more than one processor from everything else. */
    private static final double READS_PER_SECOND = 300;

    private final EmbeddedCluster cluster;
    private final Table table;
    private final AtomicReference<Exception> failure = new AtomicReference<>();
    private final OpenLoop client;
    private int turn;

    private UniformReadLoad(EmbeddedCluster cluster) throws IOException {
        this.cluster = cluster;
        this.table = cluster.connection().getTable(NAME);
        this.client = OpenLoop.start("reader of " + NAME, READS_PER_SECOND, dueNanos -> read());
    }

    static UniformReadLoad start(EmbeddedCluster cluster) throws IOException {
        byte[][] splits = new byte[REGIONS - 1][];
        for (int split = 1; split < REGIONS; split++) {
            splits[split - 1] = row(split);
        }
        cluster.admin()
                .createTable(
                        TableDescriptorBuilder.newBuilder(NAME)
                                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                                .build(),
                        splits);
        Random random = new Random(1);
        byte[] value = new byte[BYTES_OF_REGION];
        try (Table table = cluster.connection().getTable(NAME)) {
            for (int region = 0; region < REGIONS; region++) {
                random.nextBytes(value);
                table.put(new Put(row(region)).addColumn(FAMILY, FAMILY, value));
                table.put(new Put(hotRow(region)).addColumn(FAMILY, FAMILY, Bytes.toBytes(region)));
            }
        }
        cluster.admin().flush(NAME);
        return new UniformReadLoad(cluster);
    }

    private static byte[] row(int region) {
        return Bytes.toBytes(String.format("%04d", region));
    }

    private static byte[] hotRow(int region) {
        return Bytes.toBytes(String.format("%04d-hot", region));
    }

    private void read() {
        if (failure.get() != null) {
            return;
        }
        try {
            table.get(new Get(hotRow(turn % REGIONS)));
        } catch (IOException | RuntimeException e) {
            failure.set(e);
        }
        turn++;
    }

    /** Where each region is served now. */
    List<HRegionLocation> locations() throws IOException {
        try (RegionLocator locator = cluster.connection().getRegionLocator(NAME)) {
            locator.clearRegionLocationCache();
            return locator.getAllRegionLocations();
        }
    }

    Map<RegionInfo, String> hostByRegion() throws IOException {
        return locations().stream().collect(Collectors.toMap(HRegionLocation::getRegion, HRegionLocation::getHostname));
    }

    Set<RegionInfo> regionsOn(String host) throws IOException {
        return locations().stream()
                .filter(location -> location.getHostname().equals(host))
                .map(HRegionLocation::getRegion)
                .collect(Collectors.toSet());
    }

    /** Whether every region is served by a server that runs. */
    boolean isServed() throws IOException {
        List<HRegionLocation> locations = locations();
        return locations.size() == REGIONS
                && locations.stream()
                        .allMatch(location -> location.getServerName() != null
                                && cluster.regionServerOn(location.getHostname())
                                        .isPresent());
    }

    /** Local bytes over bytes of these regions. */
    double localShare(Collection<RegionInfo> regions, Map<RegionInfo, String> hosts) throws IOException {
        long local = 0;
        long total = 0;
        for (RegionInfo region : regions) {
            Map<String, Long> bytes = bytesByHost(region);
            local += bytes.getOrDefault(hosts.get(region), 0L);
            total += bytes.get("");
        }
        return (double) local / total;
    }

    /** What that share would be on average if each server were as likely to get each region. */
    double shareByLot(Collection<RegionInfo> regions, Collection<ServerName> servers) throws IOException {
        double sum = 0;
        for (ServerName server : servers) {
            sum += localShare(
                    regions, regions.stream().collect(Collectors.toMap(region -> region, any -> server.getHostname())));
        }
        return sum / servers.size();
    }

    /** Regions, all read alike, of the server with most of them over the mean of the servers. */
    double hottestOverFairShare(Map<RegionInfo, String> hosts) throws IOException {
        Map<String, Integer> count = new HashMap<>();
        hosts.values().forEach(host -> count.merge(host, 1, Integer::sum));
        int most = count.values().stream().max(Integer::compare).orElseThrow();
        return most * (double) cluster.admin().getRegionServers().size() / REGIONS;
    }

    /** The bytes of a region on each host; all of them under the empty name. */
    private Map<String, Long> bytesByHost(RegionInfo region) throws IOException {
        Map<String, Long> bytes = new HashMap<>();
        RemoteIterator<LocatedFileStatus> files = cluster.fileSystem()
                .listFiles(
                        new Path(
                                cluster.configuration().get(HConstants.HBASE_DIR),
                                "data/default/" + NAME + "/" + region.getEncodedName() + "/f"),
                        true);
        while (files.hasNext()) {
            for (BlockLocation block : files.next().getBlockLocations()) {
                bytes.merge("", block.getLength(), Long::sum);
                Arrays.stream(block.getHosts()).forEach(host -> bytes.merge(host, block.getLength(), Long::sum));
            }
        }
        return bytes;
    }

    /** Ends the client; fails if it met an error. */
    @Override
    public void close() throws InterruptedException, IOException, TimeoutException {
        client.stop(Duration.ofMinutes(1));
        if (failure.get() != null) {
            throw new AssertionError("The client of " + NAME + " met an error", failure.get());
        }
        table.close();
    }
}
