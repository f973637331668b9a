// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.chaos;

import io.hearth.demo.NameNodeInspector;
import io.hearth.demo.NameNodeInspector.ServedRegion;
import io.hearth.testkit.measure.BlockSnapshot;
import io.hearth.testkit.measure.LocalitySnapshot;
import io.hearth.testkit.measure.LocalitySnapshot.RegionBlocks;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.ClusterMetrics.Option;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionConfiguration;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hbase.util.FutureUtils;

/**
 * A table of a megabyte in each of 32 regions, whose values follow from its rows, so that every one of them can be checked. Only block
 * moves make its data local: it is not compacted unless it is told to, or where a split or a merge has left references. To be changed by
 * one thread.
 */
final class ChaosTable {

    static final byte[] FAMILY = Bytes.toBytes("f");
    static final byte[] LOADED = Bytes.toBytes("loaded");
    static final int REGIONS = 32;

    private static final String NEVER = "1000";
    private static final int ROWS = 100;
    private static final int MOVES_AT_ONCE = 8;
    private static final int VALUE_BYTES = 10_000;

    private final TableName name;
    private final Connection connection;
    private final NameNodeInspector nameNode;
    private TableRegionChanges regions;

    ChaosTable(String name, Connection connection, NameNodeInspectorFactory watches) throws IOException {
        this.name = TableName.valueOf(name);
        this.connection = connection;
        this.nameNode = watches.of(this.name, FAMILY);
        this.regions = new TableRegionChanges(this.name, connection);
    }

    /** Makes its watch on the NameNode. */
    @FunctionalInterface
    interface NameNodeInspectorFactory {
        NameNodeInspector of(TableName table, byte[] family) throws IOException;
    }

    TableName name() {
        return name;
    }

    TableRegionChanges regions() {
        return regions;
    }

    /** Creates it anew and loads and flushes it. */
    void create() throws IOException {
        regions = new TableRegionChanges(name, connection);
        try (Admin admin = connection.getAdmin()) {
            drop(admin);
            byte[][] splits = new byte[REGIONS - 1][];
            for (int region = 1; region < REGIONS; region++) {
                splits[region - 1] = Bytes.toBytes(prefix(region));
            }
            admin.createTable(
                    TableDescriptorBuilder.newBuilder(name)
                            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                            .setValue(CompactionConfiguration.HBASE_HSTORE_COMPACTION_MIN_KEY, NEVER)
                            .setValue(HConstants.MAJOR_COMPACTION_PERIOD, "0")
                            .build(),
                    splits);
            try (BufferedMutator mutator = connection.getBufferedMutator(name)) {
                for (int row = 0; row < REGIONS * ROWS; row++) {
                    byte[] key = loadedRow(row);
                    mutator.mutate(new Put(key).addColumn(FAMILY, LOADED, value(key)));
                }
            }
            admin.flush(name);
        }
    }

    void drop() throws IOException {
        try (Admin admin = connection.getAdmin()) {
            drop(admin);
        }
    }

    private void drop(Admin admin) throws IOException {
        if (admin.tableExists(name)) {
            if (admin.isTableEnabled(name)) {
                admin.disableTable(name);
            }
            admin.deleteTable(name);
        }
    }

    /** The key of one of the loaded rows, by a number below {@link #loadedRows}. */
    static byte[] loadedRow(int number) {
        return Bytes.toBytes(prefix(number % REGIONS) + "-loaded-" + number / REGIONS);
    }

    static int loadedRows() {
        return REGIONS * ROWS;
    }

    /** What the keys of a region begin with. */
    static String prefix(int region) {
        return String.format("%02d", region);
    }

    /** How many loaded rows are not there or hold another value. */
    int loadedRowsLost() throws IOException {
        Set<byte[]> sound = new TreeSet<>(Bytes.BYTES_COMPARATOR);
        try (Table table = connection.getTable(name);
                ResultScanner rows = table.getScanner(new Scan().addColumn(FAMILY, LOADED))) {
            for (Result row : rows) {
                if (isSound(row.getRow(), row)) {
                    sound.add(row.getRow());
                }
            }
        }
        return loadedRows() - sound.size();
    }

    /** Whether a loaded row was read with the value that it was loaded with. */
    static boolean isSound(byte[] loadedRow, Result result) {
        return Arrays.equals(result.getValue(FAMILY, LOADED), value(loadedRow));
    }

    /** The regions that have a server by hbase:meta, which may have died since. */
    List<ServedRegion> served() throws IOException {
        return NameNodeInspector.served(connection, name);
    }

    /**
     * How many regions a RegionServer serves: the process that hbase:meta names is alive by the active HMaster, which may take it for that
     * until its ZooKeeper session ends; it has the region open by its own answer; and the region is not in transition.
     */
    int openRegions() throws IOException {
        try (Admin admin = connection.getAdmin();
                RegionLocator locator = connection.getRegionLocator(name)) {
            locator.clearRegionLocationCache();
            List<HRegionLocation> locations = locator.getAllRegionLocations();
            ClusterMetrics metrics =
                    admin.getClusterMetrics(EnumSet.of(Option.SERVERS_NAME, Option.REGIONS_IN_TRANSITION));
            Set<String> inTransition = metrics.getRegionStatesInTransition().stream()
                    .map(state -> state.getRegion().getEncodedName())
                    .collect(Collectors.toSet());
            Map<ServerName, Set<String>> openByServer = new HashMap<>();
            metrics.getServersName().forEach(server -> openByServer.put(server, openOn(admin, server)));
            return (int) locations.stream()
                    .filter(location -> {
                        String region = location.getRegion().getEncodedName();
                        return !inTransition.contains(region)
                                && openByServer
                                        .getOrDefault(location.getServerName(), Set.of())
                                        .contains(region);
                    })
                    .count();
        }
    }

    /** Encoded names, by the server's own answer; none where it does not answer. */
    private static Set<String> openOn(Admin admin, ServerName server) {
        try {
            return admin.getRegions(server).stream()
                    .map(RegionInfo::getEncodedName)
                    .collect(Collectors.toSet());
        } catch (IOException e) {
            return Set.of();
        }
    }

    /** Where its blocks are, by the NameNode. */
    LocalitySnapshot localitySnapshot() throws IOException {
        return nameNode.localitySnapshot(served());
    }

    /** Its blocks' ids. */
    Set<Long> blocks() throws IOException {
        return BlockSnapshot.of(localitySnapshot()).blocksById().keySet();
    }

    /** Its folder in HDFS. */
    Path folder() throws IOException {
        return CommonFSUtils.getTableDir(CommonFSUtils.getRootDir(connection.getConfiguration()), name);
    }

    /** The regions that are served elsewhere and of which that host has not every block, by their encoded names. */
    List<String> regionsRemoteTo(String host) throws IOException {
        return localitySnapshot().regions().stream()
                .filter(region -> !region.host().equals(host))
                .filter(region -> region.blocks().stream().anyMatch(block -> !block.isOn(host)))
                .map(RegionBlocks::region)
                .toList();
    }

    /** Moves every region of which that host has not every block to the RegionServer there, all at once; returns their encoded names. */
    List<String> moveTo(ServerName server) throws IOException {
        List<String> regions = regionsRemoteTo(server.getHostname());
        ExecutorService pool = Executors.newFixedThreadPool(MOVES_AT_ONCE);
        try {
            List<Future<Void>> moves = new ArrayList<>();
            for (String region : regions) {
                moves.add(pool.submit(() -> move(region, server)));
            }
            for (Future<Void> move : moves) {
                FutureUtils.get(move);
            }
        } finally {
            pool.shutdownNow();
        }
        return regions;
    }

    /** How many of these regions that host serves, by their encoded names. */
    long servedBy(String host, List<String> regions) throws IOException {
        return served().stream()
                .filter(served -> served.host().equals(host)
                        && regions.contains(served.info().getEncodedName()))
                .count();
    }

    private Void move(String region, ServerName server) throws IOException {
        try (Admin admin = connection.getAdmin()) {
            admin.move(Bytes.toBytes(region), server);
            return null;
        }
    }

    static byte[] value(byte[] row) {
        SplittableRandom random = new SplittableRandom(Arrays.hashCode(row));
        byte[] value = new byte[VALUE_BYTES];
        random.nextBytes(value);
        return value;
    }
}
