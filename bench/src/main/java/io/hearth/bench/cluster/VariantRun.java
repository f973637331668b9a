// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.cluster;

import io.hearth.bench.cluster.Scale.BenchmarkStage;
import io.hearth.testkit.load.LoadDriver;
import io.hearth.testkit.load.LoadProfile;
import io.hearth.testkit.load.LoadProfile.KeyDistribution;
import io.hearth.testkit.load.LoadProfile.Rate;
import io.hearth.testkit.load.LoadTable;
import io.hearth.testkit.load.Workload;
import io.hearth.testkit.measure.LocalitySnapshot;
import io.hearth.testkit.process.FastTimings;
import io.hearth.testkit.process.ProcessCluster;
import io.hearth.testkit.process.layout.ClusterSpec;
import io.hearth.testkit.process.layout.ClusterSpec.NetworkMode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionConfiguration;
import org.apache.hadoop.hdfs.DFSConfigKeys;

/** One variant on a cluster of its own, which is made for it and taken away again. */
public final class VariantRun {

    /** Beside other work a dozen hosts take minutes. */
    private static final Duration START_LIMIT = Duration.ofMinutes(8);

    static final String HEARTBEATS = DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_KEY;

    /** HDFS's default. */
    static final String HEARTBEAT_SECONDS = "" + DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_DEFAULT;

    private final Variant variant;
    private final Scale scale;
    private final long seed;
    private final ProcessCluster cluster;
    private final Consumer<String> progress;

    private VariantRun(Variant variant, Scale scale, long seed, ProcessCluster cluster, Consumer<String> progress) {
        this.variant = variant;
        this.scale = scale;
        this.seed = seed;
        this.cluster = cluster;
        this.progress = progress;
    }

    /**
     * Starts a cluster in this folder, runs on it, and takes it away.
     *
     * @param progress what happens, a line at a time
     */
    public static VariantResult run(Variant variant, Scale scale, long seed, Path folder, Consumer<String> progress)
            throws IOException, InterruptedException {
        return on(VariantClusterSpec.of(variant, scale), folder, cluster -> new VariantRun(
                        variant, scale, seed, cluster, progress)
                .run());
    }

    /** What is done on a cluster that runs. */
    @FunctionalInterface
    public interface OnCluster<T> {
        T run(ProcessCluster cluster) throws IOException, InterruptedException;
    }

    /** Starts a cluster in this folder, does that on it, and takes it away. */
    public static <T> T on(ClusterSpec clusterSpec, Path folder, OnCluster<T> what)
            throws IOException, InterruptedException {
        try (ProcessCluster cluster = ProcessCluster.recreate(folder, clusterSpec)) {
            Thread shutdownHook = new Thread(() -> stop(cluster));
            Runtime.getRuntime().addShutdownHook(shutdownHook);
            try {
                cluster.start(START_LIMIT);
                return what.run(cluster);
            } finally {
                cluster.stop();
                leave(shutdownHook);
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
                Workload.C,
                KeyDistribution.UNIFORM,
                1,
                1,
                Rate.steady(scale.perSecond()),
                Scale.MULTIGETS,
                false,
                seed);
        try (ClusterHandle handle = ClusterHandle.of(cluster)) {
            table.create(handle.connection(), seed, rows -> {});
            if (scale.stages().stream().anyMatch(BenchmarkStage::isRounds)) {
                handle.compact(table.name(), START_LIMIT);
            }
            LocalitySnapshot start = handle.observer().localitySnapshot();
            progress.accept(String.format(
                    "   %d MB in %d regions on %d hosts, %.0f %% local; %d requests a second",
                    scale.megabytes(),
                    start.regions().size(),
                    start.bytesByHost().size(),
                    100 * start.locality(),
                    scale.perSecond()));
            try (LoadDriver load = LoadDriver.start(handle.connection().getConfiguration(), table, profile)) {
                TimeUnit.SECONDS.sleep(scale.warmUpSeconds());
                return new EventSequence(variant, scale, seed, handle, load, progress).run();
            }
        }
    }

    /** The cluster that a variant runs on. */
    private static final class VariantClusterSpec {

        /** In memory: on one disk for all of them, hosts would wait for each other. It takes what is stored. */
        private static final int DISK_MEGABYTES = 4_096;

        private static final String NEVER = "1000";

        /**
         * In every variant: the balancer runs often and searches for less than a second, which takes one of few processors from the servers;
         * servers report often, files that were compacted away go at once, and heartbeats are HDFS's own: how soon an old replica is gone is up to
         * them.
         */
        private static final Map<String, String> COMMON = Map.of(
                HEARTBEATS,
                HEARTBEAT_SECONDS,
                "hbase.balancer.period",
                "10000",
                "hbase.master.balancer.stochastic.maxSteps",
                "20000",
                "hbase.balancer.statusPeriod",
                "1000",
                "hbase.hfile.compaction.discharger.interval",
                "1000");

        private static final Map<String, String> HEARTH_SETTINGS = FastTimings.with(Map.of(
                // Regions have stayed for longer than that before healing is asked for.
                "hearth.heal.region.stable.ms", "0",
                // What the load is to do here is to change: no run is to be compared with the load after it.
                "hearth.balancer.prediction.tolerance.factor", "100"));

        /** Of the table: nothing is compacted but what is told to be. */
        static final Map<String, String> TABLE = Map.of(
                CompactionConfiguration.HBASE_HSTORE_COMPACTION_MIN_KEY,
                NEVER,
                HConstants.MAJOR_COMPACTION_PERIOD,
                "0");

        private VariantClusterSpec() {}

        static ClusterSpec of(Variant variant, Scale scale) {
            Map<String, String> settings = new HashMap<>(COMMON);
            if (variant == Variant.HEARTH) {
                settings.putAll(HEARTH_SETTINGS);
            }
            settings.putAll(scale.settings());
            return new ClusterSpec(
                    scale.hosts(),
                    Scale.RACKS,
                    1,
                    1,
                    NetworkMode.NAMESPACES,
                    scale.latencyMs(),
                    0,
                    DISK_MEGABYTES,
                    0,
                    false,
                    false,
                    variant == Variant.HEARTH,
                    settings);
        }
    }

    /** What an operator has to restore locality and to even load out. */
    public enum Variant {
        /** The stock balancer with its defaults; nothing is compacted. */
        NOTHING("stock balancer"),
        /** The same, and every region that is not local is major-compacted once regions are where they stay. */
        COMPACTION("stock + major compaction"),
        /** Hearth, as docs/install.md installs it. */
        HEARTH("Hearth");

        private final String description;

        Variant(String description) {
            this.description = description;
        }

        /** What a table calls it. */
        public String description() {
            return description;
        }
    }
}
