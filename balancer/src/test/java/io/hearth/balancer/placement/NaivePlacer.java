// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.placement;

import io.hearth.balancer.placement.RegionPlacer.PlacementConstraints;
import io.hearth.balancer.placement.RegionPlacer.PlacementConstraints.LoadCap;
import io.hearth.balancer.placement.RegionPlacer.ServerHeadroom;
import io.hearth.balancer.placement.RegionPlacer.UnassignedRegion;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.ServerId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@link RegionPlacer} as slowly and as plainly as can be: every sum is made afresh for every question. */
final class NaivePlacer {

    private final List<ServerHeadroom> servers;
    private final List<UnassignedRegion> regions;
    private final PlacementConstraints rules;
    private final Map<EncodedRegionName, ServerId> placed = new LinkedHashMap<>();

    NaivePlacer(RandomUnassignedRegions input, PlacementConstraints rules) {
        this.servers = input.servers().stream()
                .sorted(Comparator.comparing(ServerHeadroom::server))
                .toList();
        this.regions = input.regions();
        this.rules = rules;
    }

    Map<EncodedRegionName, ServerId> place() {
        List<UnassignedRegion> order = new ArrayList<>(regions);
        order.sort(Comparator.comparingDouble((UnassignedRegion region) -> -share(region))
                .thenComparing(UnassignedRegion::region));
        order.forEach(region -> placed.put(region.region(), choose(region)));
        return placed;
    }

    private ServerId choose(UnassignedRegion region) {
        List<ServerHeadroom> below =
                servers.stream().filter(s -> isBelowCaps(s, region)).toList();
        List<ServerHeadroom> headroom = below.stream().filter(this::mayTakeMore).toList();
        Comparator<ServerHeadroom> leastFull = Comparator.comparingDouble(server -> utilization(server, region));
        Comparator<ServerHeadroom> mostBytes = Comparator.comparingLong(server -> -bytes(server, region));
        List<ServerHeadroom> withBytes =
                headroom.stream().filter(server -> bytes(server, region) > 0).toList();
        if (!withBytes.isEmpty()) {
            return withBytes.stream()
                    .min(mostBytes.thenComparing(leastFull))
                    .orElseThrow()
                    .server();
        }
        List<ServerHeadroom> candidates = !headroom.isEmpty()
                ? headroom
                : !below.isEmpty()
                        ? below
                        : servers.stream().filter(s -> count(s) < maxCount(s)).toList();
        return candidates.stream().min(leastFull).orElseThrow().server();
    }

    boolean isBelowCaps(ServerHeadroom server, UnassignedRegion region) {
        return count(server) < maxCount(server) && heatUtilization(server, region) <= 1 + 1e-9;
    }

    private boolean mayTakeMore(ServerHeadroom server) {
        long all = servers.stream().mapToLong(ServerHeadroom::arrivals).sum() + regions.size();
        return server.arrivals() + given(server).size()
                < Math.max(4, Math.ceil(rules.maxBurstFactor() * all / servers.size() - 1e-9));
    }

    private double utilization(ServerHeadroom server, UnassignedRegion region) {
        return Math.max(heatUtilization(server, region), (count(server) + 1.0) / maxCount(server));
    }

    private double heatUtilization(ServerHeadroom server, UnassignedRegion region) {
        double utilization = 0;
        for (LoadDimension dimension : rules.capByDimension().keySet()) {
            double load = server.load().get(dimension) + region.load().get(dimension);
            for (UnassignedRegion given : given(server)) {
                load += given.load().get(dimension);
            }
            double fair = fairOfUnit(dimension) * server.capacity();
            utilization = fair > 0
                    ? Math.max(
                            utilization,
                            load / fair / rules.capByDimension().get(dimension).overFairShare())
                    : utilization;
        }
        return utilization;
    }

    private double share(UnassignedRegion region) {
        return rules.capByDimension().keySet().stream()
                .filter(dimension -> fairOfUnit(dimension) > 0)
                .mapToDouble(dimension -> region.load().get(dimension) / fairOfUnit(dimension))
                .max()
                .orElse(0);
    }

    private double fairOfUnit(LoadDimension dimension) {
        double total = servers.stream()
                        .mapToDouble(s -> s.load().get(dimension))
                        .sum()
                + regions.stream().mapToDouble(r -> r.load().get(dimension)).sum();
        boolean counts = total > 0
                && total / servers.size()
                        >= rules.capByDimension().get(dimension).minMean();
        double capacity =
                servers.stream().mapToDouble(ServerHeadroom::capacity).average().orElseThrow();
        double largest =
                servers.stream().mapToDouble(ServerHeadroom::capacity).max().orElseThrow() / capacity;
        List<Double> loads = new ArrayList<>();
        servers.forEach(s -> s.hottest().forEach(load -> loads.add(load.get(dimension))));
        regions.forEach(r -> loads.add(r.load().get(dimension)));
        return counts
                ? withoutOversized(loads, total, largest, rules.capByDimension().get(dimension)) / capacity
                : 0;
    }

    /** An oversized region is taken out with one server's share of what is left, until none is left or as many as may be are out. */
    private double withoutOversized(List<Double> loads, double total, double largest, LoadCap cap) {
        double mean = total / servers.size();
        double fair = mean;
        double others = servers.size();
        List<Double> oversized = new ArrayList<>(loads);
        for (int out = 0; out < Math.max(1, servers.size() / 10); out++) {
            double hottest = oversized.stream().mapToDouble(load -> load).max().orElse(0);
            others -= largest;
            if (hottest <= cap.overFairShare() * largest * fair || others <= 0) {
                break;
            }
            oversized.remove(hottest);
            total -= hottest;
            fair = Math.max(Math.max(Math.min(mean, cap.minMean()), mean / 1000), Math.min(fair, total / others));
        }
        return fair;
    }

    /** The load at the cap for a server of capacity 1; above everything where the dimension does not count. */
    double cap(LoadDimension dimension) {
        double fair = fairOfUnit(dimension);
        return fair > 0 ? fair * rules.capByDimension().get(dimension).overFairShare() : Double.MAX_VALUE;
    }

    private int count(ServerHeadroom server) {
        return server.regions() + given(server).size();
    }

    private int maxCount(ServerHeadroom server) {
        double capacities =
                servers.stream().mapToDouble(ServerHeadroom::capacity).sum();
        int all = servers.stream().mapToInt(ServerHeadroom::regions).sum() + regions.size();
        return (int) Math.ceil((1 + rules.regionCountSlop()) * all / capacities * server.capacity() - 1e-9);
    }

    private List<UnassignedRegion> given(ServerHeadroom server) {
        return regions.stream()
                .filter(region -> server.server().equals(placed.get(region.region())))
                .toList();
    }

    static long bytes(ServerHeadroom server, UnassignedRegion region) {
        return region.local().on(server.server().host()).orElse(0);
    }
}
