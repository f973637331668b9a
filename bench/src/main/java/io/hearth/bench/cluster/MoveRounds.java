// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.cluster;

import io.hearth.bench.cluster.AaRatio.Pair;
import io.hearth.bench.cluster.ClientTrace.Watch;
import io.hearth.bench.cluster.HealBreakdown.Observation;
import io.hearth.bench.cluster.MoveRoundsResult.CpuTimes;
import io.hearth.bench.cluster.MoveRoundsResult.HealTimes;
import io.hearth.bench.cluster.MoveRoundsResult.Latencies;
import io.hearth.bench.cluster.MoveRoundsResult.Round;
import io.hearth.bench.cluster.VariantResult.Traffic;
import io.hearth.chaos.HearthMetricsReader.WaitingBlocks;
import io.hearth.healer.metrics.HealLimit;
import io.hearth.testkit.embedded.ClusterHost;
import io.hearth.testkit.load.LatencyRecorder.LatencySummary;
import io.hearth.testkit.load.LatencyRecorder.NanoInterval;
import io.hearth.testkit.load.LoadDriver;
import io.hearth.testkit.load.LoadTable;
import io.hearth.testkit.load.Workload.Operation;
import io.hearth.testkit.measure.LocalitySnapshot;
import io.hearth.testkit.measure.LocalitySnapshot.RegionBlocks;
import io.hearth.testkit.measure.LocalitySnapshot.StoreFileBlock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.ServerName;

/**
 * The same move of regions to one host after the other, under load. One heal is over in seconds, and the few hundred requests of
 * seconds are too few for a p99; those of all rounds together are enough. Before the regions of each move there are two phases without
 * healing, which say how far chance alone takes a latency, and one after. For one run, by one thread.
 */
final class MoveRounds {

    /** Long enough that no request waits for a region that has moved. */
    private static final int SETTLE_SECONDS = 5;

    /** Longer than an open stream takes to learn where its blocks are, with the settings that Hearth comes with. */
    private static final int READERS_SECONDS = 25;

    /** Of each phase without healing: about as long as a heal takes, or longer. */
    private static final int PHASE_SECONDS = 10;

    private static final long POLL_MS = 200;

    /** Latencies are kept by the second. */
    private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final MoveScenario moveScenario;
    private final Scale scale;
    private final ClusterHandle handle;
    private final LoadDriver load;
    private final HealStrategy healStrategy;
    private final Consumer<String> say;
    private final List<Phases> phases = new ArrayList<>();
    private final List<Round> rounds = new ArrayList<>();
    private final List<Watch> watches = new ArrayList<>();

    /**
     * The phases of a round in whole seconds, each as long as its copies took, at most {@link #PHASE_SECONDS}; but for the last, in which old
     * replicas are deleted and open streams learn of it.
     */
    private record Phases(Pair quiet, NanoInterval remote, NanoInterval healing, NanoInterval deleting) {}

    MoveRounds(
            MoveScenario moveScenario,
            Scale scale,
            ClusterHandle handle,
            LoadDriver load,
            HealStrategy healStrategy,
            Consumer<String> say) {
        this.moveScenario = moveScenario;
        this.scale = scale;
        this.handle = handle;
        this.load = load;
        this.healStrategy = healStrategy;
        this.say = say;
    }

    /** As many rounds as the scale says, each to the host that the scenario takes next. The balancer is off afterwards. */
    MoveRoundsResult run() throws IOException, InterruptedException {
        load.spread();
        healStrategy.end();
        handle.admin().balancerSwitch(false, true);
        handle.awaitQuiescence();
        ClientTrace trace = ClientTrace.turnOn(handle.cluster());
        TimeUnit.SECONDS.sleep(scale.quietSeconds());
        List<ServerName> servers =
                handle.admin().getRegionServers().stream().sorted().toList();
        for (int round = 0; round < healStrategy.rounds(scale.rounds()); round++) {
            round(moveScenario.next(servers, round));
            say.accept("      " + ClusterResultTable.inShort(rounds.get(round)));
        }
        List<OptionalDouble> readLocally = trace.secondsOfRemoteReads(watches);
        for (int round = 0; round < rounds.size(); round++) {
            rounds.set(round, rounds.get(round).withReadLocally(readLocally.get(round)));
        }
        return new MoveRoundsResult(rounds, latencies(Operation.GET), latencies(Operation.MULTIGET));
    }

    private Latencies latencies(Operation operation) {
        List<Pair> pairs = phases.stream().map(Phases::quiet).toList();
        return new Latencies(
                within(operation, pairs.stream().map(Pair::second).toList()),
                within(operation, phases.stream().map(Phases::remote).toList()),
                within(operation, phases.stream().map(Phases::healing).toList()),
                within(operation, phases.stream().map(Phases::deleting).toList()),
                AaRatio.of(pairs, times -> within(operation, times), LatencySummary::p99Ms),
                AaRatio.of(pairs, times -> within(operation, times), LatencySummary::p999Ms));
    }

    private LatencySummary within(Operation operation, List<NanoInterval> times) {
        return load.latencies().within(operation, times);
    }

    private void round(ServerName server) throws IOException, InterruptedException {
        NanoInterval first = pause();
        NanoInterval second = pause();
        Set<String> regions = moveScenario.to(server);
        TimeUnit.SECONDS.sleep(SETTLE_SECONDS);
        OptionalDouble estimated = healStrategy.estimate();
        CpuTimes beforeRemote = handle.observer().cpuTimes();
        NanoInterval remote = pause();
        CpuTimes usual = handle.observer().cpuTimes().since(beforeRemote);
        LocalitySnapshot moved = handle.observer().localitySnapshot().of(regions);
        Traffic before = handle.observer().traffic();
        CpuTimes beforeHealing = handle.observer().cpuTimes();
        long fromEpochMs = System.currentTimeMillis();
        Heal heal = new Heal(regions, healStrategy.begin(moved));
        heal.await();
        healStrategy.end();
        TimeUnit.SECONDS.sleep(READERS_SECONDS);
        long toNanos = System.nanoTime();
        watches.add(new Watch(fromEpochMs, System.currentTimeMillis(), address(server), remoteBlocks(moved)));
        double copied = Math.min(heal.copied, scale.limitSeconds());
        long copiedNanos = heal.fromNanos + (long) (copied * SECOND_NANOS);
        double times = copied / seconds(remote);
        rounds.add(new Round(
                moved.nonLocalBytes(),
                handle.observer().traffic().since(before).written(),
                new HealTimes(heal.copied, heal.confirmed, OptionalDouble.empty(), estimated),
                heal.cpuWhenCopied.since(beforeHealing).without(usual, times),
                heal.observation.result()));
        long seconds = Math.max(1, Math.min((long) heal.copied, PHASE_SECONDS));
        phases.add(new Phases(
                new Pair(last(first, seconds), last(second, seconds)),
                last(remote, seconds),
                // Latencies are kept by whole seconds of the load, which begin at any time.
                first(heal.fromNanos + SECOND_NANOS / 2, seconds),
                first(copiedNanos + SECOND_NANOS / 2, (toNanos - copiedNanos) / SECOND_NANOS - 1)));
    }

    private static double seconds(NanoInterval time) {
        return (time.toNanos() - time.fromNanos()) / 1e9;
    }

    private static NanoInterval last(NanoInterval time, long seconds) {
        return new NanoInterval(time.toNanos() - seconds * SECOND_NANOS, time.toNanos());
    }

    private static NanoInterval first(long fromNanos, long seconds) {
        return new NanoInterval(fromNanos, fromNanos + seconds * SECOND_NANOS);
    }

    private String address(ServerName server) {
        return handle.cluster().layout().workers().stream()
                .filter(host -> host.name().equals(server.getHostname()))
                .findFirst()
                .orElseThrow()
                .address();
    }

    private static Set<Long> remoteBlocks(LocalitySnapshot moved) {
        return moved.regions().stream()
                .flatMap(region -> region.blocks().stream().filter(block -> !block.isOn(region.host())))
                .map(StoreFileBlock::blockId)
                .collect(Collectors.toSet());
    }

    /** A phase in which as much is looked at as while data is healed, so that the figures of both have the cost of that in them. */
    private NanoInterval pause() throws IOException, InterruptedException {
        long fromNanos = System.nanoTime();
        Look look = new Look();
        while (System.nanoTime() - fromNanos < PHASE_SECONDS * SECOND_NANOS) {
            look.take();
        }
        return new NanoInterval(fromNanos, System.nanoTime());
    }

    /** What is looked at again and again: the NameNode's blocks, and the healer's metrics, which are made anew once a second. */
    private final class Look {

        private long metricsNanos = Long.MIN_VALUE / 2;
        private Optional<WaitingBlocks> waiting = Optional.empty();

        LocalitySnapshot take() throws IOException, InterruptedException {
            if (System.nanoTime() - metricsNanos > SECOND_NANOS) {
                metricsNanos = System.nanoTime();
                waiting = healStrategy.waiting();
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
            return handle.observer().localitySnapshot();
        }
    }

    /** One heal from when it was asked for until the last block is confirmed. */
    private final class Heal {

        private final Set<String> regions;
        private final long fromNanos;
        private final Observation observation = new Observation();
        private double copied = Double.POSITIVE_INFINITY;
        private double confirmed = Double.POSITIVE_INFINITY;
        private CpuTimes cpuWhenCopied = handle.observer().cpuTimes();

        Heal(Set<String> regions, long fromNanos) {
            this.regions = regions;
            this.fromNanos = fromNanos;
        }

        void await() throws IOException, InterruptedException {
            Look look = new Look();
            double last = 0;
            while (last < scale.limitSeconds() && Double.isInfinite(confirmed)) {
                LocalitySnapshot now = look.take().of(regions);
                double seconds = (System.nanoTime() - fromNanos) / 1e9;
                int excess = now.blocksInExcess();
                observation.add(
                        seconds - last,
                        now.nonLocalBlocks(),
                        look.waiting.map(WaitingBlocks::blocks).orElse(0),
                        excess,
                        look.waiting.map(WaitingBlocks::limit).orElse(HealLimit.NOTHING_WAITS));
                last = seconds;
                boolean isCopied = now.nonLocalBlocks() == 0;
                if (isCopied && Double.isInfinite(copied)) {
                    copied = seconds;
                    cpuWhenCopied = handle.observer().cpuTimes();
                }
                confirmed = isCopied && excess == 0 ? seconds : confirmed;
            }
            if (Double.isInfinite(copied)) {
                cpuWhenCopied = handle.observer().cpuTimes();
            }
        }
    }

    /** How regions come to a server that does not have all of their data: one round of it, under load, with the balancer off. */
    interface MoveScenario {

        /** Of 48 regions an empty fifth host gets so many: at most as large a share of them comes at a time. */
        int OF_48_REGIONS = 9;

        /** At most so many of them. */
        static int most(int regions) {
            return (regions * OF_48_REGIONS + 47) / 48;
        }

        /** What happens. */
        String description();

        /** The server of that round: each in its turn. */
        default ServerName next(List<ServerName> servers, int round) throws IOException {
            return servers.get(round % servers.size());
        }

        /** Returns the regions, by encoded names, when they are on that server. */
        Set<String> to(ServerName server) throws IOException;
    }

    /** Regions come to a server that has nothing of them. */
    record RemoteMoveScenario(ClusterHandle handle, int most) implements MoveScenario {

        @Override
        public String description() {
            return "regions come to hosts without their blocks";
        }

        /** Where heals have taken replicas, a server may have something of every region: the one that lacks most is next. */
        @Override
        public ServerName next(List<ServerName> servers, int round) throws IOException {
            LocalitySnapshot snapshot = handle.observer().localitySnapshot();
            return Collections.max(
                    servers, Comparator.comparingLong(server -> bytesWithout(snapshot, server.getHostname(), most)));
        }

        /** The bytes of the regions that would come to this host. */
        static long bytesWithout(LocalitySnapshot snapshot, String host, int most) {
            return snapshot.of(without(snapshot, host, most)).bytes();
        }

        @Override
        public Set<String> to(ServerName server) throws IOException {
            Set<String> regions = without(handle.observer().localitySnapshot(), server.getHostname(), most);
            handle.move(regions, server);
            return regions;
        }

        static Set<String> without(LocalitySnapshot localitySnapshot, String host, int most) {
            return localitySnapshot.regions().stream()
                    .filter(region -> !region.host().equals(host))
                    .map(region -> new RegionBlocks(region.region(), host, region.blocks()))
                    .filter(region -> region.nonLocalBytes() == region.bytes())
                    .limit(most)
                    .map(RegionBlocks::region)
                    .collect(Collectors.toSet());
        }
    }

    /**
     * Regions of a server, all local there, go to another one in its rack; a tenth of their rows is written anew, and they come back: what any
     * restart of a RegionServer comes to. HDFS puts the other two replicas of what was written into the other rack, so that the server has none
     * of it.
     */
    record ReturnMoveScenario(ClusterHandle handle, LoadTable table, long seed, int most) implements MoveScenario {

        /** One row in so many is written elsewhere. */
        private static final int ONE_IN = 10;

        @Override
        public String description() {
            return "regions come back after a tenth of their rows was written elsewhere";
        }

        @Override
        public Set<String> to(ServerName server) throws IOException {
            Set<String> regions = localRegions(handle.observer().localitySnapshot(), server.getHostname(), most);
            handle.move(regions, neighbour(server));
            table.rewrite(
                    handle.connection(),
                    handle.numbers(table, regions),
                    table.keys().rowsPerRegion() / ONE_IN,
                    seed);
            // Closing a region flushes it, where it is.
            handle.move(regions, server);
            return regions;
        }

        static Set<String> localRegions(LocalitySnapshot localitySnapshot, String host, int most) {
            return localitySnapshot.servedBy(host).stream()
                    .filter(region -> region.nonLocalBytes() == 0)
                    .limit(most)
                    .map(RegionBlocks::region)
                    .collect(Collectors.toSet());
        }

        private ServerName neighbour(ServerName server) throws IOException {
            List<ClusterHost> hosts = handle.cluster().layout().workers();
            String host = neighbour(hosts, server.getHostname());
            return handle.admin().getRegionServers().stream()
                    .filter(other -> other.getHostname().equals(host))
                    .findFirst()
                    .orElseThrow(() -> new IOException("no RegionServer is alive on " + host));
        }

        /** The first other host of its rack. */
        static String neighbour(List<ClusterHost> hosts, String host) {
            String rack = hosts.stream()
                    .filter(one -> one.name().equals(host))
                    .findFirst()
                    .orElseThrow()
                    .rack();
            return hosts.stream()
                    .filter(one -> one.rack().equals(rack) && !one.name().equals(host))
                    .map(ClusterHost::name)
                    .findFirst()
                    .orElseThrow();
        }
    }
}
