// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench;

import com.sun.management.OperatingSystemMXBean;
import io.hearth.bench.heal.FullClusterPlanning;
import io.hearth.bench.heal.HealAllRequest;
import io.hearth.bench.heal.HealCases;
import io.hearth.bench.heal.IdlePoll;
import io.hearth.bench.heal.LargeCluster;
import io.hearth.bench.heal.LargeCluster.ClusterSize;
import io.hearth.bench.heal.RankingRun;
import io.hearth.bench.heal.RankingRun.RemoteBytesDistribution;
import io.hearth.bench.heal.WaitingRegions;
import io.hearth.bench.plan.Statistics;
import io.hearth.bench.threshold.ThresholdReport;
import io.hearth.testkit.command.OutputOption;
import io.hearth.testkit.measure.ProcessMemory;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bin/hearth bench heal}: what is healed first and what that is worth, and what a simulated heal costs on a large cluster. */
@Command(
        name = "heal",
        description = {
            "Order and cost of heals on synthetic clusters.",
            "The share of remote reads that are gone after 30 %% of the bytes, in Hearth's order, by",
            "locality alone and in the best order there is; then, on a synthetic cluster as large as",
            "HubSpot's largest, what planning all of it costs, what a poll costs where everything is",
            "local, and what it costs to be asked for a heal of everything; then heals by the loop that",
            "ships, on simulated time and HDFS, beside the least. No block of any cluster is moved."
        },
        sortOptions = false,
        usageHelpAutoWidth = true,
        footerHeading = "%nExamples:%n",
        footer = "  bin/hearth bench heal --quick")
final class BenchHealCommand implements Callable<Integer> {

    private static final double PLAN_THRESHOLD_SECONDS = 30;
    private static final double MEMORY_THRESHOLD_GB = 4;
    private static final double POLL_THRESHOLD_MS = 100;
    private static final double REQUEST_THRESHOLD_MS = 200;
    private static final List<Integer> HOSTS = List.of(10, 100, 1_000, 7_000);
    private static final int POLL_REGIONS = 100_000;
    private static final int WAITING_REGIONS = 700_000;
    private static final int REGIONS_PER_SERVER = 100;
    private static final double WAITING_THRESHOLD_BYTES = 200;
    private static final int POLL_SERVERS = 1_000;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--seeds",
            paramLabel = "N",
            description = "clusters for each line of the ranking, 1 to 1000 (default 100)")
    private int seeds = 100;

    @Option(names = "--quick", description = "a twentieth of the large cluster, and no heal on more than 100 hosts")
    private boolean quick;

    @Mixin
    private OutputOption output;

    @Override
    public Integer call() {
        if (seeds < 1 || seeds > 1_000) {
            throw new ParameterException(spec.commandLine(), "--seeds is " + seeds + "; allowed are 1 to 1000");
        }
        PrintWriter out = output.forPerson();
        ThresholdReport thresholds = new ThresholdReport();
        ranking(out, thresholds);
        ClusterSize size = quick ? ClusterSize.SMALL : ClusterSize.HUBSPOT;
        poll(out, thresholds);
        healAll(out, thresholds);
        waiting(out, thresholds);
        out.println(size.label());
        plan(out, thresholds, size);
        simulatedHeals(out, thresholds);
        memory(out, thresholds);
        return thresholds.end(output);
    }

    private void ranking(PrintWriter out, ThresholdReport thresholds) {
        Map<RemoteBytesDistribution, List<RankingRun>> runs = new EnumMap<>(RemoteBytesDistribution.class);
        for (RemoteBytesDistribution remote : RemoteBytesDistribution.values()) {
            runs.put(remote, RankingRun.all(remote, seeds));
        }
        out.println("Remote reads gone after 30 % of the bytes, % (2,000 regions, Zipf 0.99, median and worst of "
                + seeds + " seeds, threshold 80)");
        out.println(RankingRun.table(runs, thresholds));
        out.flush();
    }

    private void plan(PrintWriter out, ThresholdReport thresholds, ClusterSize size) {
        LargeCluster cluster = new LargeCluster(size, 1, 1);
        FullClusterPlanning plan = FullClusterPlanning.of(cluster, System::nanoTime, BenchHealCommand::processCpuNanos);
        out.println(thresholds.about("Planned from nothing, every region dealt to another server:"));
        out.println(thresholds.figure("  moves planned", (double) plan.moves(), ""));
        out.println(thresholds.figure("  bytes to move", plan.bytes() / 1e12, "TB"));
        out.println(thresholds.atMost(
                "  time, or processor time where that is less", plan.secondsAlone(), PLAN_THRESHOLD_SECONDS, "s"));
        out.println(thresholds.figure("    by the clock", plan.seconds(), "s"));
        out.println(thresholds.figure("    of it the simulated NameNode", plan.listingSeconds(), "s"));
        out.println(thresholds.atMost(
                "  NameNode calls for each store folder", (double) plan.nameNodeCalls() / size.folders(), 1, ""));
        out.flush();
    }

    private void simulatedHeals(PrintWriter out, ThresholdReport thresholds) {
        new HealCases(out, thresholds, BenchHealCommand::threadCpuNanos).print(quick ? List.of(10, 100) : HOSTS);
    }

    private static void memory(PrintWriter out, ThresholdReport thresholds) {
        OptionalLong peak = ProcessMemory.peakBytes();
        peak.ifPresent(bytes -> out.println(thresholds.atMost(
                "Peak memory of the whole process, all of this",
                (double) bytes / (1L << 30),
                MEMORY_THRESHOLD_GB,
                "GB")));
    }

    private static void poll(PrintWriter out, ThresholdReport thresholds) {
        IdlePoll poll = new IdlePoll(POLL_REGIONS, POLL_SERVERS);
        double cpuMillis = median(poll.millis(BenchHealCommand::threadCpuNanos));
        double millis = median(poll.millis(System::nanoTime));
        out.println(thresholds.about("One poll where everything is local, 100,000 regions on 1,000 servers:"));
        out.println(thresholds.atMost(
                "  time, or processor time where that is less", Math.min(cpuMillis, millis), POLL_THRESHOLD_MS, "ms"));
        out.println(thresholds.figure("    by the clock", millis, "ms"));
        out.flush();
    }

    private static void healAll(PrintWriter out, ThresholdReport thresholds) {
        HealAllRequest healAll = new HealAllRequest(POLL_REGIONS, POLL_SERVERS);
        double cpuMillis = median(healAll.millis(BenchHealCommand::threadCpuNanos));
        double millis = median(healAll.millis(System::nanoTime));
        out.println(thresholds.about(
                "A heal of everything is asked for, 100,000 regions on 1,000 servers, all of them remote:"));
        out.println(thresholds.atMost(
                "  time, or processor time where that is less",
                Math.min(cpuMillis, millis),
                REQUEST_THRESHOLD_MS,
                "ms"));
        out.println(thresholds.figure("    by the clock", millis, "ms"));
        out.flush();
    }

    private void waiting(PrintWriter out, ThresholdReport thresholds) {
        int regions = quick ? POLL_REGIONS : WAITING_REGIONS;
        WaitingRegions waiting = new WaitingRegions(regions, regions / REGIONS_PER_SERVER);
        out.println(thresholds.about(String.format(Locale.ROOT, "All of %,d regions wait to be healed:", regions)));
        out.println(thresholds.atMost("  heap of one", waiting.bytesPerRegion(), WAITING_THRESHOLD_BYTES, "bytes"));
        out.println(thresholds.figure(
                "  processor time of a poll", median(waiting.pollMillis(BenchHealCommand::threadCpuNanos)), "ms"));
        out.flush();
    }

    private static double median(double[] values) {
        return Statistics.median(Arrays.stream(values).boxed().toList(), Double::doubleValue);
    }

    private static long threadCpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static long processCpuNanos() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
    }
}
