package io.hearth.bench.cluster;

import io.hearth.demo.measure.LocalityCensus;
import io.hearth.load.LoadDriver;
import io.hearth.load.Operation;
import io.hearth.load.Span;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.ServerName;

/**
 * The same trip of regions to one host after the other, under load. One heal is over in seconds, and of the few hundred requests
 * of seconds there is no hundredth that says anything; those of all rounds together have one. For one run, by one thread.
 */
final class Rounds {

    private static final int QUIET_SECONDS = 5;
    /** Until no request waits for a region that has moved. */
    private static final int SETTLE_SECONDS = 5;

    /** How old the DataNodes' counts may be: their metrics are kept for so long before they are taken anew. */
    private static final int COUNTS_SECONDS = 10;

    private static final long LOOK_MS = 200;

    private final Trip trip;
    private final Scale scale;
    private final Site site;
    private final LoadDriver load;
    private final Remedy remedy;
    private final List<Span> quiet = new ArrayList<>();
    private final List<Span> away = new ArrayList<>();
    private final List<Span> healing = new ArrayList<>();
    private final List<Double> seconds = new ArrayList<>();
    private long nonLocalBytes;
    private long writtenBytes;

    Rounds(Trip trip, Scale scale, Site site, LoadDriver load, Remedy remedy) {
        this.trip = trip;
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
        Calm.await(site);
        TimeUnit.SECONDS.sleep(scale.quietSeconds());
        List<ServerName> servers =
                site.admin().getRegionServers().stream().sorted().toList();
        for (int round = 0; round < scale.rounds(); round++) {
            round(servers.get(round % servers.size()));
        }
        return new RoundsResult(seconds, nonLocalBytes, writtenBytes, times(Operation.GET), times(Operation.MULTIGET));
    }

    private RoundsResult.Times times(Operation operation) {
        return new RoundsResult.Times(
                load.latencies().within(operation, quiet),
                load.latencies().within(operation, away),
                load.latencies().within(operation, healing));
    }

    private void round(ServerName server) throws IOException, InterruptedException {
        quiet.add(pause());
        Set<String> regions = trip.to(server);
        TimeUnit.SECONDS.sleep(SETTLE_SECONDS);
        away.add(pause());
        LocalityCensus census = site.eyes().census().of(regions);
        nonLocalBytes += census.nonLocalBytes();
        Traffic before = site.eyes().traffic();
        long fromNanos = remedy.begin(census);
        seconds.add(awaitLocal(regions, fromNanos));
        healing.add(new Span(fromNanos, System.nanoTime()));
        remedy.end();
        TimeUnit.SECONDS.sleep(COUNTS_SECONDS);
        writtenBytes += site.eyes().traffic().since(before).written();
    }

    private Span pause() throws IOException, InterruptedException {
        long fromNanos = System.nanoTime();
        site.eyes().lookOn(QUIET_SECONDS, LOOK_MS);
        return new Span(fromNanos, System.nanoTime());
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
