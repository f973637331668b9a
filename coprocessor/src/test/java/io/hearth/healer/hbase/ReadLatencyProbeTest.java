// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hbase;

import static io.hearth.healer.fakes.Racks.node;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.hearth.healer.core.HealerServices.ReadProbe.Sample;
import io.hearth.healer.model.DataNode;
import io.hearth.healer.throttle.ReadTurns;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableBuilder;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentCaptor;
import org.mockito.Mockito;

class ReadLatencyProbeTest {

    private static final TableName TABLE = TableName.valueOf("t");
    private static final DataNode NODE = node("a1");

    private final FakeRegions open = new FakeRegions();
    private final RegionInfo region = open.add(TABLE, "b", "c");
    private final Deque<Runnable> threads = new ArrayDeque<>();
    private final Connection connection = mock(Connection.class);
    private final Table table = mock(Table.class);
    private final ResultScanner rows = mock(ResultScanner.class);
    private long nowNanos = 7_000_000_000L;
    private final ReadLatencyProbe reads = new ReadLatencyProbe(open, () -> connection, threads::add, () -> nowNanos);

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
        assertThat(takeMicros()).isEmpty();
        threads.remove().run();

        assertThat(takeMicros()).containsExactly(3_000L);
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
        assertThat(scan.getValue().getFilter())
                .as("of a row of a million cells one is sent")
                .isInstanceOf(FirstKeyOnlyFilter.class);
    }

    /** A family of which all cells have outlived their time, for which the server says how far it has come. */
    @Test
    void aReadThatFindsNoCellInTimeEndsThere() throws IOException {
        when(rows.next()).thenAnswer(call -> {
            nowNanos += 1_000_000_000L;
            return mock(Result.class);
        });
        takeMicros();
        threads.remove().run();

        assertThat(takeMicros()).containsExactly(1_000_000L);
        Mockito.verify(rows, Mockito.times(1)).next();
        ArgumentCaptor<Scan> scan = ArgumentCaptor.forClass(Scan.class);
        Mockito.verify(table).getScanner(scan.capture());
        assertThat(scan.getValue().isNeedCursorResult()).isTrue();
    }

    @Test
    void aRegionThatIsSlowByItselfIsLeftAloneForAnHour() throws IOException {
        RegionInfo slow = open.add(TABLE, "c", "d");
        List<RegionInfo> read = readTurns(40, slow::equals);

        assertThat(read).filteredOn(slow::equals).hasSize(2);
        assertThat(read).hasSize(40);

        nowNanos += 3_600_000_000_000L;
        assertThat(readTurns(2, none -> false)).contains(slow);
    }

    @Test
    void whereAllAreSlowTheyAreReadOnSinceThatIsHdfs() throws IOException {
        RegionInfo other = open.add(TABLE, "c", "d");
        readTurns(2, none -> false);

        assertThat(readTurns(20, all -> true)).hasSize(20).contains(region, other);
    }

    /** Has so many turns made, of which those of these regions take a second, and returns which were read. */
    private List<RegionInfo> readTurns(int turns, Predicate<RegionInfo> slow) throws IOException {
        List<RegionInfo> read = new ArrayList<>();
        Mockito.doAnswer(call -> {
                    Scan scan = call.getArgument(0);
                    RegionInfo asked = open.ofTable(TABLE).stream()
                            .filter(any -> Arrays.equals(any.getStartKey(), scan.getStartRow()))
                            .findFirst()
                            .orElseThrow();
                    read.add(asked);
                    nowNanos += slow.test(asked) ? 1_000_000_000L : 3_000_000L;
                    return rows;
                })
                .when(table)
                .getScanner(any(Scan.class));
        for (int turn = 0; turn < turns; turn++) {
            nowNanos += 1_000_000_000L;
            takeMicros();
            threads.remove().run();
        }
        return read;
    }

    @Test
    void aReadThatTimesOutIsASlowOne() throws IOException {
        fails(1_900);
        takeMicros();
        threads.remove().run();

        assertThat(takeMicros()).containsExactly(2_000_000L);
    }

    @Test
    void aReadThatFailsAtOnceSaysNothing() throws IOException {
        fails(10);
        takeMicros();
        threads.remove().run();

        assertThat(takeMicros()).isEmpty();
    }

    @Test
    void aReadThatHangsOnARegionThatHasLeftSaysNothing() throws IOException {
        List<Long> meanwhile = new ArrayList<>(List.of(-1L));
        when(rows.next()).thenAnswer(call -> {
            nowNanos += 3_000_000_000L;
            open.remove(region);
            meanwhile.clear();
            meanwhile.addAll(takeMicros());
            return mock(Result.class);
        });
        takeMicros();
        threads.remove().run();

        assertThat(meanwhile).isEmpty();
    }

    @Test
    void noAttemptAndNoReadTakesLongerThanTwoSeconds() throws IOException {
        takes(5);
        takeMicros();
        threads.remove().run();

        TableBuilder builder = connection.getTableBuilder(TABLE, null);
        Mockito.verify(builder).setOperationTimeout(2_000);
        Mockito.verify(builder).setReadRpcTimeout(2_000);
    }

    @Test
    void systemTablesAreNotRead() {
        open.remove(region);
        open.add(TableName.valueOf("hbase:acl"), "", "");
        takeMicros();
        threads.remove().run();

        Mockito.verify(connection, Mockito.never()).getTableBuilder(any(), any());
    }

    /** A read of the primary's is served by it, not by the host of the replica. */
    @Test
    void replicasOfRegionsAreNotRead() {
        open.move(region, "b1");
        open.addReplica(region, 1);
        takeMicros();
        threads.remove().run();

        Mockito.verify(connection, Mockito.never()).getTableBuilder(any(), any());
    }

    @Test
    void aRegionThatIsAwaySaysNothing() throws IOException {
        when(rows.next()).thenAnswer(call -> {
            nowNanos += 1_900_000_000L;
            open.remove(region);
            throw new IOException("the region is not online");
        });
        takeMicros();
        threads.remove().run();

        assertThat(takeMicros()).isEmpty();
    }

    @Test
    void aReadThatHangsIsASlowOneEachTimeItIsAskedFor() throws IOException {
        List<Long> seen = new ArrayList<>();
        when(rows.next()).thenAnswer(call -> {
            nowNanos += 1_999_000_000L;
            seen.addAll(takeMicros());
            nowNanos += 1_000_000L;
            seen.addAll(takeMicros());
            nowNanos += 5_000_000_000L;
            seen.addAll(takeMicros());
            return null;
        });
        takeMicros();
        threads.remove().run();

        assertThat(seen).containsExactly(2_000_000L, 2_000_000L);
        assertThat(threads).as("one read at a time").isEmpty();
    }

    @Test
    void aHostIsReadOnceASecondAndAHostThatIsNotAskedForIsNot() throws IOException {
        RegionInfo elsewhere = open.add(TABLE, "c", "d");
        open.move(elsewhere, "b1");
        assertThat(readTurns(10, none -> false)).hasSize(10).containsOnly(region);
        reads.takeSamples(List.of(NODE));
        assertThat(threads).as("less than a second later").isEmpty();

        reads.takeSamples(List.of(NODE, node("b1"), node("no-region-here")));
        assertThat(threads).hasSize(2);
        threads.remove().run();
        threads.remove().run();
        assertThat(reads.takeSamples(List.of())).extracting(Sample::host).containsExactly("b1");
    }

    @Test
    void sixteenHostsAtATimeAndThenThoseThatWereNotReadForLongest() {
        List<DataNode> nodes = new ArrayList<>();
        for (int host = 0; host < 20; host++) {
            nodes.add(node("h" + host));
            open.move(open.add(TABLE, "row" + host, "row" + host + "x"), "h" + host);
        }
        reads.takeSamples(nodes);
        reads.takeSamples(nodes);
        assertThat(threads).hasSize(ReadTurns.AT_ONCE);
        while (!threads.isEmpty()) {
            threads.remove().run();
        }
        nowNanos += 1_000_000_000L;
        assertThat(reads.takeSamples(nodes)).hasSize(ReadTurns.AT_ONCE);
        while (!threads.isEmpty()) {
            threads.remove().run();
        }
        assertThat(reads.takeSamples(List.of())).extracting(Sample::host).contains("h16", "h17", "h18", "h19");
    }

    @Test
    void ofTwoThousandHostsTwoHundredAtATime() {
        List<DataNode> nodes =
                IntStream.range(0, 2_000).mapToObj(host -> node("h" + host)).toList();
        reads.takeSamples(nodes);
        assertThat(threads).hasSize(200);
        nowNanos += 1_000_000_000L;
        reads.takeSamples(nodes);
        assertThat(threads).as("all of them hang").hasSize(200);

        while (!threads.isEmpty()) {
            threads.remove().run();
        }
        nowNanos += 250_000_000L;
        reads.takeSamples(nodes);
        assertThat(threads).as("a quarter of a second's").hasSize(62);
    }

    @Test
    void aRegionThatMovesMeanwhileSaysNothing() throws IOException {
        when(rows.next()).thenAnswer(call -> {
            nowNanos += 500_000_000L;
            open.move(region, "b1");
            return mock(Result.class);
        });
        takeMicros();
        threads.remove().run();

        assertThat(takeMicros()).isEmpty();
    }

    @Test
    void aSampleSaysHowOldItIs() throws IOException {
        takes(3);
        takeMicros();
        threads.remove().run();
        nowNanos += 60_000_000_000L;

        assertThat(reads.takeSamples(List.of())).containsExactly(new Sample("a1", 3_000, 60_000));
    }

    /** With no other region to compare with it is compared with itself. */
    @Test
    void theOnlyRegionOfAHostIsReadOnWhereItWasQuickBefore() throws IOException {
        readTurns(2, none -> false);
        assertThat(readTurns(20, all -> true)).hasSize(20);
    }

    @Test
    void theOnlyRegionOfAHostIsLeftAloneWhereItWasAlwaysSlow() throws IOException {
        assertThat(readTurns(20, all -> true)).hasSize(2);
    }

    private List<Long> takeMicros() {
        return reads.takeSamples(List.of(NODE)).stream().map(Sample::micros).toList();
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
