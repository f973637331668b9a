package io.hearth.bench.readers;

import io.hearth.cluster.EmbeddedCluster;
import io.hearth.cluster.ReplicaMover;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.Path;
import org.awaitility.Awaitility;

/**
 * Moves every block under an open table to the server that reads it, and sees what its readers meet.
 *
 * <p>The table was written on one host and then moved to another of the same rack, so that no block has a replica there. The
 * replica that is given up is the worst one for readers: the one that they read, because it is the nearest. (The healer avoids
 * that where it can.) No region is opened again.
 */
public final class ReaderRun {

    private static final String WRITTEN_ON = "host1";
    private static final String SERVED_BY = "host2";
    private static final int MOVES_AT_A_TIME = 4;
    private static final long SETTLE_MS = 180_000;

    private ReaderRun() {}

    /** Starts a cluster, runs this scenario on it and stops it. */
    public static ReaderResult run(ReaderScenario scenario) throws Exception {
        EmbeddedCluster.Builder builder = EmbeddedCluster.builder().blockSizeBytes(ReaderScenario.BLOCK_BYTES);
        scenario.properties().forEach(builder::property);
        try (HdfsEvents events = HdfsEvents.listen(ReaderTable.FOLDER);
                EmbeddedCluster cluster = builder.start()) {
            ReaderTable table = ReaderTable.load(cluster, scenario, WRITTEN_ON);
            table.moveTo(SERVED_BY);
            try (ReadLoad load = ReadLoad.start(cluster.connection(), table)) {
                return measure(scenario, cluster, table, load, events);
            }
        }
    }

    private static ReaderResult measure(
            ReaderScenario scenario, EmbeddedCluster cluster, ReaderTable table, ReadLoad load, HdfsEvents events)
            throws Exception {
        List<Long> openings = table.openings();
        TimeUnit.MILLISECONDS.sleep(scenario.warmUpMs());
        ReadPhase quiet = load.enter();
        double before = localShare(cluster, scenario.quietMs());
        ReadPhase moving = load.enter();
        int moved = moveEverything(cluster, table.storeFiles());
        Awaitility.await("the NameNode's word that every block is at home, and no replica too many")
                .atMost(SETTLE_MS, TimeUnit.MILLISECONDS)
                .until(() -> table.isSettledOn(SERVED_BY));
        TimeUnit.MILLISECONDS.sleep(scenario.afterMs());
        load.enter();
        double after = localShare(cluster, scenario.lateMs());
        return new ReaderResult(
                moved,
                table.blocks(),
                quiet.result(events),
                moving.result(events),
                before,
                after,
                differing(openings, table.openings()));
    }

    /** The local share of what is read in this time. */
    private static double localShare(EmbeddedCluster cluster, long millis) throws IOException, InterruptedException {
        ServedBytes before = ServedBytes.now(cluster.fileSystem());
        TimeUnit.MILLISECONDS.sleep(millis);
        return ServedBytes.now(cluster.fileSystem()).localShareSince(before);
    }

    private static int moveEverything(EmbeddedCluster cluster, List<Path> files) throws Exception {
        ReplicaMover mover = new ReplicaMover(cluster.fileSystem());
        List<Callable<Integer>> tasks = files.stream()
                .map(file -> (Callable<Integer>) () -> mover.bringHomeFrom(file, SERVED_BY, WRITTEN_ON))
                .toList();
        ExecutorService threads = Executors.newFixedThreadPool(MOVES_AT_A_TIME);
        try {
            int moved = 0;
            for (Future<Integer> task : threads.invokeAll(tasks)) {
                moved += task.get();
            }
            return moved;
        } catch (ExecutionException failure) {
            throw new IOException("A replica could not be moved", failure.getCause());
        } finally {
            threads.shutdownNow();
        }
    }

    private static int differing(List<Long> before, List<Long> after) {
        int differing = Math.abs(before.size() - after.size());
        for (int i = 0; i < Math.min(before.size(), after.size()); i++) {
            differing += before.get(i).equals(after.get(i)) ? 0 : 1;
        }
        return differing;
    }
}
