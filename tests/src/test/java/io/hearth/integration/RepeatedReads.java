// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.integration;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** Reads that clients make again and again, each in a thread of its own. */
final class RepeatedReads implements AutoCloseable {

    private final AtomicBoolean isStopped = new AtomicBoolean();
    private final List<FutureTask<Long>> tasks = new ArrayList<>();

    /** @param reads each reads once, and fails where a byte is wrong */
    RepeatedReads(List<? extends Callable<?>> reads) {
        for (Callable<?> read : reads) {
            FutureTask<Long> task = new FutureTask<>(() -> readUntilStopped(read));
            tasks.add(task);
            Thread thread = new Thread(task, "reader");
            thread.setDaemon(true);
            thread.start();
        }
    }

    private long readUntilStopped(Callable<?> read) throws Exception {
        long times = 0;
        while (!isStopped.get()) {
            read.call();
            times++;
        }
        return times;
    }

    /** Ends them, and fails with what they have met with. */
    void haveAllBeenRight() throws Exception {
        isStopped.set(true);
        for (FutureTask<Long> task : tasks) {
            assertThat(task.get(1, TimeUnit.MINUTES)).isGreaterThan(10);
        }
    }

    @Override
    public void close() {
        isStopped.set(true);
    }
}
