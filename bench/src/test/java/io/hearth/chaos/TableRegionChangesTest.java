// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.HBaseIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.DoNotRetryRegionException;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TableRegionChangesTest {

    private static final TableName TABLE = TableName.valueOf("t");
    private static final int SPLITS = 6;

    private final Admin admin = mock(Admin.class);
    private TableRegionChanges changes;

    @BeforeEach
    void aTable() throws IOException {
        Connection connection = mock(Connection.class);
        when(connection.getAdmin()).thenReturn(admin);
        List<RegionInfo> regions = IntStream.range(0, 8)
                .mapToObj(region -> RegionInfoBuilder.newBuilder(TABLE)
                        .setStartKey(region == 0 ? new byte[0] : Bytes.toBytes(ChaosTable.prefix(region)))
                        .build())
                .toList();
        when(admin.getRegions(TABLE)).thenReturn(regions);
        changes = new TableRegionChanges(TABLE, connection, 0);
    }

    /** HBase looks twice; in between a move may begin, which only a message tells. */
    @Test
    void aSplitIsAskedForAgainWhileItsRegionMoves() throws Exception {
        when(admin.splitRegionAsync(any(), any()))
                .thenThrow(new DoNotRetryRegionException("t is not OPEN"))
                .thenReturn(
                        CompletableFuture.failedFuture(
                                new HBaseIOException(
                                        "The parent region state=SPLITTING, location=host2, table=t, region=r is currently in transition, give up")))
                .thenReturn(CompletableFuture.completedFuture(null));
        int before = changes.expected();

        changes.split();

        verify(admin, times(SPLITS + 2)).splitRegionAsync(any(), any());
        assertThat(changes.expected()).isEqualTo(before + SPLITS);
    }

    @Test
    void anyOtherFailureEndsIt() throws Exception {
        when(admin.splitRegionAsync(any(), any()))
                .thenReturn(CompletableFuture.failedFuture(new HBaseIOException("no room")));

        assertThatThrownBy(changes::split).isInstanceOf(IOException.class).hasMessageContaining("no room");
        verify(admin, times(1)).splitRegionAsync(any(), any());
    }
}
