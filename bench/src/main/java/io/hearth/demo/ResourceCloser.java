// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
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
final class ResourceCloser implements AutoCloseable {
    private final DemoConsole console;
    private final Deque<AutoCloseable> kept = new ArrayDeque<>();
    private final AtomicBoolean closing = new AtomicBoolean();
    private final Thread hook = new Thread(this::closeAtExit, "demo-end");

    private ResourceCloser(DemoConsole console) {
        this.console = console;
    }

    static ResourceCloser open(DemoConsole console) {
        ResourceCloser closer = new ResourceCloser(console);
        Runtime.getRuntime().addShutdownHook(closer.hook);
        return closer;
    }

    /** Keeps a thing until the end; when the end has begun, it is given back at once. */
    <T extends AutoCloseable> T keep(T resource) {
        synchronized (kept) {
            if (!closing.get()) {
                kept.push(resource);
                return resource;
            }
        }
        closeResource(resource);
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
            closeAll();
            Runtime.getRuntime().removeShutdownHook(hook);
        }
    }

    private void closeAtExit() {
        if (beginClosing()) {
            console.print("");
            console.print("Ended from outside: removing the data");
            closeAll();
        }
    }

    private boolean beginClosing() {
        synchronized (kept) {
            return closing.compareAndSet(false, true);
        }
    }

    private void closeAll() {
        while (!kept.isEmpty()) {
            closeResource(kept.pop());
        }
    }

    private void closeResource(AutoCloseable resource) {
        try {
            resource.close();
        } catch (Exception e) {
            console.print("   " + e.getMessage());
        }
    }
}
