package io.hearth.balancer.placement;

import io.hearth.balancer.load.LoadDimension;
import io.hearth.balancer.load.LoadVector;
import io.hearth.balancer.load.ServerId;
import io.hearth.balancer.placement.PlacementRules.HeatCap;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * How much room each server has left, kept up to date region by region. The fair share of a server is its part, by capacity,
 * of what all the given servers have and are to be given. Not thread-safe; private scratch of one placement.
 */
final class RoomIndex {

    private static final LoadDimension[] DIMENSIONS = LoadDimension.values();
    /** So many regions at once flood nobody, however few are placed. */
    private static final int LEAST_INTAKE = 4;
    /** Sums in another order differ in the last digits: that much above a cap is no more than the cap. */
    private static final double ROUNDING = 1e-9;

    private final List<ServerRoom> servers;
    private final Map<String, List<Integer>> serversByHost = new HashMap<>();
    private final double[][] loadByDimension;
    /** Load at the cap for a server of capacity 1, by dimension; 0 where the dimension does not count. */
    private final double[] capOfUnit = new double[DIMENSIONS.length];

    private final double[] fairOfUnit = new double[DIMENSIONS.length];
    private final int[] regionsByServer;
    private final int[] arrivalsByServer;
    private final int maxRegions;
    private final int maxArrivals;

    RoomIndex(Collection<ServerRoom> rooms, Collection<HomelessRegion> homeless, PlacementRules rules) {
        servers =
                rooms.stream().sorted(Comparator.comparing(ServerRoom::server)).toList();
        loadByDimension = new double[DIMENSIONS.length][servers.size()];
        regionsByServer = servers.stream().mapToInt(ServerRoom::regions).toArray();
        arrivalsByServer = servers.stream().mapToInt(ServerRoom::arrivals).toArray();
        for (int server = 0; server < servers.size(); server++) {
            ServerRoom room = servers.get(server);
            serversByHost
                    .computeIfAbsent(room.server().host(), host -> new ArrayList<>())
                    .add(server);
            for (LoadDimension dimension : DIMENSIONS) {
                loadByDimension[dimension.ordinal()][server] = room.load().get(dimension);
            }
        }
        rules.capByDimension().forEach((dimension, cap) -> setCap(dimension, cap, homeless));
        long regions = sum(regionsByServer) + homeless.size();
        maxRegions = rules.regionCountSlop() < 0 ? Integer.MAX_VALUE : share(regions, 1 + rules.regionCountSlop());
        maxArrivals = Math.max(LEAST_INTAKE, share(sum(arrivalsByServer) + homeless.size(), rules.intakeFactor()));
    }

    private void setCap(LoadDimension dimension, HeatCap cap, Collection<HomelessRegion> homeless) {
        double total = 0;
        for (double load : loadByDimension[dimension.ordinal()]) {
            total += load;
        }
        // In the order of their names: a sum in another order may differ in its last digits.
        total += homeless.stream()
                .sorted(Comparator.comparing(HomelessRegion::region))
                .mapToDouble(region -> region.load().get(dimension))
                .sum();
        double capacity = servers.stream().mapToDouble(ServerRoom::capacity).sum();
        if (total > 0 && total / servers.size() >= cap.minMean()) {
            fairOfUnit[dimension.ordinal()] = total / capacity;
            capOfUnit[dimension.ordinal()] = cap.overFairShare() * total / capacity;
        }
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
    double fill(int server, LoadVector load) {
        double fill = (regionsByServer[server] + 1.0) / maxRegions;
        return Math.max(fill, heatFill(server, load));
    }

    private double heatFill(int server, LoadVector load) {
        double fill = 0;
        for (LoadDimension dimension : DIMENSIONS) {
            double cap = capOfUnit[dimension.ordinal()] * servers.get(server).capacity();
            if (cap > 0) {
                fill = Math.max(fill, (loadByDimension[dimension.ordinal()][server] + load.get(dimension)) / cap);
            }
        }
        return fill;
    }

    /** Whether this server would be within every cap with this load. */
    boolean isBelowCaps(int server, LoadVector load) {
        return isBelowCount(server) && heatFill(server, load) <= 1 + ROUNDING;
    }

    private boolean isBelowCount(int server) {
        return regionsByServer[server] < maxRegions;
    }

    /** Whether this server would be within every cap with this load, and has not taken too many at once. */
    boolean hasRoom(int server, LoadVector load) {
        return arrivalsByServer[server] < maxArrivals && isBelowCaps(server, load);
    }

    boolean isLessFull(int server, int than, LoadVector load) {
        return than < 0 || fill(server, load) < fill(than, load);
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
