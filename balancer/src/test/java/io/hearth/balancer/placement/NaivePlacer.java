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
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@link RegionPlacer} as plainly as can be: what a server has by now is summed up afresh for every question. */
final class NaivePlacer {

    private final List<ServerHeadroom> servers;
    private final List<UnassignedRegion> regions;
    private final PlacementConstraints rules;
    private final Map<EncodedRegionName, ServerId> placed = new LinkedHashMap<>();
    private final Map<ServerId, List<UnassignedRegion>> givenByServer = new HashMap<>();
    private final Map<LoadDimension, Double> fairByDimension = new EnumMap<>(LoadDimension.class);
    private final double capacities;
    private final long arrivals;
    private final int allRegions;

    NaivePlacer(RandomUnassignedRegions input, PlacementConstraints rules) {
        this.servers = input.servers().stream()
                .sorted(Comparator.comparing(ServerHeadroom::server))
                .toList();
        this.regions = input.regions();
        this.rules = rules;
        capacities = servers.stream().mapToDouble(ServerHeadroom::capacity).sum();
        arrivals = servers.stream().mapToLong(ServerHeadroom::arrivals).sum() + regions.size();
        allRegions = servers.stream().mapToInt(ServerHeadroom::regions).sum() + regions.size();
        rules.capByDimension().keySet().forEach(dimension -> fairByDimension.put(dimension, findFair(dimension)));
    }

    Map<EncodedRegionName, ServerId> place() {
        List<UnassignedRegion> order = new ArrayList<>(regions);
        order.sort(Comparator.comparingDouble((UnassignedRegion region) -> -share(region))
                .thenComparing(UnassignedRegion::region));
        for (UnassignedRegion region : order) {
            ServerId chosen = choose(region);
            placed.put(region.region(), chosen);
            givenByServer.put(chosen, placedOn(chosen));
        }
        return placed;
    }

    private List<UnassignedRegion> placedOn(ServerId server) {
        return regions.stream()
                .filter(region -> server.equals(placed.get(region.region())))
                .toList();
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
        return server.arrivals() + given(server).size()
                < Math.max(4, Math.ceil(rules.maxBurstFactor() * arrivals / servers.size() - 1e-9));
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
        return fairByDimension.getOrDefault(dimension, 0.0);
    }

    private double findFair(LoadDimension dimension) {
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
        return (int) Math.ceil((1 + rules.regionCountSlop()) * allRegions / capacities * server.capacity() - 1e-9);
    }

    private List<UnassignedRegion> given(ServerHeadroom server) {
        return givenByServer.getOrDefault(server.server(), List.of());
    }

    static long bytes(ServerHeadroom server, UnassignedRegion region) {
        return region.local().on(server.server().host()).orElse(0);
    }
}
