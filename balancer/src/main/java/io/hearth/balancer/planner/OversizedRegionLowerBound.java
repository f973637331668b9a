// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import io.hearth.balancer.planner.ServerLoads.LoadPrefixSums;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * The fewest moves where an oversized region, a region above a fair share of the largest server, is to have little beside it: its server
 * gives nearly all it has, and takes cold regions in exchange where it may not have so few. Proven: what it keeps is no less than
 * its own coldest regions, what it takes no less than the coldest of the cluster, and both have to fit beside the oversized region. A region
 * that it takes can be one that another hot server has to give anyway, and costs no move then; but each such region spares that
 * server less than what it still has above its limit, unless it is that much itself. Not thread-safe; used once.
 */
final class OversizedRegionLowerBound {

    private final List<ServerLoads> servers;
    private final double limitWithOversized;
    private final double limit;
    private final int fewestRegions;
    private final double oversizedAbove;
    private final ServerLoads initialServer;
    private final double oversizedLoad;
    private final double otherOversized;
    /** {@code cold[count]}: the least load of so many regions. */
    private final double[] cold;
    /** {@code anyway[count]}: the least load of so many regions that hot servers have to give anyway. */
    private final double[] anyway;

    /** @param oversizedAbove the load above which a region is one, in fair shares of a mean server */
    OversizedRegionLowerBound(
            List<ServerLoads> servers,
            double limitWithOversized,
            double limit,
            int fewestRegions,
            double oversizedAbove) {
        this.servers = servers;
        this.limitWithOversized = limitWithOversized;
        this.limit = limit;
        this.fewestRegions = fewestRegions;
        this.oversizedAbove = oversizedAbove;
        initialServer = servers.stream()
                .max(Comparator.comparingDouble(OversizedRegionLowerBound::hottest))
                .orElseThrow(() -> new IllegalArgumentException("There is no server"));
        oversizedLoad = hottest(initialServer);
        otherOversized = otherOversized();
        boolean isNeeded = oversizedLoad > oversizedAbove;
        cold = isNeeded ? sums(coldest()) : new double[1];
        anyway = isNeeded ? sums(givenAnyway()) : new double[1];
    }

    /** The load of the smallest oversized region besides the one that may be moved; infinite where there is none. */
    private double otherOversized() {
        double[] oversized = servers.stream()
                .flatMapToDouble(server -> server.movable.largerThan(oversizedAbove))
                .sorted()
                .toArray();
        int others = oversized.length - (initialServer.hottestPinned == oversizedLoad ? 0 : 1);
        return others > 0 ? oversized[0] : Double.POSITIVE_INFINITY;
    }

    private static double hottest(ServerLoads server) {
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
        for (ServerLoads server : servers) {
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

    /** The bound; 0 where there is no oversized region. */
    int least() {
        if (oversizedLoad <= oversizedAbove) {
            return 0;
        }
        double ofAll = servers.stream().mapToDouble(this::base).sum();
        double fewest = servers.stream().mapToDouble(this::more).min().orElse(0);
        return Double.isInfinite(fewest) ? 0 : (int) Math.max(0, ofAll + fewest);
    }

    /**
     * How many more moves are needed, at least, to have the oversized region on this server than for every server to give what it has above its
     * limit, the oversized region among it; infinite where the oversized region can't be here.
     */
    double more(ServerLoads host) {
        return atHost(host) - base(host);
    }

    /** What a server gives that is not the oversized region's in the end; nothing is claimed of the home of another oversized region. */
    private double base(ServerLoads server) {
        if (hottestBut(server, server == initialServer) > oversizedAbove) {
            return 0;
        }
        double given = server.movable.fewest(0, server.load - limit * server.capacity);
        // With another oversized region that comes it may keep more.
        double kept = server.movable.fewest(0, server.load + otherOversized - limitWithOversized * server.capacity);
        double least = Math.min(given, kept);
        return Double.isInfinite(least) ? 0 : least;
    }

    /** The hottest region, or the next one where the hottest is the oversized region. */
    private static double hottestBut(ServerLoads server, boolean oversizedIsHere) {
        if (!oversizedIsHere) {
            return hottest(server);
        }
        int place = server.hottestPinned == hottest(server) ? 0 : 1;
        double movable = place < server.movable.size() ? server.movable.load(place) : 0;
        return place == 0 ? movable : Math.max(movable, server.hottestPinned);
    }

    /** What the oversized region's server gives and takes, if it is this one, that others don't give anyway; the oversized region itself is not counted. */
    private double atHost(ServerLoads host) {
        boolean oversizedIsPinned = initialServer.hottestPinned == oversizedLoad;
        if (host != initialServer && oversizedIsPinned) {
            return Double.POSITIVE_INFINITY;
        }
        int without = host == initialServer && !oversizedIsPinned ? 1 : 0;
        int regions = host.regions - (host == initialServer ? 1 : 0);
        double kept = host.load - (host == initialServer ? oversizedLoad : 0);
        double headroom = limitWithOversized * host.capacity - oversizedLoad + LoadPrefixSums.ROUNDING;
        double fewest = Double.POSITIVE_INFINITY;
        for (int given = 0; given <= host.movable.size() - without && given < fewest; given++) {
            int taken = Math.max(0, fewestRegions - 1 - regions + given);
            fewest = Math.min(fewest, given + paid(taken, headroom - kept));
            kept -= given + without < host.movable.size() ? host.movable.load(given + without) : 0;
        }
        return fewest;
    }

    /** How many of the regions taken cost a move of their own, if all have to fit into this room; infinite if they don't. */
    private double paid(int taken, double headroom) {
        if (cold[Math.min(taken, cold.length - 1)] > headroom) {
            return Double.POSITIVE_INFINITY;
        }
        int place = Arrays.binarySearch(anyway, headroom);
        int free = place >= 0 ? place : -place - 2;
        return Math.max(0, taken - Math.max(0, free));
    }
}
