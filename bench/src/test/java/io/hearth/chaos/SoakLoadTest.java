// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;
import static org.mockito.Mockito.withSettings;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The load of a soak on a table that is a map, which loses and changes what a test takes from it. */
class SoakLoadTest {

    private final SortedMap<byte[], Cell> cells = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    private final AsyncConnection connection = mock(AsyncConnection.class);

    @SuppressWarnings("unchecked")
    private final AsyncTable<AdvancedScanResultConsumer> table =
            mock(AsyncTable.class, withSettings().stubOnly());

    @BeforeEach
    void aTable() {
        when(connection.getTable(SoakLoad.TABLE)).thenReturn(table);
        when(table.put(any(Put.class))).thenAnswer(call -> {
            store(call.getArgument(0));
            return CompletableFuture.completedFuture(null);
        });
        when(table.get(any(Get.class)))
                .thenAnswer(call -> CompletableFuture.completedFuture(
                        result(cells.get(call.getArgument(0, Get.class).getRow()))));
        when(table.scanAll(any(Scan.class)))
                .thenAnswer(call -> CompletableFuture.completedFuture(
                        cells.values().stream().map(SoakLoadTest::result).toList()));
    }

    private static Result result(Cell cell) {
        return cell == null ? Result.EMPTY_RESULT : Result.create(List.of(cell));
    }

    private void store(Put put) {
        put.getFamilyCellMap().values().forEach(ofFamily -> cells.put(put.getRow(), ofFamily.get(0)));
    }

    /** Sends an even number of requests, of which every other one writes. */
    private SoakLoad written(int requests) throws IOException {
        SoakLoad load = new SoakLoad(connection, 1);
        for (int i = 0; i < requests; i++) {
            load.next().join();
        }
        return load;
    }

    /** Stores another value for the only row that was written. */
    private void overwrite(byte[] value) {
        byte[] row = cells.firstKey();
        Cell before = cells.get(row);
        store(new Put(row).addColumn(CellUtil.cloneFamily(before), CellUtil.cloneQualifier(before), value));
    }

    /** Until a load is told that nothing is broken, something may be. */
    private static SoakLoad.Totals whileBroken(long requests, long lost, long wrong, long errors, long unsent) {
        return new SoakLoad.Totals(requests, lost, wrong, errors, unsent, new SoakLoad.OutsideFaults(0, 0));
    }

    @Test
    void whatWasAcknowledgedIsReadBack() throws Exception {
        SoakLoad load = written(1_000);
        load.verifyAll();

        assertThat(cells).hasSizeBetween(450, 500);
        assertThat(load.totals()).isEqualTo(whileBroken(1_000, 0, 0, 0, 0));
    }

    @Test
    void aRowThatIsGoneIsLost() throws Exception {
        SoakLoad load = written(1);
        cells.clear();
        load.verifyAll();

        assertThat(load.totals()).isEqualTo(whileBroken(1, 1, 0, 0, 0));
    }

    @Test
    void aByteThatNobodyWroteIsWrong() throws Exception {
        SoakLoad load = written(1);
        byte[] value = CellUtil.cloneValue(cells.get(cells.firstKey()));
        value[100] ^= 1;
        overwrite(value);
        load.verifyAll();

        assertThat(load.totals()).isEqualTo(whileBroken(1, 0, 1, 0, 0));
    }

    @Test
    void aWriteThatNobodySentIsWrong() throws Exception {
        SoakLoad load = written(1);
        overwrite(SoakRows.value(row(cells.firstKey()), 2));
        load.verifyAll();

        assertThat(load.totals()).isEqualTo(whileBroken(1, 0, 1, 0, 0));
    }

    @Test
    void aWriteWithoutAnAnswerMayHaveBeenDone() throws Exception {
        when(table.put(any(Put.class))).thenAnswer(call -> {
            store(call.getArgument(0));
            return CompletableFuture.failedFuture(new IOException("the answer is lost"));
        });
        SoakLoad load = new SoakLoad(connection, 1);
        load.next().exceptionally(failure -> null).join();
        load.verifyAll();

        assertThat(cells).hasSize(1);
        assertThat(load.totals()).isEqualTo(whileBroken(0, 0, 0, 1, 0));
        assertThat(load.firstError().orElseThrow()).hasRootCauseMessage("the answer is lost");
    }

    @Test
    void aRowThatWasLostWhileNoSoakRanIsLost() throws Exception {
        List<Integer> acknowledged = written(9).acknowledged();
        cells.remove(cells.firstKey());
        SoakLoad.Totals before = new SoakLoad.Totals(9, 2, 3, 4, 5, new SoakLoad.OutsideFaults(6, 1));
        SoakLoad again = new SoakLoad(connection, 1);
        again.begin(acknowledged, before);

        SoakLoad.Totals after = new SoakLoad.Totals(9, 3, 3, 4, 5, before.outsideFaults());
        assertThat(again.totals()).isEqualTo(after);
        again.verifyAll();
        assertThat(again.totals()).as("once").isEqualTo(after);
    }

    @Test
    void aRowThatIsOlderThanBeforeIsLost() throws Exception {
        List<Integer> acknowledged = new ArrayList<>(written(1).acknowledged());
        acknowledged.set(row(cells.firstKey()), 7);
        overwrite(SoakRows.value(row(cells.firstKey()), 3));
        SoakLoad again = new SoakLoad(connection, 1);
        again.begin(acknowledged, SoakLoad.Totals.NONE);

        assertThat(again.totals()).isEqualTo(whileBroken(0, 1, 0, 0, 0));
    }

    /** A table that an earlier soak has left. */
    @Test
    void whatATableHoldsIsTheLeastFromThenOn() throws Exception {
        written(1);
        SoakLoad load = new SoakLoad(connection, 1);
        load.begin(SoakRows.NONE_ACKNOWLEDGED, SoakLoad.Totals.NONE);
        load.verifyAll();
        assertThat(load.totals()).isEqualTo(SoakLoad.Totals.NONE);

        cells.clear();
        load.verifyAll();
        assertThat(load.totals()).isEqualTo(whileBroken(0, 1, 0, 0, 0));
    }

    private void noneIsAnswered() {
        when(table.put(any(Put.class))).thenAnswer(call -> new CompletableFuture<>());
        when(table.get(any(Get.class))).thenAnswer(call -> new CompletableFuture<>());
    }

    @Test
    void whatHasNoAnswerInTheEndIsAnError() throws Exception {
        SoakLoad load = new SoakLoad(connection, 1);
        load.send();
        load.send();
        noneIsAnswered();
        load.send();
        load.send();
        load.send();
        load.stop(Duration.ZERO);

        assertThat(load.totals()).isEqualTo(whileBroken(2, 0, 0, 3, 0));
        assertThat(load.firstError().orElseThrow()).hasMessage("no answer within 0 s after the load had ended");
    }

    @Test
    void whatIsAnsweredIsNoErrorInTheEnd() throws Exception {
        SoakLoad load = new SoakLoad(connection, 1);
        load.send();
        load.stop(Duration.ZERO);

        assertThat(load.totals()).isEqualTo(whileBroken(1, 0, 0, 0, 0));
        assertThat(load.firstError()).isEmpty();
    }

    @Test
    void requestsOutsideOfFaultsAreCountedApart() {
        SoakLoad load = new SoakLoad(connection, 1);
        load.next().join();
        load.setFaultUnderWay(false);
        load.next().join();
        load.setFaultUnderWay(true);
        load.next().join();

        assertThat(load.totals()).isEqualTo(new SoakLoad.Totals(3, 0, 0, 0, 0, new SoakLoad.OutsideFaults(1, 0)));
    }

    @Test
    void requestsThatAreNotSentAreCountedApartToo() {
        noneIsAnswered();
        SoakLoad load = new SoakLoad(connection, 1);
        for (int request = 0; request < 2_003; request++) {
            load.send();
        }
        assertThat(load.totals()).isEqualTo(whileBroken(0, 0, 0, 0, 3));

        load.setFaultUnderWay(false);
        load.send();
        load.setFaultUnderWay(true);
        load.send();
        assertThat(load.totals()).isEqualTo(new SoakLoad.Totals(0, 0, 0, 0, 5, new SoakLoad.OutsideFaults(0, 1)));
    }

    /** Keys are {@code 05-37}: what comes first spreads them over the regions. */
    private static int row(byte[] key) {
        return Integer.parseInt(Bytes.toString(key).substring(3));
    }
}
