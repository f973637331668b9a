package io.hearth.tsdb;

import io.hearth.tsdb.stream.AcknowledgedPoints;
import io.hearth.tsdb.stream.MetricStream;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.LongStream;

/**
 * Collectors: writes the stream's points when they are due, whether or not earlier ones have been acknowledged, and remembers which
 * were. Nothing is sent twice. Thread-safe; it ends with {@link #close}.
 */
final class PutLoad implements AutoCloseable {

    private static final long TICK_MS = 100;
    private static final int MOST_IN_A_REQUEST = 500;
    private static final int MOST_IN_FLIGHT = 2_000;
    private static final long DRAIN_SECONDS = 130;

    private final TsdClient client;
    private final MetricStream stream;
    private final AcknowledgedPoints acknowledged = new AcknowledgedPoints();
    private final Latencies latencies = new Latencies();
    private final Failures failures = new Failures();
    private final Semaphore inFlight = new Semaphore(MOST_IN_FLIGHT);
    private final Thread thread = new Thread(this::run, "tsdb-puts");
    private volatile boolean running = true;
    private volatile long sent;

    private PutLoad(TsdClient client, MetricStream stream) {
        this.client = client;
        this.stream = stream;
    }

    static PutLoad start(TsdClient client, MetricStream stream) {
        PutLoad load = new PutLoad(client, stream);
        load.thread.setDaemon(true);
        load.thread.start();
        return load;
    }

    /** Points that were sent, acknowledged or not. */
    long sent() {
        return sent;
    }

    /** Requests that were sent and not answered yet. */
    int unanswered() {
        return MOST_IN_FLIGHT - inFlight.availablePermits();
    }

    AcknowledgedPoints acknowledged() {
        return acknowledged;
    }

    /** Of requests with the points of a tenth of a second. */
    Latencies latencies() {
        return latencies;
    }

    Failures failures() {
        return failures;
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
        var unused = client.put(
                        LongStream.range(from, to).mapToObj(stream::point).toList())
                .whenComplete((done, failure) -> {
                    latencies.answered(stream.dueMs(from));
                    if (failure == null) {
                        acknowledged.add(from, to);
                    } else {
                        failures.add(
                                failure instanceof CompletionException && failure.getCause() != null
                                        ? failure.getCause()
                                        : failure);
                    }
                    inFlight.release();
                });
    }

    /** Stops sending and waits for the answers that are out. */
    void stop() throws InterruptedException {
        running = false;
        thread.join();
        if (!inFlight.tryAcquire(MOST_IN_FLIGHT, DRAIN_SECONDS, TimeUnit.SECONDS)) {
            failures.add(new TimeoutException("requests were not answered within " + DRAIN_SECONDS + " s"));
        }
    }

    @Override
    public void close() {
        running = false;
    }
}
