// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.heal;

import io.hearth.bench.heal.LargeCluster.ClusterSize;
import io.hearth.bench.heal.SimulatedHdfs.Machines;
import io.hearth.bench.heal.SimulatedHeal.NameNodeUse;
import io.hearth.bench.heal.SimulatedHeal.Result;
import io.hearth.bench.heal.SimulatedLoop.TurnCpu;
import io.hearth.bench.heal.SimulatedLoop.Waiting;
import io.hearth.bench.threshold.ThresholdReport;
import io.hearth.bench.threshold.ThresholdReport.Figure;
import io.hearth.common.config.RawSettings.MapSettings;
import io.hearth.healer.config.HealingSettings;
import io.hearth.healer.config.HealingSettings.HealingConfig;
import io.hearth.healer.estimate.HealEstimate;
import io.hearth.healer.model.DataNode;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Simulated heals with the default configuration beside what no schedule could beat, as a table: a row for each, and below it what a
 * turn of the loop costs and what kept moves from starting. A heal that is not over in the time allowed has missed its threshold,
 * and what was healed by then is said. Not thread-safe.
 */
public final class HealCases {

    private static final double TIMES_LEAST = 1.3;
    private static final double THREE_MINUTES = 180;
    private static final double TIMES_UNDISTURBED = 1.1;
    private static final double ESTIMATE_OFF_BY = 0.25;
    private static final double TURN_P99_MS = 50;
    private static final double LONGEST_CALL_MS = 20;
    private static final int TIMES_SLOWER = 10;
    private static final double NEW_SHARE = 0.05;
    private static final int REGIONS_PER_SERVER = 100;
    private static final double MOST_SECONDS = 900;
    private static final double MOST_SECONDS_UNDISTURBED = 7_200;
    private static final long SEED = 1;

    /** 15 TB. */
    private static final ClusterSize SIXTY_HOSTS = new ClusterSize(60, 6, 6_000, 1, 2, 120_000);

    /** A tenth of them, in smaller regions. */
    private static final ClusterSize SIXTY_EMPTIER_HOSTS = new ClusterSize(60, 6, 720, 1, 2, 11_520);

    private static final String LINE = "%-36s %8s %7s %8s %8s   %-20s %s";

    private final PrintWriter out;
    private final ThresholdReport thresholds;
    private final LongSupplier cpuNanos;

    /** @param cpuNanos CPU of this thread so far */
    public HealCases(PrintWriter out, ThresholdReport thresholds, LongSupplier cpuNanos) {
        this.out = out;
        this.thresholds = thresholds;
        this.cpuNanos = cpuNanos;
    }

    /** Runs the cases of so many hosts with new servers among them, and those on 60 hosts. */
    public void print(List<Integer> hosts) {
        out.println("Simulated heals by the loop that ships, at its defaults (no block of any cluster is moved).");
        out.println(
                "DataNodes move 100 MiB/s (with 1 GB/s: as the row says) on 10 Gbit/s; a rack's uplink has 100 Gbit/s, with 1.5 TB"
                        + " 10; a call of the NameNode takes 0.3 ms, with 10 µs more for each folder or file of"
                        + " several and 11 for each block. New servers serve as many regions as the others, one file of 3 blocks"
                        + " each.");
        out.println(
                "Time: from the first turn to the NameNode's answer about the last move. Least: what the busiest DataNode or uplink"
                        + " needs, by the proxies that moves were made from.");
        out.println(String.format(LINE, "", "moves", "TB", "time, s", "least, s", "", "")
                .stripTrailing());
        hosts.forEach(this::newServers);
        exchangedRegions();
        disturbed();
    }

    private void newServers(int hosts) {
        ClusterSize size = ofHosts(hosts);
        LargeCluster cluster = LargeCluster.withNewServers(size, NEW_SHARE, SEED);
        long newHosts = Math.max(1, Math.round(NEW_SHARE * hosts));
        String label = String.format(Locale.ROOT, "%,d hosts, %,d new, %,d regions", hosts, newHosts, size.regions());
        Estimated result = run(cluster, Machines.USUAL, MOST_SECONDS, hdfs -> {});
        row(label, result, result.result().time().timesLeast(), TIMES_LEAST, "x least");
    }

    private void exchangedRegions() {
        LargeCluster cluster = LargeCluster.withExchangedRegions(SIXTY_HOSTS, 4, SEED);
        Estimated result = run(cluster, Machines.USUAL.withBalancing(1_000_000_000), MOST_SECONDS, hdfs -> {});
        row("60 hosts, 1/4 of 15 TB, 1 GB/s", result, result.result().time().confirmedSeconds(), THREE_MINUTES, "s");
    }

    /** The same heal four times; what is slow in it counts for those alone that have nothing to do with it. */
    private void disturbed() {
        DataNode slow = List.copyOf(emptierHosts().dataNodes().byId().values()).get(SIXTY_EMPTIER_HOSTS.hosts() / 2);
        Estimated undisturbed = ofEmptierHosts(hdfs -> {});
        row("60 hosts, 1/4 of 1.5 TB", undisturbed);
        Predicate<DataNode> elsewhere = node -> !node.equals(slow);
        row(
                "  one DataNode allows 1/10, others",
                ofEmptierHosts(hdfs -> hdfs.allowLess(slow, TIMES_SLOWER)),
                undisturbed,
                elsewhere);
        row(
                "  one DataNode 10 x slower, others",
                ofEmptierHosts(hdfs -> hdfs.slowDown(slow, TIMES_SLOWER)).withUnknownLimit(),
                undisturbed,
                elsewhere);
        Predicate<DataNode> onOtherRacks = node -> !node.rack().equals(slow.rack());
        row(
                "  one uplink 10 x slower, other racks",
                ofEmptierHosts(hdfs -> hdfs.slowDown(slow.rack(), TIMES_SLOWER)).withUnknownLimit(),
                undisturbed,
                onOtherRacks);
    }

    private Estimated ofEmptierHosts(Consumer<SimulatedHdfs> change) {
        return run(emptierHosts(), Machines.USUAL.withUplinks(1_250_000_000), MOST_SECONDS_UNDISTURBED, change);
    }

    private static LargeCluster emptierHosts() {
        return LargeCluster.withExchangedRegions(SIXTY_EMPTIER_HOSTS, 4, SEED);
    }

    private Estimated run(LargeCluster cluster, Machines machines, double mostSeconds, Consumer<SimulatedHdfs> change) {
        HealEstimate estimate = SimulatedHeal.dryRun(cluster, machines, config("advise"), change);
        SimulatedHeal heal = new SimulatedHeal(cluster, machines, config("act"), Waiting.WOKEN, cpuNanos);
        change.accept(heal.hdfs());
        return new Estimated(heal.run(mostSeconds), estimate, true);
    }

    static HealingConfig config(String mode) {
        return HealingSettings.read("bench heal", new MapSettings(Map.of("hearth.heal.mode", mode)))
                .config();
    }

    /** A heal and what a dry run said of it. */
    private record Estimated(Result result, HealEstimate estimate, boolean knowsEveryLimit) {

        /** The same where something is slow that nobody tells the healer. */
        Estimated withUnknownLimit() {
            return new Estimated(result, estimate, false);
        }

        /** Of the same time: regions rest first for hearth.heal.region.stable.ms. */
        double seconds() {
            return estimate.seconds() + config("act").regionStableMs() / 1e3;
        }

        double timesTime() {
            return seconds() / result.time().confirmedSeconds();
        }
    }

    /** 40 hosts to a rack, 3 racks at least, 100 regions a server of one file of three blocks. */
    static ClusterSize ofHosts(int hosts) {
        int regions = hosts * REGIONS_PER_SERVER;
        return new ClusterSize(hosts, Math.max(3, hosts / 40), regions, 1, 1, 3L * regions);
    }

    private void row(String label, Estimated result, Estimated undisturbed, Predicate<DataNode> others) {
        double times = result.result().time().secondsOf(others)
                / undisturbed.result().time().secondsOf(others);
        row(label, result, times, TIMES_UNDISTURBED, "x undisturbed");
    }

    private void row(String label, Estimated estimated, double value, double threshold, String unit) {
        Result result = estimated.result();
        boolean holds = result.isComplete() && value <= threshold;
        String measured = String.format(Locale.ROOT, "%s%,.2f %s", result.isComplete() ? "" : "> ", value, unit);
        String verdict = String.format(Locale.ROOT, "threshold %,7.2f  %s", threshold, holds ? "holds" : "MISSED");
        thresholds.add(Figure.of(label, "time", value, unit).atMost(threshold, holds));
        if (!holds) {
            thresholds.violation(String.format(
                    Locale.ROOT,
                    "%s: %s, above %,.2f%s",
                    label.strip(),
                    measured,
                    threshold,
                    result.isComplete() ? "" : ", with " + percent(result.time().confirmedShare()) + " healed"));
        }
        print(label, estimated, measured, verdict);
    }

    private void row(String label, Estimated result) {
        double times = result.result().time().timesLeast();
        thresholds.add(Figure.of(label, "time", times, "x least"));
        print(label, result, String.format(Locale.ROOT, "%.2f x least", times), "");
    }

    private void print(String label, Estimated estimated, String measured, String verdict) {
        Result result = estimated.result();
        out.print(String.format(
                        Locale.ROOT,
                        LINE,
                        label,
                        String.format(Locale.ROOT, "%,d", result.remoteBlocks()),
                        String.format(Locale.ROOT, "%.2f", result.remoteBytes() / 1e12),
                        String.format(Locale.ROOT, "%,.0f", result.time().confirmedSeconds()),
                        String.format(Locale.ROOT, "%,.0f", result.time().leastSeconds()),
                        measured,
                        verdict)
                .stripTrailing());
        out.println();
        addHeal(label, result);
        TurnCpu cpu = result.turns();
        boolean holds = cpu.p99Ms() <= TURN_P99_MS;
        if (!holds) {
            thresholds.violation(String.format(
                    Locale.ROOT,
                    "%s: CPU of a turn, p99: %.1f ms, above %.0f",
                    label.strip(),
                    cpu.p99Ms(),
                    TURN_P99_MS));
        }
        out.printf(
                Locale.ROOT,
                "    CPU of a turn: median %.2f, p99 %.2f, max %.1f ms; threshold of p99 %.0f  %s; %,d turns%n",
                cpu.medianMs(),
                cpu.p99Ms(),
                cpu.maxMs(),
                TURN_P99_MS,
                holds ? "holds" : "MISSED",
                cpu.turns());
        thresholds.add(Figure.of(label, "CPU of a turn, median", cpu.medianMs(), "ms"));
        thresholds.add(Figure.of(label, "CPU of a turn, p99", cpu.p99Ms(), "ms").atMost(TURN_P99_MS, holds));
        thresholds.add(Figure.of(label, "CPU of a turn, most", cpu.maxMs(), "ms"));
        nameNode(label, result.nameNode());
        out.printf(
                "    %s; held back by: %s%n",
                result.isComplete()
                        ? String.format(
                                Locale.ROOT,
                                "all local after %,.0f s",
                                result.time().localSeconds())
                        : percent(result.time().confirmedShare()) + " of the bytes healed",
                result.shareByLimit().entrySet().stream()
                        .filter(limit -> limit.getValue() >= 0.005)
                        .map(limit -> limit.getKey().label() + " " + percent(limit.getValue()))
                        .collect(Collectors.joining(", ")));
        printEstimate(label, estimated);
        out.flush();
    }

    private void addHeal(String label, Result result) {
        thresholds.add(Figure.of(label, "moves", (double) result.remoteBlocks(), ""));
        thresholds.add(Figure.of(label, "remote at first", (double) result.remoteBytes(), "bytes"));
        thresholds.add(Figure.of(label, "confirmed", 100 * result.time().confirmedShare(), "%"));
        thresholds.add(Figure.of(label, "time until confirmed", result.time().confirmedSeconds(), "s"));
        thresholds.add(Figure.of(label, "least time", result.time().leastSeconds(), "s"));
        thresholds.add(Figure.of(label, "time until local", result.time().localSeconds(), "s"));
        result.shareByLimit()
                .forEach((limit, share) ->
                        thresholds.add(Figure.of(label, "held back by " + limit.label(), 100 * share, "%")));
    }

    private void nameNode(String label, NameNodeUse use) {
        boolean holds = use.longestMs() <= LONGEST_CALL_MS;
        if (!holds) {
            thresholds.violation(String.format(
                    Locale.ROOT,
                    "%s: longest NameNode call: %.1f ms, above %.0f",
                    label.strip(),
                    use.longestMs(),
                    LONGEST_CALL_MS));
        }
        thresholds.add(Figure.of(label, "NameNode calls", (double) use.calls(), ""));
        thresholds.add(Figure.of(label, "NameNode's time for each block healed", use.msPerBlock(), "ms"));
        thresholds.add(
                Figure.of(label, "longest NameNode call", use.longestMs(), "ms").atMost(LONGEST_CALL_MS, holds));
        out.printf(
                Locale.ROOT,
                "    NameNode: %,d calls, for each block healed %.2f calls and %.3f ms; the longest %.1f ms, threshold %.0f  %s%n",
                use.calls(),
                use.callsPerBlock(),
                use.msPerBlock(),
                use.longestMs(),
                LONGEST_CALL_MS,
                holds ? "holds" : "MISSED");
    }

    private void printEstimate(String label, Estimated estimated) {
        HealEstimate estimate = estimated.estimate();
        double times = estimated.timesTime();
        boolean isJudged = estimated.result().isComplete() && estimated.knowsEveryLimit();
        boolean holds = times >= 1 - ESTIMATE_OFF_BY && times <= 1 + ESTIMATE_OFF_BY;
        if (isJudged && !holds) {
            thresholds.violation(String.format(
                    Locale.ROOT,
                    "%s: estimate / time: %.2f, off by more than %s",
                    label.strip(),
                    times,
                    percent(ESTIMATE_OFF_BY)));
        }
        Figure ratio = Figure.of(label, "dry run's estimate / time", times, "");
        thresholds.add(isJudged ? ratio.atLeast(1 - ESTIMATE_OFF_BY, holds).atMost(1 + ESTIMATE_OFF_BY, holds) : ratio);
        out.printf(
                Locale.ROOT,
                "    dry run before it: %,.0f s, %,d NameNode calls, held back by %s; estimate / time %.2f, threshold 0.75 to 1.25  %s%n",
                estimated.seconds(),
                estimate.nameNodeCalls(),
                estimate.limit().label(),
                times,
                !isJudged ? "(not judged)" : holds ? "holds" : "MISSED");
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.0f %%", 100 * share);
    }
}
