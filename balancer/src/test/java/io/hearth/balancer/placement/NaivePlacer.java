package io.hearth.balancer.placement;

import io.hearth.balancer.load.LoadDimension;
import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.ServerId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@link RegionPlacer} as slowly and as plainly as can be: every sum is made afresh for every question. */
final class NaivePlacer {

    private final List<ServerRoom> servers;
    private final List<HomelessRegion> regions;
    private final PlacementRules rules;
    private final Map<RegionId, ServerId> placed = new LinkedHashMap<>();

    NaivePlacer(RandomHomeless input, PlacementRules rules) {
        this.servers = input.servers().stream()
                .sorted(Comparator.comparing(ServerRoom::server))
                .toList();
        this.regions = input.regions();
        this.rules = rules;
    }

    Map<RegionId, ServerId> place() {
        List<HomelessRegion> order = new ArrayList<>(regions);
        order.sort(Comparator.comparingDouble((HomelessRegion region) -> -share(region))
                .thenComparing(HomelessRegion::region));
        order.forEach(region -> placed.put(region.region(), choose(region)));
        return placed;
    }

    private ServerId choose(HomelessRegion region) {
        List<ServerRoom> below =
                servers.stream().filter(s -> isBelowCaps(s, region)).toList();
        List<ServerRoom> room = below.stream().filter(this::mayTakeMore).toList();
        Comparator<ServerRoom> leastFull = Comparator.comparingDouble(server -> fill(server, region));
        Comparator<ServerRoom> mostBytes = Comparator.comparingLong(server -> -bytes(server, region));
        List<ServerRoom> withBytes =
                room.stream().filter(server -> bytes(server, region) > 0).toList();
        if (!withBytes.isEmpty()) {
            return withBytes.stream()
                    .min(mostBytes.thenComparing(leastFull))
                    .orElseThrow()
                    .server();
        }
        List<ServerRoom> candidates = !room.isEmpty()
                ? room
                : !below.isEmpty()
                        ? below
                        : servers.stream().filter(s -> count(s) < maxCount()).toList();
        return candidates.stream().min(leastFull).orElseThrow().server();
    }

    boolean isBelowCaps(ServerRoom server, HomelessRegion region) {
        return count(server) < maxCount() && heatFill(server, region) <= 1 + 1e-9;
    }

    private boolean mayTakeMore(ServerRoom server) {
        long all = servers.stream().mapToLong(ServerRoom::arrivals).sum() + regions.size();
        return server.arrivals() + given(server).size()
                < Math.max(4, Math.ceil(rules.intakeFactor() * all / servers.size() - 1e-9));
    }

    private double fill(ServerRoom server, HomelessRegion region) {
        return Math.max(heatFill(server, region), (count(server) + 1.0) / maxCount());
    }

    private double heatFill(ServerRoom server, HomelessRegion region) {
        double fill = 0;
        for (LoadDimension dimension : rules.capByDimension().keySet()) {
            double load = server.load().get(dimension) + region.load().get(dimension);
            for (HomelessRegion given : given(server)) {
                load += given.load().get(dimension);
            }
            double fair = fairOfUnit(dimension) * server.capacity();
            fill = fair > 0
                    ? Math.max(
                            fill,
                            load / fair / rules.capByDimension().get(dimension).overFairShare())
                    : fill;
        }
        return fill;
    }

    private double share(HomelessRegion region) {
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
        return counts
                ? total / servers.stream().mapToDouble(ServerRoom::capacity).sum()
                : 0;
    }

    private int count(ServerRoom server) {
        return server.regions() + given(server).size();
    }

    private int maxCount() {
        int all = servers.stream().mapToInt(ServerRoom::regions).sum() + regions.size();
        return (int) Math.ceil((1 + rules.regionCountSlop()) * all / servers.size() - 1e-9);
    }

    private List<HomelessRegion> given(ServerRoom server) {
        return regions.stream()
                .filter(region -> server.server().equals(placed.get(region.region())))
                .toList();
    }

    static long bytes(ServerRoom server, HomelessRegion region) {
        return region.local().on(server.server().host()).orElse(0);
    }
}
