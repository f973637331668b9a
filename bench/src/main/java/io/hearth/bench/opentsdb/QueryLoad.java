// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.opentsdb;

import io.hearth.bench.opentsdb.PutLoad.FailureCount;
import io.hearth.bench.opentsdb.PutLoad.IntervalLatencies;
import io.hearth.bench.opentsdb.stream.MetricStream;
import io.hearth.bench.opentsdb.stream.ReadBackResult;
import java.io.IOException;
import java.util.stream.LongStream;

/**
 * The queries of a dashboard: twice a second one for the last minute of a metric, of hot metrics more often. Checks that an answer has
 * every point that was acknowledged before the query. Thread-safe; {@link #close} ends it.
 */
final class QueryLoad implements AutoCloseable {

    private static final long PERIOD_MS = 500;
    private static final long MINUTE_MS = 60_000;

    private final TsdClient client;
    private final MetricStream stream;
    private final int hosts;
    private final PutLoad puts;
    private final IntervalLatencies latencies = new IntervalLatencies();
    private final FailureCount failures = new FailureCount();
    private final Thread thread = new Thread(this::run, "tsdb-queries");
    private volatile ReadBackResult answers = ReadBackResult.NOTHING;
    private volatile boolean running = true;

    private QueryLoad(TsdClient client, MetricStream stream, int hosts, PutLoad puts) {
        this.client = client;
        this.stream = stream;
        this.hosts = hosts;
        this.puts = puts;
    }

    static QueryLoad start(TsdClient client, MetricStream stream, int hosts, PutLoad puts) {
        QueryLoad load = new QueryLoad(client, stream, hosts, puts);
        load.thread.setDaemon(true);
        load.thread.start();
        return load;
    }

    IntervalLatencies latencies() {
        return latencies;
    }

    FailureCount failures() {
        return failures;
    }

    /** What all answers together had and lacked. */
    ReadBackResult answers() {
        return answers;
    }

    private void run() {
        long startMs = System.currentTimeMillis();
        try {
            for (long number = 0; running; number++) {
                long dueMs = startMs + number * PERIOD_MS;
                Thread.sleep(Math.max(0, dueMs - System.currentTimeMillis()));
                ask(stream.metricOf(number), dueMs);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void ask(int metric, long dueMs) throws InterruptedException {
        long toMs = System.currentTimeMillis();
        long fromMs = Math.max(stream.startMs(), toMs - MINUTE_MS);
        LongStream expected = puts.acknowledged()
                .between(stream.dueBy(fromMs) + 1, stream.dueBy(toMs))
                .filter(number -> stream.metricOf(number) == metric);
        try {
            answers = answers.plus(ReadBackResult.of(stream, expected, client.query(metric, hosts, fromMs, toMs)));
        } catch (IOException e) {
            failures.add(e);
        }
        latencies.answered(dueMs);
    }

    /** Stops asking and waits for the answer that is out. */
    void stop() throws InterruptedException {
        running = false;
        thread.join();
    }

    @Override
    public void close() {
        running = false;
    }
}
