package io.hearth.bench.cluster;

import io.hearth.demo.measure.ClusterReport;
import io.hearth.demo.measure.LocalityCensus;
import io.hearth.demo.measure.RegionBlocks;
import io.hearth.demo.measure.ServerRates;
import io.hearth.demo.measure.Skew;
import io.hearth.load.LoadDriver;
import io.hearth.load.Operation;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;

/** A hot spot: from one moment on half of all requests are for the regions of one server. */
final class HotSpotRun {

    /** Rates are taken over so many reports, a second each: fewer are too few requests to tell chance from skew. */
    private static final int REPORTS = 6;

    private final Scale scale;
    private final TableEyes eyes;
    private final Site site;
    private final LoadDriver load;

    HotSpotRun(Scale scale, Site site, LoadDriver load) {
        this.scale = scale;
        this.eyes = site.eyes();
        this.site = site;
        this.load = load;
    }

    HotSpotResult run() throws IOException, InterruptedException {
        long quietNanos = System.nanoTime();
        TimeUnit.SECONDS.sleep(scale.quietSeconds());
        LocalityCensus before = eyes.census();
        long startNanos = System.nanoTime();
        load.concentrate(site.numbers(load.table(), regionsOf(before, busiest(before))), Scale.HOT_REQUESTS);
        List<Point> skew = new ArrayList<>();
        Deque<ClusterReport> reports = new ArrayDeque<>();
        Map<String, String> hosts = Assignments.hosts(before);
        int moves = 0;
        OptionalDouble even = OptionalDouble.empty();
        while (even.isEmpty() && secondsSince(startNanos) < scale.limitSeconds()) {
            TimeUnit.SECONDS.sleep(1);
            reports.add(eyes.report());
            Map<String, String> now = Assignments.hosts(eyes.census());
            moves += changed(hosts, now);
            hosts = now;
            if (reports.size() > REPORTS) {
                OptionalDouble uneven =
                        Skew.between(reports.removeFirst(), reports.getLast(), ServerRates::readsPerSecond);
                uneven.ifPresent(value -> skew.add(new Point(secondsSince(startNanos), value)));
                even = uneven.isPresent() && uneven.getAsDouble() < ClusterBars.EVEN
                        ? OptionalDouble.of(secondsSince(startNanos))
                        : even;
            }
        }
        double watched = secondsSince(startNanos);
        long endNanos = System.nanoTime();
        TimeUnit.SECONDS.sleep(scale.quietSeconds());
        return new HotSpotResult(
                even,
                watched,
                moves,
                skew.stream().mapToDouble(Point::value).max().orElse(0),
                skew.isEmpty() ? 0 : skew.get(skew.size() - 1).value(),
                load.latencies().between(Operation.GET, quietNanos, startNanos),
                load.latencies().between(Operation.GET, endNanos, System.nanoTime()),
                skew);
    }

    private static int changed(Map<String, String> then, Map<String, String> now) {
        Map<String, String> changed = new HashMap<>(now);
        changed.entrySet().removeAll(then.entrySet());
        return changed.size();
    }

    private static String busiest(LocalityCensus census) {
        return census.bytesByHost().entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .orElseThrow()
                .getKey();
    }

    private static List<String> regionsOf(LocalityCensus census, String host) {
        return census.servedBy(host).stream().map(RegionBlocks::region).toList();
    }

    private static double secondsSince(long nanos) {
        return (System.nanoTime() - nanos) / 1e9;
    }
}
