// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.plan;

import io.hearth.balancer.plan.Plan;
import io.hearth.balancer.plan.PlannedMove;
import io.hearth.balancer.planner.DirectedPlanner;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.RegionState;
import io.hearth.bench.plan.PlanCaseResult.HearthRun;
import io.hearth.bench.plan.PlanCaseResult.StockRun;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.ServerId;
import io.hearth.sim.oracle.LowerBounds;
import io.hearth.sim.oracle.PlanEvaluation;
import io.hearth.sim.oracle.RuleCheck;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.master.balancer.StockSearch;
import org.apache.hadoop.hbase.master.balancer.StockSearch.StockPlan;
import org.apache.hadoop.hbase.master.balancer.StockSearch.StockTuning;

/** Runs one row of the benchmark at a time. Not thread-safe: times are those of a JVM that does nothing else. */
public final class PlanBench {

    /** A planner is measured as often as fits into this time, in milliseconds, but not more often than makes a median. */
    private static final long MEASURE_MS = 3_000;

    private static final int MOST_MEASUREMENTS = 9;

    private final DirectedPlanner planner = new DirectedPlanner();
    private final LongSupplier nanoTime;
    private final LongSupplier cpuNanoTime;

    /**
     * @param nanoTime a clock such as {@link System#nanoTime}
     * @param cpuNanoTime the processor time of this thread, in nanoseconds
     */
    public PlanBench(LongSupplier nanoTime, LongSupplier cpuNanoTime) {
        this.nanoTime = nanoTime;
        this.cpuNanoTime = cpuNanoTime;
    }

    /** Plans until the JIT has seen enough: small clusters of both kinds, again and again for this time. */
    public void warmUp(long millis) {
        long end = nanoTime.getAsLong() + millis * 1_000_000;
        for (long seed = 1; nanoTime.getAsLong() < end; seed++) {
            for (PlanBenchCase row : PlanBenchCase.all()) {
                if (row.servers() <= 100) {
                    planner.plan(ClusterState.of(row.cluster(-seed)), row.goals());
                }
            }
        }
    }

    /** Hearth's plan for the cluster of this seed. */
    public HearthRun hearth(PlanBenchCase row, long seed) {
        Map<ServerId, List<RegionState>> cluster = row.cluster(seed);
        List<Double> snapshotMillis = new ArrayList<>();
        List<Double> planMillis = new ArrayList<>();
        List<Double> cpuMillis = new ArrayList<>();
        ClusterState snapshot;
        Plan plan;
        long begin = nanoTime.getAsLong();
        do {
            long start = nanoTime.getAsLong();
            snapshot = ClusterState.of(cluster);
            long built = nanoTime.getAsLong();
            long cpuStart = cpuNanoTime.getAsLong();
            plan = planner.plan(snapshot, row.goals());
            long planned = nanoTime.getAsLong();
            snapshotMillis.add((built - start) / 1e6);
            planMillis.add((planned - built) / 1e6);
            cpuMillis.add((cpuNanoTime.getAsLong() - cpuStart) / 1e6);
        } while (planMillis.size() < MOST_MEASUREMENTS && nanoTime.getAsLong() - begin < MEASURE_MS * 1_000_000);
        return result(row, seed, snapshot, plan, snapshotMillis, planMillis, cpuMillis);
    }

    private static HearthRun result(
            PlanBenchCase row,
            long seed,
            ClusterState snapshot,
            Plan plan,
            List<Double> snapshotMillis,
            List<Double> planMillis,
            List<Double> cpuMillis) {
        Map<EncodedRegionName, ServerId> targets = targets(plan);
        PlanEvaluation after = PlanEvaluation.of(snapshot, targets);
        Map<LoadDimension, Double> lowerBound = new EnumMap<>(LoadDimension.class);
        row.evennessThreshold()
                .keySet()
                .forEach(dimension ->
                        lowerBound.put(dimension, plan.outcome(dimension).lowerBound()));
        return new HearthRun(
                seed,
                PlanEvaluation.ofNoPlan(snapshot),
                after,
                lowerBound,
                RuleCheck.counts(snapshot, PlanEvaluation.applied(snapshot, targets), row.goals()),
                Math.max(
                        plan.leastMoves(),
                        LowerBounds.moves(
                                snapshot, after, row.evennessThreshold().keySet())),
                Statistics.median(snapshotMillis, millis -> millis),
                Statistics.median(planMillis, millis -> millis),
                Statistics.median(cpuMillis, millis -> millis));
    }

    private static Map<EncodedRegionName, ServerId> targets(Plan plan) {
        return plan.moves().stream()
                .collect(Collectors.toMap(PlannedMove::region, PlannedMove::to, (first, last) -> last));
    }

    /** The stock balancer's plan for the cluster of this seed. */
    public StockRun stock(PlanBenchCase row, long seed, StockTuning tuning, long maxRunningMs) {
        ClusterState snapshot = ClusterState.of(row.cluster(seed));
        StockPlan plan = StockSearch.run(snapshot, tuning, PlanBenchCase.SLOP, maxRunningMs);
        PlanEvaluation after = PlanEvaluation.of(snapshot, plan.serverByRegion());
        return new StockRun(seed, tuning, after, plan.millis(), hearthAsEven(row, snapshot, after));
    }

    private Optional<PlanEvaluation> hearthAsEven(PlanBenchCase row, ClusterState snapshot, PlanEvaluation stock) {
        if (stock.moves() == 0) {
            return Optional.empty();
        }
        Map<LoadDimension, Double> targets = new EnumMap<>(LoadDimension.class);
        row.evennessThreshold().keySet().forEach(dimension -> targets.put(dimension, stock.maxOverMean(dimension)));
        return Optional.of(PlanEvaluation.of(snapshot, targets(planner.plan(snapshot, row.goalsAtAnyCost(targets)))));
    }
}
