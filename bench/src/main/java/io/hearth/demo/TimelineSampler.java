package io.hearth.demo;

import io.hearth.testkit.measure.LocalitySnapshot;
import java.io.IOException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Writes the timeline, once a second, until it is closed; a look that fails is a gap in the picture. */
final class TimelineSampler implements AutoCloseable {
    private static final long PERIOD_MS = 1_000;

    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread sampler = new Thread(task, "demo-sampler");
        sampler.setDaemon(true);
        return sampler;
    });

    static TimelineSampler start(ClusterInspector inspector, DemoReportBuilder reportBuilder) {
        TimelineSampler sampler = new TimelineSampler();
        var unused = sampler.thread.scheduleWithFixedDelay(
                () -> sample(inspector, reportBuilder), 0, PERIOD_MS, TimeUnit.MILLISECONDS);
        return sampler;
    }

    private static void sample(ClusterInspector inspector, DemoReportBuilder reportBuilder) {
        try {
            LocalitySnapshot localitySnapshot = inspector.localitySnapshot();
            reportBuilder
                    .timeline()
                    .add(reportBuilder.elapsedMs(), inspector.report(), localitySnapshot.localityByHost());
        } catch (IOException | RuntimeException e) {
            // While a server dies a call may fail; the next second has the next sample.
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
