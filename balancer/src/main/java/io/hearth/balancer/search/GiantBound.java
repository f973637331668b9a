package io.hearth.balancer.search;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * The fewest moves where a giant, a region above a fair share of the largest server, is to have little beside it: its server
 * gives nearly all it has, and takes cold regions in exchange where it may not have so few. Proven: what it keeps is no less than
 * its own coldest regions, what it takes no less than the coldest of the cluster, and both have to fit beside the giant. A region
 * that it takes can be one that another hot server has to give anyway, and costs no move then; but each such region spares that
 * server less than what it still has above its limit, unless it is that much itself. Not thread-safe; used once.
 */
final class GiantBound {

    private final List<LoadedServer> servers;
    private final double limitOfGiants;
    private final double limit;
    private final int fewestRegions;
    private final double giant;
    private final LoadedServer home;
    private final double giantLoad;
    private final double otherGiant;
    /** {@code cold[count]}: the least load of so many regions. */
    private final double[] cold;
    /** {@code anyway[count]}: the least load of so many regions that hot servers have to give anyway. */
    private final double[] anyway;

    /** @param giant the load above which a region is one, in fair shares of a mean server */
    GiantBound(List<LoadedServer> servers, double limitOfGiants, double limit, int fewestRegions, double giant) {
        this.servers = servers;
        this.limitOfGiants = limitOfGiants;
        this.limit = limit;
        this.fewestRegions = fewestRegions;
        this.giant = giant;
        home = servers.stream()
                .max(Comparator.comparingDouble(GiantBound::hottest))
                .orElseThrow(() -> new IllegalArgumentException("There is no server"));
        giantLoad = hottest(home);
        otherGiant = otherGiant();
        boolean isNeeded = giantLoad > giant;
        cold = isNeeded ? sums(coldest()) : new double[1];
        anyway = isNeeded ? sums(givenAnyway()) : new double[1];
    }

    /** The load of the smallest giant besides the one that may be moved; infinite where there is none. */
    private double otherGiant() {
        double[] giants = servers.stream()
                .flatMapToDouble(server -> server.movable.largerThan(giant))
                .sorted()
                .toArray();
        int others = giants.length - (home.hottestPinned == giantLoad ? 0 : 1);
        return others > 0 ? giants[0] : Double.POSITIVE_INFINITY;
    }

    private static double hottest(LoadedServer server) {
        return Math.max(server.hottestPinned, server.movable.size() > 0 ? server.movable.load(0) : 0);
    }

    /** Every load that may be moved; a region that may not, or has none, counts as one without load. */
    private DoubleStream coldest() {
        return servers.stream().flatMapToDouble(server -> IntStream.range(0, server.regions)
                .mapToDouble(place -> place < server.movable.size() ? server.movable.load(place) : 0));
    }

    /** What each region that a hot server has to give is at least, when the others that it gives are its hottest. */
    private DoubleStream givenAnyway() {
        DoubleStream.Builder loads = DoubleStream.builder();
        for (LoadedServer server : servers) {
            double left = server.load - limit * server.capacity;
            int given = (int) base(server);
            for (int place = 0; place < given; place++) {
                loads.add(Math.min(server.movable.load(place), left));
                left -= server.movable.load(place);
            }
        }
        return loads.build();
    }

    private double[] sums(DoubleStream loads) {
        double[] coldestFirst = loads.sorted().limit(Math.max(0, fewestRegions)).toArray();
        double[] sums = new double[coldestFirst.length + 1];
        for (int count = 0; count < coldestFirst.length; count++) {
            sums[count + 1] = sums[count] + coldestFirst[count];
        }
        return sums;
    }

    /** The bound; 0 where there is no giant. */
    int least() {
        if (giantLoad <= giant) {
            return 0;
        }
        double ofAll = servers.stream().mapToDouble(this::base).sum();
        double fewest = servers.stream().mapToDouble(this::more).min().orElse(0);
        return Double.isInfinite(fewest) ? 0 : (int) Math.max(0, ofAll + fewest);
    }

    /**
     * How many more moves are needed, at least, to have the giant on this server than for every server to give what it has above its
     * limit, the giant among it; infinite where the giant can't be here.
     */
    double more(LoadedServer host) {
        return atHost(host) - base(host);
    }

    /** What a server gives that is not the giant's in the end; nothing is claimed of the home of another giant. */
    private double base(LoadedServer server) {
        if (hottestBut(server, server == home) > giant) {
            return 0;
        }
        double given = server.movable.fewest(0, server.load - limit * server.capacity);
        // With another giant that comes it may keep more.
        double kept = server.movable.fewest(0, server.load + otherGiant - limitOfGiants * server.capacity);
        double least = Math.min(given, kept);
        return Double.isInfinite(least) ? 0 : least;
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

    /** What the giant's server gives and takes, if it is this one, that others don't give anyway; the giant itself is not counted. */
    private double atHost(LoadedServer host) {
        boolean giantIsPinned = home.hottestPinned == giantLoad;
        if (host != home && giantIsPinned) {
            return Double.POSITIVE_INFINITY;
        }
        int without = host == home && !giantIsPinned ? 1 : 0;
        int regions = host.regions - (host == home ? 1 : 0);
        double kept = host.load - (host == home ? giantLoad : 0);
        double room = limitOfGiants * host.capacity - giantLoad + GivenLoads.ROUNDING;
        double fewest = Double.POSITIVE_INFINITY;
        for (int given = 0; given <= host.movable.size() - without && given < fewest; given++) {
            int taken = Math.max(0, fewestRegions - 1 - regions + given);
            fewest = Math.min(fewest, given + paid(taken, room - kept));
            kept -= given + without < host.movable.size() ? host.movable.load(given + without) : 0;
        }
        return fewest;
    }

    /** How many of the regions taken cost a move of their own, if all have to fit into this room; infinite if they don't. */
    private double paid(int taken, double room) {
        if (cold[Math.min(taken, cold.length - 1)] > room) {
            return Double.POSITIVE_INFINITY;
        }
        int place = Arrays.binarySearch(anyway, room);
        int free = place >= 0 ? place : -place - 2;
        return Math.max(0, taken - Math.max(0, free));
    }
}
