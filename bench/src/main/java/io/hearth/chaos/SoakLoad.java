// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.chaos;

import io.hearth.testkit.load.OpenLoop;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongBinaryOperator;
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
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.FutureUtils;
import org.jspecify.annotations.Nullable;

/**
 * Clients that write rows again and again and read them back, at a steady rate whatever the cluster answers, and know for each row what it
 * may hold ({@link SoakRows}). The generation of a value is its time stamp too, so that a write which comes late hides no newer one.
 * Thread-safe.
 */
public final class SoakLoad implements AutoCloseable {

    static final TableName TABLE = TableName.valueOf("hearth_soak");

    private static final byte[] FAMILY = Bytes.toBytes("f");
    private static final byte[] QUALIFIER = Bytes.toBytes("v");
    private static final int REGIONS = 16;

    /** Requests that may have no answer at a time; more would be memory without end while the cluster is away. */
    private static final int MOST_OUTSTANDING = 2_000;

    private static final int CALIBRATION_OUTSTANDING = 32;
    private static final Duration DRAIN_LIMIT = Duration.ofSeconds(320);

    private final AsyncConnection connection;
    private final AsyncTable<?> table;
    private final SoakRows rows = new SoakRows();
    private final ConcurrentHashMap<Integer, Boolean> beingWritten = new ConcurrentHashMap<>();
    private final Semaphore slots = new Semaphore(MOST_OUTSTANDING);
    private final AtomicLong sequence = new AtomicLong();
    private final AtomicLong requests = new AtomicLong();
    private final AtomicLong errors = new AtomicLong();
    private final AtomicLong lost = new AtomicLong();
    private final AtomicLong wrong = new AtomicLong();
    private final AtomicLong unsent = new AtomicLong();
    private final AtomicLong requestsOutsideFaults = new AtomicLong();
    private final AtomicLong unsentOutsideFaults = new AtomicLong();
    private final AtomicReference<@Nullable Throwable> firstError = new AtomicReference<>();
    private final long seed;
    private volatile boolean isFaultUnderWay = true;
    private @Nullable OpenLoop loop;

    SoakLoad(AsyncConnection connection, long seed) {
        this.connection = connection;
        this.seed = seed;
        this.table = connection.getTable(TABLE);
    }

    /** Makes the table where it is not there. */
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
        return new SoakLoad(FutureUtils.get(ConnectionFactory.createAsyncConnection(conf)), seed);
    }

    /**
     * Reads what every row holds, before the first request. Rows that hold less than was acknowledged before are lost.
     *
     * @param acknowledgedBefore by row, as an earlier process knew it
     * @param before the totals to go on counting from
     */
    void begin(List<Integer> acknowledgedBefore, Totals before) throws IOException {
        requests.set(before.requests);
        lost.set(before.lost);
        wrong.set(before.wrong);
        errors.set(before.errors);
        unsent.set(before.unsent);
        requestsOutsideFaults.set(before.outsideFaults.requests);
        unsentOutsideFaults.set(before.outsideFaults.unsent);
        Map<Integer, byte[]> valueByRow = new HashMap<>();
        for (Result result : FutureUtils.get(table.scanAll(new Scan().addColumn(FAMILY, QUALIFIER)))) {
            int row = Integer.parseInt(
                    Bytes.toString(result.getRow()).substring(prefix(0).length()));
            valueByRow.put(row, result.getValue(FAMILY, QUALIFIER));
        }
        for (int row = 0; row < SoakRows.COUNT; row++) {
            count(rows.begin(row, acknowledgedBefore.get(row), valueByRow.get(row)));
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
        loop = OpenLoop.start("soak-load", perSecond, dueNanos -> send());
    }

    /** Sends one request, unless too many have no answer. */
    void send() {
        if (slots.tryAcquire()) {
            next().whenComplete((answer, failure) -> slots.release());
        } else {
            unsent.incrementAndGet();
            if (!isFaultUnderWay) {
                unsentOutsideFaults.incrementAndGet();
            }
        }
    }

    /** Says whether something is broken; until the first time it may be. */
    void setFaultUnderWay(boolean isFaultUnderWay) {
        this.isFaultUnderWay = isFaultUnderWay;
    }

    /** Half of the requests write, and half read. */
    CompletableFuture<Void> next() {
        long number = sequence.getAndIncrement();
        int row = new SplittableRandom(seed ^ number * 0x9E3779B97F4A7C15L).nextInt(SoakRows.COUNT);
        CompletableFuture<Void> request =
                number % 2 == 0 && beingWritten.putIfAbsent(row, true) == null ? write(row) : read(row);
        return request.whenComplete((answer, failure) -> {
            if (failure != null) {
                failed(failure);
                return;
            }
            requests.incrementAndGet();
            if (!isFaultUnderWay) {
                requestsOutsideFaults.incrementAndGet();
            }
        });
    }

    private void failed(Throwable failure) {
        errors.incrementAndGet();
        firstError.compareAndSet(null, failure);
    }

    private CompletableFuture<Void> write(int row) {
        int generation = rows.send(row);
        byte[] value = SoakRows.value(row, generation);
        return table.put(new Put(key(row)).addColumn(FAMILY, QUALIFIER, generation, value))
                .whenComplete((done, failure) -> {
                    if (failure == null) {
                        rows.acknowledge(row, generation);
                    }
                    beingWritten.remove(row);
                });
    }

    private CompletableFuture<Void> read(int row) {
        int least = rows.acknowledged(row);
        return table.get(new Get(key(row)))
                .thenAccept(result -> count(rows.judge(row, least, result.getValue(FAMILY, QUALIFIER))));
    }

    private void count(SoakRows.Verdict verdict) {
        switch (verdict) {
            case EXPECTED -> {}
            case LOST -> lost.incrementAndGet();
            case WRONG -> wrong.incrementAndGet();
        }
    }

    /** Reads every row once; what is lost or wrong counts in {@link #totals}. Waits for the answers. */
    public void verifyAll() throws IOException, InterruptedException {
        Semaphore some = new Semaphore(CALIBRATION_OUTSTANDING);
        for (int row = 0; row < SoakRows.COUNT; row++) {
            some.acquire();
            read(row).whenComplete((done, failure) -> {
                if (failure != null) {
                    failed(failure);
                }
                some.release();
            });
        }
        some.acquire(CALIBRATION_OUTSTANDING);
    }

    /** Ends the load and waits for the answers that are out, for as long as a client tries; those that have not come are errors. */
    public void stop() throws InterruptedException {
        stop(DRAIN_LIMIT);
    }

    void stop(Duration limit) throws InterruptedException {
        OpenLoop running = loop;
        if (running != null) {
            running.stop();
            loop = null;
        }
        if (slots.tryAcquire(MOST_OUTSTANDING, limit.toMillis(), TimeUnit.MILLISECONDS)) {
            slots.release(MOST_OUTSTANDING);
            return;
        }
        for (int unanswered = MOST_OUTSTANDING - slots.availablePermits(); unanswered > 0; unanswered--) {
            failed(new TimeoutException("no answer within " + limit.toSeconds() + " s after the load had ended"));
        }
    }

    /**
     * What has come of the requests.
     *
     * @param requests that were answered
     * @param lost reads that found less than was acknowledged
     * @param wrong reads that found what nobody wrote
     * @param errors requests that a client gave up, or that had no answer in the end
     * @param unsent requests that were due while {@value #MOST_OUTSTANDING} had no answer
     * @param outsideFaults of those, what came while nothing was broken
     */
    public record Totals(long requests, long lost, long wrong, long errors, long unsent, OutsideFaults outsideFaults) {

        static final Totals NONE = new Totals(0, 0, 0, 0, 0, new OutsideFaults(0, 0));

        Totals plus(Totals other) {
            return with(other, Long::sum);
        }

        Totals minus(Totals other) {
            return with(other, (mine, others) -> mine - others);
        }

        /** What these have more than others; 0 where they have less. */
        Totals beyond(Totals other) {
            return with(other, (mine, others) -> Math.max(0, mine - others));
        }

        private Totals with(Totals other, LongBinaryOperator operator) {
            return new Totals(
                    operator.applyAsLong(requests, other.requests),
                    operator.applyAsLong(lost, other.lost),
                    operator.applyAsLong(wrong, other.wrong),
                    operator.applyAsLong(errors, other.errors),
                    operator.applyAsLong(unsent, other.unsent),
                    new OutsideFaults(
                            operator.applyAsLong(outsideFaults.requests, other.outsideFaults.requests),
                            operator.applyAsLong(outsideFaults.unsent, other.outsideFaults.unsent)));
        }
    }

    /**
     * What has come of the requests while nothing was broken.
     *
     * @param requests as in {@link Totals}
     * @param unsent as in {@link Totals}
     */
    public record OutsideFaults(long requests, long unsent) {}

    /** The generation of the last acknowledged write of each row. */
    List<Integer> acknowledged() {
        return rows.acknowledged();
    }

    public Totals totals() {
        return new Totals(
                requests.get(),
                lost.get(),
                wrong.get(),
                errors.get(),
                unsent.get(),
                new OutsideFaults(requestsOutsideFaults.get(), unsentOutsideFaults.get()));
    }

    /** Why the first request failed that this process has sent; absent where none has. */
    public Optional<Throwable> firstError() {
        return Optional.ofNullable(firstError.get());
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
