// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.cache;

import io.hearth.bench.plan.Statistics;
import io.hearth.bench.threshold.ThresholdReport;
import io.hearth.datanode.cache.BlockAdmission;
import io.hearth.datanode.cache.BlockKey;
import io.hearth.datanode.cache.BucketTimeRateLimit;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;
import org.openjdk.jol.info.GraphLayout;

/**
 * How many accesses a second the admission of the read cache takes, and its heap: blocks as popular as those of the trace, by JMH in JVMs
 * of their own; and ten million blocks, each once, of one minute, whose tables grow far beyond any processor cache. Not thread-safe.
 */
public final class AdmissionBench {

    private static final double LEAST_MILLIONS_PER_SECOND = 4;
    private static final double MOST_MEBIBYTES = 256;
    private static final int BLOCKS = 10_000_000;
    private static final int RUNS = 5;
    private static final long FIRST_BLOCK = 1_073_741_825L;
    private static final double MILLION = 1e6;
    private static final double MEBIBYTE = 1 << 20;
    private static final double NANOS_PER_SECOND = 1e9;

    private final PrintWriter out;
    private final ThresholdReport thresholds;

    public AdmissionBench(PrintWriter out, ThresholdReport thresholds) {
        this.out = out;
        this.thresholds = thresholds;
    }

    /** Measures and prints. */
    public void run() throws RunnerException {
        out.println(thresholds.about("Admission, more than 20 reads within 60 minutes, accesses a second:"));
        held("  one thread, blocks as popular as in the trace", accesses(1));
        int threads = Math.max(2, Runtime.getRuntime().availableProcessors());
        held("  " + threads + " threads", accesses(threads));
        held("  one thread, 10 million blocks, each once", BLOCKS / secondsToSee(BLOCKS));
        memory(BLOCKS);
    }

    private void held(String what, double accessesPerSecond) {
        out.println(thresholds.atLeast(what, accessesPerSecond / MILLION, LEAST_MILLIONS_PER_SECOND, "M/s"));
        out.flush();
    }

    private static double accesses(int threads) throws RunnerException {
        return new Runner(new OptionsBuilder()
                        .include(AdmissionBenchmark.class.getName() + "\\.")
                        .threads(threads)
                        .verbosity(VerboseMode.SILENT)
                        .build())
                .runSingle()
                .getPrimaryResult()
                .getStatistics()
                .getPercentile(50);
    }

    /** The median time by the clock, or of the processor where that is less, after two runs that do not count. */
    private static double secondsToSee(int blocks) {
        List<Double> seconds = new ArrayList<>();
        for (int run = -2; run < RUNS; run++) {
            long begin = System.nanoTime();
            long beginCpu = threadCpuNanos();
            BlockAdmission unused = seen(blocks);
            long cpu = threadCpuNanos() - beginCpu;
            if (run >= 0) {
                seconds.add(Math.min(System.nanoTime() - begin, cpu) / NANOS_PER_SECOND);
            }
        }
        return Statistics.median(seconds, Double::doubleValue);
    }

    private static long threadCpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    /** An admission that has seen each of so many blocks once. */
    static BlockAdmission seen(int blocks) {
        BlockAdmission admission = new BucketTimeRateLimit(AdmissionBenchmark.ADMISSION, AdmissionBenchmark.MOST_BYTES);
        for (int block = 0; block < blocks; block++) {
            boolean unused = admission.admits(new BlockKey(AdmissionBenchmark.BLOCK_POOL, FIRST_BLOCK + block), 0);
        }
        return admission;
    }

    /** What an admission holds that has seen so many blocks once within its window. */
    void memory(int blocks) {
        BlockAdmission admission = seen(blocks);
        out.println(thresholds.about(
                String.format(Locale.ROOT, "Its heap, %,d blocks with one access each in the window:", blocks)));
        out.println(thresholds.atMost(
                "  everything that it holds",
                GraphLayout.parseInstance(admission).totalSize() / MEBIBYTE,
                MOST_MEBIBYTES,
                "MiB"));
        out.println(
                thresholds.figure("  as it counts itself", admission.footprint().bytes() / MEBIBYTE, "MiB"));
        out.println(thresholds.figure(
                "  reads that it could not track",
                (double) admission.footprint().untrackedReads(),
                ""));
        out.flush();
    }
}
