// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyList;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.io.IOException;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The load of a fault on a table that is a map, which loses and changes what a test takes from it. */
class AcknowledgedLoadTest {

    private static final TableName TABLE = TableName.valueOf("t");
    private static final byte[] WRITTEN = Bytes.toBytes("written");

    private final SortedMap<byte[], KeyValue> cells = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    private final Table client = mock(Table.class);
    private AcknowledgedLoad load;

    @BeforeEach
    void aTable() throws IOException {
        Connection connection = mock(Connection.class);
        when(connection.getTable(TABLE)).thenReturn(client);
        doAnswer(call -> {
                    Put put = call.getArgument(0);
                    store(
                            put.getRow(),
                            WRITTEN,
                            CellUtil.cloneValue(
                                    put.get(ChaosTable.FAMILY, WRITTEN).get(0)));
                    return null;
                })
                .when(client)
                .put(any(Put.class));
        when(client.get(any(Get.class))).thenAnswer(call -> result(call.getArgument(0)));
        when(client.get(anyList())).thenAnswer(call -> call.<List<Get>>getArgument(0).stream()
                .map(this::result)
                .toArray(Result[]::new));
        load = new AcknowledgedLoad(connection, ChaosTableTest.table(connection));
    }

    private void store(byte[] row, byte[] qualifier, byte[] value) {
        cells.put(row, new KeyValue(row, ChaosTable.FAMILY, qualifier, value));
    }

    private Result result(Get get) {
        @Nullable KeyValue cell = cells.get(get.getRow());
        return cell == null ? Result.EMPTY_RESULT : Result.create(List.of(cell));
    }

    private void write(int rows) {
        for (int row = 0; row < rows; row++) {
            load.writeRow(0, row);
        }
    }

    @Test
    void whatWasAcknowledgedIsReadBack() throws Exception {
        write(700);

        assertThat(load.acknowledgedRows()).isEqualTo(700);
        assertThat(load.acknowledgedRowsLost()).isZero();
        assertThat(load.requests()).isEqualTo(700);
        assertThat(load.errors()).isZero();
    }

    @Test
    void rowsThatAreGoneOrHaveAnotherValueAreLost() throws Exception {
        write(700);
        cells.remove(cells.firstKey());
        cells.remove(cells.lastKey());
        store(cells.firstKey(), WRITTEN, cells.lastKey());

        assertThat(load.acknowledgedRowsLost()).isEqualTo(3);
    }

    @Test
    void aWriteThatWasNotAcknowledgedIsAnErrorAndNoLoss() throws Exception {
        doThrow(new IOException("too busy")).when(client).put(any(Put.class));
        write(1);

        assertThat(load.acknowledgedRows()).isZero();
        assertThat(load.acknowledgedRowsLost()).isZero();
        assertThat(load.errors()).isEqualTo(1);
        assertThat(load.firstError().orElseThrow()).hasMessage("too busy");
    }

    @Test
    void aLoadedRowWithItsValueIsNoError() {
        byte[] row = ChaosTable.loadedRow(33);
        store(row, ChaosTable.LOADED, ChaosTable.value(row));
        load.readLoadedRow(33);

        assertThat(load.requests()).isEqualTo(1);
        assertThat(load.errors()).isZero();
    }

    @Test
    void aLoadedRowThatIsNotThereIsAnError() {
        load.readLoadedRow(33);

        assertThat(load.requests()).isZero();
        assertThat(load.errors()).isEqualTo(1);
        assertThat(load.firstError().orElseThrow()).hasMessage("A loaded row was read and is not there: 01-loaded-1");
    }

    @Test
    void aLoadedRowWithAnotherValueIsAnError() {
        byte[] row = ChaosTable.loadedRow(33);
        byte[] value = ChaosTable.value(row);
        value[value.length - 1] ^= 1;
        store(row, ChaosTable.LOADED, value);
        load.readLoadedRow(33);

        assertThat(load.requests()).isZero();
        assertThat(load.errors()).isEqualTo(1);
        assertThat(load.firstError().orElseThrow()).hasMessage("A loaded row was read with another value: 01-loaded-1");
    }
}
