// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.month;

import io.hearth.balancer.HearthLoadBalancer;
import io.hearth.balancer.config.BalancerConfig;
import io.hearth.balancer.engine.BalanceEngine;
import io.hearth.balancer.engine.ClusterStateBuilder;
import io.hearth.balancer.engine.MasterWork;
import io.hearth.balancer.hbase.CanaryTable;
import io.hearth.balancer.hbase.HBaseNames;
import io.hearth.balancer.hbase.MasterComponentRegistry;
import io.hearth.balancer.hbase.MasterMeter;
import io.hearth.balancer.hbase.MasterMeterMetrics;
import io.hearth.balancer.hbase.MasterMeterMetrics.MasterMetric;
import io.hearth.balancer.hbase.ReportedStateReader;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.ServerState;
import io.hearth.bench.month.Samples.Kind;
import io.hearth.common.hadoop.ConfigurationSettings;
import io.hearth.ui.history.RequestRateHistory;
import io.hearth.ui.model.Page;
import io.hearth.ui.model.PageBuilder;
import io.hearth.ui.model.PageInput;
import io.hearth.ui.model.PageInput.BalancerStatus;
import io.hearth.ui.model.PageInput.DoctorReport;
import io.hearth.ui.model.PageInput.HealerStatus;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.HBaseIOException;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.master.RegionPlan;
import org.apache.hadoop.hbase.metrics.Gauge;
import org.apache.hadoop.hbase.metrics.MetricRegistries;

/**
 * The balancer that ships, living through a month at a few points of each day: a minute's reports, runs until nothing moves, the moves, a
 * page; and once a day a server dies. What is between the points passes at once. Processor time is that which the HMaster's own meter
 * ({@link MasterMeter}) measures. Not thread-safe.
 */
final class HearthMonth implements AutoCloseable {

    private static final int REPORTS_AT_A_POINT = 2;
    private static final int MOST_RUNS_AT_A_POINT = 4;
    private static final int SHOWN_AT_A_POINT = 6;
    private static final double DRIFT_A_DAY = 0.02;
    private static final long MINUTE_MS = 60_000;
    private static final long RUN_EVERY_MS = 300_000;

    private final MonthCluster cluster;
    private final Configuration site;
    private final HearthLoadBalancer balancer;
    private final MasterMeter meter = MasterMeter.shared();
    private final RequestRateHistory history = new RequestRateHistory();
    private final Samples samples = new Samples();
    private Map<ServerName, ServerMetrics> reports = Map.of();
    private Optional<Page> page = Optional.empty();
    private long moves;
    private long runsWithMoves;
    private long pollsInRuns;
    private long placed;
    private long longestLockMs;
    private double longestCpuMs;
    private double longestCallMs;
    private int threads;

    HearthMonth(MonthCluster cluster, Configuration site) {
        this.cluster = cluster;
        this.site = site;
        balancer = new HearthLoadBalancer() {
            @Override
            protected long nanoTime() {
                return TimeUnit.MILLISECONDS.toNanos(cluster.nowMs());
            }
        };
    }

    /** The master starts: the balancer is loaded, and every region's blocks are looked up. */
    void start(int regions) throws InterruptedException {
        balancer.setMasterServices(cluster.master());
        balancer.initialize();
        long lookUps = BlocksFileSystem.lookUps();
        double before = ms(MasterWork.LOCALITY);
        report(cluster.later(MINUTE_MS));
        underLock(balancer::postMasterStartupInitialize);
        BlocksFileSystem.awaitLookUps(lookUps + regions, () -> report(cluster.later(MINUTE_MS)));
        samples.add(Kind.LOOK_UP, BlocksFileSystem.lookUps() - lookUps, ms(MasterWork.LOCALITY) - before);
    }

    /** One day of the month, at so many points. */
    void day(int points) throws IOException {
        cluster.drift(DRIFT_A_DAY);
        long saves = BlocksFileSystem.saves();
        double before = ms(MasterWork.STATE);
        for (int point = 0; point < points; point++) {
            long beganMs = cluster.nowMs();
            point();
            if (point == 0) {
                crash();
            }
            cluster.pass(Math.max(0, MonthCluster.DAY_MS / points - (cluster.nowMs() - beganMs)));
        }
        samples.add(Kind.SAVE, BlocksFileSystem.saves() - saves, ms(MasterWork.STATE) - before);
    }

    private void point() throws IOException {
        for (int minute = 0; minute < REPORTS_AT_A_POINT; minute++) {
            ClusterMetrics metrics = cluster.later(MINUTE_MS);
            samples.add(Kind.REPORTS, measured(MasterWork.REPORTS, () -> report(metrics)));
        }
        int moved = 1;
        for (int run = 0; run < MOST_RUNS_AT_A_POINT && moved > 0; run++) {
            moved = run();
        }
        publish();
        threads = Math.max(threads, (int) gauge(MasterMetric.THREADS));
        longestLockMs = Math.max(longestLockMs, gauge(MasterMetric.LONGEST_LOCK_MS));
    }

    /** One run of the balancer; what it moves is moved within the five minutes that follow. */
    private int run() {
        List<RegionPlan> plans = new ArrayList<>();
        double ms = measured(MasterWork.PLANS, () -> {
            List<RegionPlan> made = balancer.balanceCluster(cluster.assignments());
            plans.addAll(made == null ? List.of() : made);
        });
        samples.add(plans.isEmpty() ? Kind.QUIET_RUN : Kind.RUN, ms);
        if (!plans.isEmpty()) {
            cluster.move(plans);
            moves += plans.size();
            runsWithMoves++;
            pollsInRuns += Math.min(plans.size(), RUN_EVERY_MS / 1_000);
            for (int shown = 0; shown < Math.min(plans.size(), SHOWN_AT_A_POINT); shown++) {
                ClusterMetrics metrics = cluster.later(1_000);
                samples.add(Kind.SHOWN, measured(MasterWork.REPORTS, () -> report(metrics)));
            }
        }
        ClusterMetrics metrics = cluster.later(RUN_EVERY_MS);
        report(metrics);
        return plans.size();
    }

    private void report(ClusterMetrics metrics) {
        reports = metrics.getLiveServerMetrics();
        underLock(() -> balancer.updateClusterMetrics(metrics));
    }

    private void crash() {
        MonthCluster.Crash crash = cluster.crash();
        samples.add(Kind.PLACEMENT, measured(MasterWork.PLACEMENT, () -> {
            try {
                cluster.open(balancer.roundRobinAssignment(crash.regions(), crash.servers()));
            } catch (HBaseIOException failure) {
                throw new IllegalStateException(failure);
            }
        }));
        placed += crash.regions().size();
    }

    /** As the page's thread does, of this balancer. */
    private void publish() throws IOException {
        long began = Cpu.ofThisThread();
        BalanceEngine engine = MasterComponentRegistry.engine(site).orElseThrow();
        ClusterStateBuilder view = engine.view(cluster.nowMs());
        ReportedStateReader reader = new ReportedStateReader(view, CanaryTable.NONE);
        List<ServerState> servers = new ArrayList<>();
        for (Map.Entry<ServerName, ServerMetrics> server : reports.entrySet()) {
            servers.add(reader.read(ServerState.of(HBaseNames.server(server.getKey())), server.getValue()));
        }
        PageInput input = pageInput(new ClusterState(cluster.nowMs(), "the master", "", servers), engine);
        page = Optional.of(PageBuilder.build(input, history::of).withoutRegions());
        samples.add(Kind.PAGE, (Cpu.ofThisThread() - began) / 1e6);
    }

    private PageInput pageInput(ClusterState seen, BalanceEngine engine) {
        BalancerStatus status = new BalancerStatus(
                true,
                true,
                BalancerConfig.read("hbase-site.xml", new ConfigurationSettings(site), key -> true),
                engine.tracker().adviseOnly(),
                Optional.empty(),
                engine.canaries(),
                engine.excludedNow(),
                engine.decisions(),
                engine.rejectedStockMoves(),
                engine.tracker().pinned(seen.atMs()),
                engine.tracker().predictionLog(),
                engine.advice().newestFirst(),
                engine.advice().days());
        return new PageInput(seen, "the master", engine.weights(), status, HealerStatus.NONE, DoctorReport.NOT_YET);
    }

    /** What the meter has counted of this work meanwhile, in milliseconds. */
    private double measured(MasterWork work, Runnable what) {
        double before = ms(work);
        underLock(what);
        double ms = ms(work) - before;
        longestCpuMs = Math.max(longestCpuMs, ms);
        return ms;
    }

    private void underLock(Runnable what) {
        long began = System.nanoTime();
        what.run();
        longestCallMs = Math.max(longestCallMs, (System.nanoTime() - began) / 1e6);
    }

    private double ms(MasterWork work) {
        return meter.nanosByWork().getOrDefault(work, 0L) / 1e6;
    }

    private static long gauge(MasterMetric metric) {
        return MetricRegistries.global()
                .get(MasterMeterMetrics.INFO)
                .flatMap(registry -> registry.get(metric.metric()))
                .map(found -> ((Number) ((Gauge<?>) found).getValue()).longValue())
                .orElseThrow();
    }

    Samples samples() {
        return samples;
    }

    /** Moves of regions so far. */
    long moves() {
        return moves;
    }

    long runsWithMoves() {
        return runsWithMoves;
    }

    /** Polls of the healer that hints of moves would have brought. */
    long pollsInRuns() {
        return pollsInRuns;
    }

    /** Regions of servers that died. */
    long placed() {
        return placed;
    }

    /** The most processor time of Hearth's in one call under the balancer's lock, in milliseconds. */
    double longestCpuMs() {
        return longestCpuMs;
    }

    /** The longest stretch of Hearth's under the balancer's lock by the clock, in milliseconds. */
    long longestLockMs() {
        return longestLockMs;
    }

    /** The longest call of HBase's that holds the lock, HBase's own part in it included, in milliseconds. */
    double longestCallMs() {
        return longestCallMs;
    }

    /** The most threads of Hearth's at a time. */
    int threads() {
        return threads;
    }

    /** What the HMaster shows as its estimate of Hearth's heap, in bytes. */
    long shownHeapBytes() {
        return gauge(MasterMetric.HEAP_BYTES);
    }

    /** Whether the page has as many regions as were reported. */
    boolean hasPage() {
        return page.isPresent();
    }

    @Override
    public void close() {
        balancer.stop("the month is over");
    }
}
