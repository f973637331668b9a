package io.hearth.bench.cluster;

import io.hearth.demo.measure.LocalityCensus;
import io.hearth.demo.measure.RegionBlocks;
import io.hearth.load.LoadDriver;
import io.hearth.load.Operation;
import io.hearth.load.Span;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Regions that come to a host without their blocks, again and again, under load. One heal is over in seconds, and of the few
 * hundred requests of seconds there is no hundredth that says anything; those of all rounds together have one. For one run, by
 * one thread.
 */
final class Rounds {

    /** As many as an empty fifth host gets of 48. */
    private static final int REGIONS = 9;

    private static final int QUIET_SECONDS = 5;
    /** Until no request waits for a region that has moved. */
    private static final int SETTLE_SECONDS = 5;

    private static final long LOOK_MS = 200;

    private final Scale scale;
    private final Site site;
    private final LoadDriver load;
    private final Remedy remedy;
    private final List<Span> quiet = new ArrayList<>();
    private final List<Span> away = new ArrayList<>();
    private final List<Span> healing = new ArrayList<>();
    private final List<Double> seconds = new ArrayList<>();
    private long nonLocalBytes;

    Rounds(Scale scale, Site site, LoadDriver load, Remedy remedy) {
        this.scale = scale;
        this.site = site;
        this.load = load;
        this.remedy = remedy;
    }

    /** Each host in its turn. The balancer is off afterwards. */
    RoundsResult run() throws IOException, InterruptedException {
        load.spread();
        remedy.end();
        site.admin().balancerSwitch(false, true);
        TimeUnit.SECONDS.sleep(scale.quietSeconds());
        List<ServerName> servers =
                site.admin().getRegionServers().stream().sorted().toList();
        for (int round = 0; round < scale.rounds(); round++) {
            round(servers.get(round % servers.size()));
        }
        return new RoundsResult(seconds, nonLocalBytes, times(Operation.GET), times(Operation.MULTIGET));
    }

    private RoundsResult.Times times(Operation operation) {
        return new RoundsResult.Times(
                load.latencies().within(operation, quiet),
                load.latencies().within(operation, away),
                load.latencies().within(operation, healing));
    }

    private void round(ServerName server) throws IOException, InterruptedException {
        quiet.add(pause());
        Set<String> regions = moveTo(server);
        TimeUnit.SECONDS.sleep(SETTLE_SECONDS);
        away.add(pause());
        LocalityCensus census = site.eyes().census().of(regions);
        nonLocalBytes += census.nonLocalBytes();
        long fromNanos = remedy.begin(census);
        seconds.add(awaitLocal(regions, fromNanos));
        healing.add(new Span(fromNanos, System.nanoTime()));
        remedy.end();
    }

    private static Span pause() throws InterruptedException {
        long fromNanos = System.nanoTime();
        TimeUnit.SECONDS.sleep(QUIET_SECONDS);
        return new Span(fromNanos, System.nanoTime());
    }

    /** Regions of which that host has nothing. */
    private Set<String> moveTo(ServerName server) throws IOException {
        Set<String> regions = without(site.eyes().census(), server.getHostname());
        for (String region : regions) {
            site.admin().move(Bytes.toBytes(region), server);
        }
        return regions;
    }

    static Set<String> without(LocalityCensus census, String host) {
        return census.regions().stream()
                .filter(region -> !region.host().equals(host))
                .map(region -> new RegionBlocks(region.region(), host, region.blocks()))
                .filter(region -> region.nonLocalBytes() == region.bytes())
                .limit(REGIONS)
                .map(RegionBlocks::region)
                .collect(Collectors.toSet());
    }

    /** Returns after how many seconds; infinity if they are not home within the limit. */
    private double awaitLocal(Set<String> regions, long fromNanos) throws IOException, InterruptedException {
        while (System.nanoTime() - fromNanos < TimeUnit.SECONDS.toNanos(scale.limitSeconds())) {
            if (site.eyes().census().of(regions).nonLocalBytes() == 0) {
                return (System.nanoTime() - fromNanos) / 1e9;
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MS);
        }
        return Double.POSITIVE_INFINITY;
    }
}
