// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.readers;

import io.hearth.bench.readers.StallingMoves.KnownBlock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.HdfsBlockLocation;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/** A table whose every get reads from HDFS, on one server. */
final class ReaderTable {

    static final TableName NAME = TableName.valueOf("readers");
    static final byte[] FAMILY = Bytes.toBytes("f");

    /** Where its files are; HBase's and HDFS's messages name it. */
    static final String FOLDER = "/hbase/data/default/" + NAME;

    static final int VALUE_BYTES = 4_096;

    private final Connection connection;
    private final FileSystem fileSystem;
    private final int regions;
    private final int rowsPerRegion;

    private ReaderTable(ReaderCluster cluster, int regions, int rowsPerRegion) {
        this.connection = cluster.connection();
        this.fileSystem = cluster.fileSystem();
        this.regions = regions;
        this.rowsPerRegion = rowsPerRegion;
    }

    /** Creates the table on this host, fills it and flushes it: each block has its first replica there. */
    static ReaderTable load(ReaderCluster cluster, ReaderScenario scenario, String host) throws IOException {
        ReaderTable table = new ReaderTable(cluster, scenario.regions(), scenario.bytesPerRegion() / VALUE_BYTES);
        try (Admin admin = cluster.connection().getAdmin()) {
            table.create(admin);
            table.moveTo(host);
            try (BufferedMutator mutator = cluster.connection().getBufferedMutator(NAME)) {
                for (int row = 0; row < table.rows(); row++) {
                    mutator.mutate(new Put(table.key(row)).addColumn(FAMILY, FAMILY, value(row)));
                }
            }
            admin.flush(NAME);
        }
        return table;
    }

    private void create(Admin admin) throws IOException {
        byte[][] splits = new byte[regions - 1][];
        Arrays.setAll(splits, region -> Bytes.toBytes(String.format("%02d", region + 1)));
        admin.createTable(
                TableDescriptorBuilder.newBuilder(NAME)
                        .setCompactionEnabled(false)
                        .setColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(FAMILY)
                                .setBlockCacheEnabled(false)
                                .build())
                        .build(),
                splits);
    }

    int rows() {
        return regions * rowsPerRegion;
    }

    byte[] key(int row) {
        return Bytes.toBytes(String.format("%02d-%06d", row % regions, row / regions));
    }

    static byte[] value(int row) {
        byte[] value = new byte[VALUE_BYTES];
        new Random(row).nextBytes(value);
        return value;
    }

    void moveTo(String host) throws IOException {
        try (Admin admin = connection.getAdmin()) {
            ServerName server = admin.getRegionServers().stream()
                    .filter(each -> each.getHostname().equals(host))
                    .findFirst()
                    .orElseThrow(() -> new IOException("There is no RegionServer on " + host));
            for (HRegionLocation location : locations()) {
                if (!server.equals(location.getServerName())) {
                    admin.move(location.getRegion().getEncodedNameAsBytes(), server);
                }
            }
        }
    }

    /** Closes every region, and so every stream. */
    void disable() throws IOException {
        try (Admin admin = connection.getAdmin()) {
            admin.disableTable(NAME);
        }
    }

    /** The sequence number of the last opening of each region. */
    List<Long> openings() throws IOException {
        return locations().stream().map(HRegionLocation::getSeqNum).toList();
    }

    private List<HRegionLocation> locations() throws IOException {
        try (RegionLocator locator = connection.getRegionLocator(NAME)) {
            locator.clearRegionLocationCache();
            return locator.getAllRegionLocations();
        }
    }

    List<Path> storeFiles() throws IOException {
        List<Path> files = new ArrayList<>();
        for (LocatedFileStatus file : located()) {
            files.add(file.getPath());
        }
        return files;
    }

    /** How many blocks the table has. */
    int blocks() throws IOException {
        int blocks = 0;
        for (LocatedFileStatus file : located()) {
            blocks += file.getBlockLocations().length;
        }
        return blocks;
    }

    /** How many of its blocks have no replica on this host. */
    int blocksNotOn(String host) throws IOException {
        int remote = 0;
        for (LocatedFileStatus file : located()) {
            for (BlockLocation block : file.getBlockLocations()) {
                remote += List.of(block.getHosts()).contains(host) ? 0 : 1;
            }
        }
        return remote;
    }

    /** Whether each block has a replica on this host and no more replicas than it should. */
    boolean isSettledOn(String host) throws IOException {
        for (LocatedFileStatus file : located()) {
            for (BlockLocation block : file.getBlockLocations()) {
                List<String> hosts = List.of(block.getHosts());
                if (!hosts.contains(host) || hosts.size() != file.getReplication()) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Its blocks by their ids, and where they are now. */
    Map<Long, KnownBlock> knownBlocks() throws IOException {
        Map<Long, KnownBlock> blockById = new HashMap<>();
        for (LocatedFileStatus file : located()) {
            // Those of the listing do not tell which blocks they are of.
            for (BlockLocation location : fileSystem.getFileBlockLocations(file.getPath(), 0, file.getLen())) {
                LocatedBlock block = ((HdfsBlockLocation) location).getLocatedBlock();
                Set<String> holders = Arrays.stream(block.getLocations())
                        .map(DatanodeInfo::getDatanodeUuid)
                        .collect(Collectors.toSet());
                blockById.put(
                        block.getBlock().getBlockId(),
                        new KnownBlock(file.getPath().toString(), holders));
            }
        }
        return blockById;
    }

    private List<LocatedFileStatus> located() throws IOException {
        List<LocatedFileStatus> files = new ArrayList<>();
        RemoteIterator<LocatedFileStatus> all = fileSystem.listFiles(new Path(FOLDER), true);
        while (all.hasNext()) {
            LocatedFileStatus file = all.next();
            if (file.getPath().getParent().getName().equals(Bytes.toString(FAMILY))) {
                files.add(file);
            }
        }
        return files;
    }
}
