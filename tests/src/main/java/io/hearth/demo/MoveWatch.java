package io.hearth.demo;

import io.hearth.demo.measure.LocalityCensus;
import io.hearth.demo.measure.MoveTally;
import io.hearth.demo.measure.RegionBlocks;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hbase.HRegionLocation;

/**
 * Sees regions arrive on new servers, a few times a second, and counts at once what is not local there:
 * before healing has settled on what to do. Ends with {@link #close()}. Thread-safe.
 */
final class MoveWatch implements AutoCloseable {
    private static final long PERIOD_MS = 200;

    private final ClusterWatch watch;
    private final MoveTally tally;
    private final AtomicBoolean running = new AtomicBoolean(true);

    private MoveWatch(ClusterWatch watch, LocalityCensus start) {
        this.watch = watch;
        this.tally = new MoveTally(start);
    }

    static MoveWatch start(ClusterWatch watch) throws IOException {
        MoveWatch moves = new MoveWatch(watch, watch.census());
        Thread thread = new Thread(moves::run, "demo-moves");
        thread.setDaemon(true);
        thread.start();
        return moves;
    }

    /** The regions that have moved, each as it was when it arrived. */
    synchronized LocalityCensus arrivals() {
        return tally.arrivals();
    }

    synchronized int nonLocalBlocks() {
        return tally.nonLocalBlocks();
    }

    synchronized long nonLocalBytes() {
        return tally.nonLocalBytes();
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
            for (Map.Entry<String, HRegionLocation> region : watch.locations().entrySet()) {
                if (isMove(region.getKey(), region.getValue().getHostname())) {
                    arrived(watch.blocks(region.getValue()));
                }
            }
        } catch (IOException | RuntimeException e) {
            // While a server dies a call may fail; the next look sees the same regions.
        }
    }

    private synchronized boolean isMove(String region, String host) {
        return tally.isMove(region, host);
    }

    private synchronized void arrived(RegionBlocks region) {
        tally.arrived(region);
    }
}
