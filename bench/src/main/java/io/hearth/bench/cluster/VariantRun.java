package io.hearth.bench.cluster;

import io.hearth.testkit.load.KeyDistribution;
import io.hearth.testkit.load.LoadDriver;
import io.hearth.testkit.load.LoadProfile;
import io.hearth.testkit.load.LoadTable;
import io.hearth.testkit.load.Workload;
import io.hearth.testkit.measure.LocalitySnapshot;
import io.hearth.testkit.process.ProcessCluster;
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
        try (ProcessCluster cluster = ProcessCluster.recreate(folder, VariantClusterSpec.of(variant, scale))) {
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
        LoadTable table = LoadTable.of(scale.regions(), scale.megabytes(), Scale.VALUE_BYTES, VariantClusterSpec.TABLE);
        LoadProfile profile = new LoadProfile(
                Workload.C, KeyDistribution.UNIFORM, 1, 1, scale.perSecond(), Scale.MULTIGETS, false, seed);
        try (ClusterHandle handle = ClusterHandle.of(cluster)) {
            table.create(handle.connection(), seed, rows -> {});
            LocalitySnapshot start = handle.observer().localitySnapshot();
            says.accept(String.format(
                    "   %d MB in %d regions on %d hosts, %.0f %% local; %d requests a second",
                    scale.megabytes(),
                    start.regions().size(),
                    start.bytesByHost().size(),
                    100 * start.locality(),
                    scale.perSecond()));
            try (LoadDriver load = LoadDriver.start(handle.connection().getConfiguration(), table, profile)) {
                TimeUnit.SECONDS.sleep(scale.warmUpSeconds());
                return new EventSequence(variant, scale, seed, handle, load, says).run();
            }
        }
    }
}
