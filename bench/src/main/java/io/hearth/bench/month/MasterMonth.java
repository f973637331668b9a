// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.month;

import io.hearth.bench.heal.HealerCpu;
import io.hearth.bench.heal.IdlePoll;
import io.hearth.bench.month.Samples.Kind;
import io.hearth.bench.plan.Statistics;
import io.hearth.bench.threshold.ThresholdReport;
import io.hearth.bench.threshold.ThresholdReport.Figure;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.master.balancer.StochasticLoadBalancer;
import org.apache.hadoop.hbase.master.balancer.StockBalancerBesideLocations;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;

/**
 * What Hearth takes of an HMaster in a month of thirty days, as a table: how often each kind of work was measured and how often it comes,
 * their sum beside the thresholds, and the stock balancer on the same cluster. Used once; not thread-safe.
 */
public final class MasterMonth {

    /** How large the cluster is, and how much of the month is lived through. Immutable. */
    public record MonthSize(int servers, int regions, int days, int pointsADay, int stockRuns) {}

    private static final double MONTH_S = 30 * 86_400.0;
    private static final double MOST_SHARE = 0.05;
    private static final double MOST_LOCK_MS = 2_000;
    private static final double MOST_HEAP_MB = 250;
    private static final double MOST_GROWTH = 1.05;
    private static final double MOST_THREADS = 12;
    private static final double MEBIBYTE = 1 << 20;
    private static final int BLOCKS_PER_REGION = 40;
    private static final double VIEWED_S_A_DAY = 3_600;
    private static final long SEED = 1;
    private static final int STOCK_STEPS = 100;

    /** The second and the next days are compared with as many at the end: a day has more moves to remember than the next. */
    private static final int COMPARED_DAYS = 3;

    private final MonthSize size;
    private final PrintWriter out;
    private final ThresholdReport thresholds;
    private final List<Double> heapMb = new ArrayList<>();

    public MasterMonth(MonthSize size, PrintWriter out, ThresholdReport thresholds) {
        this.size = size;
        this.out = out;
        this.thresholds = thresholds;
    }

    /** Lives through it, and prints. */
    public void run() throws IOException, InterruptedException {
        say(String.format(
                Locale.ROOT,
                "%,d servers, %,d regions; %d days, %d points of each",
                size.servers(),
                size.regions(),
                size.days(),
                size.pointsADay()));
        Path folder = Files.createTempDirectory("hearth-month");
        try {
            hearth(folder);
            if (size.stockRuns() > 0) {
                stock(folder);
            }
        } finally {
            EnvironmentEdgeManager.reset();
            delete(folder);
        }
    }

    private MonthCluster cluster(Path folder, Configuration site) {
        BlocksFileSystem.use(site, folder, size.servers());
        site.set(OneRack.KEY, OneRack.class.getName());
        // Simulated time passes much faster: what is measured must not be held back by the budget that it is measured
        // for.
        site.set("hearth.master.cpu.share", "1000");
        // All regions are looked up at once, and then not again: how often that comes is known.
        site.set("hearth.balancer.locality.regions.per.second", "100000");
        site.set("hearth.balancer.locality.max.age.ms", "7d");
        MonthCluster cluster = new MonthCluster(size.servers(), size.regions(), site, SEED);
        EnvironmentEdgeManager.injectEdge(cluster::nowMs);
        return cluster;
    }

    /**
     * What HBase's balancer keeps by itself, as Hearth's does, which extends it: its queues of loads of each region, the last reports, and
     * the arrays of its last search, with the servers that have blocks of a region. Where blocks are is not taken off: of these Hearth
     * keeps a tenth of what HBase's own finder does, but in its place.
     */
    private double ownHeapOfHBaseMb(Path folder) throws InterruptedException {
        Configuration site = new Configuration(false);
        site.setInt("hbase.master.balancer.stochastic.maxSteps", STOCK_STEPS);
        MonthCluster cluster = cluster(folder, site);
        cluster.later(60_000);
        double without = Cpu.heapAfterGc() / MEBIBYTE;
        StockBalancerBesideLocations balancer = new StockBalancerBesideLocations();
        StockMonth stock = new StockMonth(cluster, balancer);
        long lookUps = BlocksFileSystem.lookUps();
        stock.start();
        BlocksFileSystem.awaitLookUps(lookUps + size.regions(), stock::update);
        stock.balance(1);
        double withLocations = Cpu.heapAfterGc() / MEBIBYTE - without;
        balancer.forgetLocations();
        double heap = Cpu.heapAfterGc() / MEBIBYTE - without;
        say(thresholds.figure("HBase's balancer keeps by itself, and that is taken off", heap, "MB"));
        say(thresholds.figure("  with where blocks are, as Hearth keeps that", withLocations, "MB"));
        progress(stock.moves() + " moves of it");
        return heap;
    }

    private void hearth(Path folder) throws IOException, InterruptedException {
        double ownHeapOfHBaseMb = ownHeapOfHBaseMb(folder);
        Configuration site = new Configuration(false);
        // Where Hearth has no plan HBase searches, which is not Hearth's time: it does not have to take long.
        site.setInt("hbase.master.balancer.stochastic.maxSteps", STOCK_STEPS);
        MonthCluster cluster = cluster(folder, site);
        cluster.later(60_000);
        double without = Cpu.heapAfterGc() / MEBIBYTE;
        try (HearthMonth month = new HearthMonth(cluster, site)) {
            month.start(size.regions());
            for (int day = 1; day <= size.days(); day++) {
                month.day(size.pointsADay());
                heapMb.add(Cpu.heapAfterGc() / MEBIBYTE - without - ownHeapOfHBaseMb);
                progress(String.format(Locale.ROOT, "day %d: heap %.0f MB", day, heapMb.get(day - 1)));
            }
            healer(month.samples());
            processorTime(month);
            say(thresholds.atMost(
                    "longest stretch under the balancer's lock",
                    Math.min((double) month.longestLockMs(), month.longestCpuMs()),
                    MOST_LOCK_MS,
                    "ms"));
            say(thresholds.figure(
                    "  by the clock, where processor time is less", (double) month.longestLockMs(), "ms"));
            say(thresholds.figure("  longest call, with HBase's own part but its search", month.longestCallMs(), "ms"));
            heap(month);
        }
    }

    private void healer(Samples samples) {
        IdlePoll poll = new IdlePoll(size.regions(), size.servers());
        samples.add(Kind.POLL, median(poll.millis(Cpu::ofThisThread)));
        double queueMb = poll.queueBytes() / MEBIBYTE;
        heapMb.replaceAll(mb -> mb + queueMb);
        HealerCpu healer = HealerCpu.of(size.servers(), size.regions(), Cpu::ofThisThread);
        samples.add(Kind.IDLE_SECOND, healer.idleMsPerSecond());
        samples.add(Kind.MOVE, healer.moves(), healer.moves() * healer.msPerMove());
    }

    private void processorTime(HearthMonth month) {
        say(String.format(
                Locale.ROOT, "%-70s %9s %10s %12s %8s", "processor time", "measured", "each, ms", "a month", "cores"));
        double cores = 0;
        for (Kind kind : Kind.values()) {
            double each = eachMs(kind, month.samples());
            double times = times(kind, month);
            double share = each * times / 1e3 / MONTH_S;
            cores += share;
            say(String.format(
                    Locale.ROOT,
                    "%-70s %,9d %,10.3f %,12.0f %7.2f%%",
                    kind.label(),
                    month.samples().times(kind),
                    each,
                    times,
                    100 * share));
            thresholds.add(Figure.of(kind.label(), "each", each, "ms"));
            thresholds.add(Figure.of(kind.label(), "a month", times, "times"));
        }
        say(thresholds.atMost("processor time of Hearth, of one core", cores, MOST_SHARE, "cores"));
    }

    /** Where every run moved something, one that moves nothing is taken for as long. */
    private static double eachMs(Kind kind, Samples samples) {
        boolean isUnknown = kind == Kind.QUIET_RUN && samples.times(kind) == 0;
        return samples.meanMs(isUnknown ? Kind.RUN : kind);
    }

    /** How often this comes in thirty days. */
    private double times(Kind kind, HearthMonth month) {
        double perDay = 30.0 / size.days();
        return switch (kind) {
            case REPORTS -> MONTH_S / 60;
            case SHOWN -> month.moves() * perDay;
            case QUIET_RUN -> MONTH_S / 300 - month.runsWithMoves() * perDay;
            case RUN -> month.runsWithMoves() * perDay;
            case PLACEMENT -> 30;
            case POLL -> MONTH_S / 10 + month.pollsInRuns() * perDay;
            case IDLE_SECOND -> MONTH_S;
            case MOVE -> (month.moves() + month.placed()) * perDay * BLOCKS_PER_REGION;
            case PAGE -> MONTH_S / 60 + 30 * VIEWED_S_A_DAY / 5;
            case SAVE -> MONTH_S / 300;
            case LOOK_UP -> MONTH_S / 14_400 * size.regions();
        };
    }

    private void heap(HearthMonth month) {
        double most = heapMb.stream().mapToDouble(each -> each).max().orElse(0);
        int compared = Math.min(COMPARED_DAYS, Math.max(1, (size.days() - 1) / 2));
        double early = mean(heapMb.subList(1, 1 + compared));
        double late = mean(heapMb.subList(heapMb.size() - compared, heapMb.size()));
        say(thresholds.atMost("heap after a collection, most of all days", most, MOST_HEAP_MB, "MB"));
        say(thresholds.figure(
                "  heat and block locations, as the HMaster shows them", month.shownHeapBytes() / MEBIBYTE, "MB"));
        say(thresholds.figure("  from the second day on", early, "MB"));
        say(thresholds.figure("  in the last days", late, "MB"));
        // Of few days a leak of a twentieth a day would pass for none.
        say(
                compared < COMPARED_DAYS
                        ? thresholds.figure("growth after the second day", late / early, "x")
                        : thresholds.atMost("growth after the second day", late / early, MOST_GROWTH, "x"));
        say(thresholds.figure("moves of regions", (double) month.moves(), ""));
        say(thresholds.atMost("threads of the balancer", month.threads(), MOST_THREADS, ""));
    }

    private void stock(Path folder) {
        Configuration site = new Configuration(false);
        MonthCluster cluster = cluster(folder, site);
        cluster.later(60_000);
        double without = Cpu.heapAfterGc() / MEBIBYTE;
        StockMonth stock = new StockMonth(cluster, new StochasticLoadBalancer());
        stock.run(size.stockRuns());
        double cores =
                (stock.updateMs() * (MONTH_S / 60 + stock.moves()) + stock.runMs() * MONTH_S / 300) / 1e3 / MONTH_S;
        say(thresholds.about("The stock balancer, as HBase comes:"));
        say(thresholds.figure("  processor time, where each run searches", cores, "cores"));
        say(thresholds.figure("    of one update", stock.updateMs(), "ms"));
        say(thresholds.figure("    of one run", stock.runMs(), "ms"));
        say(thresholds.figure("  longest call under the lock", stock.longestCallMs(), "ms"));
        say(thresholds.figure("  heap after a collection", Cpu.heapAfterGc() / MEBIBYTE - without, "MB"));
        say(thresholds.figure("  moves of regions in " + size.stockRuns() + " runs", (double) stock.moves(), ""));
    }

    private void progress(String line) {
        out.println("  ... " + line);
        out.flush();
    }

    private void say(String line) {
        out.println(line);
        out.flush();
    }

    private static double mean(List<Double> values) {
        return values.stream().mapToDouble(each -> each).average().orElse(0);
    }

    private static double median(double[] values) {
        return Statistics.median(Arrays.stream(values).boxed().toList(), Double::doubleValue);
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
