package io.hearth.demo;

import io.hearth.demo.measure.KeySpace;
import io.hearth.demo.measure.LoadPlan;
import io.hearth.demo.measure.SteadySequence;
import io.hearth.demo.measure.WeightedChoice;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;

/**
 * Reads and writes from a stock HBase client at fixed rates, on the regions that a plan makes hot.
 *
 * <p>The load is open-loop: a request is sent when it is due, whether or not earlier ones have been
 * answered, as many users do it, so a server that is slow or away is not spared. Retries are the stock
 * client's; an error is a request that the client gave up. Thread-safe; it ends with {@link #close()}.
 */
final class ClientLoad implements AutoCloseable {
    static final int READS_PER_SECOND = 600;
    static final int WRITES_PER_SECOND = 300;

    private static final int WRITTEN_BYTES = 150;
    private static final int MOST_IN_FLIGHT = 50_000;
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long DRAIN_SECONDS = 30;

    private final KeySpace keys;
    private final long seed;
    private final AsyncConnection connection;
    private final AsyncTable<AdvancedScanResultConsumer> table;
    private final AtomicLong answered = new AtomicLong();
    private final AtomicLong errors = new AtomicLong();
    private final AtomicReference<Throwable> firstError = new AtomicReference<>();
    private final Semaphore inFlight = new Semaphore(MOST_IN_FLIGHT);
    private final List<Thread> threads;
    private volatile boolean running = true;

    private ClientLoad(AsyncConnection connection, KeySpace keys, LoadPlan plan, long seed) {
        this.keys = keys;
        this.seed = seed;
        this.connection = connection;
        this.table = connection.getTable(DemoTable.NAME);
        this.threads = List.of(
                generator("demo-reads", READS_PER_SECOND, plan.readShares(), this::read),
                generator("demo-writes", WRITES_PER_SECOND, plan.writeShares(), this::write));
    }

    static ClientLoad start(Configuration conf, KeySpace keys, LoadPlan plan, long seed) throws IOException {
        ClientLoad load =
                new ClientLoad(ConnectionFactory.createAsyncConnection(conf).join(), keys, plan, seed);
        load.threads.forEach(Thread::start);
        return load;
    }

    /** Requests that were answered without an error. */
    long answered() {
        return answered.get();
    }

    /** Requests that the client gave up after its retries. */
    long errors() {
        return errors.get();
    }

    /** Requests that were sent and not answered yet. */
    long unanswered() {
        return (long) MOST_IN_FLIGHT - inFlight.availablePermits();
    }

    /** What the first of the errors was. */
    Optional<Throwable> firstError() {
        return Optional.ofNullable(firstError.get());
    }

    /** Stops sending and waits for the answers that are still out; those that never come are errors. */
    void stop() throws InterruptedException {
        running = false;
        for (Thread thread : threads) {
            thread.join();
        }
        if (!inFlight.tryAcquire(MOST_IN_FLIGHT, DRAIN_SECONDS, TimeUnit.SECONDS)) {
            long unanswered = unanswered();
            errors.addAndGet(unanswered);
            firstError.compareAndSet(null, new IOException(unanswered + " requests were never answered."));
        } else {
            inFlight.release(MOST_IN_FLIGHT);
        }
    }

    @Override
    public void close() throws IOException {
        running = false;
        connection.close();
    }

    private CompletableFuture<?> read(byte[] row) {
        return table.get(new Get(row).addColumn(DemoTable.FAMILY, DemoTable.LOADED))
                .thenAccept(result -> {
                    if (result.isEmpty()) {
                        throw new IllegalStateException(
                                "A row that was loaded is gone: " + new String(row, StandardCharsets.US_ASCII));
                    }
                });
    }

    private CompletableFuture<?> write(byte[] row) {
        return table.put(new Put(row).addColumn(DemoTable.FAMILY, DemoTable.WRITTEN, new byte[WRITTEN_BYTES]));
    }

    private interface Request {
        CompletableFuture<?> send(byte[] row);
    }

    private Thread generator(String name, int perSecond, List<Double> shares, Request request) {
        WeightedChoice choice = new WeightedChoice(shares);
        SplittableRandom random = new SplittableRandom(seed + perSecond);
        SteadySequence steady = new SteadySequence(random.nextDouble());
        Runnable send = () -> send(request, keys.row(choice.at(steady.next()), random.nextInt(keys.rowsPerRegion())));
        Thread thread = new Thread(() -> generate(perSecond, send), name);
        thread.setDaemon(true);
        return thread;
    }

    private void generate(int perSecond, Runnable send) {
        long startNanos = System.nanoTime();
        long sent = 0;
        while (running) {
            long due = (long) ((System.nanoTime() - startNanos) / 1e9 * perSecond);
            // A pause of the whole JVM is not made up for with a burst of more than a second.
            sent = Math.max(sent, due - perSecond);
            for (; sent < due && running; sent++) {
                send.run();
            }
            LockSupport.parkNanos(TICK_NANOS);
        }
    }

    private void send(Request request, byte[] row) {
        inFlight.acquireUninterruptibly();
        var unused = request.send(row).whenComplete((result, error) -> {
            inFlight.release();
            if (error == null) {
                answered.incrementAndGet();
            } else if (running || !connection.isClosed()) {
                errors.incrementAndGet();
                firstError.compareAndSet(null, error);
            }
        });
    }
}
