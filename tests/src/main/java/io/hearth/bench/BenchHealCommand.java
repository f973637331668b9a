package io.hearth.bench;

import com.sun.management.OperatingSystemMXBean;
import io.hearth.bench.heal.Bars;
import io.hearth.bench.heal.ClusterSize;
import io.hearth.bench.heal.HealSimulation;
import io.hearth.bench.heal.IdlePoll;
import io.hearth.bench.heal.LargeCluster;
import io.hearth.bench.heal.PlanFromNothing;
import io.hearth.bench.heal.ProcessMemory;
import io.hearth.bench.heal.RankingRun;
import io.hearth.bench.heal.RankingTable;
import io.hearth.bench.heal.RemoteBytes;
import io.hearth.bench.heal.WishForAll;
import io.hearth.bench.plan.Numbers;
import io.hearth.command.Commands;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bin/hearth bench heal}: what is healed first and what that is worth, and what a heal costs on a large cluster. */
@Command(
        name = "heal",
        description = {
            "The share of remote reads that are gone after 30 % of the bytes, in Hearth's order,",
            "by locality alone and in the best order there is; then, on a made-up cluster as large",
            "as HubSpot's largest, what planning all of it costs, how long a heal takes on simulated",
            "time beside the least, what a poll costs where everything is at home, and what it costs",
            "to be asked for a heal of everything."
        },
        sortOptions = false,
        usageHelpAutoWidth = true)
final class BenchHealCommand implements Callable<Integer> {

    private static final double PLAN_BAR_SECONDS = 30;
    private static final double MEMORY_BAR_GB = 4;
    private static final double HEAL_BAR = 1.2;
    private static final double POLL_BAR_MS = 100;
    private static final double WISH_BAR_MS = 200;
    private static final double DEALT = 0.3;
    private static final int POLL_REGIONS = 100_000;
    private static final int POLL_SERVERS = 1_000;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--seeds",
            paramLabel = "N",
            description = "clusters for each line of the ranking, 1 to 1000 (default 100)")
    private int seeds = 100;

    @Option(names = "--quick", description = "a twentieth of the large cluster")
    private boolean quick;

    @Override
    public Integer call() {
        if (seeds < 1 || seeds > 1_000) {
            throw new ParameterException(spec.commandLine(), "--seeds is " + seeds + "; allowed are 1 to 1000");
        }
        PrintWriter out = spec.commandLine().getOut();
        Bars bars = new Bars();
        ranking(out, bars);
        ClusterSize size = quick ? ClusterSize.SMALL : ClusterSize.HUBSPOT;
        poll(out, bars);
        wish(out, bars);
        out.println(size.label());
        plan(out, bars, size);
        simulation(out, bars, size);
        memory(out, bars);
        bars.misses().forEach(miss -> out.println("MISSED  " + miss));
        out.println(bars.misses().isEmpty() ? "All bars hold." : bars.misses().size() + " bars do not hold.");
        out.flush();
        return bars.misses().isEmpty() ? Commands.HOLDS : Commands.BROKEN;
    }

    private void ranking(PrintWriter out, Bars bars) {
        Map<RemoteBytes, List<RankingRun>> runs = new EnumMap<>(RemoteBytes.class);
        for (RemoteBytes remote : RemoteBytes.values()) {
            runs.put(remote, RankingRun.all(remote, seeds));
        }
        out.println("Remote reads gone after 30 % of the bytes, % (2,000 regions, Zipf 0.99, median and worst of "
                + seeds + " seeds, bar 80)");
        out.println(RankingTable.of(runs, bars));
        out.flush();
    }

    private void plan(PrintWriter out, Bars bars, ClusterSize size) {
        LargeCluster cluster = new LargeCluster(size, 1, 1);
        PlanFromNothing plan = PlanFromNothing.of(cluster, System::nanoTime, BenchHealCommand::processCpuNanos);
        out.println("Planned from nothing, every region dealt to another server:");
        out.println(Bars.figure("  moves planned", (double) plan.moves(), ""));
        out.println(Bars.figure("  bytes to move", plan.bytes() / 1e12, "TB"));
        out.println(bars.atMost(
                "  time, or processor time where that is less", plan.secondsAlone(), PLAN_BAR_SECONDS, "s"));
        out.println(Bars.figure("    by the clock", plan.seconds(), "s"));
        out.println(Bars.figure("    of it the made-up NameNode", plan.listingSeconds(), "s"));
        out.println(bars.atMost(
                "  NameNode calls for each store folder", (double) plan.nameNodeCalls() / size.folders(), 1, ""));
        out.flush();
    }

    private void simulation(PrintWriter out, Bars bars, ClusterSize size) {
        HealSimulation.Result heal = new HealSimulation(new LargeCluster(size, DEALT, 1)).run();
        out.println(
                "A heal on simulated time, three regions of ten dealt to another server, 100 MB/s in and out, 8 slots:");
        out.println(Bars.figure("  moves", (double) heal.moves(), ""));
        out.println(Bars.figure("  time", heal.seconds(), "s"));
        out.println(Bars.figure("  least: max of in, out over bandwidth", heal.leastSeconds(), "s"));
        out.println(bars.atMost("  time x least", heal.timesLeast(), HEAL_BAR, ""));
        out.flush();
    }

    private static void memory(PrintWriter out, Bars bars) {
        OptionalLong peak = ProcessMemory.peakBytes();
        peak.ifPresent(bytes -> out.println(bars.atMost(
                "Peak memory of the whole process, all of this", (double) bytes / (1L << 30), MEMORY_BAR_GB, "GB")));
    }

    private static void poll(PrintWriter out, Bars bars) {
        IdlePoll poll = new IdlePoll(POLL_REGIONS, POLL_SERVERS);
        double cpuMillis = median(poll.millis(BenchHealCommand::threadCpuNanos));
        double millis = median(poll.millis(System::nanoTime));
        out.println("One poll where everything is at home, 100,000 regions on 1,000 servers:");
        out.println(bars.atMost(
                "  time, or processor time where that is less", Math.min(cpuMillis, millis), POLL_BAR_MS, "ms"));
        out.println(Bars.figure("    by the clock", millis, "ms"));
        out.flush();
    }

    private static void wish(PrintWriter out, Bars bars) {
        WishForAll wish = new WishForAll(POLL_REGIONS, POLL_SERVERS);
        double cpuMillis = median(wish.millis(BenchHealCommand::threadCpuNanos));
        double millis = median(wish.millis(System::nanoTime));
        out.println("A heal of everything is asked for, 100,000 regions on 1,000 servers, all of them remote:");
        out.println(bars.atMost(
                "  time, or processor time where that is less", Math.min(cpuMillis, millis), WISH_BAR_MS, "ms"));
        out.println(Bars.figure("    by the clock", millis, "ms"));
        out.flush();
    }

    private static double median(double[] values) {
        return Numbers.median(Arrays.stream(values).boxed().toList(), Double::doubleValue);
    }

    private static long threadCpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static long processCpuNanos() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
    }
}
