// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.opentsdb;

import io.hearth.bench.opentsdb.TsdbRun.ExpectationLog;
import io.hearth.bench.opentsdb.TsdbRun.TsdbOptions;
import io.hearth.bench.threshold.ThresholdReport.Figure;
import io.hearth.testkit.embedded.ClusterHost;
import io.hearth.testkit.measure.LocalitySnapshot;
import io.hearth.testkit.process.ProcessCluster;
import io.hearth.testkit.process.layout.Daemon.DaemonRole;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.hadoop.hbase.client.Admin;

/** A RegionServer is killed under the stream; its regions are served and local again; it is started again, and the heat is evened again. */
final class CrashPhase {

    private static final Duration LIMIT = Duration.ofMinutes(4);
    private static final long POLL_MS = 500;
    private static final String WHEN = "a crash";

    /** Requests that are not acknowledged: those of three seconds. */
    private static final int CAUGHT_UP = 30;

    private final ProcessCluster cluster;
    private final TsdbOptions options;
    private final ExpectationLog expectations;
    private final Admin admin;
    private final TsdbTables tables;
    private final PutLoad puts;

    CrashPhase(
            ProcessCluster cluster,
            TsdbOptions options,
            ExpectationLog expectations,
            Admin admin,
            TsdbTables tables,
            PutLoad puts) {
        this.cluster = cluster;
        this.options = options;
        this.expectations = expectations;
        this.admin = admin;
        this.tables = tables;
        this.puts = puts;
    }

    /** What can be asked of the cluster. */
    @FunctionalInterface
    private interface Condition {
        boolean holds() throws IOException;
    }

    /** Runs it to its end; the latencies are taken once between the crash and the start. */
    void run(Runnable latencies) throws IOException, InterruptedException {
        tables.flush();
        String dead = victim();
        LocalitySnapshot before = tables.localitySnapshot();
        expectations.say(
                "%s's RegionServer is killed: %d regions, %,d bytes in store files",
                dead, before.servedBy(dead).size(), before.bytesByHost().getOrDefault(dead, 0L));
        add("regions of the killed server", before.servedBy(dead).size(), "");
        add("its store files", (double) before.bytesByHost().getOrDefault(dead, 0L), "bytes");
        cluster.kill(cluster.daemon(DaemonRole.REGIONSERVER, dead));
        expectWithin("its regions have servers again", () -> isServedWithout(dead));
        LocalitySnapshot moved = tables.localitySnapshot();
        expectations.say("   locality %.3f, %,d bytes away", moved.locality(), moved.nonLocalBytes());
        add("locality once they have", moved.locality(), "");
        add("bytes away", (double) moved.nonLocalBytes(), "bytes");
        expectWithin("all data are local again", () -> tables.localitySnapshot().nonLocalBytes() == 0);
        expectWithin("OpenTSDB has caught up", () -> puts.unacknowledged() < CAUGHT_UP);
        latencies.run();
        expectations.say("it is started again");
        cluster.repair(LIMIT);
        BalanceRun balanceRun = BalanceRun.awaitEven(admin, tables, LIMIT);
        expectations.expect(balanceRun.isEven(), "Hearth evens the heat", balanceRun.summary());
        expectations.add(TsdbFigures.ofHearth(WHEN, balanceRun));
        tables.flush();
        expectWithin("all data are local", () -> tables.localitySnapshot().nonLocalBytes() == 0);
    }

    private void add(String figure, double value, String unit) {
        expectations.add(List.of(Figure.of(WHEN, figure, value, unit)));
    }

    private String victim() {
        List<ClusterHost> workers = cluster.layout().workers();
        return workers.get(new SplittableRandom(options.seed()).nextInt(workers.size()))
                .name();
    }

    private boolean isServedWithout(String host) throws IOException {
        var served = tables.served();
        return served.size() == options.table().regions()
                && served.stream().noneMatch(region -> region.host().equals(host));
    }

    private void expectWithin(String what, Condition condition) throws IOException, InterruptedException {
        long start = System.nanoTime();
        boolean holds = condition.holds();
        while (!holds && System.nanoTime() - start < LIMIT.toNanos()) {
            Thread.sleep(POLL_MS);
            holds = condition.holds();
        }
        long seconds = (System.nanoTime() - start) / 1_000_000_000;
        expectations.expect(holds, what, (holds ? "after " : "not within ") + seconds + " s");
        expectations.add(List.of(Figure.of(WHEN, what + " after", holds ? (double) seconds : Double.NaN, "s")
                .atMost((double) LIMIT.toSeconds(), holds)));
    }
}
