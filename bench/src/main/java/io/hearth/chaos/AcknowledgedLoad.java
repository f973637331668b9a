// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.chaos;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAccumulator;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Two writers and two readers with HBase's stock client, who remember every row whose write was acknowledged. An error is a request
 * that the client gave up after all the retries of its connection, or a loaded row that was read and not there, or with another value.
 * Thread-safe.
 */
final class AcknowledgedLoad implements AutoCloseable {

    private static final byte[] WRITTEN = Bytes.toBytes("written");
    private static final int WORKERS = 2;
    private static final long PAUSE_MS = 20;
    private static final long DRAIN_MS = 180_000;
    private static final int BATCH = 500;

    private final Connection connection;
    private final ChaosTable table;
    private final Queue<byte[]> acknowledged = new ConcurrentLinkedQueue<>();
    private final AtomicLong requests = new AtomicLong();
    private final AtomicLong errors = new AtomicLong();
    private final LongAccumulator slowestMs = new LongAccumulator(Math::max, 0);
    private final AtomicReference<Throwable> firstError = new AtomicReference<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean running = true;

    AcknowledgedLoad(Connection connection, ChaosTable table) {
        this.connection = connection;
        this.table = table;
    }

    static AcknowledgedLoad start(Connection connection, ChaosTable table, long seed) {
        AcknowledgedLoad load = new AcknowledgedLoad(connection, table);
        for (int worker = 0; worker < WORKERS; worker++) {
            int number = worker;
            load.threads.add(new Thread(() -> load.write(number), "chaos-writer-" + number));
            load.threads.add(
                    new Thread(() -> load.read(new SplittableRandom(seed + number)), "chaos-reader-" + number));
        }
        load.threads.forEach(thread -> {
            thread.setDaemon(true);
            thread.start();
        });
        return load;
    }

    long requests() {
        return requests.get();
    }

    /** The longest time that a request took, whatever came of it. */
    long slowestMs() {
        return slowestMs.get();
    }

    long errors() {
        return errors.get();
    }

    Optional<Throwable> firstError() {
        return Optional.ofNullable(firstError.get());
    }

    int acknowledgedRows() {
        return acknowledged.size();
    }

    /** Ends the load and waits for the answers that are out; those that never come are errors. */
    void stop() throws InterruptedException {
        running = false;
        long deadline = System.nanoTime() + DRAIN_MS * 1_000_000;
        for (Thread thread : threads) {
            thread.join(Math.max(1, (deadline - System.nanoTime()) / 1_000_000));
            if (thread.isAlive()) {
                failed(new IOException(thread.getName() + " waits for an answer since " + DRAIN_MS / 1000 + " s"));
            }
        }
    }

    /** How many rows were acknowledged and are not there. */
    int acknowledgedRowsLost() throws IOException {
        int lost = 0;
        List<byte[]> rows = List.copyOf(acknowledged);
        try (Table client = connection.getTable(table.name())) {
            for (int from = 0; from < rows.size(); from += BATCH) {
                List<byte[]> batch = rows.subList(from, Math.min(rows.size(), from + BATCH));
                Result[] results = client.get(batch.stream().map(Get::new).toList());
                for (int i = 0; i < results.length; i++) {
                    lost += Bytes.equals(results[i].getValue(ChaosTable.FAMILY, WRITTEN), batch.get(i)) ? 0 : 1;
                }
            }
        }
        return lost;
    }

    private void write(int worker) {
        for (int row = 0; running; row++) {
            writeRow(worker, row);
            pause();
        }
    }

    void writeRow(int worker, int row) {
        byte[] key = Bytes.toBytes(ChaosTable.prefix(row % ChaosTable.REGIONS) + "-written-" + worker + "-" + row);
        request(client -> {
            client.put(new Put(key).addColumn(ChaosTable.FAMILY, WRITTEN, key));
            acknowledged.add(key);
        });
    }

    private void read(SplittableRandom random) {
        while (running) {
            readLoadedRow(random.nextInt(ChaosTable.loadedRows()));
            pause();
        }
    }

    void readLoadedRow(int number) {
        byte[] key = ChaosTable.loadedRow(number);
        request(client -> {
            Result result = client.get(new Get(key));
            if (!ChaosTable.isSound(key, result)) {
                throw new IOException("A loaded row was read "
                        + (result.isEmpty() ? "and is not there: " : "with another value: ") + Bytes.toString(key));
            }
        });
    }

    private void pause() {
        try {
            Thread.sleep(PAUSE_MS);
        } catch (InterruptedException e) {
            running = false;
        }
    }

    private interface Request {
        void send(Table client) throws IOException;
    }

    private void request(Request request) {
        long start = System.nanoTime();
        try (Table client = connection.getTable(table.name())) {
            request.send(client);
            requests.incrementAndGet();
            took(start);
        } catch (IOException | RuntimeException e) {
            took(start);
            failed(e);
        }
    }

    private void took(long startNanos) {
        slowestMs.accumulate((System.nanoTime() - startNanos) / 1_000_000);
    }

    private void failed(Exception error) {
        errors.incrementAndGet();
        firstError.compareAndSet(null, error);
    }

    @Override
    public void close() {
        running = false;
    }
}
