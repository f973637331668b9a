// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.namenode;

import io.hearth.bench.threshold.ThresholdReport;
import io.hearth.healer.hdfs.HdfsAdapter;
import io.hearth.healer.model.StoreFile;
import io.hearth.healer.spi.FileBlocks.StoreDirectories;
import io.hearth.healer.spi.Observed;
import io.hearth.healer.throttle.BatchSize;
import io.hearth.healer.throttle.NameNodeBudget;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.fs.FileUtil;

/**
 * Asks a {@link NameNodeOfManyBlocks} for store folders and files of two kinds: one file of 3 blocks in a folder, and two of 14, which
 * is HubSpot's average as far as they have said. Each question is put one by one and several in a call, for paths in no order,
 * after both have been tried. Not thread-safe.
 */
public final class NameNodeBench {

    private static final int SMALL_FILE_BLOCKS = 3;
    private static final int LARGE_FILE_BLOCKS = 14;
    private static final int BLOCKS_PER_PAIR = SMALL_FILE_BLOCKS + 2 * LARGE_FILE_BLOCKS;

    private static final int WARM_UP_PATHS = 3_000;
    private static final int MOST_PATHS = 6_000;
    private static final double SHARE = 0.02;

    private final PrintWriter out;
    private final ThresholdReport thresholds;
    private final List<String> smallFolders = new ArrayList<>();
    private final List<String> largeFolders = new ArrayList<>();

    public NameNodeBench(PrintWriter out, ThresholdReport thresholds) {
        this.out = out;
        this.thresholds = thresholds;
    }

    /**
     * Measures with about so many blocks, with the NameNode's own files in the folder for temporary ones.
     *
     * @param askedMs for how long the NameNode is asked as much as healing may
     */
    public void run(int blocks, long askedMs) throws IOException {
        Path folder = Files.createTempDirectory("hearth-bench-namenode");
        try (NameNodeOfManyBlocks nameNode = NameNodeOfManyBlocks.start(folder)) {
            fill(nameNode, blocks);
            out.printf(
                    Locale.ROOT,
                    "A NameNode in this JVM with %,d blocks of 3 replicas each; microseconds from a call to its answer.%n",
                    nameNode.blocks());
            out.flush();
            org.apache.hadoop.fs.Path root = new org.apache.hadoop.fs.Path("/hbase");
            try (HdfsAdapter hdfs = HdfsAdapter.to(
                    nameNode.fileSystem(), root, nameNode.fileSystem().getConf(), Runnable::run)) {
                measure(hdfs);
                askAllItMay(hdfs, askedMs);
            }
        } finally {
            FileUtil.fullyDelete(folder.toFile());
        }
    }

    private void fill(NameNodeOfManyBlocks nameNode, int blocks) throws IOException {
        for (int pair = 0; pair < Math.max(1, blocks / BLOCKS_PER_PAIR); pair++) {
            String region = String.format(Locale.ROOT, "/hbase/data/default/t/%032x", pair * 2_654_435_761L);
            smallFolders.add(region + "/a");
            nameNode.file(region + "/a/0", SMALL_FILE_BLOCKS);
            largeFolders.add(region + "/b");
            nameNode.file(region + "/b/0", LARGE_FILE_BLOCKS);
            nameNode.file(region + "/b/1", LARGE_FILE_BLOCKS);
        }
        Collections.shuffle(smallFolders, new Random(1));
        Collections.shuffle(largeFolders, new Random(2));
    }

    private void measure(HdfsAdapter hdfs) {
        StoreDirectories directories = hdfs.storeDirectories();
        for (int round = 0; round < 3; round++) {
            LookupCost unused = LookupCost.ofFolders(hdfs, warmUp(largeFolders), () -> 1);
            unused = LookupCost.ofFolders(hdfs, warmUp(largeFolders), directories::foldersAtATime);
            unused = LookupCost.ofFiles(hdfs, warmUp(files(largeFolders)), () -> 1);
            unused = LookupCost.ofFiles(hdfs, warmUp(files(largeFolders)), directories::filesAtATime);
        }
        compare(
                "folders of 1 file of 3 blocks",
                LookupCost.ofFolders(hdfs, some(smallFolders), () -> 1),
                LookupCost.ofFolders(hdfs, some(smallFolders), directories::foldersAtATime));
        compare(
                "folders of 2 files of 14 blocks",
                LookupCost.ofFolders(hdfs, some(largeFolders), () -> 1),
                LookupCost.ofFolders(hdfs, some(largeFolders), directories::foldersAtATime));
        compare(
                "files of 3 blocks",
                LookupCost.ofFiles(hdfs, some(files(smallFolders)), () -> 1),
                LookupCost.ofFiles(hdfs, some(files(smallFolders)), directories::filesAtATime));
        compare(
                "files of 14 blocks",
                LookupCost.ofFiles(hdfs, some(files(largeFolders)), () -> 1),
                LookupCost.ofFiles(hdfs, some(files(largeFolders)), directories::filesAtATime));
    }

    /**
     * Asks for as many folders as the budget of healing allows, and measures what that takes of a handler. The time ends when the budget
     * has got over the last call, as it begins when it has spent what it had saved.
     */
    private void askAllItMay(HdfsAdapter hdfs, long askedMs) {
        NameNodeBudget budget = new NameNodeBudget(hdfs.nameNodeUsage());
        budget.set(SHARE, Integer.MAX_VALUE / 1_000);
        int next = 0;
        while (budget.mayCall(nowMs())) {
            next = list(hdfs.storeDirectories(), next);
        }
        long beginMs = nowMs();
        long beginMicros = hdfs.nameNodeUsage().micros();
        while (nowMs() - beginMs < askedMs) {
            await(budget);
            next = list(hdfs.storeDirectories(), next);
        }
        await(budget);
        double share = (hdfs.nameNodeUsage().micros() - beginMicros) / (1e3 * (nowMs() - beginMs));
        out.println(thresholds.atMost(
                "of one handler's time while healing asks all it may", 100 * share, 100 * SHARE, "%"));
        out.flush();
    }

    /** Lists as many folders as healing would from this one on, or from the first; returns the next one. */
    private int list(StoreDirectories directories, int from) {
        int atATime = Math.min(directories.foldersAtATime(), largeFolders.size());
        int first = from + atATime > largeFolders.size() ? 0 : from;
        List<Observed<List<StoreFile>>> unused = directories.listAll(largeFolders.subList(first, first + atATime));
        return first + atATime;
    }

    private static void await(NameNodeBudget budget) {
        while (!budget.mayCall(nowMs())) {
            LockSupport.parkNanos(1_000_000);
        }
    }

    private static long nowMs() {
        return System.nanoTime() / 1_000_000;
    }

    private void compare(String what, LookupCost single, LookupCost together) {
        out.println(thresholds.about(String.format(Locale.ROOT, "%,d %s", single.paths(), what)));
        row("one by one", single);
        row("several in a call", together);
        out.println(thresholds.atMost(
                "  several in a call, of a handler's CPU one by one",
                together.handlerMicrosPerBlock() / single.handlerMicrosPerBlock(),
                1,
                "x"));
        out.println(thresholds.figure(
                "    several in a call, of the time one by one",
                together.microsPerBlock() / single.microsPerBlock(),
                "x"));
        out.println(
                thresholds.atMost("  longest call", together.percentileMs(1), BatchSize.LONGEST_MICROS / 1e3, "ms"));
        out.println(thresholds.figure(
                "  paths a second for 2 % of one handler, one by one", SHARE * 1e6 / single.microsPerPath(), ""));
        out.println(
                thresholds.figure("    paths a second, several in a call", SHARE * 1e6 / together.microsPerPath(), ""));
        out.flush();
    }

    private void row(String how, LookupCost cost) {
        out.printf(
                Locale.ROOT,
                "  %-18s %,7d calls, %8.1f µs a path, %6.2f µs a block, %6.2f of CPU of a handler; a call: median %.2f, p99 %.2f, longest %.2f ms%n",
                how,
                cost.micros().length,
                cost.microsPerPath(),
                cost.microsPerBlock(),
                cost.handlerMicrosPerBlock(),
                cost.percentileMs(0.5),
                cost.percentileMs(0.99),
                cost.percentileMs(1));
    }

    private static List<String> files(List<String> folders) {
        return folders.stream().map(folder -> folder + "/0").toList();
    }

    private static List<String> warmUp(List<String> paths) {
        return paths.subList(Math.max(0, paths.size() - WARM_UP_PATHS), paths.size());
    }

    private static List<String> some(List<String> paths) {
        return paths.subList(0, Math.min(paths.size(), MOST_PATHS));
    }
}
