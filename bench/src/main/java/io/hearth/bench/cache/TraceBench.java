// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.cache;

import io.hearth.bench.cache.CacheReplay.CacheSetup;
import io.hearth.bench.cache.CacheReplay.RealResult;
import io.hearth.bench.cache.HotBlockTrace.Profile;
import io.hearth.bench.cache.HotBlockTrace.Shape;
import io.hearth.bench.cache.ReplayResult.Totals;
import io.hearth.bench.threshold.ThresholdReport;
import io.hearth.bench.threshold.ThresholdReport.Figure;
import io.hearth.cli.view.Table;
import io.hearth.cli.view.Table.RowColumn;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * What the read cache does with a {@link HotBlockTrace}: caches of several admissions, of pages and of whole blocks, by the shadow; and
 * the default one by the cache itself, beside what its shadow has said. Time and disks are simulated. Not thread-safe.
 */
public final class TraceBench {

    private static final int DEFAULT_READS = 20;
    /** The admissions of Uber's own comparison: X within an hour; 0 admits every block. */
    private static final List<Integer> READS = List.of(DEFAULT_READS, 5, 59, 0);

    private static final double SOME_ELSEWHERE = 0.1;
    private static final int TOP_BLOCKS = 10_000;
    private static final double HOURS_PER_DAY = 24;
    private static final double LEAST_SSD_PERCENT = 60;
    private static final double MOST_CAPACITIES_PER_DAY = 1;
    private static final double LEAST_REUSE_PERCENT = 99.5;
    private static final double MOST_POINTS_OFF = 2;
    private static final double MOST_CPU_PERCENT = 1;
    private static final double NANOS_PER_HOUR = 3.6e12;

    private final PrintWriter out;
    private final ThresholdReport thresholds;
    private final TraceSetup setup;

    /**
     * What is played. Immutable.
     *
     * @param ssdBytes the size of each cache
     * @param hours of the trace; after two fifths of them the steady state begins
     */
    public record TraceSetup(Shape shape, long seed, long ssdBytes, int hours) {

        /** Host1 and an SSD of 4 TB. */
        public static TraceSetup of(long seed, int hours) {
            return new TraceSetup(Shape.HOST1, seed, 4_000_000_000_000L, hours);
        }

        private int warmUpHours() {
            return Math.max(1, hours * 2 / 5);
        }

        private CacheSetup cache(boolean wholeBlocks) {
            return new CacheSetup(ssdBytes, wholeBlocks, hours, warmUpHours());
        }
    }

    /** A line of the table. Immutable. */
    private record Row(String cache, ReplayResult result) {}

    /** What the shadow has said of some caches, and the processor time that it took, the trace's own included. Immutable. */
    private record ShadowRun(List<Row> rows, long cpuNanos) {}

    public TraceBench(PrintWriter out, ThresholdReport thresholds, TraceSetup setup) {
        this.out = out;
        this.thresholds = thresholds;
        this.setup = setup;
    }

    /** Plays the trace to all caches, by as many threads as there are processors, and prints what has come of it. */
    public void run() throws IOException, InterruptedException {
        HotBlockTrace trace = new HotBlockTrace(setup.shape(), setup.seed());
        HotBlockTrace withOthers = new HotBlockTrace(setup.shape().elsewhere(SOME_ELSEWHERE), setup.seed());
        printTrace(trace.profile(setup.hours(), TOP_BLOCKS));
        ExecutorService threads =
                Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
        try {
            Future<ShadowRun> wholeBlocks = threads.submit(shadows("whole blocks", trace, true, READS));
            Future<RealResult> realPages = threads.submit(real(trace, false));
            Future<ShadowRun> pages = threads.submit(shadows("pages", trace, false, READS));
            Future<RealResult> realBlocks = threads.submit(real(trace, true));
            String others = ", a tenth anywhere";
            Future<ShadowRun> otherPages =
                    threads.submit(shadows("pages" + others, withOthers, false, List.of(DEFAULT_READS)));
            Future<ShadowRun> otherBlocks =
                    threads.submit(shadows("whole blocks" + others, withOthers, true, List.of(DEFAULT_READS)));
            List<Row> rows = new ArrayList<>();
            for (Future<ShadowRun> part : List.of(pages, wholeBlocks, otherPages, otherBlocks)) {
                rows.addAll(result(part).rows());
            }
            print(rows);
            hold(result(realPages), result(realBlocks));
            holdCpu(result(pages));
        } finally {
            threads.shutdownNow();
        }
    }

    private Callable<ShadowRun> shadows(String kind, HotBlockTrace trace, boolean wholeBlocks, List<Integer> reads) {
        return () -> {
            long beginCpu = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            List<ReplayResult> results = CacheReplay.ofShadow(trace, setup.cache(wholeBlocks), reads);
            long cpuNanos = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - beginCpu;
            List<Row> rows = new ArrayList<>();
            for (int i = 0; i < reads.size(); i++) {
                String admission = reads.get(i) == 0 ? "no admission" : "X = " + reads.get(i);
                rows.add(new Row(kind + ", " + admission, results.get(i)));
            }
            return new ShadowRun(rows, cpuNanos);
        };
    }

    private Callable<RealResult> real(HotBlockTrace trace, boolean wholeBlocks) {
        return () -> CacheReplay.ofCache(trace, setup.cache(wholeBlocks), DEFAULT_READS);
    }

    private static <T> T result(Future<T> part) throws IOException, InterruptedException {
        try {
            return part.get();
        } catch (ExecutionException failure) {
            throw new IOException("a trace could not be played: " + failure.getCause(), failure.getCause());
        }
    }

    private void printTrace(Profile profile) {
        Shape shape = setup.shape();
        out.printf(
                Locale.ROOT,
                "Simulated: one DataNode, %,d reads an hour of %,d blocks of %d MiB, Zipf %.1f, %.0f %% of them new each hour, seed %d%n",
                shape.readsPerHour(),
                shape.blocks(),
                HotBlockTrace.BLOCK_BYTES >> 20,
                shape.zipf(),
                100 * shape.newBlocksPerHour(),
                setup.seed());
        out.printf(
                Locale.ROOT,
                "reads of %d ranges of each block, %.0f KB in the mean, %.0f %% below 1 MiB; %,.0f blocks an hour%n",
                HotBlockTrace.RANGES,
                profile.meanBytes() / 1e3,
                100 * profile.shareBelowMebibyte(),
                profile.blocksPerHour());
        out.println(thresholds.figure(
                String.format(Locale.ROOT, "an hour's top %,d blocks get of its reads", TOP_BLOCKS),
                100 * profile.topShare(),
                "%"));
        out.printf(
                Locale.ROOT,
                "SSD of %.1f TB, written at most once a day; the last %d of %d hours%n",
                setup.ssdBytes() / 1e12,
                setup.hours() - setup.warmUpHours(),
                setup.hours());
        out.flush();
    }

    private void print(List<Row> rows) {
        List<RowColumn<Row>> columns = List.of(
                Table.left("cached, by the shadow", Row::cache),
                Table.right("from SSD", row -> percent(row.result().steady().ssdShare(), 1)),
                Table.right(
                        "hits/(hits+fills)",
                        row -> percent(row.result().steady().reuse(), 2)),
                Table.right("written a day", row -> capacities(capacitiesPerDay(row.result()))),
                Table.right(
                        "in all hours",
                        row -> capacities(capacities(row.result().all().writtenBytes()))),
                Table.right(
                        "blocks evicted",
                        row -> String.format(
                                Locale.ROOT, "%,d", row.result().all().evictedBlocks())),
                Table.right("SSD used", row -> percent(capacities(row.result().usedBytes()), 1)));
        out.println(Table.of(rows, columns).text());
        out.flush();
        rows.forEach(this::add);
    }

    private static String percent(double share, int digits) {
        return String.format(Locale.ROOT, "%." + digits + "f %%", 100 * share);
    }

    private static String capacities(double capacities) {
        return String.format(Locale.ROOT, "%.3f x", capacities);
    }

    private double capacities(long bytes) {
        return (double) bytes / setup.ssdBytes();
    }

    private double capacitiesPerDay(ReplayResult result) {
        return capacities(result.steady().writtenBytes()) * HOURS_PER_DAY / (setup.hours() - setup.warmUpHours());
    }

    private void add(Row row) {
        Totals steady = row.result().steady();
        thresholds.add(Figure.of(row.cache(), "from SSD", 100 * steady.ssdShare(), "%"));
        thresholds.add(Figure.of(row.cache(), "hits/(hits+fills)", 100 * steady.reuse(), "%"));
        thresholds.add(Figure.of(row.cache(), "written a day", capacitiesPerDay(row.result()), "x"));
        thresholds.add(Figure.of(
                row.cache(),
                "written in all hours",
                capacities(row.result().all().writtenBytes()),
                "x"));
        thresholds.add(Figure.of(
                row.cache(), "blocks evicted", (double) row.result().all().evictedBlocks(), ""));
        thresholds.add(
                Figure.of(row.cache(), "SSD used", 100 * capacities(row.result().usedBytes()), "%"));
    }

    /** The cache's own lengths are {@link CacheReplay#SCALE} times less. */
    private void hold(RealResult pages, RealResult wholeBlocks) {
        Totals steady = pages.cache().steady();
        out.println(thresholds.about(
                String.format(Locale.ROOT, "The cache itself, pages, X = %d, bytes verified:", DEFAULT_READS)));
        out.println(
                thresholds.atLeast("  clients' bytes from the SSD", 100 * steady.ssdShare(), LEAST_SSD_PERCENT, "%"));
        out.println(thresholds.atMost(
                "  written a day, in capacities of the SSD",
                CacheReplay.SCALE * capacitiesPerDay(pages.cache()),
                MOST_CAPACITIES_PER_DAY,
                "x"));
        out.println(thresholds.atLeast("  hits / (hits + fills)", 100 * steady.reuse(), LEAST_REUSE_PERCENT, "%"));
        out.println(thresholds.figure(
                "    of all hours, the warm-up included",
                100 * pages.cache().all().reuse(),
                "%"));
        out.println(thresholds.figure("  writes that the budget refused", (double) pages.overBudget(), ""));
        out.println(thresholds.atMost("  from SSD, its shadow's points off", pointsOff(pages), MOST_POINTS_OFF, ""));
        out.println(thresholds.atMost(
                "  from SSD, its shadow's points off, whole blocks", pointsOff(wholeBlocks), MOST_POINTS_OFF, ""));
        out.flush();
    }

    private void holdCpu(ShadowRun shadow) {
        out.println(thresholds.atMost(
                "Shadow of " + shadow.rows().size() + " caches, of one processor's time",
                100 * shadow.cpuNanos() / (setup.hours() * NANOS_PER_HOUR),
                MOST_CPU_PERCENT,
                "%"));
        out.flush();
    }

    private static double pointsOff(RealResult result) {
        return 100
                * Math.abs(result.cache().steady().ssdShare()
                        - result.shadow().steady().ssdShare());
    }
}
