// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.value;

import io.hearth.bench.cluster.ClusterHandle;
import io.hearth.bench.cluster.HealStrategy;
import io.hearth.bench.cluster.VariantRun;
import io.hearth.bench.cluster.VariantRun.Variant;
import io.hearth.bench.value.RateMeter.HeldRate;
import io.hearth.testkit.load.Arrivals.Spacing;
import io.hearth.testkit.load.LatencyRecorder.NanoInterval;
import io.hearth.testkit.load.LoadDriver;
import io.hearth.testkit.load.LoadProfile;
import io.hearth.testkit.load.LoadProfile.KeyDistribution;
import io.hearth.testkit.load.LoadProfile.Rate;
import io.hearth.testkit.load.LoadTable;
import io.hearth.testkit.load.Workload;
import io.hearth.testkit.measure.LocalitySnapshot;
import io.hearth.testkit.measure.LocalitySnapshot.RegionBlocks;
import io.hearth.testkit.process.FastTimings;
import io.hearth.testkit.process.layout.ClusterSpec;
import io.hearth.testkit.process.layout.ClusterSpec.NetworkMode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionConfiguration;

/**
 * What locality is worth where hosts have slow links: one server has nothing of what it serves on its own host, and every get reads a block of
 * 64 KB from a file. Which rate is held before that, while it is so, and after healing, or after a major compaction. Not thread-safe.
 */
final class LinkRun {

    static final int HOSTS = 4;
    static final int LINK_MEGABITS = 50;
    private static final int REGIONS = 8 * HOSTS;
    private static final int MEGABYTES = 8 * REGIONS;
    private static final int DISK_MEGABYTES = 2_048;

    /** Three times that of {@link ValueCluster}: a get that reads a block of a file takes more of the machine's processors. */
    private static final int SERVICE_MS = 15;

    /** What all servers together can answer in a second. */
    static final int NOMINAL_PER_SECOND = HOSTS * ValueCluster.HANDLERS * 1_000 / SERVICE_MS;

    private static final double LOWEST_PER_SECOND = 100;
    private static final double HIGHEST_PER_SECOND = 1.1 * NOMINAL_PER_SECOND;

    /** They find a rate to 2.0 %, well below what {@link ValueThresholds#HEALED} allows. */
    private static final int TRIES = 7;

    /** A rate above it is the last that is tried, 2.0 % below the end of the search: a higher one may be held too. */
    static final double HIGHEST_MEASURED = HIGHEST_PER_SECOND * Math.pow(LOWEST_PER_SECOND / HIGHEST_PER_SECOND, 0.01);

    /** Of the rate that is held while data is away: what is sent while it is made local. */
    private static final double WHILE_WORKING = 0.6;

    private static final int WARM_UP_SECONDS = 40;
    static final int MOST_SECONDS = 180;

    /** By then open streams have learnt where their blocks are. */
    private static final int READERS_SECONDS = 25;

    private static final Map<String, String> TABLE = Map.of(
            CompactionConfiguration.HBASE_HSTORE_COMPACTION_MIN_KEY, "1000", HConstants.MAJOR_COMPACTION_PERIOD, "0");

    private final Variant variant;
    private final ClusterHandle handle;
    private final LoadTable table;
    private final Consumer<String> progress;

    private LinkRun(Variant variant, ClusterHandle handle, LoadTable table, Consumer<String> progress) {
        this.variant = variant;
        this.handle = handle;
        this.table = table;
        this.progress = progress;
    }

    /** On a cluster of its own in this folder. */
    static LinkResult run(Variant variant, Path folder, Consumer<String> progress)
            throws IOException, InterruptedException {
        boolean hearth = variant == Variant.HEARTH;
        Map<String, String> settings = new HashMap<>(Map.of(
                HConstants.REGION_SERVER_HANDLER_COUNT,
                "" + ValueCluster.HANDLERS,
                "hbase.balancer.statusPeriod",
                "1000",
                "hbase.hfile.compaction.discharger.interval",
                "1000",
                "hearth.heal.region.stable.ms",
                "0",
                // Of three replicas on four hosts each host has most of what the others serve.
                "dfs.replication",
                "2"));
        ClusterSpec spec = new ClusterSpec(
                HOSTS,
                2,
                1,
                1,
                NetworkMode.NAMESPACES,
                0,
                LINK_MEGABITS,
                DISK_MEGABYTES,
                0,
                false,
                false,
                hearth,
                hearth ? FastTimings.with(settings) : settings);
        return VariantRun.on(spec, folder, cluster -> {
            try (ClusterHandle handle = ClusterHandle.of(cluster)) {
                handle.admin().balancerSwitch(false, true);
                LoadTable table = LoadTable.of(REGIONS, MEGABYTES, 500, TABLE);
                table.create(handle.connection(), 1, rows -> {});
                addServiceTime(handle.admin(), table);
                return new LinkRun(variant, handle, table, progress).run();
            }
        });
    }

    /** Reopens the table's regions where they are. Every row that was loaded with it would have held a handler too, for minutes in all. */
    private static void addServiceTime(Admin admin, LoadTable table) throws IOException {
        TableDescriptorBuilder slower = TableDescriptorBuilder.newBuilder(admin.getDescriptor(table.name()));
        ValueCluster.serviceTime(SERVICE_MS).forEach(slower::setValue);
        admin.modifyTable(slower.build());
    }

    private LinkResult run() throws IOException, InterruptedException {
        HealStrategy strategy = new HealStrategy(variant, handle);
        RateMeter meter = new RateMeter(this::start, progress);
        meter.at(LOWEST_PER_SECOND * 3, WARM_UP_SECONDS);
        int remote = handle.observer().localitySnapshot().nonLocalBlocks();
        if (remote > 0) {
            throw new IOException(remote + " blocks of a new table are not local");
        }
        progress.accept("   data is local");
        HeldRate before = highest(meter);
        ServerName server = handle.admin().getRegionServers().stream()
                .min(Comparator.naturalOrder())
                .orElseThrow();
        onlyRemoteRegions(server);
        progress.accept("   nothing of what %s serves is on its host".formatted(server.getHostname()));
        HeldRate away = highest(meter);
        double whileWorking = Math.max(LOWEST_PER_SECOND, away.highestPerSecond()) * WHILE_WORKING;
        Relocation relocation = makeLocal(strategy, whileWorking);
        strategy.end();
        progress.accept(
                Double.isFinite(relocation.seconds())
                        ? "   all is local again after %.1f s".formatted(relocation.seconds())
                        : "   not all is local again after %d s".formatted(MOST_SECONDS));
        HeldRate after = highest(meter);
        return new LinkResult(
                variant,
                before.highestPerSecond(),
                away.highestPerSecond(),
                after.highestPerSecond(),
                relocation.seconds(),
                whileWorking,
                relocation.p99Ms(),
                DoubleStream.of(before.idle(), away.idle(), relocation.idle(), after.idle())
                        .min()
                        .orElseThrow(),
                before.failed() + away.failed() + relocation.failed() + after.failed());
    }

    private static HeldRate highest(RateMeter meter) throws IOException, InterruptedException {
        return meter.highest(RateSearch.byRatio(LOWEST_PER_SECOND, HIGHEST_PER_SECOND), TRIES);
    }

    /**
     * What came of making data local under a load.
     *
     * @param seconds until it was; infinite where it never was
     * @param p99Ms of the requests meanwhile
     * @param idle the share of the machine's processors that had nothing to do meanwhile, 0 to 1
     * @param failed requests
     */
    private record Relocation(double seconds, double p99Ms, double idle, long failed) {}

    private Relocation makeLocal(HealStrategy strategy, double perSecond) throws IOException, InterruptedException {
        try (LoadDriver load = start(perSecond)) {
            TimeUnit.SECONDS.sleep(2);
            LocalitySnapshot moved = handle.observer().localitySnapshot();
            ProcessorTimes atFirst = ProcessorTimes.read();
            long fromNanos = strategy.begin(moved);
            double seconds = awaitLocal(fromNanos);
            double idle = ProcessorTimes.read().idleSince(atFirst);
            double p99Ms = RateMeter.slowest(load, new NanoInterval(fromNanos, System.nanoTime()))
                    .p99Ms();
            TimeUnit.SECONDS.sleep(READERS_SECONDS);
            load.stop();
            return new Relocation(seconds, p99Ms, idle, load.requests().errors());
        }
    }

    /** Uncached gets of single rows, so that each reads a block of a file. */
    private LoadDriver start(double perSecond) {
        return LoadDriver.start(
                handle.connection().getConfiguration(),
                table,
                new LoadProfile(
                        Workload.C,
                        KeyDistribution.UNIFORM,
                        1,
                        1,
                        new Rate(perSecond, perSecond, 0, Spacing.POISSON),
                        0,
                        false,
                        1));
    }

    /** Exchanges what that server serves for regions of others that have no replica on its host. */
    private void onlyRemoteRegions(ServerName server) throws IOException {
        Map<String, ServerName> others = handle.admin().getRegionServers().stream()
                .filter(other -> !other.equals(server))
                .collect(Collectors.toMap(ServerName::getHostname, other -> other));
        for (Exchange exchange : exchanges(handle.observer().localitySnapshot(), server.getHostname())) {
            handle.move(List.of(exchange.own()), Objects.requireNonNull(others.get(exchange.with())));
            handle.move(List.of(exchange.remote()), server);
        }
    }

    /**
     * Two regions that take each other's place.
     *
     * @param own the region of the host that gives all its own away
     * @param with the host that gets it
     * @param remote the region that comes from there
     */
    record Exchange(String own, String with, String remote) {}

    /**
     * For each region of this host one that has no replica on it, of the host with most of the first one's blocks; of several of the one with
     * most such regions left. Each host serves as many as before: the load of the fullest one is what limits the rate.
     *
     * @throws IOException if the others have too few such regions
     */
    static List<Exchange> exchanges(LocalitySnapshot snapshot, String host) throws IOException {
        Map<String, Deque<String>> remoteByHost = new TreeMap<>();
        for (RegionBlocks region : snapshot.regions()) {
            if (!region.host().equals(host) && region.blocks().stream().noneMatch(block -> block.isOn(host))) {
                remoteByHost
                        .computeIfAbsent(region.host(), any -> new ArrayDeque<>())
                        .add(region.region());
            }
        }
        List<Exchange> exchanges = new ArrayList<>();
        for (RegionBlocks own : snapshot.servedBy(host)) {
            Map.Entry<String, Deque<String>> with = remoteByHost.entrySet().stream()
                    .filter(candidate -> !candidate.getValue().isEmpty())
                    .max(Comparator.<Map.Entry<String, Deque<String>>>comparingLong(
                                    candidate -> blocksOn(candidate.getKey(), own))
                            .thenComparing(candidate -> candidate.getValue().size())
                            .thenComparing(Map.Entry.comparingByKey(Comparator.reverseOrder())))
                    .orElseThrow(() ->
                            new IOException("of all regions only " + exchanges.size() + " have no replica on " + host));
            exchanges.add(
                    new Exchange(own.region(), with.getKey(), with.getValue().remove()));
        }
        return exchanges;
    }

    private static long blocksOn(String host, RegionBlocks region) {
        return region.blocks().stream().filter(block -> block.isOn(host)).count();
    }

    /** Seconds; infinite where not all is local within {@value #MOST_SECONDS} of them. */
    private double awaitLocal(long fromNanos) throws IOException, InterruptedException {
        double seconds;
        do {
            TimeUnit.MILLISECONDS.sleep(250);
            seconds = (System.nanoTime() - fromNanos) / 1e9;
            if (seconds > MOST_SECONDS) {
                return Double.POSITIVE_INFINITY;
            }
        } while (handle.observer().localitySnapshot().nonLocalBlocks() > 0);
        return seconds;
    }
}
