// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.demo;

import io.hearth.demo.console.DemoConsole;
import io.hearth.testkit.load.OpenLoop;
import io.hearth.testkit.load.OutstandingRequests;
import io.hearth.testkit.measure.KeySpace;
import io.hearth.testkit.measure.SkewedLoad;
import io.hearth.testkit.measure.WeightedChoice;
import io.hearth.testkit.measure.WeightedChoice.WeylSequence;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
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
    private static final long DRAIN_SECONDS = 30;
    private static final long STEADY_LIMIT_MS = 60_000;
    private static final long STEADY_POLL_MS = 1_000;
    private static final int STEADY_POLLS = 5;
    private static final double STEADY_TOLERANCE = 0.1;

    private final KeySpace keys;
    private final long seed;
    private final AsyncConnection connection;
    private final AsyncTable<AdvancedScanResultConsumer> table;
    private final OutstandingRequests requests = new OutstandingRequests();
    private final List<OpenLoop> loops;

    private ClientLoad(AsyncConnection connection, KeySpace keys, SkewedLoad skewedLoad, long seed) {
        this.keys = keys;
        this.seed = seed;
        this.connection = connection;
        this.table = connection.getTable(DemoTable.NAME);
        this.loops = List.of(
                loop("demo-reads", READS_PER_SECOND, skewedLoad.readShares(), this::read),
                loop("demo-writes", WRITES_PER_SECOND, skewedLoad.writeShares(), this::write));
    }

    static ClientLoad start(Configuration conf, KeySpace keys, SkewedLoad skewedLoad, long seed) throws IOException {
        return new ClientLoad(ConnectionFactory.createAsyncConnection(conf).join(), keys, skewedLoad, seed);
    }

    /** Requests that were answered without an error. */
    long answered() {
        return requests.answered();
    }

    /** Requests that the client gave up after its retries. */
    long errors() {
        return requests.errors();
    }

    /** Requests that were sent and not answered yet. */
    long unanswered() {
        return requests.unanswered();
    }

    /** What the first of the errors was. */
    Optional<Throwable> firstError() {
        return requests.firstError();
    }

    /**
     * Waits until the load is what it is meant to be: answered as fast as it is sent, with nothing left waiting. A JVM that is still warming
     * up, regions on their way and a busy machine all make heat that is nobody's. Returns when it was so {@value #STEADY_POLLS} times in a
     * row, or prints that it never was.
     */
    void awaitSteady(DemoConsole console) throws InterruptedException {
        Stopwatch stopwatch = new Stopwatch();
        int steady = 0;
        while (steady < STEADY_POLLS) {
            if (stopwatch.elapsedMs() > STEADY_LIMIT_MS) {
                console.print(
                        "   the machine is too busy: the clients' requests are not answered as fast as they are sent");
                return;
            }
            steady = isSteady() ? steady + 1 : 0;
        }
    }

    private boolean isSteady() throws InterruptedException {
        long perSecond = (long) READS_PER_SECOND + WRITES_PER_SECOND;
        Stopwatch stopwatch = new Stopwatch();
        long before = answered();
        Thread.sleep(STEADY_POLL_MS);
        double due = perSecond * stopwatch.elapsedMs() / 1000.0;
        double answered = answered() - before;
        return unanswered() < perSecond * STEADY_TOLERANCE && Math.abs(answered - due) < due * STEADY_TOLERANCE;
    }

    /** Stops sending and waits for the answers that are still out; those that never come are errors. */
    void stop() throws InterruptedException {
        for (OpenLoop loop : loops) {
            loop.stop();
        }
        requests.drain(DRAIN_SECONDS);
    }

    @Override
    public void close() throws IOException {
        loops.forEach(OpenLoop::end);
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

    private OpenLoop loop(String name, int perSecond, List<Double> shares, Request request) {
        WeightedChoice choice = new WeightedChoice(shares);
        SplittableRandom random = new SplittableRandom(seed + perSecond);
        WeylSequence steady = new WeylSequence(random.nextDouble());
        return OpenLoop.start(name, perSecond, due -> {
            byte[] row = keys.row(choice.at(steady.next()), random.nextInt(keys.rowsPerRegion()));
            requests.awaitPermit();
            requests.track(request.send(row), () -> {});
        });
    }
}
