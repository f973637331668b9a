package io.hearth.tsdb;

import io.hearth.cluster.ClusterHost;
import io.hearth.demo.measure.LocalityCensus;
import io.hearth.procs.ProcessCluster;
import io.hearth.procs.layout.Role;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.hadoop.hbase.client.Admin;

/** A RegionServer is killed under the stream; its regions are served and local again; it is started again, and the heat is evened again. */
final class CrashPhase {

    private static final Duration LIMIT = Duration.ofMinutes(4);
    private static final long LOOK_MS = 500;

    /** Requests that are not acknowledged: those of three seconds. */
    private static final int CAUGHT_UP = 30;

    private final ProcessCluster cluster;
    private final TsdbPlan plan;
    private final Findings findings;
    private final Admin admin;
    private final TsdbTables tables;
    private final PutLoad puts;

    CrashPhase(ProcessCluster cluster, TsdbPlan plan, Findings findings, Admin admin, TsdbTables tables, PutLoad puts) {
        this.cluster = cluster;
        this.plan = plan;
        this.findings = findings;
        this.admin = admin;
        this.tables = tables;
        this.puts = puts;
    }

    /** What can be looked at in the cluster. */
    @FunctionalInterface
    private interface Condition {
        boolean holds() throws IOException;
    }

    /** Runs it to its end; the latencies are taken once between the crash and the start. */
    void run(Runnable latencies) throws IOException, InterruptedException {
        tables.flush();
        String dead = victim();
        LocalityCensus before = tables.census();
        findings.say(
                "%s's RegionServer is killed: %d regions, %,d bytes in store files",
                dead, before.servedBy(dead).size(), before.bytesByHost().getOrDefault(dead, 0L));
        cluster.kill(cluster.member(Role.REGIONSERVER, dead));
        expectWithin("its regions have servers again", () -> isServedWithout(dead));
        LocalityCensus moved = tables.census();
        findings.say("   locality %.3f, %,d bytes away", moved.locality(), moved.nonLocalBytes());
        expectWithin("all data are at home again", () -> tables.census().nonLocalBytes() == 0);
        expectWithin("OpenTSDB has caught up", () -> puts.unacknowledged() < CAUGHT_UP);
        latencies.run();
        findings.say("it is started again");
        cluster.repair(LIMIT);
        Evening evening = Evening.untilEven(admin, tables, LIMIT);
        findings.expect(evening.isEven(), "Hearth evens the heat", evening.words());
        tables.flush();
        expectWithin("all data are at home", () -> tables.census().nonLocalBytes() == 0);
    }

    private String victim() {
        List<ClusterHost> workers = cluster.layout().workers();
        return workers.get(new SplittableRandom(plan.seed()).nextInt(workers.size()))
                .name();
    }

    private boolean isServedWithout(String host) throws IOException {
        var served = tables.served();
        return served.size() == plan.table().regions()
                && served.stream().noneMatch(region -> region.host().equals(host));
    }

    private void expectWithin(String what, Condition condition) throws IOException, InterruptedException {
        long start = System.nanoTime();
        boolean holds = condition.holds();
        while (!holds && System.nanoTime() - start < LIMIT.toNanos()) {
            Thread.sleep(LOOK_MS);
            holds = condition.holds();
        }
        long seconds = (System.nanoTime() - start) / 1_000_000_000;
        findings.expect(holds, what, (holds ? "after " : "not within ") + seconds + " s");
    }
}
