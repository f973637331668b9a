package io.hearth.demo;

import io.hearth.demo.measure.LocalityCensus;
import java.io.IOException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Writes the timeline, once a second, until it is closed; a look that fails is a gap in the picture. */
final class Sampler implements AutoCloseable {
    private static final long PERIOD_MS = 1_000;

    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread sampler = new Thread(task, "demo-sampler");
        sampler.setDaemon(true);
        return sampler;
    });

    static Sampler start(ClusterWatch watch, Findings findings) {
        Sampler sampler = new Sampler();
        var unused = sampler.thread.scheduleWithFixedDelay(
                () -> sample(watch, findings), 0, PERIOD_MS, TimeUnit.MILLISECONDS);
        return sampler;
    }

    private static void sample(ClusterWatch watch, Findings findings) {
        try {
            LocalityCensus census = watch.census();
            findings.timeline().add(findings.elapsedMs(), watch.report(), census.localityByHost());
        } catch (IOException | RuntimeException e) {
            // While a server dies a call may fail; the next second has the next sample.
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
