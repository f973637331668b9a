package io.hearth.demo;

import io.hearth.demo.measure.LocalityCensus;
import io.hearth.demo.measure.MoveTally;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Looks at every block a few times a second and counts what is not local on the server that serves it:
 * from the moment a region arrives there, before healing has settled on what to do. Ends with
 * {@link #close()}. Thread-safe.
 */
public final class MoveWatch implements AutoCloseable {
    private static final long PERIOD_MS = 300;

    private final ClusterWatch watch;
    private final MoveTally tally;
    private final Stopwatch stopwatch = new Stopwatch();
    private final AtomicBoolean running = new AtomicBoolean(true);

    private MoveWatch(ClusterWatch watch, LocalityCensus start) {
        this.watch = watch;
        this.tally = new MoveTally(start);
    }

    public static MoveWatch start(ClusterWatch watch) throws IOException {
        MoveWatch moves = new MoveWatch(watch, watch.census());
        Thread thread = new Thread(moves::run, "demo-moves");
        thread.setDaemon(true);
        thread.start();
        return moves;
    }

    /** The regions that have moved, each as it was when it was first seen where it is now. */
    public synchronized LocalityCensus arrivals() {
        return tally.arrivals();
    }

    synchronized int nonLocalBlocks() {
        return tally.nonLocalBlocks();
    }

    public synchronized long nonLocalBytes() {
        return tally.nonLocalBytes();
    }

    /** Since the first look. */
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
                look();
                Thread.sleep(PERIOD_MS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void look() {
        try {
            LocalityCensus census = watch.census();
            synchronized (this) {
                tally.look(census);
            }
        } catch (IOException | RuntimeException e) {
            // While a server dies a call may fail; the next look sees the same regions.
        }
    }
}
