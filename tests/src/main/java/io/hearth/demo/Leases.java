package io.hearth.demo;

import io.hearth.demo.console.DemoConsole;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Everything that a run must give back, last taken first: at its end, and also when the JVM is told to
 * end before that. Thread-safe.
 *
 * <p>The servers are not among it: they live in this JVM and end with it, at once. To stop them one by
 * one would take half a minute, for data that is removed anyway.
 */
final class Leases implements AutoCloseable {
    private final DemoConsole console;
    private final Deque<AutoCloseable> kept = new ArrayDeque<>();
    private final AtomicBoolean closing = new AtomicBoolean();
    private final Thread hook = new Thread(this::closeAtExit, "demo-end");

    private Leases(DemoConsole console) {
        this.console = console;
    }

    static Leases open(DemoConsole console) {
        Leases leases = new Leases(console);
        Runtime.getRuntime().addShutdownHook(leases.hook);
        return leases;
    }

    /** Keeps a thing until the end; when the end has begun, it is given back at once. */
    <T extends AutoCloseable> T keep(T lease) {
        synchronized (kept) {
            if (!closing.get()) {
                kept.push(lease);
                return lease;
            }
        }
        giveBack(lease);
        throw new IllegalStateException("The demo is ending.");
    }

    /** Whether the end has begun. */
    boolean isClosing() {
        return closing.get();
    }

    @Override
    public void close() {
        if (beginClosing()) {
            console.print("");
            console.print("Ending the cluster and removing its data");
            giveAllBack();
            Runtime.getRuntime().removeShutdownHook(hook);
        }
    }

    private void closeAtExit() {
        if (beginClosing()) {
            console.print("");
            console.print("Ended from outside: removing the data");
            giveAllBack();
        }
    }

    private boolean beginClosing() {
        synchronized (kept) {
            return closing.compareAndSet(false, true);
        }
    }

    private void giveAllBack() {
        while (!kept.isEmpty()) {
            giveBack(kept.pop());
        }
    }

    private void giveBack(AutoCloseable lease) {
        try {
            lease.close();
        } catch (Exception e) {
            console.print("   " + e.getMessage());
        }
    }
}
