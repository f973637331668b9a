// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench;

import io.hearth.balancer.HearthLoadBalancer;
import io.hearth.bench.plan.Statistics;
import io.hearth.bench.threshold.ThresholdReport;
import io.hearth.bench.threshold.ThresholdReport.Figure;
import io.hearth.testkit.command.OutputOption;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.master.balancer.StochasticLoadBalancer;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bin/hearth bench metrics-update}: what it costs to be shown the cluster after each executed move, beside the stock balancer. */
@Command(
        name = "metrics-update",
        description = {
            "What Hearth adds to each update of HBase's balancer.",
            "HBase shows its balancer the reports of all servers after each executed move, under the",
            "balancer's lock. Shows the same synthetic cluster to the stock balancer and to Hearth's, in",
            "turns in this JVM, with so much time between two updates, and prints the processor time",
            "that one update takes, median, and how many times stock's the mean is: one update of each",
            "minute reads what the others have left."
        },
        sortOptions = false,
        usageHelpAutoWidth = true,
        footerHeading = "%nExamples:%n",
        footer = "  bin/hearth bench metrics-update --servers 100 --regions 200000")
final class BenchMetricsUpdateCommand implements Callable<Integer> {

    /** Hearth's update may take this many times the stock balancer's while moves are executed. */
    private static final double THRESHOLD = 1.10;

    /** Between moves: a plan of 300 moves, of 30, and no move at all, where HBase's chore shows them once a minute. */
    private static final List<Long> APART_MS = List.of(1_000L, 10_000L, 60_000L);

    /** HBase's chore shows the reports as often, and Hearth's balancer reads all of them as often, with moves or without. */
    private static final long STATUS_PERIOD_MS = 60_000;

    private static final int WARM_UP = 20;

    @Spec
    private CommandSpec spec;

    @Option(names = "--servers", paramLabel = "N", description = "servers, 2 to 10000 (default 100)")
    private int servers = 100;

    @Option(names = "--regions", paramLabel = "N", description = "regions, 100 to 1000000 (default 200000)")
    private int regions = 200_000;

    @Option(
            names = "--updates",
            paramLabel = "N",
            description = "updates at least of each kind, whole minutes of them, 3 to 1000 (default 15)")
    private int updates = 15;

    @Mixin
    private OutputOption output;

    @Override
    public Integer call() {
        requireInRange("--servers", servers, 2, 10_000);
        requireInRange("--regions", regions, 100, 1_000_000);
        requireInRange("--updates", updates, 3, 1_000);
        StubMasterCluster cluster = new StubMasterCluster(servers, regions);
        EnvironmentEdgeManager.injectEdge(cluster::nowMs);
        try {
            return measure(cluster, output.forPerson());
        } finally {
            EnvironmentEdgeManager.reset();
        }
    }

    private int measure(StubMasterCluster cluster, PrintWriter out) {
        List<StochasticLoadBalancer> balancers = List.of(new StochasticLoadBalancer(), hearthInTimeOf(cluster));
        balancers.forEach(balancer -> {
            balancer.setMasterServices(cluster.master());
            balancer.initialize();
        });
        measureUpdates(balancers, cluster, STATUS_PERIOD_MS, WARM_UP);
        measureUpdates(balancers, cluster, 1_000, WARM_UP);
        out.printf(
                Locale.ROOT,
                "%,d servers, %,d regions; cpu ms of one update, median of %d or more%n",
                servers,
                regions,
                updates);
        ThresholdReport thresholds = new ThresholdReport();
        for (long apartMs : APART_MS) {
            List<List<Double>> millis = measureUpdates(balancers, cluster, apartMs, wholeMinutes(updates, apartMs));
            double stock = Statistics.median(millis.get(0), each -> each);
            double hearth = Statistics.median(millis.get(1), each -> each);
            double mean = sum(millis.get(1)) / sum(millis.get(0));
            String title = String.format(Locale.ROOT, "an update every %d s", apartMs / 1_000);
            out.printf(
                    Locale.ROOT,
                    "%-20s    stock %8.1f    hearth %8.1f    x %.2f    mean x %.2f%n",
                    title,
                    stock,
                    hearth,
                    hearth / stock,
                    mean);
            thresholds.add(Figure.of("", title + ", stock's CPU", stock, "ms"));
            thresholds.add(Figure.of("", title + ", Hearth's CPU", hearth, "ms"));
            // The threshold is for while moves are executed; else there is one update a minute, which reads every
            // report.
            if (apartMs < STATUS_PERIOD_MS) {
                out.println(thresholds.atMost(title + ", median", hearth / stock, THRESHOLD, "x"));
                out.println(thresholds.atMost(title + ", mean", mean, THRESHOLD, "x"));
            } else {
                thresholds.add(Figure.of("", title + ", median", hearth / stock, "x"));
                thresholds.add(Figure.of("", title + ", mean", mean, "x"));
            }
            out.flush();
        }
        balancers.forEach(balancer -> balancer.stop("the benchmark is over"));
        return thresholds.end(output);
    }

    private static StochasticLoadBalancer hearthInTimeOf(StubMasterCluster cluster) {
        return new HearthLoadBalancer() {
            @Override
            protected long nanoTime() {
                return TimeUnit.MILLISECONDS.toNanos(cluster.nowMs());
            }
        };
    }

    /** Each update is shown to both, to one of them first as often as to the other. */
    private static List<List<Double>> measureUpdates(
            List<StochasticLoadBalancer> balancers, StubMasterCluster cluster, long apartMs, int times) {
        List<List<Double>> millis = List.of(new ArrayList<>(), new ArrayList<>());
        for (int update = 0; update < times; update++) {
            ClusterMetrics metrics = cluster.later(apartMs);
            for (int turn = 0; turn < 2; turn++) {
                int which = (update + turn) % 2;
                long begin = cpuNanos();
                balancers.get(which).updateClusterMetrics(metrics);
                millis.get(which).add((cpuNanos() - begin) / 1e6);
            }
        }
        return millis;
    }

    /** So many updates or a few more, since one of each minute reads what the others have left. */
    private static int wholeMinutes(int updates, long apartMs) {
        int perMinute = (int) (STATUS_PERIOD_MS / apartMs);
        return (updates + perMinute - 1) / perMinute * perMinute;
    }

    private static double sum(List<Double> values) {
        return values.stream().mapToDouble(each -> each).sum();
    }

    private static long cpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private void requireInRange(String name, int value, int least, int most) {
        if (value < least || value > most) {
            throw new ParameterException(
                    spec.commandLine(), name + " is " + value + "; allowed are " + least + " to " + most);
        }
    }
}
