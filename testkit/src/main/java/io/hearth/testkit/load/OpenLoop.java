// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.load;

import io.hearth.testkit.load.Arrivals.Spacing;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * A thread that sends requests when they are due, which no answer decides: where sending falls behind, the following ones are sent at once,
 * and are still told when they were due.
 */
public final class OpenLoop {

    private final LongSupplier arrivals;
    private final LongConsumer sender;
    private final Thread thread;
    private volatile boolean running = true;

    private OpenLoop(String name, LongSupplier arrivals, LongConsumer sender) {
        this.arrivals = arrivals;
        this.sender = sender;
        this.thread = new Thread(this::run, name);
        thread.setDaemon(true);
    }

    /** Starts one that sends at a steady rate. */
    public static OpenLoop start(String name, double perSecond, LongConsumer sender) {
        return start(name, Arrivals.of(perSecond, Spacing.STEADY, 0), sender);
    }

    /**
     * Starts one.
     *
     * @param arrivals when the next request is due, in nanoseconds after the start
     * @param sender sends one request, and is given the time of {@link System#nanoTime} at which it is due
     */
    public static OpenLoop start(String name, LongSupplier arrivals, LongConsumer sender) {
        OpenLoop loop = new OpenLoop(name, arrivals, sender);
        loop.thread.start();
        return loop;
    }

    private void run() {
        long startNanos = System.nanoTime();
        while (running) {
            long due = startNanos + arrivals.getAsLong();
            long ahead = due - System.nanoTime();
            while (ahead > 0 && running) {
                LockSupport.parkNanos(ahead);
                ahead = due - System.nanoTime();
            }
            if (running) {
                sender.accept(due);
            }
        }
    }

    /** Makes an end; one more may be sent meanwhile. */
    public void end() {
        running = false;
        LockSupport.unpark(thread);
    }

    /**
     * Makes an end, and waits for it so long.
     *
     * @throws TimeoutException if a request has no answer until then; its thread is interrupted
     */
    public void stop(Duration patience) throws InterruptedException, TimeoutException {
        end();
        thread.join(patience.toMillis());
        if (thread.isAlive()) {
            thread.interrupt();
            throw new TimeoutException(
                    thread.getName() + " has waited for an answer for " + patience.toSeconds() + " s");
        }
    }

    /** Makes an end, and waits for it. */
    public void stop() throws InterruptedException {
        end();
        thread.join();
    }
}
