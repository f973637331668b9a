// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.cluster;

import io.hearth.bench.cluster.VariantResult.MoveRoundsResult;
import io.hearth.bench.cluster.VariantResult.Traffic;
import io.hearth.testkit.embedded.ClusterHost;
import io.hearth.testkit.load.LatencyRecorder.NanoInterval;
import io.hearth.testkit.load.LoadDriver;
import io.hearth.testkit.load.LoadTable;
import io.hearth.testkit.load.Workload.Operation;
import io.hearth.testkit.measure.LocalitySnapshot;
import io.hearth.testkit.measure.LocalitySnapshot.RegionBlocks;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.ServerName;

/**
 * The same trip of regions to one host after the other, under load. One heal is over in seconds, and of the few hundred requests
 * of seconds there is no hundredth that says anything; those of all rounds together have one. For one run, by one thread.
 */
final class MoveRounds {

    private static final int QUIET_SECONDS = 5;
    /** Until no request waits for a region that has moved. */
    private static final int SETTLE_SECONDS = 5;

    /** How old the DataNodes' counts may be: their metrics are kept for so long before they are taken anew. */
    private static final int COUNTS_SECONDS = 10;

    private static final long POLL_MS = 200;

    private final MoveScenario moveScenario;
    private final Scale scale;
    private final ClusterHandle handle;
    private final LoadDriver load;
    private final HealStrategy healStrategy;
    private final List<NanoInterval> quiet = new ArrayList<>();
    private final List<NanoInterval> remote = new ArrayList<>();
    private final List<NanoInterval> healing = new ArrayList<>();
    private final List<Double> seconds = new ArrayList<>();
    private long nonLocalBytes;
    private long writtenBytes;

    MoveRounds(
            MoveScenario moveScenario, Scale scale, ClusterHandle handle, LoadDriver load, HealStrategy healStrategy) {
        this.moveScenario = moveScenario;
        this.scale = scale;
        this.handle = handle;
        this.load = load;
        this.healStrategy = healStrategy;
    }

    /** Each host in its turn. The balancer is off afterwards. */
    MoveRoundsResult run() throws IOException, InterruptedException {
        load.spread();
        healStrategy.end();
        handle.admin().balancerSwitch(false, true);
        handle.awaitQuiescence();
        TimeUnit.SECONDS.sleep(scale.quietSeconds());
        List<ServerName> servers =
                handle.admin().getRegionServers().stream().sorted().toList();
        for (int round = 0; round < scale.rounds(); round++) {
            round(servers.get(round % servers.size()));
        }
        return new MoveRoundsResult(
                seconds, nonLocalBytes, writtenBytes, times(Operation.GET), times(Operation.MULTIGET));
    }

    private MoveRoundsResult.Times times(Operation operation) {
        return new MoveRoundsResult.Times(
                load.latencies().within(operation, quiet),
                load.latencies().within(operation, remote),
                load.latencies().within(operation, healing));
    }

    private void round(ServerName server) throws IOException, InterruptedException {
        quiet.add(pause());
        Set<String> regions = moveScenario.to(server);
        TimeUnit.SECONDS.sleep(SETTLE_SECONDS);
        remote.add(pause());
        LocalitySnapshot localitySnapshot = handle.observer().localitySnapshot().of(regions);
        nonLocalBytes += localitySnapshot.nonLocalBytes();
        Traffic before = handle.observer().traffic();
        long fromNanos = healStrategy.begin(localitySnapshot);
        seconds.add(awaitLocal(regions, fromNanos));
        healing.add(new NanoInterval(fromNanos, System.nanoTime()));
        healStrategy.end();
        TimeUnit.SECONDS.sleep(COUNTS_SECONDS);
        writtenBytes += handle.observer().traffic().since(before).written();
    }

    private NanoInterval pause() throws IOException, InterruptedException {
        long fromNanos = System.nanoTime();
        handle.observer().sampleFor(QUIET_SECONDS, POLL_MS);
        return new NanoInterval(fromNanos, System.nanoTime());
    }

    /** Returns after how many seconds; infinity if they are not local within the limit. */
    private double awaitLocal(Set<String> regions, long fromNanos) throws IOException, InterruptedException {
        while (System.nanoTime() - fromNanos < TimeUnit.SECONDS.toNanos(scale.limitSeconds())) {
            if (handle.observer().localitySnapshot().of(regions).nonLocalBytes() == 0) {
                return (System.nanoTime() - fromNanos) / 1e9;
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
        }
        return Double.POSITIVE_INFINITY;
    }

    /** How regions come to a server that does not have all of their data: one round of it, under load, with the balancer off. */
    interface MoveScenario {

        /** At most so many regions, as many as an empty fifth host gets of 48. */
        int REGIONS = 9;

        /** What happens. */
        String description();

        /** Returns the regions, by encoded names, when they are on that server. */
        Set<String> to(ServerName server) throws IOException;
    }

    /** Regions come to a server that has nothing of them. */
    record RemoteMoveScenario(ClusterHandle handle) implements MoveScenario {

        @Override
        public String description() {
            return "regions come to hosts without their blocks";
        }

        @Override
        public Set<String> to(ServerName server) throws IOException {
            Set<String> regions = without(handle.observer().localitySnapshot(), server.getHostname());
            handle.move(regions, server);
            return regions;
        }

        static Set<String> without(LocalitySnapshot localitySnapshot, String host) {
            return localitySnapshot.regions().stream()
                    .filter(region -> !region.host().equals(host))
                    .map(region -> new RegionBlocks(region.region(), host, region.blocks()))
                    .filter(region -> region.nonLocalBytes() == region.bytes())
                    .limit(REGIONS)
                    .map(RegionBlocks::region)
                    .collect(Collectors.toSet());
        }
    }

    /**
     * Regions of a server, all local there, go to another one in its rack; a tenth of their rows is written anew, and they come back: what any
     * restart of a RegionServer comes to. HDFS puts the other two replicas of what was written into the other rack, so that the server has none
     * of it.
     */
    record ReturnMoveScenario(ClusterHandle handle, LoadTable table, long seed) implements MoveScenario {

        /** One row in so many is written elsewhere. */
        private static final int ONE_IN = 10;

        @Override
        public String description() {
            return "regions come back after a tenth of their rows was written elsewhere";
        }

        @Override
        public Set<String> to(ServerName server) throws IOException {
            Set<String> regions = localRegions(handle.observer().localitySnapshot(), server.getHostname());
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

        static Set<String> localRegions(LocalitySnapshot localitySnapshot, String host) {
            return localitySnapshot.servedBy(host).stream()
                    .filter(region -> region.nonLocalBytes() == 0)
                    .limit(REGIONS)
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
