// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.load;

import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;

/**
 * A thread that sends requests at a steady rate. Each is due at a time that the rate alone decides: where sending falls behind, the
 * following ones are sent at once, and are still told when they were due.
 */
public final class OpenLoop {

    private final double perSecond;
    private final LongConsumer sender;
    private final Thread thread;
    private volatile boolean running = true;

    private OpenLoop(String name, double perSecond, LongConsumer sender) {
        this.perSecond = perSecond;
        this.sender = sender;
        this.thread = new Thread(this::run, name);
        thread.setDaemon(true);
    }

    /**
     * Starts one.
     *
     * @param sender sends one request, and is given the time of {@link System#nanoTime} at which it is due
     */
    public static OpenLoop start(String name, double perSecond, LongConsumer sender) {
        OpenLoop loop = new OpenLoop(name, perSecond, sender);
        loop.thread.start();
        return loop;
    }

    /** When a request is due, in nanoseconds after the first, which has number 0. */
    static long dueNanos(long number, double perSecond) {
        return (long) (number * 1e9 / perSecond);
    }

    private void run() {
        long startNanos = System.nanoTime();
        for (long number = 0; running; number++) {
            long due = startNanos + dueNanos(number, perSecond);
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

    /** Makes an end, and waits for it. */
    public void stop() throws InterruptedException {
        end();
        thread.join();
    }
}
