// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.readers;

import io.hearth.bench.readers.ReadLoad.ReadPhase;
import io.hearth.bench.readers.ReaderCluster.DataNodeReadStatistics;
import io.hearth.bench.readers.ReaderResult.BlockMoves;
import io.hearth.bench.readers.ReaderResult.StreamReadStatistics;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/**
 * Moves every block under an open table to the server that reads it, and sees what its readers meet.
 *
 * <p>The table was written on one host and then moved to another of the same rack, so that no block has a replica there. The
 * replica that is given up is the worst one for readers: the one that they read, because it is the nearest. (The healer avoids
 * that where it can.) No region is opened again until all is measured.
 */
public final class ReaderRun {

    private static final String WRITTEN_ON = "host1";
    static final String SERVED_BY = "host2";
    private static final long SETTLE_MS = 180_000;

    private final ReaderScenario scenario;
    private final ReaderCluster cluster;
    private final ReaderTable table;
    private final ReadLoad load;

    private ReaderRun(ReaderScenario scenario, ReaderCluster cluster, ReaderTable table, ReadLoad load) {
        this.scenario = scenario;
        this.cluster = cluster;
        this.table = table;
        this.load = load;
    }

    /** Starts a cluster in this JVM, runs this scenario on it and stops it. */
    public static ReaderResult run(ReaderScenario scenario) throws Exception {
        try (ReaderCluster cluster = EmbeddedReaderCluster.start(scenario)) {
            return run(scenario, cluster);
        }
    }

    static ReaderResult run(ReaderScenario scenario, ReaderCluster cluster) throws Exception {
        ReaderTable table = ReaderTable.load(cluster, scenario, WRITTEN_ON);
        cluster.spread(table, WRITTEN_ON);
        table.moveTo(SERVED_BY);
        ReaderResult result;
        try (ReadLoad load = ReadLoad.start(cluster.connection(), table)) {
            result = new ReaderRun(scenario, cluster, table, load).measure();
        }
        return result.with(cluster.closeStreams(table, SERVED_BY));
    }

    private ReaderResult measure() throws Exception {
        List<Long> openings = table.openings();
        TimeUnit.MILLISECONDS.sleep(scenario.warmUpMs());
        ReadPhase quiet = load.enter();
        DataNodeReadStatistics before = served(scenario.quietMs());
        ReadPhase moving = load.enter();
        BlockMoves moved = cluster.makeLocal(table, WRITTEN_ON, SERVED_BY);
        Awaitility.await("the NameNode's report that every block is local, and no replica too many")
                .atMost(SETTLE_MS, TimeUnit.MILLISECONDS)
                .until(() -> table.isSettledOn(SERVED_BY));
        TimeUnit.MILLISECONDS.sleep(scenario.afterMs());
        ReadPhase late = load.enter();
        DataNodeReadStatistics after = served(scenario.lateMs());
        load.enter();
        DfsClientEvents events = cluster.events();
        return new ReaderResult(
                moved,
                table.blocks(),
                quiet.result(events),
                moving.result(events),
                before.localShare(quiet.gotBytes()),
                after.localShare(late.gotBytes()),
                after.shortCircuitShare(late.gotBytes()),
                StreamReadStatistics.UNKNOWN,
                differing(openings, table.openings()));
    }

    /** What is read in this time. */
    private DataNodeReadStatistics served(long millis) throws Exception {
        DataNodeReadStatistics before = cluster.served();
        TimeUnit.MILLISECONDS.sleep(millis);
        return cluster.served().since(before);
    }

    private static int differing(List<Long> before, List<Long> after) {
        int differing = Math.abs(before.size() - after.size());
        for (int i = 0; i < Math.min(before.size(), after.size()); i++) {
            differing += before.get(i).equals(after.get(i)) ? 0 : 1;
        }
        return differing;
    }
}
