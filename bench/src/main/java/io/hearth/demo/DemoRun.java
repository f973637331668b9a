// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.demo;

import io.hearth.cli.ExitCode;
import io.hearth.demo.DemoContext.DemoOptions;
import io.hearth.demo.console.DemoConsole;
import io.hearth.demo.console.DemoConsole.Progress;
import io.hearth.demo.report.DemoReport;
import io.hearth.demo.report.HtmlReport;
import io.hearth.demo.report.ServerTable;
import io.hearth.demo.report.ServerTable.ServerTableRow;
import io.hearth.demo.report.TextTables;
import io.hearth.demo.threshold.Threshold;
import io.hearth.testkit.command.Commands;
import io.hearth.testkit.embedded.EmbeddedCluster;
import io.hearth.testkit.measure.BlockSnapshot;
import io.hearth.testkit.measure.FsckReport;
import io.hearth.testkit.measure.KeySpace;
import io.hearth.testkit.measure.LocalitySnapshot;
import io.hearth.testkit.measure.SkewedLoad;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.BalanceRequest;
import org.apache.hadoop.hbase.client.BalanceResponse;

/** One run of the demo from an empty folder to its results: the phases in their order, and what is left tidied up. */
final class DemoRun {
    private static final String NO_LOAD = "the servers reported no load";

    private final DemoOptions options;
    private final DemoConsole console;
    private final ResourceCloser closer;
    private final DemoReportBuilder reportBuilder = new DemoReportBuilder();

    private DemoRun(DemoOptions options, DemoConsole console, ResourceCloser closer) {
        this.options = options;
        this.console = console;
        this.closer = closer;
    }

    /** Runs to the end, or until something breaks, and gives what the shell is told. */
    static ExitCode run(DemoOptions options, DemoConsole console) {
        try (ResourceCloser closer = ResourceCloser.open(console)) {
            return new DemoRun(options, console, closer).run();
        }
    }

    private ExitCode run() {
        try {
            phases();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ExitCode.INTERRUPTED;
        } catch (Exception e) {
            if (closer.isClosing()) {
                return ExitCode.INTERRUPTED;
            }
            console.print(console.bad("   the run broke off: " + Commands.firstLine(e)));
            console.print(
                    "   the log says more: " + System.getProperty("hearth.cluster.log", "see hearth.cluster.log"));
        }
        return summary();
    }

    private void phases() throws Exception {
        console.phase("1. A cluster of " + options.hosts() + " hosts in " + options.racks() + " racks, with Hearth");
        RunDirectory directory = closer.keep(RunDirectory.create(RunDirectory.parent()));
        // What HBase and others put among temporary files goes with the rest.
        System.setProperty("java.io.tmpdir", directory.path().toString());
        EmbeddedCluster cluster =
                ClusterSetup.start(options, console, directory.path().resolve("cluster"));
        KeySpace keys = DemoTable.keySpace(options.regions(), options.dataMegabytes());
        DemoContext context =
                new DemoContext(options, console, reportBuilder, cluster, new ClusterInspector(cluster), keys);
        reportBuilder.addRunInfo(context.options(), context.keys());
        ClusterSetup.load(context);
        BlockSnapshot blocksBefore = BlockSnapshot.of(context.inspector().localitySnapshot());

        console.phase("2. A skewed load from real clients");
        ClientLoad load = closer.keep(skewed(context));
        closer.keep(TimelineSampler.start(context.inspector(), reportBuilder));
        before(context, load);

        console.phase("3. The balancer evens the heat, the healer follows");
        balanced(context, load);

        console.phase("4. A RegionServer dies");
        ServerCrashPhase.run(context);

        console.phase("5. The balancer again, over the servers that are left");
        balancedAtEnd(context, load);

        console.phase("6. Is every file healthy?");
        load.stop();
        IntegrityCheck.run(context, blocksBefore, load);
        if (options.keep()) {
            keepUp(cluster);
        }
    }

    private ClientLoad skewed(DemoContext context) throws IOException {
        SkewedLoad skewedLoad = SkewedLoad.of(regionsByHost(context), options.seed());
        reportBuilder.role(skewedLoad.readHost(), "most reads at first");
        reportBuilder.role(skewedLoad.writeHost(), "most writes at first");
        reportBuilder.event("clients start");
        console.print("   %,d reads/s, most of them for the regions on %s; %,d writes/s, most on %s"
                .formatted(
                        ClientLoad.READS_PER_SECOND,
                        skewedLoad.readHost(),
                        ClientLoad.WRITES_PER_SECOND,
                        skewedLoad.writeHost()));
        return ClientLoad.start(context.cluster().configuration(), context.keys(), skewedLoad, options.seed());
    }

    private static SortedMap<String, List<Integer>> regionsByHost(DemoContext context) {
        SortedMap<String, List<Integer>> regionsByHost = new TreeMap<>();
        for (NameNodeInspector.ServedRegion region : context.inspector().served()) {
            regionsByHost
                    .computeIfAbsent(region.host(), host -> new ArrayList<>())
                    .add(context.keys().regionStartingWith(region.info().getStartKey()));
        }
        return regionsByHost;
    }

    private void before(DemoContext context, ClientLoad load) throws IOException, InterruptedException {
        load.awaitSteady(console);
        ServerTable table = ServerTableSampler.take(context, "Skewed on purpose, the balancer off");
        reportBuilder.measured(Threshold.READ_SKEW_BEFORE, table.readSkew(), NO_LOAD);
        reportBuilder.measured(Threshold.WRITE_SKEW_BEFORE, table.writeSkew(), NO_LOAD);
    }

    private void balanced(DemoContext context, ClientLoad load) throws IOException, InterruptedException {
        balance(context, load, "the balancer's moves");
        load.awaitSteady(console);
        ServerTable table = ServerTableSampler.take(context, "After the balancer, with healing done");
        reportBuilder.measured(Threshold.READ_SKEW_BALANCED, table.readSkew(), NO_LOAD);
        reportBuilder.measured(Threshold.WRITE_SKEW_BALANCED, table.writeSkew(), NO_LOAD);
        reportBuilder.measured(
                Threshold.LOCALITY_BALANCED,
                context.inspector().localitySnapshot().locality());
    }

    private void balancedAtEnd(DemoContext context, ClientLoad load) throws IOException, InterruptedException {
        balance(context, load, "the balancer's moves after the crash");
        load.awaitSteady(console);
        ServerTable table = ServerTableSampler.take(context, "At the end, over the servers that are left");
        reportBuilder.measured(Threshold.READ_SKEW_END, table.readSkew(), NO_LOAD);
        reportBuilder.measured(Threshold.WRITE_SKEW_END, table.writeSkew(), NO_LOAD);
    }

    private void balance(DemoContext context, ClientLoad load, String cause) throws IOException, InterruptedException {
        HealerCounters before = HealerCounters.now();
        try (RemoteBlockMonitor moves = RemoteBlockMonitor.start(context.inspector())) {
            reportBuilder.event("balancer on");
            int made = BalancingPhase.untilIdle(context, load);
            reportBuilder.event("balancer off after " + made + " moves");
            HealingPhase.awaitLocal(context, cause, moves, before);
        }
    }

    private void keepUp(EmbeddedCluster cluster) throws InterruptedException {
        summary();
        console.print("   The cluster stays up until Ctrl-C: hbase.zookeeper.quorum=localhost, "
                + "hbase.zookeeper.property.clientPort="
                + cluster.configuration().get("hbase.zookeeper.property.clientPort"));
        new CountDownLatch(1).await();
    }

    private ExitCode summary() {
        reportBuilder.addMemory();
        DemoReport report = reportBuilder.report();
        console.phase("Summary, after " + report.durationMs() / 1000 + " s");
        console.print(TextTables.headline(report.thresholdResults()));
        console.print("");
        console.print(TextTables.thresholdResults(report.thresholdResults(), console));
        try {
            Files.writeString(options.report(), HtmlReport.page(report));
            console.print("   With pictures: " + options.report().toAbsolutePath());
        } catch (IOException e) {
            console.print(console.bad("   Cannot write " + options.report() + ": " + e.getMessage()));
        }
        return report.thresholdResults().exitCode();
    }

    /** Takes the table of servers over some seconds in which no region moved. */
    private static final class ServerTableSampler {
        private ServerTableSampler() {}

        /** Watches for a while, prints the table, keeps it, and gives it. */
        static ServerTable take(DemoContext context, String title) throws IOException, InterruptedException {
            ServerTable table = new ServerTable(
                    title,
                    ServerTableRow.of(
                            ServerLoadReports.steadyRates(context.inspector()::report),
                            context.inspector().report(),
                            context.inspector().localitySnapshot()));
            context.console().print("   " + title);
            context.console().print(TextTables.servers(table));
            context.reportBuilder().add(table);
            return table;
        }
    }

    /** Writes the timeline, once a second, until it is closed; a sample that fails is a gap in the picture. */
    private static final class TimelineSampler implements AutoCloseable {
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

    /** Runs HBase's balancer as an operator does, until it finds nothing left to move. */
    private static final class BalancingPhase {
        private static final long DEADLINE_MS = 90_000;

        /**
         * Several half-lives of the heat in this cluster. Moves themselves make heat: clients that find a
         * region gone read hbase:meta, and its server looks hot for a while.
         */
        private static final long PAUSE_MS = 10_000;

        private static final int IDLE_RUNS = 2;

        private BalancingPhase() {}

        /** The shell's {@code balance_switch true}, then its {@code balancer} again and again; gives the moves made. */
        static int untilIdle(DemoContext context, ClientLoad load) throws IOException, InterruptedException {
            Admin admin = context.cluster().admin();
            admin.balancerSwitch(true, true);
            Stopwatch stopwatch = new Stopwatch();
            int moves = 0;
            int idleRuns = 0;
            try (Progress progress = context.console().progress("balancing", IDLE_RUNS, "quiet runs in a row")) {
                while (stopwatch.elapsedMs() < DEADLINE_MS) {
                    BalanceResponse response = admin.balance(BalanceRequest.defaultInstance());
                    moves += response.getMovesExecuted();
                    idleRuns = response.isBalancerRan() && response.getMovesExecuted() == 0 ? idleRuns + 1 : 0;
                    progress.update(idleRuns, moves + " moves");
                    if (idleRuns == IDLE_RUNS) {
                        break;
                    }
                    load.awaitSteady(context.console());
                    Thread.sleep(idleRuns == 0 ? PAUSE_MS : 0);
                }
            } finally {
                admin.balancerSwitch(false, true);
            }
            return moves;
        }
    }

    /** Shows that nothing was harmed: every file sound, every block on as many racks as before, no client error. */
    private static final class IntegrityCheck {

        private IntegrityCheck() {}

        static void run(DemoContext context, BlockSnapshot before, ClientLoad load) throws Exception {
            DemoReportBuilder reportBuilder = context.reportBuilder();
            LocalitySnapshot localitySnapshot = context.inspector().localitySnapshot();
            BlockSnapshot.Comparison blocks = BlockSnapshot.of(localitySnapshot).since(before);
            FsckReport fsck = context.inspector().fsck();
            reportBuilder.measured(Threshold.LOCALITY_END, localitySnapshot.locality());
            reportBuilder.measured(Threshold.CORRUPT_BLOCKS, figure(fsck.corruptBlocks()), "fsck did not say");
            reportBuilder.measured(Threshold.MISSING_BLOCKS, figure(fsck.missingBlocks()), "fsck did not say");
            reportBuilder.measured(Threshold.RACKS_LOST, blocks.racksLost());
            reportBuilder.measured(Threshold.REPLICATION, blocks.notAtReplication());
            reportBuilder.measured(Threshold.CLIENT_ERRORS, (double) load.errors());
            context.console()
                    .print("   fsck of HBase's files: %s, %d blocks, %d corrupt, %d missing"
                            .formatted(
                                    fsck.healthy() ? "HEALTHY" : "not healthy",
                                    fsck.blocks().orElse(0),
                                    fsck.corruptBlocks().orElse(-1),
                                    fsck.missingBlocks().orElse(-1)));
            context.console()
                    .print(
                            "   %d blocks compared with the start: %d span fewer racks, %d have not exactly their replication"
                                    .formatted(blocks.kept(), blocks.racksLost(), blocks.notAtReplication()));
            context.console()
                    .print("   (%d were rewritten by compactions since, %d are new)"
                            .formatted(blocks.removed(), blocks.added()));
            context.console()
                    .print("   clients: %,d requests answered, %d errors%s"
                            .formatted(
                                    load.answered(),
                                    load.errors(),
                                    load.firstError()
                                            .map(error -> "; the first: " + Commands.firstLine(error))
                                            .orElse("")));
        }

        private static OptionalDouble figure(OptionalLong value) {
            return value.isPresent() ? OptionalDouble.of((double) value.getAsLong()) : OptionalDouble.empty();
        }
    }
}
