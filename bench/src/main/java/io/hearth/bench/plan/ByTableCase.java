// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.plan;

import io.hearth.balancer.config.BalancerConfig;
import io.hearth.balancer.engine.BalanceEngine;
import io.hearth.balancer.engine.ClusterStateBuilder;
import io.hearth.balancer.engine.HBasePlanLimits;
import io.hearth.balancer.plan.Plan;
import io.hearth.balancer.planner.DirectedPlanner;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.LocalBytes;
import io.hearth.balancer.state.Pin;
import io.hearth.balancer.state.RegionState;
import io.hearth.balancer.state.ServerState;
import io.hearth.bench.threshold.ThresholdReport;
import io.hearth.bench.threshold.ThresholdReport.Figure;
import io.hearth.common.config.RawSettings.MapSettings;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadVector;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.function.LongSupplier;

/**
 * One run by table ({@code hbase.master.loadbalance.bytable}) over thousands of tables whose regions were dealt by lot: a plan for
 * each table on top of those before it, as a master has them, but without the deadline of the run. Immutable.
 *
 * @param endsInTime whether one run is to plan all tables within its deadline
 */
public record ByTableCase(int servers, int tables, int regions, boolean endsInTime) {

    /** The deadline that a run has by default, in milliseconds: with more, some tables wait for the next run. */
    public static final long CPU_THRESHOLD_MS = 10_000;

    /** The cases. */
    public static List<ByTableCase> all() {
        return List.of(new ByTableCase(100, 5_000, 100_000, true), new ByTableCase(1_000, 5_000, 100_000, false));
    }

    /** What a run came to. */
    public record Result(ByTableCase row, long seed, int moves, double cpuMillis) {

        /** In one line. */
        public String text() {
            return String.format(
                    Locale.ROOT,
                    "%,d tables, %,d regions on %,d servers, by table: %,d moves in cpu %,.1f ms, %.2f ms a table%s",
                    row.tables,
                    row.regions,
                    row.servers,
                    moves,
                    cpuMillis,
                    cpuMillis / row.tables,
                    row.endsInTime ? "" : "; the deadline ends it");
        }

        /** The figures, beside the threshold of the processor time where there is one. */
        public ThresholdReport thresholds() {
            ThresholdReport report = new ThresholdReport();
            String of = String.format(
                    Locale.ROOT,
                    "%,d tables, %,d regions on %,d servers, by table, seed %d",
                    row.tables,
                    row.regions,
                    row.servers,
                    seed);
            report.add(Figure.of(of, "moves", moves, ""));
            Figure cpu = Figure.of(of, "CPU of a run", cpuMillis, "ms");
            report.add(
                    row.endsInTime ? cpu.atMost((double) CPU_THRESHOLD_MS, cpuMillis <= CPU_THRESHOLD_MS) : cpu,
                    String.format(
                            Locale.ROOT,
                            "%,d tables take %.0f ms of processor time in one run, above its deadline of %d ms",
                            row.tables,
                            cpuMillis,
                            CPU_THRESHOLD_MS));
            report.add(Figure.of(of, "CPU of a table", cpuMillis / row.tables, "ms"));
            return report;
        }
    }

    /** @param cpuNanoTime the processor time of this thread, in nanoseconds */
    public Result measure(long seed, LongSupplier cpuNanoTime) {
        BalancerConfig config = BalancerConfig.read("the benchmark", new MapSettings(Map.of()), key -> true);
        BalanceEngine engine = new BalanceEngine(config, new DirectedPlanner()::plan);
        DirectedPlanner planner = new DirectedPlanner().inOneOrder();
        ClusterStateBuilder states = cluster(seed);
        int moves = 0;
        long begin = cpuNanoTime.getAsLong();
        for (int table = 0; table < tables; table++) {
            ClusterState snapshot = states.of(table(table));
            Plan plan = planner.plan(snapshot, engine.goals(HBasePlanLimits.of(PlanBenchCase.SLOP, snapshot, 1), 0));
            plan.moves().forEach(move -> states.move(move.region(), move.table(), move.from(), move.to()));
            moves += plan.moves().size();
        }
        return new Result(this, seed, moves, (cpuNanoTime.getAsLong() - begin) / 1e6);
    }

    private ClusterStateBuilder cluster(long seed) {
        Random random = new Random(seed);
        ClusterStateBuilder states = new ClusterStateBuilder();
        for (int server = 0; server < servers; server++) {
            states.add(ServerState.of(server(server)));
        }
        for (int region = 0; region < regions; region++) {
            EncodedRegionName id =
                    new EncodedRegionName(String.format(Locale.ROOT, "%016x%016x", random.nextLong(), (long) region));
            LoadVector load = LoadVector.ofReads(10 * Math.exp(random.nextGaussian()))
                    .withWrites(5)
                    .withStoreBytes(1e9);
            states.add(
                    server(random.nextInt(servers)),
                    new RegionState(id, id, table(region % tables), load, Pin.FREE, LocalBytes.UNKNOWN));
        }
        return states;
    }

    private static ServerId server(int number) {
        return new ServerId(String.format(Locale.ROOT, "rs%05d", number), 16020, 1);
    }

    private static TableId table(int number) {
        return new TableId("table" + number);
    }
}
