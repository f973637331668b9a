// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.heal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.hearth.healer.hbase.HealingMetricRegistry;
import io.hearth.healer.model.ServedRegion;
import io.hearth.healer.model.ServedRegion.TableHealingMode;
import io.hearth.healer.spi.Assignments.AssignmentSnapshot;
import io.hearth.healer.spi.Observed;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.RegionMetricsBuilder;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** One region on one server, as the master, hbase:meta and the server tell of it. */
class ReportedAssignmentsTest {

    private static final ServerName SERVER = ServerName.valueOf("host1", 16020, 1);
    private static final RegionInfo REGION =
            RegionInfoBuilder.newBuilder(TableName.valueOf("t")).build();

    private final AtomicReference<Configuration> site = new AtomicReference<>(new Configuration(false));
    private final AtomicInteger unseen = new AtomicInteger(-1);

    /** The daemon reads its files again; the configuration of its connection is that of its start. */
    @Test
    void aTableIsHealedAsTheFilesSayThatWereReadLast() throws IOException {
        Connection connection = connection();
        try (RegionMetricsFetcher reports = new RegionMetricsFetcher(connection)) {
            ReportedAssignments assignments = new ReportedAssignments(
                    connection,
                    site::get,
                    reports,
                    new MetaRegions(connection),
                    table -> Optional.empty(),
                    HealScope.ALL,
                    () -> true,
                    snapshot -> {},
                    unseen::set,
                    new HealingMetricRegistry(),
                    problem -> {});
            assertThat(mode(assignments)).isEqualTo(TableHealingMode.ON);
            assertThat(unseen).hasValue(0);

            site.set(healing("off"));
            assertThat(mode(assignments)).isEqualTo(TableHealingMode.OFF);
            site.set(healing("first"));
            assertThat(mode(assignments)).isEqualTo(TableHealingMode.FIRST);
        }
    }

    @Test
    void regionsOfAServerThatDoesNotAnswerAreCounted() throws IOException {
        Connection connection = connection();
        when(connection.getAdmin().getRegionMetrics(any(), any())).thenThrow(new IOException("it hangs"));
        try (RegionMetricsFetcher reports = new RegionMetricsFetcher(connection)) {
            new ReportedAssignments(
                            connection,
                            site::get,
                            reports,
                            new MetaRegions(connection),
                            table -> Optional.empty(),
                            HealScope.ALL,
                            () -> true,
                            snapshot -> {},
                            unseen::set,
                            new HealingMetricRegistry(),
                            problem -> {})
                    .snapshot();
        }
        assertThat(unseen).hasValue(1);
    }

    private static Configuration healing(String mode) {
        Configuration read = new Configuration(false);
        read.set("hearth.table.t.heal", mode);
        return read;
    }

    private static TableHealingMode mode(ReportedAssignments assignments) {
        Observed<AssignmentSnapshot> observed = assignments.snapshot();
        assertThat(observed).isInstanceOf(Observed.Known.class);
        return ((Observed.Known<AssignmentSnapshot>) observed)
                .value().servedById().values().stream()
                        .filter(region -> region.table().name().equals("t"))
                        .map(ServedRegion::mode)
                        .findFirst()
                        .orElseThrow();
    }

    private static Connection connection() throws IOException {
        ClusterMetrics cluster = mock(ClusterMetrics.class);
        when(cluster.getServersName()).thenReturn(List.of(SERVER));
        when(cluster.getRegionStatesInTransition()).thenReturn(List.of());
        Admin admin = mock(Admin.class);
        when(admin.getClusterMetrics(any())).thenReturn(cluster);
        when(admin.getRegionMetrics(any(), any()))
                .thenReturn(List.of(
                        RegionMetricsBuilder.newBuilder(REGION.getRegionName()).build()));
        ResultScanner rows = mock(ResultScanner.class);
        when(rows.iterator()).thenReturn(List.of(row()).iterator());
        Table meta = mock(Table.class);
        when(meta.getScanner(any(Scan.class))).thenReturn(rows);
        Connection connection = mock(Connection.class);
        when(connection.getConfiguration()).thenReturn(new Configuration(false));
        when(connection.getAdmin()).thenReturn(admin);
        when(connection.getTable(TableName.META_TABLE_NAME)).thenReturn(meta);
        return connection;
    }

    private static Result row() {
        return Result.create(List.of(
                cell(HConstants.REGIONINFO_QUALIFIER, RegionInfo.toByteArray(REGION)),
                cell(HConstants.SERVER_QUALIFIER, Bytes.toBytes("host1:16020")),
                cell(HConstants.STARTCODE_QUALIFIER, Bytes.toBytes(1L))));
    }

    private static KeyValue cell(byte[] qualifier, byte[] value) {
        return new KeyValue(REGION.getRegionName(), HConstants.CATALOG_FAMILY, qualifier, 1L, value);
    }
}
