// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.cache;

import io.hearth.bench.cache.EmulatedDisk.DiskTimes;
import io.hearth.bench.cache.EmulatedSsd.SsdTimes;
import io.hearth.bench.cache.ReadCacheDataNode.BlockFile;
import io.hearth.bench.cache.ReadCacheDataNode.CacheKeys;
import io.hearth.bench.plan.Statistics;
import io.hearth.bench.threshold.ThresholdReport;
import io.hearth.cli.view.Table;
import io.hearth.cli.view.Table.RowColumn;
import io.hearth.datanode.config.ReadCacheSettings.Mode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.apache.hadoop.fs.FileUtil;

/**
 * What clients of a DataNode get with the read cache off and on, alternating, while disk and SSD are emulated: pieces of popular blocks
 * in the steady state, and blocks that are read once. Not thread-safe.
 */
public final class DataNodeBench {

    private static final double ZIPF = 1.1;
    private static final long SEED = 1;
    private static final int ADMISSION_READS = 20;
    private static final int ONE_PASS_CLIENTS = 8;
    private static final int WARM_UP_CLIENTS = 8;
    private static final double MIB = 1 << 20;

    private static final double LEAST_THROUGHPUT = 1.6;
    private static final double MOST_SLOW_READS = 2.0 / 3;
    private static final double MOST_P95 = 1;
    private static final double LEAST_OF_CACHED = 2;
    private static final double MOST_ONE_PASS = 1.02;

    private final PrintWriter out;
    private final ThresholdReport thresholds;
    private final NodeSetup setup;
    private final Map<Integer, List<PhaseResult>> off = new TreeMap<>();
    private final Map<Integer, List<PhaseResult>> on = new TreeMap<>();
    private final List<Double> onePassOff = new ArrayList<>();
    private final List<Double> onePassOn = new ArrayList<>();
    private final List<Double> onePassFilled = new ArrayList<>();

    /**
     * What is read. Immutable.
     *
     * @param blocks that are read at random places
     * @param onceBlocks that are read from end to end
     * @param ssdBytes the size of the cache
     * @param pageCacheBytes the memory in front of the disk
     * @param warmUpReads before the steady state, for which the disk takes no time
     * @param clients how many there are, one case after another
     * @param phase how long each lasts
     * @param repetitions of each case with the cache off and on
     */
    public record NodeSetup(
            int blocks,
            int blockBytes,
            int onceBlocks,
            long ssdBytes,
            long pageCacheBytes,
            int warmUpReads,
            List<Integer> clients,
            Duration phase,
            int repetitions) {

        /** An SSD of a tenth of the data, and memory of a hundredth. */
        public static NodeSetup of(Duration phase, int repetitions) {
            long dataBytes = 256L * (8 << 20);
            return new NodeSetup(
                    256, 8 << 20, 32, dataBytes / 10, dataBytes / 100, 40_000, List.of(8, 64), phase, repetitions);
        }

        private CacheKeys keys(Mode mode) {
            return new CacheKeys(mode, ADMISSION_READS, ssdBytes, 1);
        }
    }

    /** A line of the table: the medians of some phases. Immutable. */
    private record Row(String mode, List<PhaseResult> phases) {

        double median(ToDoubleFunction<PhaseResult> figure) {
            return Statistics.median(phases, figure);
        }
    }

    public DataNodeBench(PrintWriter out, ThresholdReport thresholds, NodeSetup setup) {
        this.out = out;
        this.thresholds = thresholds;
        this.setup = setup;
    }

    /** Measures with a DataNode whose files are in the folder for temporary ones, and prints. */
    public void run() throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("hearth-bench-read-cache");
        EmulatedDisk disk = EmulatedDisk.of(DiskTimes.LARGE_HDD, setup.pageCacheBytes());
        try (ReadCacheDataNode dataNode =
                new ReadCacheDataNode(folder, disk, setup.blockBytes(), setup.keys(Mode.ON))) {
            measure(dataNode);
        } finally {
            FileUtil.fullyDelete(folder.toFile());
        }
        printSetup();
        setup.clients().forEach(this::print);
        printOnePass();
    }

    private void measure(ReadCacheDataNode dataNode) throws IOException, InterruptedException {
        BlockReaders readers = new BlockReaders(dataNode);
        BlockFile popular = dataNode.write("/popular", setup.blocks(), setup.blockBytes());
        BlockFile once = dataNode.write("/once", setup.onceBlocks(), setup.blockBytes());
        dataNode.newSsd(SsdTimes.NVME);
        readers.warmUp(popular, ZIPF, SEED, WARM_UP_CLIENTS, setup.warmUpReads() / WARM_UP_CLIENTS);
        dataNode.disk().switchOn(true);
        for (int repetition = 1; repetition <= setup.repetitions(); repetition++) {
            dataNode.configure(setup.keys(Mode.OFF));
            phases(readers, popular, 2 * repetition, off);
            onePassOff.add(readers.onePass(once, ONE_PASS_CLIENTS));
            dataNode.configure(setup.keys(Mode.ON));
            phases(readers, popular, 2 * repetition + 1, on);
            onePassOn.add(readers.onePass(once, ONE_PASS_CLIENTS));
            out.printf(Locale.ROOT, "repetition %d of %d has ended%n", repetition, setup.repetitions());
            out.flush();
        }
        dataNode.configure(new CacheKeys(Mode.ON, 0, 2L * setup.onceBlocks() * setup.blockBytes(), 100));
        for (int repetition = 1; repetition <= setup.repetitions(); repetition++) {
            dataNode.newSsd(SsdTimes.NVME);
            onePassFilled.add(readers.onePass(once, ONE_PASS_CLIENTS));
        }
    }

    private void phases(BlockReaders readers, BlockFile popular, int phase, Map<Integer, List<PhaseResult>> results)
            throws IOException, InterruptedException {
        for (int clients : setup.clients()) {
            results.computeIfAbsent(clients, any -> new ArrayList<>())
                    .add(readers.atRandom(popular, ZIPF, SEED, phase, clients, setup.phase()));
        }
    }

    private void printSetup() {
        out.printf(
                Locale.ROOT,
                "A DataNode in this JVM. Its disk is emulated: one arm, %d ms and %d MB/s for each MiB, %.0f MiB of page cache; meta files take no time.%n",
                DiskTimes.LARGE_HDD.seekNanos() / 1_000_000,
                DiskTimes.LARGE_HDD.bytesPerSecond() / 1_000_000,
                setup.pageCacheBytes() / MIB);
        out.printf(
                Locale.ROOT,
                "Its SSD is emulated: %.1f ms, %d MB/s. It caches up to %.0f MiB, pages of 1 MiB, X = %d; fills read the disk and write the SSD.%n",
                SsdTimes.NVME.latencyNanos() / 1e6,
                SsdTimes.NVME.bytesPerSecond() / 1_000_000,
                setup.ssdBytes() / MIB,
                ADMISSION_READS);
        out.printf(
                Locale.ROOT,
                "%d KiB at random places of %d blocks of %.0f MiB, Zipf %.1f; medians of %d phases of %d s%n",
                BlockReaders.READ_BYTES >> 10,
                setup.blocks(),
                setup.blockBytes() / MIB,
                ZIPF,
                setup.repetitions(),
                setup.phase().toSeconds());
    }

    private void print(int clients) {
        Row without = new Row("off", off.getOrDefault(clients, List.of()));
        Row with = new Row("on", on.getOrDefault(clients, List.of()));
        out.println(thresholds.about(clients + " clients:"));
        out.println(Table.of(List.of(without, with), COLUMNS).text());
        figures(without);
        figures(with);
        out.println(thresholds.atLeast(
                "  throughput, on over off", ratio(with, without, PhaseResult::readsPerSecond), LEAST_THROUGHPUT, "x"));
        out.println(thresholds.atMost(
                "  reads above 100 ms, on over off",
                ratio(with, without, PhaseResult::shareAbove100Ms),
                MOST_SLOW_READS,
                "x"));
        out.println(thresholds.atMost(
                "  p95 of " + clients + " clients, on over off",
                ratio(with, without, PhaseResult::p95Ms),
                MOST_P95,
                "x"));
        out.println(thresholds.figure("  the same of an ideal cache, simulated", idealP95(clients), "x"));
        out.println(thresholds.atLeast(
                "  bytes a second of a cached read, over another's",
                with.median(PhaseResult::cachedMbPerSecond) / with.median(PhaseResult::uncachedMbPerSecond),
                LEAST_OF_CACHED,
                "x"));
        out.flush();
    }

    private double idealP95(int clients) {
        IdealCache ideal = new IdealCache(setup, DiskTimes.LARGE_HDD, ZIPF);
        long cachedBlocks = setup.ssdBytes() / setup.blockBytes();
        return ideal.atRandom(clients, cachedBlocks, SEED).p95Ms()
                / ideal.atRandom(clients, 0, SEED).p95Ms();
    }

    private static final List<RowColumn<Row>> COLUMNS = List.of(
            Table.left("read cache", Row::mode),
            figure("reads/s", "%,.0f", PhaseResult::readsPerSecond),
            figure("p50, ms", "%.1f", PhaseResult::medianMs),
            figure("p95, ms", "%.1f", PhaseResult::p95Ms),
            figure("p99, ms", "%.1f", PhaseResult::p99Ms),
            figure("> 100 ms", "%.1f %%", result -> 100 * result.shareAbove100Ms()),
            figure("cached", "%.1f %%", result -> 100 * result.cachedShare()),
            figure("cached, MB/s", "%.1f", PhaseResult::cachedMbPerSecond),
            figure("others, MB/s", "%.1f", PhaseResult::uncachedMbPerSecond));

    private static RowColumn<Row> figure(String heading, String format, ToDoubleFunction<PhaseResult> figure) {
        return Table.right(heading, row -> String.format(Locale.ROOT, format, row.median(figure)));
    }

    private void figures(Row row) {
        String mode = row.mode();
        thresholds.figure("  reads a second, " + mode, row.median(PhaseResult::readsPerSecond), "/s");
        thresholds.figure("  p50, " + mode, row.median(PhaseResult::medianMs), "ms");
        thresholds.figure("  p95, " + mode, row.median(PhaseResult::p95Ms), "ms");
        thresholds.figure("  p99, " + mode, row.median(PhaseResult::p99Ms), "ms");
        thresholds.figure("  reads above 100 ms, " + mode, 100 * row.median(PhaseResult::shareAbove100Ms), "%");
        thresholds.figure("  cached reads, " + mode, 100 * row.median(PhaseResult::cachedShare), "%");
    }

    private static double ratio(Row with, Row without, ToDoubleFunction<PhaseResult> figure) {
        return with.median(figure) / without.median(figure);
    }

    private void printOnePass() {
        double bytes = (double) setup.onceBlocks() * setup.blockBytes();
        double secondsOff = median(onePassOff);
        out.println(thresholds.about(String.format(
                Locale.ROOT,
                "%.0f MiB, each block read once from end to end by one of %d clients:",
                bytes / MIB,
                ONE_PASS_CLIENTS)));
        out.println(thresholds.figure("  off", secondsOff, "s"));
        out.println(thresholds.atMost("  time, on over off", median(onePassOn) / secondsOff, MOST_ONE_PASS, "x"));
        out.println(thresholds.figure(
                "  time over off, every page admitted and filled", median(onePassFilled) / secondsOff, "x"));
        out.flush();
    }

    private static double median(List<Double> values) {
        return Statistics.median(values, Double::doubleValue);
    }
}
