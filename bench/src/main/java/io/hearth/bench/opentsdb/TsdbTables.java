// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.opentsdb;

import io.hearth.bench.opentsdb.stream.TsdbRowKeys;
import io.hearth.demo.NameNodeInspector;
import io.hearth.demo.NameNodeInspector.ServedRegion;
import io.hearth.testkit.measure.LocalitySnapshot;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.util.Bytes;

/** OpenTSDB's four tables as its own script makes them, without compression, and what is where in the one with the data points. */
final class TsdbTables {

    static final TableName DATA = TableName.valueOf("tsdb");

    private static final String DATA_FAMILY = "t";

    private static final Map<TableName, List<String>> FAMILIES = Map.of(
            DATA,
            List.of(DATA_FAMILY),
            TableName.valueOf("tsdb-uid"),
            List.of("id", "name"),
            TableName.valueOf("tsdb-tree"),
            List.of("t"),
            TableName.valueOf("tsdb-meta"),
            List.of("name"));

    private final Connection connection;
    private final TsdbRowKeys layout;
    private final NameNodeInspector nameNode;

    TsdbTables(Connection connection, FileSystem fileSystem, Configuration conf, TsdbRowKeys layout)
            throws IOException {
        this.connection = connection;
        this.layout = layout;
        this.nameNode = new NameNodeInspector(fileSystem, conf, DATA, Bytes.toBytes(DATA_FAMILY));
    }

    /** Makes them anew. */
    void create() throws IOException {
        drop();
        try (Admin admin = connection.getAdmin()) {
            for (Map.Entry<TableName, List<String>> table : FAMILIES.entrySet()) {
                TableDescriptor descriptor = descriptor(table.getKey(), table.getValue());
                if (table.getKey().equals(DATA)) {
                    admin.createTable(descriptor, layout.splits().toArray(byte[][]::new));
                } else {
                    admin.createTable(descriptor);
                }
            }
        }
    }

    private static TableDescriptor descriptor(TableName table, List<String> families) {
        TableDescriptorBuilder builder = TableDescriptorBuilder.newBuilder(table);
        for (String family : families) {
            builder.setColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes(family))
                    .setBloomFilterType(BloomType.ROW)
                    .setDataBlockEncoding(DataBlockEncoding.DIFF)
                    .build());
        }
        return builder.build();
    }

    void drop() throws IOException {
        try (Admin admin = connection.getAdmin()) {
            for (TableName table : FAMILIES.keySet()) {
                if (admin.tableExists(table)) {
                    if (admin.isTableEnabled(table)) {
                        admin.disableTable(table);
                    }
                    admin.deleteTable(table);
                }
            }
        }
    }

    /** The data points' regions that have a server, in the order of their keys. */
    List<ServedRegion> served() throws IOException {
        List<ServedRegion> served = new ArrayList<>();
        try (RegionLocator locator = connection.getRegionLocator(DATA)) {
            locator.clearRegionLocationCache();
            for (HRegionLocation location : locator.getAllRegionLocations()) {
                Optional.ofNullable(location.getServerName())
                        .ifPresent(server -> served.add(new ServedRegion(location.getRegion(), server.getHostname())));
            }
        }
        return served;
    }

    /** Where the blocks of the data points are, by the NameNode. */
    LocalitySnapshot localitySnapshot() throws IOException {
        return nameNode.localitySnapshot(served());
    }

    void flush() throws IOException {
        try (Admin admin = connection.getAdmin()) {
            admin.flush(DATA);
        }
    }

    /** The keys of all rows with data points. */
    Set<ByteBuffer> keys() throws IOException {
        Set<ByteBuffer> keys = new HashSet<>();
        Scan scan = new Scan().setFilter(new FilterList(new FirstKeyOnlyFilter(), new KeyOnlyFilter()));
        try (Table table = connection.getTable(DATA);
                ResultScanner rows = table.getScanner(scan)) {
            for (Result row : rows) {
                keys.add(ByteBuffer.wrap(row.getRow()));
            }
        }
        return keys;
    }
}
