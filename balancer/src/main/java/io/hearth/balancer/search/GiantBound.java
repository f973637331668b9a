package io.hearth.balancer.search;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The fewest moves where a giant, a region above a fair share of the largest server, is to have little beside it: its server
 * gives nearly all it has, and takes cold regions in exchange where it may not have so few. Proven: a cold region that it takes
 * can be one that another hot server has to give anyway, but all of them together are no more load than there is room for
 * beside the giant, and so many moves are taken off. Not thread-safe; used once.
 */
final class GiantBound {

    private final List<LoadedServer> servers;
    private final double limitOfGiants;
    private final double limit;
    private final int fewestRegions;
    private final double giantLoad;
    private final int home;

    GiantBound(List<LoadedServer> servers, double limitOfGiants, double limit, int fewestRegions) {
        this.servers = servers;
        this.limitOfGiants = limitOfGiants;
        this.limit = limit;
        this.fewestRegions = fewestRegions;
        int hottest = 0;
        for (int server = 1; server < servers.size(); server++) {
            hottest = hottest(servers.get(server)) > hottest(servers.get(hottest)) ? server : hottest;
        }
        home = hottest;
        giantLoad = servers.isEmpty() ? 0 : hottest(servers.get(home));
    }

    private static double hottest(LoadedServer server) {
        return Math.max(server.hottestPinned, server.movable.size() > 0 ? server.movable.load(0) : 0);
    }

    /** The bound; 0 where there is no giant. */
    int least() {
        double largest =
                servers.stream().mapToDouble(server -> server.capacity).max().orElse(1);
        if (giantLoad <= largest) {
            return 0;
        }
        double ofAll =
                servers.stream().mapToDouble(server -> base(server, largest)).sum();
        double fewest = Double.POSITIVE_INFINITY;
        for (LoadedServer host : servers) {
            fewest = Math.min(fewest, ofAll - base(host, largest) + atHost(host));
        }
        double spared = spared(limitOfGiants * largest - giantLoad, largest);
        return Double.isInfinite(fewest) ? 0 : (int) Math.max(0, fewest - spared);
    }

    /** What a server gives that is not the giant's in the end; nothing is claimed of the home of another giant. */
    private double base(LoadedServer server, double largest) {
        if (hottestBut(server, isHome(server)) > largest) {
            return 0;
        }
        double given = server.movable.fewest(0, server.load - limit * server.capacity);
        return Double.isInfinite(given) ? 0 : given;
    }

    /** The hottest region, or the next one where the hottest is the giant. */
    private static double hottestBut(LoadedServer server, boolean giantIsHere) {
        if (!giantIsHere) {
            return hottest(server);
        }
        int place = server.hottestPinned == hottest(server) ? 0 : 1;
        double movable = place < server.movable.size() ? server.movable.load(place) : 0;
        return place == 0 ? movable : Math.max(movable, server.hottestPinned);
    }

    private boolean isHome(LoadedServer server) {
        return server == servers.get(home);
    }

    /** What the giant's server gives and takes, if it is this one; the giant itself is not counted. */
    private double atHost(LoadedServer host) {
        double most = limitOfGiants * host.capacity;
        if (isHome(host)) {
            int without = host.hottestPinned == giantLoad ? 0 : 1;
            double given = host.movable.fewest(without, host.load - most);
            return given + Math.max(0, fewestRegions - host.regions + given);
        }
        boolean mayLeave = servers.get(home).hottestPinned < giantLoad;
        double given = mayLeave ? host.movable.fewest(0, host.load + giantLoad - most) : Double.POSITIVE_INFINITY;
        return given + Math.max(0, fewestRegions - 1 - host.regions + given);
    }

    /** How many moves hot servers can save at most by giving this much load to the giant's server. */
    private double spared(double room, double largest) {
        List<Double> prices = new ArrayList<>();
        for (LoadedServer server : servers) {
            double left = server.load - limit * server.capacity;
            int given = (int) base(server, largest);
            for (int place = 0; place < given; place++) {
                prices.add(Math.min(server.movable.load(place), left));
                left -= server.movable.load(place);
            }
        }
        prices.sort(Comparator.naturalOrder());
        double left = room;
        int spared = 0;
        while (spared < prices.size() && prices.get(spared) <= left) {
            left -= prices.get(spared++);
        }
        return spared;
    }
}
