package io.hearth.demo;

import io.hearth.cluster.EmbeddedCluster;
import io.hearth.demo.console.DemoConsole;
import io.hearth.demo.console.Progress;
import io.hearth.demo.measure.KeySpace;
import io.hearth.demo.measure.LocalityCensus;
import io.hearth.demo.verdict.Bar;
import io.hearth.demo.verdict.Unit;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.ServerName;

/** From nothing to a cluster with Hearth and a table full of data, all of it at home. */
final class Setup {
    private static final int BLOCK_BYTES = 1 << 20;
    private static final int REPLICATION = 3;
    private static final int USUAL_START_SECONDS = 20;
    private static final long SETTLE_MS = 30_000;

    private Setup() {}

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
                    .property("hearth.heal.settle.ms", "3000")
                    .withHearth()
                    .start();
        } finally {
            ticker.close();
        }
    }

    /** Creates the table, loads it with a client, flushes it, and waits until the NameNode shows all of it local. */
    static void load(Stage stage) throws IOException, InterruptedException {
        KeySpace keys = stage.keys();
        DemoTable.create(stage.cluster().admin(), keys);
        long bytes = DemoTable.loadedBytes(keys);
        try (Progress progress = stage.console().progress("loading", bytes >> 20, "MB")) {
            DemoTable.load(stage.cluster().connection(), keys, stage.options().seed(), progress);
        }
        stage.cluster().admin().flush(DemoTable.NAME);
        for (ServerName server : stage.cluster().admin().getRegionServers()) {
            stage.cluster().admin().rollWALWriter(server);
        }
        LocalityCensus census = untilLocal(stage);
        stage.findings().measured(Bar.DATA_LOADED, Unit.megabytes(bytes));
        stage.findings().measured(Bar.REGIONS, census.regions().size());
        stage.console()
                .print("   %d regions, %s of store files in %d blocks, locality %s"
                        .formatted(
                                census.regions().size(),
                                Unit.MEGABYTES.format(Unit.megabytes(census.bytes())),
                                census.regions().stream()
                                        .mapToInt(region -> region.blocks().size())
                                        .sum(),
                                Unit.SHARE.format(census.locality())));
    }

    private static LocalityCensus untilLocal(Stage stage) throws IOException, InterruptedException {
        Stopwatch stopwatch = new Stopwatch();
        LocalityCensus census = stage.watch().census();
        while (census.nonLocalBytes() > 0 && stopwatch.elapsedMs() < SETTLE_MS) {
            Thread.sleep(500);
            census = stage.watch().census();
        }
        return census;
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
