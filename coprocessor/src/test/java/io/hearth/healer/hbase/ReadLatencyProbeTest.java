// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentCaptor;
import org.mockito.Mockito;

class ReadLatencyProbeTest {

    private static final TableName TABLE = TableName.valueOf("t");
    private static final RegionInfo REGION = region("b", "c");

    private final List<RegionInfo> open = new ArrayList<>(List.of(REGION));
    private final Deque<Runnable> threads = new ArrayDeque<>();
    private final Connection connection = mock(Connection.class);
    private final Table table = mock(Table.class);
    private final ResultScanner rows = mock(ResultScanner.class);
    private long nowNanos = 7_000_000_000L;
    private final ReadLatencyProbe reads =
            new ReadLatencyProbe(() -> open, () -> connection, threads::add, () -> nowNanos);

    @BeforeEach
    void aTable() throws IOException {
        TableBuilder builder = mock(TableBuilder.class);
        when(connection.getTableBuilder(TABLE, null)).thenReturn(builder);
        when(builder.setOperationTimeout(anyInt())).thenReturn(builder);
        when(builder.setReadRpcTimeout(anyInt())).thenReturn(builder);
        when(builder.build()).thenReturn(table);
        when(table.getScanner(any(Scan.class))).thenReturn(rows);
    }

    @Test
    void theFirstCellOfTheRegionIsReadAndTimed() throws IOException {
        takes(3);
        assertThat(reads.takeLatenciesMicros()).isEmpty();
        threads.remove().run();

        assertThat(reads.takeLatenciesMicros()).containsExactly(3_000L);
        ArgumentCaptor<Scan> scan = ArgumentCaptor.forClass(Scan.class);
        Mockito.verify(table).getScanner(scan.capture());
        assertThat(scan.getValue().getStartRow()).isEqualTo(Bytes.toBytes("b"));
        assertThat(scan.getValue().getStopRow()).isEqualTo(Bytes.toBytes("c"));
        assertThat(scan.getValue().getLimit()).isEqualTo(1);
        assertThat(scan.getValue().getCacheBlocks()).isFalse();
        assertThat(scan.getValue().isRaw())
                .as("it does not walk over tombstones")
                .isTrue();
        assertThat(scan.getValue().getCaching()).isEqualTo(1);
    }

    /** A family of which all cells have outlived their time, for which the server says how far it has come. */
    @Test
    void aReadThatFindsNoCellInTimeEndsThere() throws IOException {
        when(rows.next()).thenAnswer(call -> {
            nowNanos += 1_000_000_000L;
            return mock(Result.class);
        });
        reads.takeLatenciesMicros();
        threads.remove().run();

        assertThat(reads.takeLatenciesMicros()).containsExactly(1_000_000L);
        Mockito.verify(rows, Mockito.times(1)).next();
        ArgumentCaptor<Scan> scan = ArgumentCaptor.forClass(Scan.class);
        Mockito.verify(table).getScanner(scan.capture());
        assertThat(scan.getValue().isNeedCursorResult()).isTrue();
    }

    @Test
    void aRegionThatIsSlowByItselfIsLeftAloneForAnHour() throws IOException {
        RegionInfo slow = region("c", "d");
        open.add(slow);
        List<RegionInfo> read = readTurns(40, slow::equals);

        assertThat(read).filteredOn(slow::equals).hasSize(2);
        assertThat(read).hasSize(40);

        nowNanos += 3_600_000_000_000L;
        assertThat(readTurns(2, none -> false)).contains(slow);
    }

    @Test
    void whereAllAreSlowTheyAreReadOnSinceThatIsHdfs() throws IOException {
        open.add(region("c", "d"));
        readTurns(2, none -> false);

        assertThat(readTurns(20, all -> true)).hasSize(20).contains(REGION, open.get(1));
    }

    /** Has so many turns made, of which those of these regions take a second, and returns which were read. */
    private List<RegionInfo> readTurns(int turns, Predicate<RegionInfo> slow) throws IOException {
        List<RegionInfo> read = new ArrayList<>();
        Mockito.doAnswer(call -> {
                    Scan scan = call.getArgument(0);
                    RegionInfo region = open.stream()
                            .filter(any -> Arrays.equals(any.getStartKey(), scan.getStartRow()))
                            .findFirst()
                            .orElseThrow();
                    read.add(region);
                    nowNanos += slow.test(region) ? 1_000_000_000L : 3_000_000L;
                    return rows;
                })
                .when(table)
                .getScanner(any(Scan.class));
        for (int turn = 0; turn < turns; turn++) {
            reads.takeLatenciesMicros();
            threads.remove().run();
        }
        return read;
    }

    private static RegionInfo region(String start, String end) {
        return RegionInfoBuilder.newBuilder(TABLE)
                .setStartKey(Bytes.toBytes(start))
                .setEndKey(Bytes.toBytes(end))
                .build();
    }

    @Test
    void aReadThatTimesOutIsASlowOne() throws IOException {
        fails(1_900);
        reads.takeLatenciesMicros();
        threads.remove().run();

        assertThat(reads.takeLatenciesMicros()).containsExactly(2_000_000L);
    }

    @Test
    void aReadThatFailsAtOnceSaysNothing() throws IOException {
        fails(10);
        reads.takeLatenciesMicros();
        threads.remove().run();

        assertThat(reads.takeLatenciesMicros()).isEmpty();
    }

    @Test
    void aReadThatHangsOnARegionThatHasLeftSaysNothing() throws IOException {
        List<Long> meanwhile = new ArrayList<>(List.of(-1L));
        when(rows.next()).thenAnswer(call -> {
            nowNanos += 3_000_000_000L;
            open.clear();
            meanwhile.clear();
            meanwhile.addAll(reads.takeLatenciesMicros());
            return mock(Result.class);
        });
        reads.takeLatenciesMicros();
        threads.remove().run();

        assertThat(meanwhile).isEmpty();
    }

    @Test
    void noAttemptAndNoReadTakesLongerThanTwoSeconds() throws IOException {
        takes(5);
        reads.takeLatenciesMicros();
        threads.remove().run();

        TableBuilder builder = connection.getTableBuilder(TABLE, null);
        Mockito.verify(builder).setOperationTimeout(2_000);
        Mockito.verify(builder).setReadRpcTimeout(2_000);
    }

    @Test
    void systemTablesAreNotRead() {
        open.clear();
        open.add(RegionInfoBuilder.newBuilder(TableName.valueOf("hbase:acl")).build());
        reads.takeLatenciesMicros();
        threads.remove().run();

        Mockito.verify(connection, Mockito.never()).getTableBuilder(any(), any());
    }

    @Test
    void aRegionThatIsAwaySaysNothing() throws IOException {
        when(rows.next()).thenAnswer(call -> {
            nowNanos += 1_900_000_000L;
            open.clear();
            throw new IOException("the region is not online");
        });
        reads.takeLatenciesMicros();
        threads.remove().run();

        assertThat(reads.takeLatenciesMicros()).isEmpty();
    }

    @Test
    void aReadThatHangsIsASlowOneEachTimeItIsAskedFor() throws IOException {
        List<Long> seen = new ArrayList<>();
        when(rows.next()).thenAnswer(call -> {
            nowNanos += 1_999_000_000L;
            seen.addAll(reads.takeLatenciesMicros());
            nowNanos += 1_000_000L;
            seen.addAll(reads.takeLatenciesMicros());
            nowNanos += 5_000_000_000L;
            seen.addAll(reads.takeLatenciesMicros());
            return null;
        });
        reads.takeLatenciesMicros();
        threads.remove().run();

        assertThat(seen).containsExactly(2_000_000L, 2_000_000L);
        assertThat(threads).as("one read at a time").isEmpty();
    }

    private void takes(long ms) throws IOException {
        when(rows.next()).thenAnswer(call -> {
            nowNanos += ms * 1_000_000;
            return null;
        });
    }

    private void fails(long ms) throws IOException {
        when(rows.next()).thenAnswer(call -> {
            nowNanos += ms * 1_000_000;
            throw new IOException("call timeout");
        });
    }
}
