// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.readers;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.awaitility.Awaitility;

/**
 * Clients that read random rows by gets and by multigets through HBase's stock client, one thread of each kind, until it is
 * closed. A read has failed if it throws or if what it returns is not what was written.
 */
final class ReadLoad implements AutoCloseable {

    private static final int ROWS_OF_A_MULTIGET = 10;
    private static final long PAUSE_MS = 3;

    private final Connection connection;
    private final ReaderTable table;
    private final List<Thread> threads = new ArrayList<>();
    private volatile ReadPhase phase = new ReadPhase(System.nanoTime());
    private volatile boolean isClosed;

    private ReadLoad(Connection connection, ReaderTable table) {
        this.connection = connection;
        this.table = table;
    }

    static ReadLoad start(Connection connection, ReaderTable table) {
        ReadLoad load = new ReadLoad(connection, table);
        load.startThread("reads by gets", 1);
        load.startThread("reads by multigets", ROWS_OF_A_MULTIGET);
        return load;
    }

    private void startThread(String name, int rowsOfARead) {
        Thread thread = new Thread(() -> read(rowsOfARead), name);
        thread.setDaemon(true);
        thread.start();
        threads.add(thread);
    }

    /** Begins another phase; each read counts in the phase in which it began. */
    ReadPhase enter() {
        ReadPhase next = new ReadPhase(System.nanoTime());
        phase = next;
        return next;
    }

    private void read(int rowsOfARead) {
        Random random = new Random(rowsOfARead);
        try (Table client = connection.getTable(ReaderTable.NAME)) {
            while (!isClosed) {
                int[] rows = random.ints(rowsOfARead, 0, table.rows()).toArray();
                ReadPhase of = phase;
                long fromNanos = System.nanoTime();
                boolean isGood = isGood(client, rows);
                of.add(isGood, rowsOfARead, fromNanos, System.nanoTime());
                TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
            }
        } catch (IOException | InterruptedException end) {
            phase.add(false, 0, System.nanoTime(), System.nanoTime());
        }
    }

    private boolean isGood(Table client, int[] rows) {
        List<Get> gets = Arrays.stream(rows)
                .mapToObj(row -> new Get(table.key(row)).setCacheBlocks(false))
                .toList();
        try {
            Result[] results = gets.size() == 1 ? new Result[] {client.get(gets.get(0))} : client.get(gets);
            for (int i = 0; i < rows.length; i++) {
                byte[] value = results[i].getValue(ReaderTable.FAMILY, ReaderTable.FAMILY);
                if (!Arrays.equals(value, ReaderTable.value(rows[i]))) {
                    return false;
                }
            }
            return true;
        } catch (IOException | RuntimeException failure) {
            return false;
        }
    }

    @Override
    public void close() {
        isClosed = true;
        Awaitility.await().atMost(1, TimeUnit.MINUTES).until(() -> threads.stream()
                .noneMatch(Thread::isAlive));
    }

    /** The reads of one stretch of time: how many, how many failed, which were slow. Thread-safe. */
    static final class ReadPhase {

        private static final long SLOW_NANOS = 100_000_000;

        /** A slow read's begin and end, by {@link System#nanoTime}. */
        record SlowRead(long fromNanos, long toNanos) {

            double millis() {
                return (toNanos - fromNanos) / 1e6;
            }
        }

        private final long fromNanos;
        private long toNanos;
        private long reads;
        private long rows;
        private long failed;
        private double worstMillis;
        private final List<SlowRead> slow = new ArrayList<>();

        ReadPhase(long fromNanos) {
            this.fromNanos = fromNanos;
            this.toNanos = fromNanos;
        }

        synchronized void add(boolean isGood, int rowsRead, long readFromNanos, long readToNanos) {
            SlowRead read = new SlowRead(readFromNanos, readToNanos);
            reads++;
            rows += isGood ? rowsRead : 0;
            failed += isGood ? 0 : 1;
            worstMillis = Math.max(worstMillis, read.millis());
            toNanos = Math.max(toNanos, readToNanos);
            if (readToNanos - readFromNanos > SLOW_NANOS) {
                slow.add(read);
            }
        }

        /** The bytes of the values that the readers have got. */
        synchronized long gotBytes() {
            return rows * ReaderTable.VALUE_BYTES;
        }

        /** This phase in figures, with what HDFS said meanwhile. */
        synchronized ReaderResult.Phase result(DfsClientEvents events) {
            List<SlowRead> above250 =
                    slow.stream().filter(read -> read.millis() > 250).toList();
            return new ReaderResult.Phase(
                    reads,
                    failed,
                    slow.size(),
                    above250.size(),
                    (int) above250.stream()
                            .filter(read -> events.anyWithin(read.fromNanos(), read.toNanos()))
                            .count(),
                    worstMillis,
                    events.count(DfsClientEvents.Kind.FAILOVER, fromNanos, toNanos),
                    events.count(DfsClientEvents.Kind.STALL, fromNanos, toNanos));
        }
    }
}
