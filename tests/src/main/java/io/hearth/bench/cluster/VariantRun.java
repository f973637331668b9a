package io.hearth.bench.cluster;

import io.hearth.demo.measure.LocalityCensus;
import io.hearth.load.KeyDistribution;
import io.hearth.load.LoadDriver;
import io.hearth.load.LoadProfile;
import io.hearth.load.LoadTable;
import io.hearth.load.Workload;
import io.hearth.procs.ProcessCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** One variant on a cluster of its own, which is made for it and taken away again. */
public final class VariantRun {

    private static final Duration START_LIMIT = Duration.ofMinutes(4);

    private final Variant variant;
    private final Scale scale;
    private final long seed;
    private final ProcessCluster cluster;
    private final Consumer<String> says;

    private VariantRun(Variant variant, Scale scale, long seed, ProcessCluster cluster, Consumer<String> says) {
        this.variant = variant;
        this.scale = scale;
        this.seed = seed;
        this.cluster = cluster;
        this.says = says;
    }

    /**
     * Starts a cluster in this folder, runs on it, and takes it away.
     *
     * @param says what happens, a line at a time
     */
    public static VariantResult run(Variant variant, Scale scale, long seed, Path folder, Consumer<String> says)
            throws IOException, InterruptedException {
        try (ProcessCluster cluster = ProcessCluster.createAnew(folder, VariantShape.of(variant, scale))) {
            Thread stopAtTheLatest = new Thread(() -> stop(cluster));
            Runtime.getRuntime().addShutdownHook(stopAtTheLatest);
            try {
                cluster.start(START_LIMIT);
                return new VariantRun(variant, scale, seed, cluster, says).run();
            } finally {
                cluster.stop();
                leave(stopAtTheLatest);
            }
        }
    }

    private static void leave(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // This JVM is ending, and the hook has stopped the cluster.
        }
    }

    private static void stop(ProcessCluster cluster) {
        try {
            cluster.stop();
        } catch (IOException e) {
            throw new IllegalStateException("the cluster could not be taken away: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private VariantResult run() throws IOException, InterruptedException {
        LoadTable table = LoadTable.of(scale.regions(), scale.megabytes(), Scale.VALUE_BYTES, VariantShape.TABLE);
        LoadProfile profile = new LoadProfile(
                Workload.C, KeyDistribution.UNIFORM, 1, 1, scale.perSecond(), Scale.MULTIGETS, false, seed);
        try (Site site = Site.of(cluster)) {
            table.create(site.connection(), seed, rows -> {});
            LocalityCensus start = site.eyes().census();
            says.accept(String.format(
                    "   %d MB in %d regions on %d hosts, %.0f %% local; %d requests a second",
                    scale.megabytes(),
                    start.regions().size(),
                    start.bytesByHost().size(),
                    100 * start.locality(),
                    scale.perSecond()));
            try (LoadDriver load = LoadDriver.start(site.connection().getConfiguration(), table, profile)) {
                TimeUnit.SECONDS.sleep(scale.warmUpSeconds());
                return new Events(variant, scale, seed, site, load, says).run();
            }
        }
    }
}
