// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.embedded;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the steps of a shutdown, each on a daemon thread and for a bounded time; what goes wrong is logged. */
final class TimeLimiter {
    private static final Logger LOG = LoggerFactory.getLogger(TimeLimiter.class);

    /** A step of a shutdown. */
    @FunctionalInterface
    interface Step {
        void run() throws Exception;
    }

    private TimeLimiter() {}

    static void run(String what, Duration limit, Step step) {
        Thread thread = new Thread(() -> runLogged(what, step), "stop " + what);
        thread.setDaemon(true);
        thread.start();
        try {
            thread.join(limit.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (thread.isAlive()) {
            LOG.warn("{} has not stopped within {} s and is left behind", what, limit.toSeconds());
        }
    }

    private static void runLogged(String what, Step step) {
        try {
            step.run();
        } catch (Exception | Error e) {
            LOG.warn("{} did not stop cleanly", what, e);
        }
    }
}
