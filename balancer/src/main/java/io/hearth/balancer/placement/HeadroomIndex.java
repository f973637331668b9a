// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.placement;

import io.hearth.balancer.placement.RegionPlacer.PlacementConstraints;
import io.hearth.balancer.placement.RegionPlacer.PlacementConstraints.LoadCap;
import io.hearth.balancer.placement.RegionPlacer.ServerHeadroom;
import io.hearth.balancer.placement.RegionPlacer.UnassignedRegion;
import io.hearth.balancer.share.FairShares;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.LoadVector;
import io.hearth.common.model.ServerId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * How much room each server has left, kept up to date region by region. The fair share of a server is its part, by capacity,
 * of what all the given servers have and are to be given, where of a region above a fair share only one counts ({@link FairShares#meanWithoutOversized}):
 * one that is scanned would make room for everything else on any server. Not thread-safe; private scratch of one placement.
 */
final class HeadroomIndex {

    private static final LoadDimension[] DIMENSIONS = LoadDimension.values();
    /** So many regions at once flood nobody, however few are placed. */
    private static final int MIN_BURST = 4;
    /** Sums in another order differ in the last digits: that much above a cap is no more than the cap. */
    private static final double ROUNDING = 1e-9;

    private final List<ServerHeadroom> servers;
    private final Map<String, List<Integer>> serversByHost = new HashMap<>();
    private final double[][] loadByDimension;
    /** Load at the cap for a server of capacity 1, by dimension; 0 where the dimension does not count. */
    private final double[] capOfUnit = new double[DIMENSIONS.length];

    private final double[] fairOfUnit = new double[DIMENSIONS.length];
    private final int[] regionsByServer;
    private final int[] arrivalsByServer;
    /** By server: what is fair of the regions goes with its capacity, as what is fair of heat does. */
    private final int[] maxRegions;

    private final int maxArrivals;

    HeadroomIndex(
            Collection<ServerHeadroom> headrooms, Collection<UnassignedRegion> unassigned, PlacementConstraints rules) {
        servers = headrooms.stream()
                .sorted(Comparator.comparing(ServerHeadroom::server))
                .toList();
        loadByDimension = new double[DIMENSIONS.length][servers.size()];
        regionsByServer = servers.stream().mapToInt(ServerHeadroom::regions).toArray();
        arrivalsByServer = servers.stream().mapToInt(ServerHeadroom::arrivals).toArray();
        for (int server = 0; server < servers.size(); server++) {
            ServerHeadroom headroom = servers.get(server);
            serversByHost
                    .computeIfAbsent(headroom.server().host(), host -> new ArrayList<>())
                    .add(server);
            for (LoadDimension dimension : DIMENSIONS) {
                loadByDimension[dimension.ordinal()][server] = headroom.load().get(dimension);
            }
        }
        rules.capByDimension().forEach((dimension, cap) -> setCap(dimension, cap, unassigned));
        long regions = sum(regionsByServer) + unassigned.size();
        double meanCapacity = meanCapacity();
        maxRegions = servers.stream()
                .mapToInt(server -> rules.regionCountSlop() < 0
                        ? Integer.MAX_VALUE
                        : share(regions, (1 + rules.regionCountSlop()) * server.capacity() / meanCapacity))
                .toArray();
        maxArrivals = Math.max(MIN_BURST, share(sum(arrivalsByServer) + unassigned.size(), rules.maxBurstFactor()));
    }

    private void setCap(LoadDimension dimension, LoadCap cap, Collection<UnassignedRegion> unassigned) {
        double total = 0;
        for (double load : loadByDimension[dimension.ordinal()]) {
            total += load;
        }
        // In the order of their names: a sum in another order may differ in its last digits.
        total += unassigned.stream()
                .sorted(Comparator.comparing(UnassignedRegion::region))
                .mapToDouble(region -> region.load().get(dimension))
                .sum();
        double mean = total / servers.size();
        if (total > 0 && mean >= cap.minMean()) {
            double capacity = meanCapacity();
            double largest =
                    servers.stream().mapToDouble(ServerHeadroom::capacity).max().orElse(1) / capacity;
            double fair = FairShares.meanWithoutOversized(
                    hottest(dimension, unassigned), servers.size(), mean, largest, cap.overFairShare(), cap.minMean());
            fairOfUnit[dimension.ordinal()] = fair / capacity;
            capOfUnit[dimension.ordinal()] = cap.overFairShare() * fair / capacity;
        }
    }

    private double meanCapacity() {
        return servers.stream().mapToDouble(ServerHeadroom::capacity).average().orElse(1);
    }

    private double[] hottest(LoadDimension dimension, Collection<UnassignedRegion> unassigned) {
        return Stream.concat(
                        servers.stream().flatMap(headroom -> headroom.hottest().stream()),
                        unassigned.stream().map(UnassignedRegion::load))
                .mapToDouble(load -> load.get(dimension))
                .toArray();
    }

    private int share(long regions, double factor) {
        return (int) Math.ceil(factor * regions / servers.size() - ROUNDING);
    }

    private static long sum(int[] values) {
        long sum = 0;
        for (int value : values) {
            sum += value;
        }
        return sum;
    }

    ServerId server(int server) {
        return servers.get(server).server();
    }

    List<Integer> serversOn(String host) {
        return serversByHost.getOrDefault(host, List.of());
    }

    /** The load in multiples of a server's fair share, in the dimension where that is most. */
    double largestShare(LoadVector load) {
        double largest = 0;
        for (LoadDimension dimension : DIMENSIONS) {
            double fair = fairOfUnit[dimension.ordinal()];
            largest = fair > 0 ? Math.max(largest, load.get(dimension) / fair) : largest;
        }
        return largest;
    }

    /** How near to the nearest of its caps a server would be with this load: 1 is at a cap. */
    double utilization(int server, LoadVector load) {
        double utilization = (regionsByServer[server] + 1.0) / maxRegions[server];
        return Math.max(utilization, heatUtilization(server, load));
    }

    private double heatUtilization(int server, LoadVector load) {
        double utilization = 0;
        for (LoadDimension dimension : DIMENSIONS) {
            double cap = capOfUnit[dimension.ordinal()] * servers.get(server).capacity();
            if (cap > 0) {
                utilization = Math.max(
                        utilization, (loadByDimension[dimension.ordinal()][server] + load.get(dimension)) / cap);
            }
        }
        return utilization;
    }

    /** Whether this server would be within every cap with this load. */
    boolean isBelowCaps(int server, LoadVector load) {
        return isBelowCount(server) && heatUtilization(server, load) <= 1 + ROUNDING;
    }

    private boolean isBelowCount(int server) {
        return regionsByServer[server] < maxRegions[server];
    }

    /** Whether this server would be within every cap with this load, and has not taken too many at once. */
    boolean hasRoom(int server, LoadVector load) {
        return arrivalsByServer[server] < maxArrivals && isBelowCaps(server, load);
    }

    boolean isLessFull(int server, int than, LoadVector load) {
        return than < 0 || utilization(server, load) < utilization(than, load);
    }

    /** The least full server with room; one that takes many at once only where no other is within the caps. */
    OptionalInt mostRoom(LoadVector load) {
        int unhurried = -1;
        int any = -1;
        for (int server = 0; server < servers.size(); server++) {
            if (!isBelowCaps(server, load)) {
                continue;
            }
            any = isLessFull(server, any, load) ? server : any;
            if (arrivalsByServer[server] < maxArrivals) {
                unhurried = isLessFull(server, unhurried, load) ? server : unhurried;
            }
        }
        int best = unhurried >= 0 ? unhurried : any;
        return best < 0 ? OptionalInt.empty() : OptionalInt.of(best);
    }

    /** The least full of the servers that may have one region more. */
    int leastFull(LoadVector load) {
        int best = -1;
        for (int server = 0; server < servers.size(); server++) {
            if (isBelowCount(server) && isLessFull(server, best, load)) {
                best = server;
            }
        }
        return best;
    }

    void add(int server, LoadVector load) {
        for (LoadDimension dimension : DIMENSIONS) {
            loadByDimension[dimension.ordinal()][server] += load.get(dimension);
        }
        regionsByServer[server]++;
        arrivalsByServer[server]++;
    }
}
