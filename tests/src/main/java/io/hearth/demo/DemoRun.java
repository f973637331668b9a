package io.hearth.demo;

import io.hearth.cluster.EmbeddedCluster;
import io.hearth.demo.console.DemoConsole;
import io.hearth.demo.measure.BlockCensus;
import io.hearth.demo.measure.KeySpace;
import io.hearth.demo.measure.LoadPlan;
import io.hearth.demo.report.DemoReport;
import io.hearth.demo.report.HtmlReport;
import io.hearth.demo.report.ServerTable;
import io.hearth.demo.report.TextTables;
import io.hearth.demo.verdict.Bar;
import io.hearth.demo.verdict.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;

/** One run of the demo from an empty folder to its verdict: the phases in their order, and what is left tidied up. */
final class DemoRun {
    private static final String NO_LOAD = "the servers reported no load";

    private final DemoOptions options;
    private final DemoConsole console;
    private final Leases leases;
    private final Findings findings = new Findings();

    private DemoRun(DemoOptions options, DemoConsole console, Leases leases) {
        this.options = options;
        this.console = console;
        this.leases = leases;
    }

    /** Runs to the end, or until something breaks, and gives what the shell is told. */
    static ExitCode run(DemoOptions options, DemoConsole console) {
        try (Leases leases = Leases.open(console)) {
            return new DemoRun(options, console, leases).run();
        }
    }

    private ExitCode run() {
        try {
            phases();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ExitCode.INTERRUPTED;
        } catch (Exception e) {
            if (leases.isClosing()) {
                return ExitCode.INTERRUPTED;
            }
            console.print(console.bad("   the run broke off: " + e));
            console.print(
                    "   the log says more: " + System.getProperty("hearth.cluster.log", "see hearth.cluster.log"));
        }
        return summary();
    }

    private void phases() throws Exception {
        console.phase("1. A cluster of " + options.hosts() + " hosts in " + options.racks() + " racks, with Hearth");
        RunDirectory directory = leases.keep(RunDirectory.create(RunDirectory.parent()));
        // What HBase and others put among temporary files goes with the rest.
        System.setProperty("java.io.tmpdir", directory.path().toString());
        EmbeddedCluster cluster = Setup.start(options, console, directory.path().resolve("cluster"));
        KeySpace keys = DemoTable.keySpace(options.regions(), options.dataMegabytes());
        Stage stage = new Stage(options, console, findings, cluster, new ClusterWatch(cluster), keys);
        Facts.add(stage);
        Setup.load(stage);
        BlockCensus blocksBefore = BlockCensus.of(stage.watch().census());

        console.phase("2. A skewed load from real clients");
        ClientLoad load = leases.keep(skewed(stage));
        leases.keep(Sampler.start(stage.watch(), findings));
        before(stage, load);

        console.phase("3. The balancer evens the heat, the healer follows");
        balanced(stage, load);

        console.phase("4. A RegionServer dies");
        Crash.run(stage);

        console.phase("5. The balancer again, over the servers that are left");
        balancedAtEnd(stage, load);

        console.phase("6. Is every file healthy?");
        load.stop();
        Health.run(stage, blocksBefore, load);
        if (options.keep()) {
            keepUp(cluster);
        }
    }

    private ClientLoad skewed(Stage stage) throws IOException {
        LoadPlan plan = LoadPlan.of(regionsByHost(stage), options.seed());
        findings.role(plan.readHost(), "most reads at first");
        findings.role(plan.writeHost(), "most writes at first");
        findings.event("clients start");
        console.print("   %,d reads/s, most of them for the regions on %s; %,d writes/s, most on %s"
                .formatted(
                        ClientLoad.READS_PER_SECOND, plan.readHost(), ClientLoad.WRITES_PER_SECOND, plan.writeHost()));
        return ClientLoad.start(stage.cluster().configuration(), stage.keys(), plan, options.seed());
    }

    private static SortedMap<String, List<Integer>> regionsByHost(Stage stage) {
        SortedMap<String, List<Integer>> regionsByHost = new TreeMap<>();
        for (NameNodeWatch.ServedRegion region : stage.watch().served()) {
            regionsByHost
                    .computeIfAbsent(region.host(), host -> new ArrayList<>())
                    .add(stage.keys().regionStartingWith(region.info().getStartKey()));
        }
        return regionsByHost;
    }

    private void before(Stage stage, ClientLoad load) throws IOException, InterruptedException {
        Steadiness.await(load, console);
        ServerTable table = ServerTables.take(stage, "Skewed on purpose, the balancer off");
        findings.measured(Bar.READ_SKEW_BEFORE, table.readSkew(), NO_LOAD);
        findings.measured(Bar.WRITE_SKEW_BEFORE, table.writeSkew(), NO_LOAD);
    }

    private void balanced(Stage stage, ClientLoad load) throws IOException, InterruptedException {
        balance(stage, load, "the balancer's moves");
        Steadiness.await(load, console);
        ServerTable table = ServerTables.take(stage, "After the balancer, with healing done");
        findings.measured(Bar.READ_SKEW_BALANCED, table.readSkew(), NO_LOAD);
        findings.measured(Bar.WRITE_SKEW_BALANCED, table.writeSkew(), NO_LOAD);
        findings.measured(Bar.LOCALITY_BALANCED, stage.watch().census().locality());
    }

    private void balancedAtEnd(Stage stage, ClientLoad load) throws IOException, InterruptedException {
        balance(stage, load, "the balancer's moves after the crash");
        Steadiness.await(load, console);
        ServerTable table = ServerTables.take(stage, "At the end, over the servers that are left");
        findings.measured(Bar.READ_SKEW_END, table.readSkew(), NO_LOAD);
        findings.measured(Bar.WRITE_SKEW_END, table.writeSkew(), NO_LOAD);
    }

    private void balance(Stage stage, ClientLoad load, String cause) throws IOException, InterruptedException {
        HealerCounters before = HealerCounters.now();
        try (MoveWatch moves = MoveWatch.start(stage.watch())) {
            findings.event("balancer on");
            int made = Balancing.untilIdle(stage, load);
            findings.event("balancer off after " + made + " moves");
            Healing.untilHome(stage, cause, moves, before);
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
        Facts.addAtEnd(findings);
        DemoReport report = findings.report();
        console.phase("Summary, after " + report.durationMs() / 1000 + " s");
        console.print(TextTables.headline(report.verdict()));
        console.print("");
        console.print(TextTables.verdict(report.verdict(), console));
        try {
            Files.writeString(options.report(), HtmlReport.page(report));
            console.print("   With pictures: " + options.report().toAbsolutePath());
        } catch (IOException e) {
            console.print(console.bad("   Cannot write " + options.report() + ": " + e.getMessage()));
        }
        return report.verdict().exitCode();
    }
}
