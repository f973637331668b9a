// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** Reads that clients make again and again, each in a thread of its own. */
final class RepeatedReads implements AutoCloseable {

    private static final int LEAST_TIMES = 10;
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final AtomicBoolean isStopped = new AtomicBoolean();
    private final List<Reader> readers = new ArrayList<>();

    /** @param times how often it has read */
    private record Reader(FutureTask<?> task, AtomicLong times) {

        boolean isThrough() {
            return task.isDone() || times.get() > LEAST_TIMES;
        }
    }

    /** @param reads each reads once, and fails where a byte is wrong */
    RepeatedReads(List<? extends Callable<?>> reads) {
        for (Callable<?> read : reads) {
            AtomicLong times = new AtomicLong();
            FutureTask<?> task = new FutureTask<>(() -> readUntilStopped(read, times));
            readers.add(new Reader(task, times));
            Thread thread = new Thread(task, "reader");
            thread.setDaemon(true);
            thread.start();
        }
    }

    private Void readUntilStopped(Callable<?> read, AtomicLong times) throws Exception {
        while (!isStopped.get()) {
            read.call();
            times.incrementAndGet();
        }
        return null;
    }

    /** Ends them once each has read some times, and fails with what they have met with. */
    void haveAllBeenRight() throws Exception {
        await("each has read " + LEAST_TIMES + " times").atMost(PATIENCE).until(() -> readers.stream()
                .allMatch(Reader::isThrough));
        isStopped.set(true);
        for (Reader reader : readers) {
            reader.task().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            assertThat(reader.times().get()).isGreaterThan(LEAST_TIMES);
        }
    }

    @Override
    public void close() {
        isStopped.set(true);
    }
}
