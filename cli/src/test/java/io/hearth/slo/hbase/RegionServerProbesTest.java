// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.argThat;
import static org.mockito.Mockito.clearInvocations;
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.inOrder;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.hearth.slo.probe.ProbeSender.Answer;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.AsyncTableBuilder;
import org.apache.hadoop.hbase.client.AsyncTableRegionLocator;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mockito.InOrder;

class RegionServerProbesTest {

    private static final RegionInfo CANARY =
            RegionInfoBuilder.newBuilder(TableName.valueOf("hearth_canary")).build();
    private static final String HOST1 = "host1:16020";

    private final AsyncConnection connection = mock(AsyncConnection.class);
    private final AsyncTable<?> table = mock(AsyncTable.class);
    private final AsyncTableRegionLocator canaryLocator = mock(AsyncTableRegionLocator.class);

    private static HRegionLocation at(RegionInfo region, String host) {
        return new HRegionLocation(region, ServerName.valueOf(host, 16020, 1));
    }

    private static <T> CompletableFuture<T> away() {
        return CompletableFuture.failedFuture(new IOException("Connection refused"));
    }

    @BeforeEach
    void tablesAreOpened() {
        AsyncTableBuilder<?> builder = mock(
                AsyncTableBuilder.class, call -> call.getMethod().getName().equals("build") ? table : call.getMock());
        doReturn(builder).when(connection).getTableBuilder(any(TableName.class));
        when(connection.getRegionLocator(CANARY.getTable())).thenReturn(canaryLocator);
    }

    private RegionServerProbes probes(TableName... tables) {
        return new RegionServerProbes(connection, CANARY.getTable(), List.of(tables), Duration.ofSeconds(10));
    }

    private void metaSays(AsyncTableRegionLocator locator, HRegionLocation location) {
        when(locator.getAllRegionLocations()).thenReturn(CompletableFuture.completedFuture(List.of(location)));
    }

    /** As when the region was moved: the connection has learned where it is now. */
    private void findElsewhere(RegionServerProbes probes) {
        when(canaryLocator.getRegionLocation(any(byte[].class)))
                .thenReturn(CompletableFuture.completedFuture(at(CANARY, "host2")));
        assertThat(probes.get(HOST1)).isCompletedWithValue(Answer.NOT_ON_TARGET);
        assertThat(probes.isOutdated()).isTrue();
        clearInvocations(canaryLocator);
    }

    /** Clients whose connections know where the regions are go on without it. */
    @Test
    void whileMetaIsAwayTheConnectionForgetsNoLocation() {
        RegionServerProbes probes = probes();
        metaSays(canaryLocator, at(CANARY, "host1"));
        assertThat(probes.refresh()).isCompleted();
        findElsewhere(probes);

        when(canaryLocator.getAllRegionLocations()).thenReturn(away());
        for (int turn = 0; turn < 3; turn++) {
            assertThat(probes.refresh()).isCompletedExceptionally();
        }

        verify(canaryLocator, never()).clearRegionLocationCache();
        assertThat(probes.isOutdated()).isTrue();
        assertThat(probes.canaryServers()).containsExactly(HOST1);
    }

    @Test
    void whatIsOutdatedIsForgottenAndReadAgainOnceMetaAnswers() {
        RegionServerProbes probes = probes();
        metaSays(canaryLocator, at(CANARY, "host1"));
        assertThat(probes.refresh()).isCompleted();
        findElsewhere(probes);

        metaSays(canaryLocator, at(CANARY, "host2"));
        assertThat(probes.refresh()).isCompleted();

        InOrder order = inOrder(canaryLocator);
        order.verify(canaryLocator).getAllRegionLocations();
        order.verify(canaryLocator).clearRegionLocationCache();
        order.verify(canaryLocator).getAllRegionLocations();
        order.verifyNoMoreInteractions();
        assertThat(probes.isOutdated()).isFalse();
        assertThat(probes.canaryServers()).containsExactly("host2:16020");

        assertThat(probes.refresh()).isCompleted();
        order.verify(canaryLocator).getAllRegionLocations();
        order.verifyNoMoreInteractions();
    }

    /** As after the daemon was restarted while a server hangs: no first row is known, and none can be found. */
    @Test
    void aServerWhoseRowsCanNotBeFoundFailsByTheGetOfAKey() {
        RegionInfo orders = RegionInfoBuilder.newBuilder(TableName.valueOf("orders"))
                .setStartKey(Bytes.toBytes("m"))
                .build();
        AsyncTableRegionLocator locator = mock(AsyncTableRegionLocator.class);
        when(connection.getRegionLocator(orders.getTable())).thenReturn(locator);
        when(locator.getRegionLocation(any(byte[].class)))
                .thenReturn(CompletableFuture.completedFuture(at(orders, "host1")));
        metaSays(canaryLocator, at(CANARY, "host1"));
        metaSays(locator, at(orders, "host1"));
        RegionServerProbes probes = probes(orders.getTable());
        assertThat(probes.refresh()).isCompleted();
        doReturn(away()).when(table).scanAll(any());
        doReturn(away()).when(table).get(any(Get.class));

        for (int probe = 0; probe < 4; probe++) {
            assertThat(probes.getRow(HOST1)).as("probe %d", probe).isCompletedExceptionally();
        }

        verify(table, times(4)).get(argThat((Get get) -> Bytes.equals(get.getRow(), orders.getStartKey())));
    }
}
