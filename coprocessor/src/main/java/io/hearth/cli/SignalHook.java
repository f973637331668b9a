package io.hearth.cli;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.util.ShutdownHookManager;

/**
 * What is done when a signal ends the process while something is under way: it then has the last word. Thread-safe.
 */
final class SignalHook implements AutoCloseable {

    /** Before HDFS's and HBase's own hooks, which close what is needed here. */
    private static final int PRIORITY = 100;

    private final Runnable hook;
    private volatile boolean signalled;

    /** @param onSignal runs on a thread of its own */
    SignalHook(Runnable onSignal) {
        this.hook = () -> {
            signalled = true;
            onSignal.run();
        };
    }

    /**
     * From now on.
     *
     * @param limitMs how long the process is kept for it
     */
    void set(long limitMs) {
        ShutdownHookManager.get().addShutdownHook(hook, PRIORITY, limitMs, TimeUnit.MILLISECONDS);
    }

    /** Whether a signal is ending the process. */
    boolean isSignalled() {
        return signalled;
    }

    /** Returns at once, or never where a signal is ending the process. */
    void leaveItTheLastWord() {
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
            leaveItTheLastWord();
        }
    }
}
