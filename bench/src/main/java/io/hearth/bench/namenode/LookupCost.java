// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.namenode;

import io.hearth.healer.hdfs.HdfsAdapter;
import io.hearth.healer.spi.FileBlocks.StoreDirectories;
import io.hearth.healer.spi.NameNodeUsage;
import io.hearth.healer.spi.Observed;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntSupplier;

/**
 * What it costs a NameNode to be asked for these paths by the healer's own adapter, as the healer's budget measures it: the time from
 * the call to the answer, which is no less than a handler was busy; and the CPU of the handlers. Immutable.
 *
 * @param paths all that were asked for
 * @param micros of each call, sorted
 * @param handlerMicros CPU of all the NameNode's handlers, which answer nobody else
 */
record LookupCost(long paths, long blocks, long[] micros, long handlerMicros) {

    /** Lists the folders of regions, so many of them by one call as this says before each. */
    static LookupCost ofFolders(HdfsAdapter hdfs, List<String> folders, IntSupplier atATime) {
        StoreDirectories directories = hdfs.storeDirectories();
        return measure(hdfs.nameNodeUsage(), folders, atATime, paths -> directories.listAll(paths).stream()
                .mapToLong(answer -> known(answer).stream()
                        .mapToLong(file -> file.blocks().size())
                        .sum())
                .sum());
    }

    /** Locates files, as a healer does that verifies moves. */
    static LookupCost ofFiles(HdfsAdapter hdfs, List<String> files, IntSupplier atATime) {
        return measure(hdfs.nameNodeUsage(), files, atATime, paths -> hdfs.fileBlocks().locateAll(paths).stream()
                .mapToLong(answer -> known(answer).blocks().size())
                .sum());
    }

    private static <T> T known(Observed<T> answer) {
        return answer.ifKnown().orElseThrow(() -> new IllegalStateException("The NameNode answers " + answer + "."));
    }

    private static LookupCost measure(
            NameNodeUsage usage, List<String> paths, IntSupplier atATime, Function<List<String>, Long> blocksOf) {
        List<Long> calls = new ArrayList<>();
        long handlersBefore = handlerMicrosNow();
        long blocks = 0;
        int next = 0;
        while (next < paths.size()) {
            List<String> asked = paths.subList(next, Math.min(paths.size(), next + atATime.getAsInt()));
            long before = usage.micros();
            blocks += blocksOf.apply(asked);
            calls.add(usage.micros() - before);
            next += asked.size();
        }
        return new LookupCost(
                paths.size(),
                blocks,
                calls.stream().mapToLong(Long::longValue).sorted().toArray(),
                handlerMicrosNow() - handlersBefore);
    }

    /** The handlers of a NameNode in this JVM, by the names that Hadoop's RPC server gives them. */
    private static long handlerMicrosNow() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        return Arrays.stream(threads.getThreadInfo(threads.getAllThreadIds()))
                        .filter(thread ->
                                thread != null && thread.getThreadName().startsWith("IPC Server handler"))
                        .mapToLong(thread -> Math.max(0, threads.getThreadCpuTime(thread.getThreadId())))
                        .sum()
                / 1_000;
    }

    double handlerMicrosPerBlock() {
        return (double) handlerMicros / blocks;
    }

    double microsPerBlock() {
        return (double) Arrays.stream(micros).sum() / blocks;
    }

    double microsPerPath() {
        return (double) Arrays.stream(micros).sum() / paths;
    }

    double percentileMs(double share) {
        return micros[(int) Math.ceil(share * micros.length) - 1] / 1e3;
    }
}
