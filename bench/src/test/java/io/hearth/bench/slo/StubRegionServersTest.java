// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.slo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class StubRegionServersTest {

    private static final TableName CANARY = TableName.valueOf("hearth_canary");
    private static final byte[] FAMILY = Bytes.toBytes("p");
    private static final byte[] QUALIFIER = Bytes.toBytes("probe");

    @Test
    void aClientOfHBasesFindsThemAndIsAnswered() throws Exception {
        try (StubRegionServers servers = StubRegionServers.start(3, 5)) {
            Configuration conf = HBaseConfiguration.create();
            servers.site().forEach(conf::set);
            try (Connection connection = ConnectionFactory.createConnection(conf);
                    Admin admin = connection.getAdmin();
                    RegionLocator locator = connection.getRegionLocator(CANARY);
                    Table table = connection.getTable(CANARY)) {
                List<HRegionLocation> regions = locator.getAllRegionLocations();

                assertThat(regions)
                        .map(HRegionLocation::getHostname)
                        .containsExactly("127.1.0.1", "127.1.0.2", "127.1.0.3");
                assertThat(regions)
                        .map(HRegionLocation::getServerName)
                        .hasSameElementsAs(new HashSet<>(admin.getRegionServers()));
                assertThat(admin.getClusterMetrics().getLiveServerMetrics().values())
                        .hasSize(3)
                        .allMatch(server -> server.getRegionMetrics().size() == 6);
                assertThat(admin.getDescriptor(CANARY).getValue("HEARTH_CANARY"))
                        .isEqualTo("true");
                for (HRegionLocation region : regions) {
                    byte[] row = Bytes.add(region.getRegion().getStartKey(), Bytes.toBytes("0"));
                    table.put(new Put(row).addColumn(FAMILY, QUALIFIER, row));
                    assertThat(table.get(new Get(row)).getValue(FAMILY, QUALIFIER))
                            .isEqualTo(Bytes.toBytes("hearth slo probe"));
                }
                assertThat(servers.answered()).isEqualTo(6);
            }
        }
    }
}
