package io.hearth.healing.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentCaptor;
import org.mockito.Mockito;

class ReadTimesTest {

    private static final TableName TABLE = TableName.valueOf("t");
    private static final RegionInfo REGION = RegionInfoBuilder.newBuilder(TABLE)
            .setStartKey(Bytes.toBytes("b"))
            .setEndKey(Bytes.toBytes("c"))
            .build();

    private final List<RegionInfo> open = new ArrayList<>(List.of(REGION));
    private final Deque<Runnable> threads = new ArrayDeque<>();
    private final Connection connection = mock(Connection.class);
    private final Table table = mock(Table.class);
    private final ResultScanner rows = mock(ResultScanner.class);
    private long nowNanos = 7_000_000_000L;
    private final ReadTimes reads = new ReadTimes(() -> open, () -> connection, threads::add, () -> nowNanos);

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
        assertThat(reads.takeMicros()).isEmpty();
        threads.remove().run();

        assertThat(reads.takeMicros()).containsExactly(3_000L);
        ArgumentCaptor<Scan> scan = ArgumentCaptor.forClass(Scan.class);
        Mockito.verify(table).getScanner(scan.capture());
        assertThat(scan.getValue().getStartRow()).isEqualTo(Bytes.toBytes("b"));
        assertThat(scan.getValue().getStopRow()).isEqualTo(Bytes.toBytes("c"));
        assertThat(scan.getValue().getLimit()).isEqualTo(1);
        assertThat(scan.getValue().getCacheBlocks()).isFalse();
    }

    @Test
    void aReadThatTimesOutIsASlowOne() throws IOException {
        fails(1_900);
        reads.takeMicros();
        threads.remove().run();

        assertThat(reads.takeMicros()).containsExactly(2_000_000L);
    }

    @Test
    void aReadThatFailsAtOnceSaysNothing() throws IOException {
        fails(10);
        reads.takeMicros();
        threads.remove().run();

        assertThat(reads.takeMicros()).isEmpty();
    }

    @Test
    void aRegionThatIsAwaySaysNothing() throws IOException {
        when(rows.next()).thenAnswer(call -> {
            nowNanos += 1_900_000_000L;
            open.clear();
            throw new IOException("the region is not online");
        });
        reads.takeMicros();
        threads.remove().run();

        assertThat(reads.takeMicros()).isEmpty();
    }

    @Test
    void aReadThatHangsIsASlowOneEachTimeItIsAskedFor() throws IOException {
        List<Long> seen = new ArrayList<>();
        when(rows.next()).thenAnswer(call -> {
            nowNanos += 1_999_000_000L;
            seen.addAll(reads.takeMicros());
            nowNanos += 1_000_000L;
            seen.addAll(reads.takeMicros());
            nowNanos += 5_000_000_000L;
            seen.addAll(reads.takeMicros());
            return null;
        });
        reads.takeMicros();
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
