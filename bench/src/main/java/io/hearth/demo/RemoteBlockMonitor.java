// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.demo;

import io.hearth.testkit.measure.LocalitySnapshot;
import io.hearth.testkit.measure.RemoteBlockTracker;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Samples every block a few times a second and counts what is not local on the server that serves it:
 * from the moment a region arrives there, before healing has settled on what to do. Ends with
 * {@link #close()}. Thread-safe.
 */
public final class RemoteBlockMonitor implements AutoCloseable {
    private static final long PERIOD_MS = 300;

    private final ClusterInspector inspector;
    private final RemoteBlockTracker tracker;
    private final Stopwatch stopwatch = new Stopwatch();
    private final AtomicBoolean running = new AtomicBoolean(true);

    private RemoteBlockMonitor(ClusterInspector inspector, LocalitySnapshot start) {
        this.inspector = inspector;
        this.tracker = new RemoteBlockTracker(start);
    }

    public static RemoteBlockMonitor start(ClusterInspector inspector) throws IOException {
        RemoteBlockMonitor moves = new RemoteBlockMonitor(inspector, inspector.localitySnapshot());
        Thread thread = new Thread(moves::run, "demo-moves");
        thread.setDaemon(true);
        thread.start();
        return moves;
    }

    /** The regions that have moved, each as it was when it was first seen where it is now. */
    public synchronized LocalitySnapshot arrivedRegions() {
        return tracker.arrivedRegions();
    }

    synchronized int nonLocalBlocks() {
        return tracker.nonLocalBlocks();
    }

    public synchronized long nonLocalBytes() {
        return tracker.nonLocalBytes();
    }

    /** Since the first sample. */
    long elapsedMs() {
        return stopwatch.elapsedMs();
    }

    @Override
    public void close() {
        running.set(false);
    }

    private void run() {
        try {
            while (running.get()) {
                sample();
                Thread.sleep(PERIOD_MS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void sample() {
        try {
            LocalitySnapshot localitySnapshot = inspector.localitySnapshot();
            synchronized (this) {
                tracker.sample(localitySnapshot);
            }
        } catch (IOException | RuntimeException e) {
            // While a server dies a call may fail; the next sample sees the same regions.
        }
    }
}
