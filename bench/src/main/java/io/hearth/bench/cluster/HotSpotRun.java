// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.cluster;

import io.hearth.bench.cluster.VariantResult.HotSpotResult;
import io.hearth.bench.cluster.VariantResult.TimeSeriesPoint;
import io.hearth.testkit.load.LoadDriver;
import io.hearth.testkit.load.Workload.Operation;
import io.hearth.testkit.measure.ClusterLoadReport;
import io.hearth.testkit.measure.LoadSkew;
import io.hearth.testkit.measure.LocalitySnapshot;
import io.hearth.testkit.measure.LocalitySnapshot.RegionBlocks;
import io.hearth.testkit.measure.ServerRates;
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
    private final TableObserver observer;
    private final ClusterHandle handle;
    private final LoadDriver load;

    HotSpotRun(Scale scale, ClusterHandle handle, LoadDriver load) {
        this.scale = scale;
        this.observer = handle.observer();
        this.handle = handle;
        this.load = load;
    }

    HotSpotResult run() throws IOException, InterruptedException {
        long quietNanos = System.nanoTime();
        TimeUnit.SECONDS.sleep(scale.quietSeconds());
        LocalitySnapshot before = observer.localitySnapshot();
        long startNanos = System.nanoTime();
        load.concentrate(handle.numbers(load.table(), regionsOf(before, busiest(before))), Scale.ACTIVITY_MIN_REQUESTS);
        List<TimeSeriesPoint> skew = new ArrayList<>();
        Deque<ClusterLoadReport> reports = new ArrayDeque<>();
        Map<String, String> hosts = RelocationTracker.hosts(before);
        int moves = 0;
        OptionalDouble even = OptionalDouble.empty();
        while (even.isEmpty() && secondsSince(startNanos) < scale.limitSeconds()) {
            TimeUnit.SECONDS.sleep(1);
            reports.add(observer.report());
            Map<String, String> now = RelocationTracker.hosts(observer.localitySnapshot());
            moves += changed(hosts, now);
            hosts = now;
            if (reports.size() > REPORTS) {
                OptionalDouble uneven =
                        LoadSkew.between(reports.removeFirst(), reports.getLast(), ServerRates::readsPerSecond);
                uneven.ifPresent(value -> skew.add(new TimeSeriesPoint(secondsSince(startNanos), value)));
                even = uneven.isPresent() && uneven.getAsDouble() < ClusterThresholds.EVEN
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
                skew.stream().mapToDouble(TimeSeriesPoint::value).max().orElse(0),
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

    private static String busiest(LocalitySnapshot localitySnapshot) {
        return localitySnapshot.bytesByHost().entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .orElseThrow()
                .getKey();
    }

    private static List<String> regionsOf(LocalitySnapshot localitySnapshot, String host) {
        return localitySnapshot.servedBy(host).stream()
                .map(RegionBlocks::region)
                .toList();
    }

    private static double secondsSince(long nanos) {
        return (System.nanoTime() - nanos) / 1e9;
    }
}
