// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.plan;

import io.hearth.balancer.config.BalancerConfig;
import io.hearth.balancer.engine.BalanceEngine;
import io.hearth.balancer.engine.HBasePlanLimits;
import io.hearth.balancer.plan.Plan;
import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.plan.PlannedMove;
import io.hearth.balancer.planner.DirectedPlanner;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.LocalBytes;
import io.hearth.balancer.state.Pin;
import io.hearth.balancer.state.RegionState;
import io.hearth.bench.threshold.ThresholdReport;
import io.hearth.bench.threshold.ThresholdReport.Figure;
import io.hearth.common.config.RawSettings.MapSettings;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.LoadVector;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import io.hearth.sim.oracle.PlanEvaluation;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * A cluster after a full restart with few servers up, or one that was doubled: all regions are on some of its servers. Planned as
 * a master does it by default, with as many moves as it carries out in one period, and once more with no limit to moves; without
 * a deadline. Immutable.
 *
 * @param occupiedServers servers that have all the regions, the same number each
 */
public record ScaleOutCase(int servers, int regions, int occupiedServers) {

    /** The most processor time of one plan, median, in milliseconds. */
    public static final long CPU_THRESHOLD_MS = 3_000;

    private static final int MEASUREMENTS = 3;

    /** HBase's {@code hbase.balancer.period}, in milliseconds. */
    private static final long PERIOD_MS = 300_000;

    /** Every case, the smallest first. */
    public static List<ScaleOutCase> all() {
        return List.of(
                new ScaleOutCase(20, 16_000, 1),
                new ScaleOutCase(50, 32_000, 1),
                new ScaleOutCase(100, 100_000, 5),
                new ScaleOutCase(100, 100_000, 50));
    }

    /** The name of the row: {@code 16,000 on 1 of 20}. */
    public String title() {
        return String.format(Locale.ROOT, "%,d on %d of %d", regions, occupiedServers, servers);
    }

    /**
     * One plan.
     *
     * @param cpuMillis processor time from the snapshot to the plan, in milliseconds; median
     */
    public record MeasuredPlan(PlanEvaluation after, double cpuMillis) {

        private String text() {
            return String.format(
                    Locale.ROOT,
                    "%.3f by %,6d moves in cpu %,7.1f ms",
                    after.maxOverMean(LoadDimension.READS),
                    after.moves(),
                    cpuMillis);
        }
    }

    /**
     * What plans for one cluster of this kind came to.
     *
     * @param next the plan of one run, with the moves that a master carries out until the next
     * @param all the plan that is done with all of it
     */
    public record Result(ScaleOutCase row, long seed, PlanEvaluation before, MeasuredPlan next, MeasuredPlan all) {

        /** Max/mean of reads before and after, moves and time of both plans in one line. */
        public String text() {
            return String.format(
                    Locale.ROOT,
                    "%-20s  reads %5.2f -> %s;  all at once %s",
                    row.title(),
                    before.maxOverMean(LoadDimension.READS),
                    next.text(),
                    all.text());
        }

        /** The figures beside the threshold of the processor time. */
        public ThresholdReport thresholds() {
            ThresholdReport report = new ThresholdReport();
            String of = row.title() + ", seed " + seed;
            report.add(Figure.of(of, "max/mean of reads before", before.maxOverMean(LoadDimension.READS), ""));
            report.add(Figure.of(of, "max/mean of reads", next.after.maxOverMean(LoadDimension.READS), ""));
            report.add(Figure.of(of, "moves", next.after.moves(), ""));
            report.add(
                    Figure.of(of, "CPU of a plan", next.cpuMillis, "ms")
                            .atMost((double) CPU_THRESHOLD_MS, next.cpuMillis <= CPU_THRESHOLD_MS),
                    String.format(
                            Locale.ROOT,
                            "%s: the plan takes %.0f ms of processor time, above %d ms",
                            row.title(),
                            next.cpuMillis,
                            CPU_THRESHOLD_MS));
            report.add(Figure.of(of, "all at once, max/mean of reads", all.after.maxOverMean(LoadDimension.READS), ""));
            report.add(Figure.of(of, "all at once, moves", all.after.moves(), ""));
            report.add(Figure.of(of, "all at once, CPU of a plan", all.cpuMillis, "ms"));
            return report;
        }
    }

    /**
     * Plans for the cluster of this seed.
     *
     * @param cpuNanoTime the processor time of this thread, in nanoseconds
     */
    public Result measure(long seed, LongSupplier cpuNanoTime) {
        ClusterState snapshot = ClusterState.of(cluster(seed));
        BalancerConfig config = BalancerConfig.read("the benchmark", new MapSettings(Map.of()), key -> true);
        BalanceEngine engine = new BalanceEngine(config, new DirectedPlanner()::plan);
        HBasePlanLimits all = HBasePlanLimits.of(PlanBenchCase.SLOP, snapshot, 1);
        HBasePlanLimits next = all.atMost(config.search().movesWithin(PERIOD_MS));
        return new Result(
                this,
                seed,
                PlanEvaluation.ofNoPlan(snapshot),
                measuredPlan(snapshot, engine.goals(next, 0), cpuNanoTime),
                measuredPlan(snapshot, engine.goals(all, 0), cpuNanoTime));
    }

    private static MeasuredPlan measuredPlan(ClusterState snapshot, PlanGoals goals, LongSupplier cpuNanoTime) {
        List<Double> millis = new ArrayList<>();
        Map<EncodedRegionName, ServerId> targets = Map.of();
        for (int measurement = 0; measurement < MEASUREMENTS; measurement++) {
            long begin = cpuNanoTime.getAsLong();
            Plan plan = new DirectedPlanner().plan(snapshot, goals);
            millis.add((cpuNanoTime.getAsLong() - begin) / 1e6);
            targets = plan.moves().stream()
                    .collect(Collectors.toMap(PlannedMove::region, PlannedMove::to, (first, last) -> last));
        }
        return new MeasuredPlan(PlanEvaluation.of(snapshot, targets), Statistics.median(millis, each -> each));
    }

    private Map<ServerId, List<RegionState>> cluster(long seed) {
        Random random = new Random(seed);
        List<List<RegionState>> lists = new ArrayList<>();
        Map<ServerId, List<RegionState>> byServer = new TreeMap<>();
        for (int server = 0; server < servers; server++) {
            lists.add(new ArrayList<>());
            byServer.put(new ServerId(String.format(Locale.ROOT, "rs%05d", server), 16020, 1), lists.get(server));
        }
        TableId table = new TableId("usertable");
        for (int region = 0; region < regions; region++) {
            EncodedRegionName id =
                    new EncodedRegionName(String.format(Locale.ROOT, "%016x%016x", random.nextLong(), (long) region));
            LoadVector load = LoadVector.ofReads(10 * Math.exp(random.nextGaussian()))
                    .withWrites(5)
                    .withStoreBytes(1e9);
            lists.get(region % occupiedServers).add(new RegionState(id, id, table, load, Pin.FREE, LocalBytes.UNKNOWN));
        }
        return byServer;
    }
}
