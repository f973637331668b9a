// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.month;

import io.hearth.bench.plan.Statistics;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.master.RegionPlan;
import org.apache.hadoop.hbase.master.balancer.StochasticLoadBalancer;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;

/** The stock balancer on the same cluster, as HBase comes: some minutes' reports and some runs, whose moves are made. Not thread-safe. */
final class StockMonth {

    /** As many reports as it remembers of each region. */
    private static final int UPDATES = 15;

    private static final long MINUTE_MS = 60_000;

    private final MonthCluster cluster;
    private final StochasticLoadBalancer balancer;
    private final List<Double> updateMs = new ArrayList<>();
    private final List<Double> runMs = new ArrayList<>();
    private double longestCallMs;
    private long moves;

    StockMonth(MonthCluster cluster, StochasticLoadBalancer balancer) {
        this.cluster = cluster;
        this.balancer = balancer;
        balancer.setMasterServices(cluster.master());
        balancer.initialize();
    }

    /** Starts, and balances so many times. */
    void run(int runs) {
        start();
        balance(runs);
    }

    /** As many minutes' reports as it remembers, and where blocks are. */
    void start() {
        for (int update = 0; update < UPDATES; update++) {
            update();
        }
        double unused = underLock(balancer::postMasterStartupInitialize);
    }

    /** A minute's reports. */
    void update() {
        ClusterMetrics metrics = cluster.later(MINUTE_MS);
        updateMs.add(underLock(() -> balancer.updateClusterMetrics(metrics)));
    }

    void balance(int runs) {
        // Its search ends after 30 s by this clock.
        EnvironmentEdgeManager.reset();
        for (int run = 0; run < runs; run++) {
            List<RegionPlan> plans = new ArrayList<>();
            runMs.add(underLock(() -> {
                List<RegionPlan> made = balancer.balanceCluster(cluster.assignments());
                plans.addAll(made == null ? List.of() : made);
            }));
            cluster.move(plans);
            moves += plans.size();
        }
    }

    /** Processor time in milliseconds. */
    private double underLock(Runnable what) {
        long began = System.nanoTime();
        long beganCpu = Cpu.ofThisThread();
        what.run();
        longestCallMs = Math.max(longestCallMs, (System.nanoTime() - began) / 1e6);
        return (Cpu.ofThisThread() - beganCpu) / 1e6;
    }

    /** Of one update, in milliseconds of processor time, median. */
    double updateMs() {
        return Statistics.median(updateMs, each -> each);
    }

    /** Of one run. */
    double runMs() {
        return Statistics.median(runMs, each -> each);
    }

    double longestCallMs() {
        return longestCallMs;
    }

    long moves() {
        return moves;
    }
}
