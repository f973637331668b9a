// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.util.ShutdownHookManager;

/**
 * What is done when a signal, or {@code System.exit}, ends the process while something is under way: it then has the last word.
 * Thread-safe.
 */
final class SignalHook implements AutoCloseable {

    /** Before HDFS's and HBase's own hooks, which close what is needed here. */
    private static final int PRIORITY = 100;

    /** After hooks of {@link #PRIORITY}, before HDFS's and HBase's own. */
    static final int AFTER_OTHER_HOOKS = 90;

    private final Runnable hook;
    private final int priority;
    private volatile boolean signalled;

    /** @param onSignal runs on a thread of its own */
    SignalHook(Runnable onSignal) {
        this(onSignal, PRIORITY);
    }

    /** @param priority those of a higher one run, and end, first */
    SignalHook(Runnable onSignal, int priority) {
        this.priority = priority;
        this.hook = () -> {
            signalled = true;
            onSignal.run();
        };
    }

    /**
     * Registers the hook.
     *
     * @param limitMs how long the process is kept for it
     */
    void set(long limitMs) {
        ShutdownHookManager.get().addShutdownHook(hook, priority, limitMs, TimeUnit.MILLISECONDS);
    }

    /** Whether the process is ending, and the hook was called. */
    boolean isSignalled() {
        return signalled;
    }

    /** Returns at once, or never where the process is ending. */
    void awaitExitIfSignalled() {
        while (signalled) {
            LockSupport.park();
        }
    }

    @Override
    public void close() {
        try {
            ShutdownHookManager.get().removeShutdownHook(hook);
        } catch (IllegalStateException ending) {
            signalled = true;
            awaitExitIfSignalled();
        }
    }
}
