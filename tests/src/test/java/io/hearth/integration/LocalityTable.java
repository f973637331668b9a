// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.integration;

import io.hearth.testkit.embedded.EmbeddedCluster;
import io.hearth.testkit.embedded.ReplicaMover;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/** A loaded table, and where its blocks are according to the NameNode. */
public final class LocalityTable {

    public static final TableName NAME = TableName.valueOf("t");
    static final int REGIONS = 12;
    private static final byte[] FAMILY = Bytes.toBytes("f");

    private final EmbeddedCluster cluster;

    private LocalityTable(EmbeddedCluster cluster) {
        this.cluster = cluster;
    }

    /** Creates the table, fills it with 30 MB and flushes it. */
    public static LocalityTable load(EmbeddedCluster cluster) throws IOException {
        byte[][] splits = new byte[REGIONS - 1][];
        for (int split = 1; split < REGIONS; split++) {
            splits[split - 1] = Bytes.toBytes(String.format("%04d", split));
        }
        cluster.admin()
                .createTable(
                        TableDescriptorBuilder.newBuilder(NAME)
                                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                                .build(),
                        splits);
        LocalityTable table = new LocalityTable(cluster);
        table.write(3_000);
        return table;
    }

    /** Writes so many rows of 10 kB, spread over all regions, and flushes them. */
    void write(int rows) throws IOException {
        Random random = new Random(1);
        byte[] value = new byte[10_000];
        try (BufferedMutator mutator = cluster.connection().getBufferedMutator(NAME)) {
            for (int row = 0; row < rows; row++) {
                random.nextBytes(value);
                byte[] key = Bytes.toBytes(String.format("%04d-%06d", row % REGIONS, row));
                mutator.mutate(new Put(key).addColumn(FAMILY, FAMILY, value.clone()));
            }
        }
        cluster.admin().flush(NAME);
    }

    /**
     * Moves half of the regions, each to the next server, or where all of it is there to the one that has least; returns the bytes that were
     * not local there.
     */
    public long moveEveryOtherRegion() throws IOException {
        List<ServerName> servers =
                cluster.admin().getRegionServers().stream().sorted().toList();
        List<HRegionLocation> locations = locations();
        long nonLocalBytes = 0;
        for (int region = 0; region < locations.size(); region += 2) {
            HRegionLocation location = locations.get(region);
            ServerName target = servers.get((servers.indexOf(location.getServerName()) + 1) % servers.size());
            if (bytes(location.getRegion(), target.getHostname()).nonLocal() == 0) {
                target = leastLocalServer(location.getRegion());
            }
            nonLocalBytes += bytes(location.getRegion(), target.getHostname()).nonLocal();
            cluster.admin().move(location.getRegion().getEncodedNameAsBytes(), target);
        }
        return nonLocalBytes;
    }

    /** Has DataNodes move the region's replicas from its host to hosts without, as HDFS's Balancer might. */
    void makeRemote(HRegionLocation region) throws IOException {
        ReplicaMover mover = new ReplicaMover(cluster.fileSystem());
        RemoteIterator<LocatedFileStatus> files = cluster.fileSystem().listFiles(storeFolder(region.getRegion()), true);
        while (files.hasNext()) {
            mover.makeLocalFrom(
                    files.next().getPath(), leastLocalServer(region.getRegion()).getHostname(), region.getHostname());
        }
    }

    /** Where each region is served now. */
    public List<HRegionLocation> locations() throws IOException {
        try (RegionLocator locator = cluster.connection().getRegionLocator(NAME)) {
            locator.clearRegionLocationCache();
            return locator.getAllRegionLocations();
        }
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

    /** The server with most of the regions. */
    ServerName busiestServer() throws IOException {
        Map<ServerName, Integer> count = new HashMap<>();
        locations().forEach(location -> count.merge(location.getServerName(), 1, Integer::sum));
        return count.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .orElseThrow()
                .getKey();
    }

    /** The server on whose host the fewest of a region's bytes are. */
    public ServerName leastLocalServer(RegionInfo region) throws IOException {
        Map<ServerName, Long> localBytes = new TreeMap<>();
        for (ServerName server : cluster.admin().getRegionServers()) {
            localBytes.put(server, bytes(region, server.getHostname()).local);
        }
        return Collections.min(localBytes.entrySet(), Map.Entry.comparingByValue())
                .getKey();
    }

    /** The first region that has data and all of it on its server's host. */
    HRegionLocation localRegion() throws IOException {
        for (HRegionLocation location : locations()) {
            LocalBytes bytes = bytes(location.getRegion(), location.getHostname());
            if (bytes.total > 0 && bytes.nonLocal() == 0) {
                return location;
            }
        }
        throw new IOException("no region of " + NAME + " is local");
    }

    /** The bytes of a region that are not on that host. */
    long nonLocalBytes(HRegionLocation location) throws IOException {
        return bytes(location.getRegion(), location.getHostname()).nonLocal();
    }

    /** The hosts of each block of a region. */
    List<Set<String>> hostsByBlock(HRegionLocation location) throws IOException {
        List<Set<String>> hosts = new ArrayList<>();
        RemoteIterator<LocatedFileStatus> files =
                cluster.fileSystem().listFiles(storeFolder(location.getRegion()), true);
        while (files.hasNext()) {
            for (BlockLocation block : files.next().getBlockLocations()) {
                hosts.add(Set.copyOf(Arrays.asList(block.getHosts())));
            }
        }
        return hosts;
    }

    /** Whether no byte of a region is on its server's host. */
    boolean isRemote(HRegionLocation location) throws IOException {
        return bytes(location.getRegion(), location.getHostname()).local == 0;
    }

    /** Local bytes over bytes. */
    public double localShare() throws IOException {
        long local = 0;
        long total = 0;
        for (HRegionLocation location : locations()) {
            LocalBytes bytes = bytes(location.getRegion(), location.getHostname());
            local += bytes.local;
            total += bytes.total;
        }
        return (double) local / total;
    }

    private LocalBytes bytes(RegionInfo region, String host) throws IOException {
        long local = 0;
        long total = 0;
        RemoteIterator<LocatedFileStatus> files = cluster.fileSystem().listFiles(storeFolder(region), true);
        while (files.hasNext()) {
            for (BlockLocation block : files.next().getBlockLocations()) {
                total += block.getLength();
                local += Arrays.asList(block.getHosts()).contains(host) ? block.getLength() : 0;
            }
        }
        return new LocalBytes(local, total);
    }

    /** How many of a region's bytes are local to a host. */
    private record LocalBytes(long local, long total) {

        long nonLocal() {
            return total - local;
        }
    }

    /** How many racks each block of the store files spans, by file and offset. */
    Map<String, Integer> racksByBlock() throws IOException {
        Map<String, Integer> racks = new HashMap<>();
        for (HRegionLocation location : locations()) {
            RemoteIterator<LocatedFileStatus> files =
                    cluster.fileSystem().listFiles(storeFolder(location.getRegion()), true);
            while (files.hasNext()) {
                LocatedFileStatus file = files.next();
                for (BlockLocation block : file.getBlockLocations()) {
                    racks.put(
                            file.getPath() + "@" + block.getOffset(),
                            racksOf(block).size());
                }
            }
        }
        return racks;
    }

    private static Set<String> racksOf(BlockLocation block) throws IOException {
        Set<String> racks = new HashSet<>();
        for (String path : block.getTopologyPaths()) {
            racks.add(path.substring(0, path.lastIndexOf('/')));
        }
        return racks;
    }

    private Path storeFolder(RegionInfo region) {
        return new Path(
                cluster.configuration().get(HConstants.HBASE_DIR),
                "data/default/" + NAME + "/" + region.getEncodedName() + "/f");
    }
}
