// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.hearth.demo.NameNodeInspector;
import java.io.IOException;
import java.net.ConnectException;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.master.RegionState;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ChaosTableTest {

    private static final TableName TABLE = TableName.valueOf("t");
    private static final ServerName ONE = ServerName.valueOf("host1", 16020, 100);
    private static final ServerName TWO = ServerName.valueOf("host2", 16020, 100);
    private static final ServerName ONE_AGAIN = ServerName.valueOf("host1", 16020, 200);
    private static final RegionInfo A = region("a");
    private static final RegionInfo B = region("b");

    private final Connection connection = mock(Connection.class);
    private final Admin admin = mock(Admin.class);
    private final ClusterMetrics metrics = mock(ClusterMetrics.class);
    private final RegionLocator locator = mock(RegionLocator.class);
    private ChaosTable table;

    /** Two regions on two servers, all well. */
    @BeforeEach
    void aTable() throws IOException {
        when(connection.getAdmin()).thenReturn(admin);
        when(connection.getRegionLocator(TABLE)).thenReturn(locator);
        when(locator.getAllRegionLocations())
                .thenReturn(List.of(new HRegionLocation(A, ONE), new HRegionLocation(B, TWO)));
        when(admin.getClusterMetrics(
                        EnumSet.of(ClusterMetrics.Option.SERVERS_NAME, ClusterMetrics.Option.REGIONS_IN_TRANSITION)))
                .thenReturn(metrics);
        when(metrics.getServersName()).thenReturn(List.of(ONE, TWO));
        when(metrics.getRegionStatesInTransition()).thenReturn(List.of());
        when(admin.getRegions(any(ServerName.class))).thenReturn(List.of());
        when(admin.getRegions(ONE)).thenReturn(List.of(A));
        when(admin.getRegions(TWO)).thenReturn(List.of(B));
        table = table(connection);
    }

    /** Named {@code t}, without a NameNode. */
    static ChaosTable table(Connection connection) throws IOException {
        Configuration conf = new Configuration(false);
        conf.set(HConstants.HBASE_DIR, "file:///hbase");
        return new ChaosTable(
                "t", connection, (name, family) -> new NameNodeInspector(mock(FileSystem.class), conf, name, family));
    }

    private static RegionInfo region(String startKey) {
        return RegionInfoBuilder.newBuilder(TABLE)
                .setStartKey(Bytes.toBytes(startKey))
                .build();
    }

    @Test
    void whereAllIsWellEveryRegionIsOpen() throws Exception {
        assertThat(table.openRegions()).isEqualTo(2);
        assertThat(table.served()).hasSize(2);
    }

    /** hbase:meta names it until another RegionServer has opened the region. */
    @Test
    void theRegionsOfADeadServerAreNotOpen() throws Exception {
        when(metrics.getServersName()).thenReturn(List.of(TWO));

        assertThat(table.openRegions()).isEqualTo(1);
        assertThat(table.served()).hasSize(2);
    }

    @Test
    void theNextProcessOnTheSameHostAndPortIsAnother() throws Exception {
        when(metrics.getServersName()).thenReturn(List.of(ONE_AGAIN, TWO));
        when(admin.getRegions(ONE_AGAIN)).thenReturn(List.of(A));

        assertThat(table.openRegions()).isEqualTo(1);
    }

    /** Until its ZooKeeper session ends the HMaster takes a killed server for alive: the next one answers in its place, or nobody. */
    @Test
    void aServerThatTheMasterTakesForAliveHasOnlyTheRegionsThatItSays() throws Exception {
        when(admin.getRegions(ONE)).thenReturn(List.of());
        assertThat(table.openRegions()).isEqualTo(1);

        when(admin.getRegions(ONE)).thenThrow(new ConnectException("refused"));
        assertThat(table.openRegions()).isEqualTo(1);
    }

    @Test
    void aRegionInTransitionIsNotOpen() throws Exception {
        when(metrics.getRegionStatesInTransition())
                .thenReturn(List.of(RegionState.createForTesting(B, RegionState.State.CLOSING)));

        assertThat(table.openRegions()).isEqualTo(1);
    }

    @Test
    void aRegionWithoutAServerIsNotOpen() throws Exception {
        when(locator.getAllRegionLocations())
                .thenReturn(List.of(new HRegionLocation(A, null), new HRegionLocation(B, TWO)));

        assertThat(table.openRegions()).isEqualTo(1);
    }

    private static Result loaded(byte[] row, byte[] value) {
        return Result.create(List.of(new KeyValue(row, ChaosTable.FAMILY, ChaosTable.LOADED, value)));
    }

    private static List<Result> allLoaded() {
        return IntStream.range(0, ChaosTable.loadedRows())
                .mapToObj(ChaosTable::loadedRow)
                .map(row -> loaded(row, ChaosTable.value(row)))
                .collect(Collectors.toList());
    }

    private int lostOf(List<Result> rows) throws IOException {
        ResultScanner scanner = mock(ResultScanner.class);
        when(scanner.iterator()).thenReturn(rows.iterator());
        Table client = mock(Table.class);
        when(client.getScanner(any(Scan.class))).thenReturn(scanner);
        when(connection.getTable(TABLE)).thenReturn(client);
        return table.loadedRowsLost();
    }

    @Test
    void whereEveryLoadedRowIsFoundNoneIsLost() throws Exception {
        assertThat(lostOf(allLoaded())).isZero();
        assertThat(lostOf(List.of())).isEqualTo(ChaosTable.loadedRows());
    }

    @Test
    void loadedRowsThatAreNotThereOrHaveAnotherValueAreLost() throws Exception {
        List<Result> rows = allLoaded();
        byte[] second = rows.get(1).getRow();
        byte[] value = ChaosTable.value(second);
        value[0] ^= 1;
        rows.set(1, loaded(second, value));
        rows.remove(0);

        assertThat(lostOf(rows)).isEqualTo(2);
    }

    /** Two regions with the same keys would show it twice. */
    @Test
    void aRowThatIsFoundTwiceStandsForNoOther() throws Exception {
        List<Result> rows = allLoaded();
        rows.set(0, rows.get(1));

        assertThat(lostOf(rows)).isEqualTo(1);
    }
}
