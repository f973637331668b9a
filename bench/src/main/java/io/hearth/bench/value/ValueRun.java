// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.value;

import io.hearth.bench.cluster.VariantRun;
import io.hearth.bench.cluster.VariantRun.Variant;
import io.hearth.bench.value.LayoutResult.Balancer;
import io.hearth.testkit.load.LoadProfile.KeyDistribution;
import io.hearth.testkit.load.Workload;
import io.hearth.testkit.process.OnlineConfigChange;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Runs draws of how often regions are asked: each on a cluster with the stock balancer, and on another one with Hearth. */
public final class ValueRun {

    /** What is measured. */
    public enum Part {
        EVENNESS,
        CRASH,
        LOCALITY
    }

    /** The draws that can be run, by number: the quartiles of what is drawn, the least uneven first. */
    public static final List<Integer> DRAWS = List.of(1, 2, 3);

    /** The one with the median unevenness. */
    public static final int MEDIAN_DRAW = 2;

    /** What an operator who has read of stock's costs would set. */
    private static final Map<String, String> TUNED = Map.of(
            "hbase.master.balancer.stochastic.readRequestCost", "500",
            "hbase.master.balancer.stochastic.writeRequestCost", "500",
            "hbase.master.balancer.stochastic.storefileSizeCost", "500",
            "hbase.master.balancer.stochastic.minCostNeedBalance", "0.0001",
            "hbase.master.balancer.stochastic.runMaxSteps", "true");

    private ValueRun() {}

    /**
     * Runs them one after the other, with the cluster's files in this folder.
     *
     * @param draws some of {@link #DRAWS}
     * @param progress what happens, a line at a time
     */
    public static List<DrawResult> run(
            KeyDistribution distribution,
            Workload workload,
            List<Integer> draws,
            Path folder,
            Consumer<String> progress)
            throws IOException, InterruptedException {
        List<DrawResult> results = new ArrayList<>();
        for (int number : draws) {
            RegionDraw draw = draw(distribution, number);
            double skew = draw.skewInPlace(ValueCluster.HOSTS);
            progress.accept("   draw %d, of seed %d: max/mean %.2f where regions are at first"
                    .formatted(number, draw.seed(), skew));
            List<LayoutResult> layouts = new ArrayList<>(stock(draw, workload, folder, progress));
            layouts.add(hearth(draw, workload, folder, progress));
            results.add(new DrawResult(number, skew, layouts));
        }
        return results;
    }

    private static RegionDraw draw(KeyDistribution distribution, int number) {
        return RegionDraw.quartiles(distribution, ValueCluster.HOSTS, ValueCluster.REGIONS_OF_A_HOST)
                .get(number - 1);
    }

    private static List<LayoutResult> stock(RegionDraw draw, Workload workload, Path folder, Consumer<String> progress)
            throws IOException, InterruptedException {
        return VariantRun.on(ValueCluster.spec(false), folder, processes -> {
            try (ValueCluster cluster = ValueCluster.on(processes, workload, progress)) {
                List<LayoutResult> layouts = new ArrayList<>();
                progress.accept("   " + Balancer.CONTROL.description());
                layouts.add(cluster.measureEvenLoad());
                progress.accept("   " + Balancer.STOCK.description());
                layouts.add(cluster.measure(Balancer.STOCK, draw));
                progress.accept("   " + Balancer.STOCK_TUNED.description());
                try (OnlineConfigChange change = new OnlineConfigChange(processes.conf(), cluster.admin())) {
                    change.set(TUNED);
                    layouts.add(cluster.measure(Balancer.STOCK_TUNED, draw));
                }
                return layouts;
            }
        });
    }

    private static LayoutResult hearth(RegionDraw draw, Workload workload, Path folder, Consumer<String> progress)
            throws IOException, InterruptedException {
        return VariantRun.on(ValueCluster.spec(true), folder, processes -> {
            try (ValueCluster cluster = ValueCluster.on(processes, workload, progress)) {
                progress.accept("   " + Balancer.HEARTH.description());
                return cluster.measure(Balancer.HEARTH, draw);
            }
        });
    }

    /** An even load on a cluster that nothing else is asked of. */
    private static LayoutResult evenLoad(Workload workload, Path folder, Consumer<String> progress)
            throws IOException, InterruptedException {
        progress.accept("   " + Balancer.CONTROL.description());
        return VariantRun.on(ValueCluster.spec(false), folder, processes -> {
            try (ValueCluster cluster = ValueCluster.on(processes, workload, progress)) {
                return cluster.measureEvenLoad();
            }
        });
    }

    /**
     * Kills a server of a cluster that each balancer has evened out, in the median draw.
     *
     * @param progress what happens, a line at a time
     */
    public static CheckedResults<CrashResult> crash(
            KeyDistribution distribution, Workload workload, Path folder, Consumer<String> progress)
            throws IOException, InterruptedException {
        LayoutResult control = evenLoad(workload, folder, progress);
        RegionDraw draw = draw(distribution, MEDIAN_DRAW);
        List<CrashResult> results = new ArrayList<>();
        for (Balancer balancer : List.of(Balancer.STOCK, Balancer.HEARTH)) {
            progress.accept("   a crash, " + balancer.description());
            results.add(VariantRun.on(ValueCluster.spec(balancer == Balancer.HEARTH), folder, processes -> {
                try (ValueCluster cluster = ValueCluster.on(processes, workload, progress)) {
                    return cluster.crash(balancer, draw);
                }
            }));
        }
        return CheckedResults.of(control, results, CrashResult::idle);
    }

    /**
     * Takes all data of one server away and has it made local again, by Hearth and by major compactions.
     *
     * @param progress what happens, a line at a time
     */
    public static CheckedResults<LinkResult> locality(Path folder, Consumer<String> progress)
            throws IOException, InterruptedException {
        LayoutResult control = evenLoad(Workload.C, folder, progress);
        List<LinkResult> results = new ArrayList<>();
        for (Variant variant : List.of(Variant.COMPACTION, Variant.HEARTH)) {
            progress.accept("   links of " + LinkRun.LINK_MEGABITS + " Mbit/s, " + variant.description());
            results.add(LinkRun.run(variant, folder, progress));
        }
        return CheckedResults.of(control, results, LinkResult::idle);
    }
}
