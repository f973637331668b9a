// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.chaos;

import io.hearth.testkit.load.OpenLoop;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.FutureUtils;
import org.jspecify.annotations.Nullable;

/**
 * Clients that write rows again and again and read them back, at a steady rate whatever the cluster answers, and know for each row what it
 * may hold.
 *
 * <p>The rows are {@value #ROWS}, each with a generation: how often it has been written. A write that was acknowledged is the least that a
 * read from then on may find, and the last that was sent is the most, since one without an answer may have been done. A value is made
 * of its row and its generation alone, so that every byte is checked; the generation is its time stamp too, so that a write which comes
 * late hides no newer one. Thread-safe.
 */
public final class SoakLoad implements AutoCloseable {

    static final TableName TABLE = TableName.valueOf("hearth_soak");

    private static final byte[] FAMILY = Bytes.toBytes("f");
    private static final byte[] QUALIFIER = Bytes.toBytes("v");
    private static final int REGIONS = 16;
    private static final int ROWS = 50_000;
    private static final int VALUE_BYTES = 200;
    private static final int GENERATION_BYTES = Integer.BYTES;
    private static final int NEVER = 0;

    /** Requests that may have no answer at a time; more would be memory without end while the cluster is away. */
    private static final int MOST_OUTSTANDING = 2_000;

    private static final int CALIBRATION_OUTSTANDING = 32;
    private static final long DRAIN_SECONDS = 320;

    private final AsyncConnection connection;
    private final AsyncTable<?> table;
    private final AtomicIntegerArray acknowledged = new AtomicIntegerArray(ROWS);
    private final AtomicIntegerArray sent = new AtomicIntegerArray(ROWS);
    private final ConcurrentHashMap<Integer, Boolean> beingWritten = new ConcurrentHashMap<>();
    private final Semaphore slots = new Semaphore(MOST_OUTSTANDING);
    private final AtomicLong sequence = new AtomicLong();
    private final AtomicLong requests = new AtomicLong();
    private final AtomicLong errors = new AtomicLong();
    private final AtomicLong lost = new AtomicLong();
    private final AtomicLong wrong = new AtomicLong();
    private final AtomicLong unsent = new AtomicLong();
    private final AtomicReference<@Nullable Throwable> firstError = new AtomicReference<>();
    private final long seed;
    private @Nullable OpenLoop loop;

    private SoakLoad(AsyncConnection connection, long seed) {
        this.connection = connection;
        this.seed = seed;
        this.table = connection.getTable(TABLE);
    }

    /** Makes the table where it is not there, and learns what its rows hold where it is. */
    public static SoakLoad open(Configuration conf, long seed) throws IOException {
        try (Connection connection = ConnectionFactory.createConnection(conf);
                Admin admin = connection.getAdmin()) {
            if (!admin.tableExists(TABLE)) {
                byte[][] splits = new byte[REGIONS - 1][];
                Arrays.setAll(splits, region -> Bytes.toBytes(prefix(region + 1)));
                admin.createTable(
                        TableDescriptorBuilder.newBuilder(TABLE)
                                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                                .build(),
                        splits);
            }
        }
        SoakLoad load = new SoakLoad(FutureUtils.get(ConnectionFactory.createAsyncConnection(conf)), seed);
        load.learn();
        return load;
    }

    private void learn() throws IOException {
        try (Connection client = ConnectionFactory.createConnection(connection.getConfiguration());
                var scanner = client.getTable(TABLE).getScanner(FAMILY)) {
            for (Result result : scanner) {
                int row = Integer.parseInt(
                        Bytes.toString(result.getRow()).substring(prefix(0).length()));
                int generation = generation(row, result);
                if (generation < 0) {
                    wrong.incrementAndGet();
                } else {
                    acknowledged.set(row, generation);
                    sent.set(row, generation);
                }
            }
        }
    }

    /** How many requests a second the cluster answers with {@value #CALIBRATION_OUTSTANDING} at a time. */
    double calibrate(int seconds) throws InterruptedException {
        long before = requests.get();
        long startNanos = System.nanoTime();
        Semaphore some = new Semaphore(CALIBRATION_OUTSTANDING);
        while (System.nanoTime() - startNanos < TimeUnit.SECONDS.toNanos(seconds)) {
            some.acquire();
            next().whenComplete((answer, failure) -> some.release());
        }
        return (requests.get() - before) * 1e9 / (System.nanoTime() - startNanos);
    }

    /** Sends so many requests a second from now on; those that the cluster has no answer for meanwhile are {@link Totals#unsent}. */
    public void start(double perSecond) {
        loop = OpenLoop.start("soak-load", perSecond, dueNanos -> {
            if (slots.tryAcquire()) {
                next().whenComplete((answer, failure) -> slots.release());
            } else {
                unsent.incrementAndGet();
            }
        });
    }

    /** Half of the requests write, and half read. */
    private CompletableFuture<Void> next() {
        long number = sequence.getAndIncrement();
        int row = new SplittableRandom(seed ^ number * 0x9E3779B97F4A7C15L).nextInt(ROWS);
        CompletableFuture<Void> request =
                number % 2 == 0 && beingWritten.putIfAbsent(row, true) == null ? write(row) : read(row);
        return request.whenComplete((answer, failure) -> {
            if (failure == null) {
                requests.incrementAndGet();
            } else {
                errors.incrementAndGet();
                firstError.compareAndSet(null, failure);
            }
        });
    }

    private CompletableFuture<Void> write(int row) {
        int generation = sent.incrementAndGet(row);
        return table.put(new Put(key(row)).addColumn(FAMILY, QUALIFIER, generation, value(row, generation)))
                .whenComplete((done, failure) -> {
                    if (failure == null) {
                        acknowledged.set(row, generation);
                    }
                    beingWritten.remove(row);
                });
    }

    private CompletableFuture<Void> read(int row) {
        int least = acknowledged.get(row);
        return table.get(new Get(key(row))).thenAccept(result -> {
            int generation = generation(row, result);
            if (generation < 0 || generation > sent.get(row)) {
                wrong.incrementAndGet();
            } else if (generation < least) {
                lost.incrementAndGet();
            }
        });
    }

    /** Reads every row once; what is lost or wrong counts in {@link #totals}. Waits for the answers. */
    public void verifyAll() throws IOException, InterruptedException {
        Semaphore some = new Semaphore(CALIBRATION_OUTSTANDING);
        for (int row = 0; row < ROWS; row++) {
            some.acquire();
            read(row).whenComplete((done, failure) -> {
                if (failure != null) {
                    errors.incrementAndGet();
                    firstError.compareAndSet(null, failure);
                }
                some.release();
            });
        }
        some.acquire(CALIBRATION_OUTSTANDING);
    }

    /** Ends the load and waits for the answers that are out, for as long as a client tries. */
    public void stop() throws InterruptedException {
        OpenLoop running = loop;
        if (running != null) {
            running.stop();
            loop = null;
        }
        if (slots.tryAcquire(MOST_OUTSTANDING, DRAIN_SECONDS, TimeUnit.SECONDS)) {
            slots.release(MOST_OUTSTANDING);
        }
    }

    /**
     * What has come of the requests.
     *
     * @param requests that were answered
     * @param lost reads that found less than was acknowledged
     * @param wrong reads that found what nobody wrote
     * @param errors requests that a client gave up
     * @param unsent requests that were due while {@value #MOST_OUTSTANDING} had no answer
     */
    public record Totals(long requests, long lost, long wrong, long errors, long unsent) {

        static final Totals NONE = new Totals(0, 0, 0, 0, 0);

        Totals minus(Totals other) {
            return plus(new Totals(-other.requests, -other.lost, -other.wrong, -other.errors, -other.unsent));
        }

        Totals plus(Totals other) {
            return new Totals(
                    requests + other.requests,
                    lost + other.lost,
                    wrong + other.wrong,
                    errors + other.errors,
                    unsent + other.unsent);
        }
    }

    public Totals totals() {
        return new Totals(requests.get(), lost.get(), wrong.get(), errors.get(), unsent.get());
    }

    /** Why the first request failed; null where none has. */
    public @Nullable Throwable firstError() {
        return firstError.get();
    }

    /** The generation of what was read: {@value #NEVER} of a row that is not there, below it of one that nobody wrote like that. */
    private static int generation(int row, Result result) {
        byte[] value = result.getValue(FAMILY, QUALIFIER);
        if (value == null) {
            return NEVER;
        }
        if (value.length < GENERATION_BYTES) {
            return -1;
        }
        int generation = ByteBuffer.wrap(value).getInt();
        return generation > NEVER && Arrays.equals(value, value(row, generation)) ? generation : -1;
    }

    private static byte[] value(int row, int generation) {
        byte[] value = new byte[VALUE_BYTES];
        new SplittableRandom((long) row << Integer.SIZE | generation).nextBytes(value);
        ByteBuffer.wrap(value).putInt(generation);
        return value;
    }

    private static byte[] key(int row) {
        return Bytes.toBytes(prefix(row % REGIONS) + row);
    }

    private static String prefix(int region) {
        return String.format("%02d-", region);
    }

    @Override
    public void close() throws IOException {
        OpenLoop running = loop;
        if (running != null) {
            running.end();
        }
        connection.close();
    }
}
