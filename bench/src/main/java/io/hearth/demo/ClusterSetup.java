// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.demo;

import io.hearth.demo.DemoContext.DemoOptions;
import io.hearth.demo.console.DemoConsole;
import io.hearth.demo.console.DemoConsole.Progress;
import io.hearth.demo.threshold.Threshold;
import io.hearth.demo.threshold.Threshold.Unit;
import io.hearth.testkit.embedded.EmbeddedCluster;
import io.hearth.testkit.measure.KeySpace;
import io.hearth.testkit.measure.LocalitySnapshot;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.ServerName;

/** From nothing to a cluster with Hearth and a table full of data, all of it local. */
final class ClusterSetup {
    private static final int BLOCK_BYTES = 1 << 20;
    private static final int REPLICATION = 3;
    private static final int USUAL_START_SECONDS = 20;
    private static final long SETTLE_MS = 30_000;

    private ClusterSetup() {}

    /** Starts the cluster; the properties only make time pass faster than an operator's would. */
    static EmbeddedCluster start(DemoOptions options, DemoConsole console, Path directory) throws IOException {
        try (Progress progress = console.progress("starting HDFS and HBase", 100, "%")) {
            EmbeddedCluster cluster = startWithTicker(options, directory, progress);
            progress.update(100, "");
            return cluster;
        }
    }

    private static EmbeddedCluster startWithTicker(DemoOptions options, Path directory, Progress progress)
            throws IOException {
        Ticker ticker = Ticker.start(progress);
        try {
            return EmbeddedCluster.builder()
                    .hosts(options.hosts())
                    .racks(options.racks())
                    .replication(REPLICATION)
                    .blockSizeBytes(BLOCK_BYTES)
                    .directory(directory)
                    .property("hbase.regionserver.msginterval", "1000")
                    .property("hbase.balancer.statusPeriod", "1000")
                    .property("hbase.balancer.max.balancing", "5000")
                    .property("hearth.balancer.heat.half.life.ms", "2000")
                    .property("hearth.balancer.cool.down.ms", "20000")
                    // It tells swings by hours of load, and there are minutes.
                    .property("hearth.balancer.noise.filter", "false")
                    .property("hearth.balancer.heat.min.observed.ms", "4000")
                    // Regions would land where most of their blocks are, and leave the healer little to show.
                    .property("hearth.balancer.placement.enabled", "false")
                    .property("hearth.heal.poll.ms", "1000")
                    .property("hearth.heal.region.stable.ms", "3000")
                    .withHearth()
                    .start();
        } finally {
            ticker.close();
        }
    }

    /** Creates the table, loads it with a client, flushes it, and waits until the NameNode shows all of it local. */
    static void load(DemoContext context) throws IOException, InterruptedException {
        KeySpace keys = context.keys();
        DemoTable.create(context.cluster().admin(), keys);
        long bytes = DemoTable.loadedBytes(keys);
        try (Progress progress = context.console().progress("loading", bytes >> 20, "MB")) {
            DemoTable.load(
                    context.cluster().connection(), keys, context.options().seed(), progress);
        }
        context.cluster().admin().flush(DemoTable.NAME);
        for (ServerName server : context.cluster().admin().getRegionServers()) {
            context.cluster().admin().rollWALWriter(server);
        }
        LocalitySnapshot localitySnapshot = awaitLocal(context);
        context.reportBuilder().measured(Threshold.DATA_LOADED, Unit.megabytes(bytes));
        context.reportBuilder()
                .measured(Threshold.REGIONS, localitySnapshot.regions().size());
        context.console()
                .print("   %d regions, %s of store files in %d blocks, locality %s"
                        .formatted(
                                localitySnapshot.regions().size(),
                                Unit.MEGABYTES.format(Unit.megabytes(localitySnapshot.bytes())),
                                localitySnapshot.regions().stream()
                                        .mapToInt(region -> region.blocks().size())
                                        .sum(),
                                Unit.SHARE.format(localitySnapshot.locality())));
    }

    private static LocalitySnapshot awaitLocal(DemoContext context) throws IOException, InterruptedException {
        Stopwatch stopwatch = new Stopwatch();
        LocalitySnapshot localitySnapshot = context.inspector().localitySnapshot();
        while (localitySnapshot.nonLocalBytes() > 0 && stopwatch.elapsedMs() < SETTLE_MS) {
            Thread.sleep(500);
            localitySnapshot = context.inspector().localitySnapshot();
        }
        return localitySnapshot;
    }

    /** Moves a bar by the time that a start usually takes, since a start does not say how far it is. */
    private record Ticker(CountDownLatch done) implements AutoCloseable {

        static Ticker start(Progress progress) {
            Ticker ticker = new Ticker(new CountDownLatch(1));
            Stopwatch stopwatch = new Stopwatch();
            Thread thread = new Thread(() -> ticker.run(progress, stopwatch), "demo-ticker");
            thread.setDaemon(true);
            thread.start();
            return ticker;
        }

        private void run(Progress progress, Stopwatch stopwatch) {
            try {
                while (!done.await(500, TimeUnit.MILLISECONDS)) {
                    progress.update(Math.min(95, stopwatch.elapsedMs() / (10 * USUAL_START_SECONDS)), "");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void close() {
            done.countDown();
        }
    }
}
