// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.opentsdb;

import io.hearth.bench.opentsdb.stream.MetricStream;
import io.hearth.bench.opentsdb.stream.MetricStream.AcknowledgedPoints;
import io.hearth.bench.opentsdb.stream.MetricStream.DataPoint;
import io.hearth.testkit.command.Commands;
import io.hearth.testkit.load.LatencyRecorder.LatencySummary;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/**
 * Collectors: writes the stream's points when they are due, whether or not earlier ones have been acknowledged, and remembers which
 * were. What is refused is counted, and sent again a second later, as collectors do. Thread-safe; it ends with {@link #close}.
 */
final class PutLoad implements AutoCloseable {

    private static final long TICK_MS = 100;
    private static final int MOST_IN_A_REQUEST = 500;
    private static final int MOST_IN_FLIGHT = 2_000;
    private static final long DRAIN_SECONDS = 130;

    private static final Executor LATER = CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS);

    private final Store store;
    private final MetricStream stream;
    private final AcknowledgedPoints acknowledged = new AcknowledgedPoints();
    private final IntervalLatencies latencies = new IntervalLatencies();
    private final FailureCount refusals = new FailureCount();
    private final Semaphore inFlight = new Semaphore(MOST_IN_FLIGHT);
    private final Thread thread = new Thread(this::run, "tsdb-puts");
    private volatile boolean running = true;
    private volatile boolean closed;
    private volatile long sent;

    /** Where points go to: completes when all of them are stored, and with an exception if one is not. */
    @FunctionalInterface
    interface Store {
        CompletableFuture<Void> put(List<DataPoint> points);
    }

    private PutLoad(Store store, MetricStream stream) {
        this.store = store;
        this.stream = stream;
    }

    static PutLoad start(Store store, MetricStream stream) {
        PutLoad load = new PutLoad(store, stream);
        load.thread.setDaemon(true);
        load.thread.start();
        return load;
    }

    /** Points that were sent, acknowledged or not. */
    long sent() {
        return sent;
    }

    /** Requests that were sent and not acknowledged yet. */
    int unacknowledged() {
        return MOST_IN_FLIGHT - inFlight.availablePermits();
    }

    AcknowledgedPoints acknowledged() {
        return acknowledged;
    }

    /** Of requests with the points of a tenth of a second. */
    IntervalLatencies latencies() {
        return latencies;
    }

    /** Requests that were refused and sent again, each time counted. */
    FailureCount refusals() {
        return refusals;
    }

    private void run() {
        try {
            while (running) {
                long due = stream.dueBy(System.currentTimeMillis());
                while (sent < due) {
                    send(sent, Math.min(due, sent + MOST_IN_A_REQUEST));
                }
                Thread.sleep(TICK_MS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void send(long from, long to) throws InterruptedException {
        inFlight.acquire();
        sent = to;
        attempt(from, to);
    }

    private void attempt(long from, long to) {
        var unused = store.put(
                        LongStream.range(from, to).mapToObj(stream::point).toList())
                .whenComplete((done, refusal) -> {
                    if (refusal == null) {
                        latencies.answered(stream.dueMs(from));
                        acknowledged.add(from, to);
                        inFlight.release();
                    } else if (!closed) {
                        refusals.add(
                                refusal instanceof CompletionException && refusal.getCause() != null
                                        ? refusal.getCause()
                                        : refusal);
                        LATER.execute(() -> attempt(from, to));
                    }
                });
    }

    /** Sends no new points, and waits until those that were sent are acknowledged, for about two minutes. */
    void stop() throws InterruptedException {
        running = false;
        thread.join();
        if (inFlight.tryAcquire(MOST_IN_FLIGHT, DRAIN_SECONDS, TimeUnit.SECONDS)) {
            inFlight.release(MOST_IN_FLIGHT);
        }
    }

    @Override
    public void close() {
        running = false;
        closed = true;
    }

    /** How many requests failed, and why the first of them did. Thread-safe. */
    static final class FailureCount {

        private final AtomicLong count = new AtomicLong();
        private final AtomicReference<String> first = new AtomicReference<>();

        void add(Throwable failure) {
            count.incrementAndGet();
            first.compareAndSet(null, Commands.firstLine(failure));
        }

        long count() {
            return count.get();
        }

        /** {@code 0}, or how many and why. */
        String summary() {
            return count.get() == 0 ? "0" : count.get() + ", the first: " + first.get();
        }
    }

    /**
     * Times from when a request was due, not from when it was sent, until it was answered: a server that stands still is charged for all
     * that waits meanwhile. Thread-safe.
     */
    static final class IntervalLatencies {

        private static final long MOST_MS = 3_600_000;
        private static final int DIGITS = 3;

        private final Recorder recorder = new Recorder(MOST_MS, DIGITS);

        /** A request that was due at that time is answered now. */
        void answered(long dueMs) {
            recorder.recordValue(Math.min(MOST_MS, Math.max(0, System.currentTimeMillis() - dueMs)));
        }

        /** Those since it was asked last. */
        LatencySummary take() {
            Histogram taken = recorder.getIntervalHistogram();
            return new LatencySummary(
                    taken.getTotalCount(),
                    (double) taken.getValueAtPercentile(50),
                    (double) taken.getValueAtPercentile(99),
                    (double) taken.getValueAtPercentile(99.9),
                    (double) taken.getMaxValue());
        }

        /** Such latencies in one line. */
        static String text(LatencySummary latencies) {
            return latencies.requests() == 0
                    ? "none"
                    : String.format(
                            Locale.ROOT,
                            "%,d, p50 %,.0f ms, p99 %,.0f ms, p99.9 %,.0f ms, max %,.0f ms",
                            latencies.requests(),
                            latencies.p50Ms(),
                            latencies.p99Ms(),
                            latencies.p999Ms(),
                            latencies.maxMs());
        }
    }
}
