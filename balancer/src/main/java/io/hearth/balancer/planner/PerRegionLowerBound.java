// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import io.hearth.balancer.planner.ServerLoads.LoadPrefixSums;
import java.util.List;

/**
 * The fewest moves that any plan could need to be as even in one dimension: proven, though not always to be reached. As even
 * means that no server has more than a limit; one with an oversized region, a region above a fair share of the largest server, has a limit
 * of its own.
 *
 * <p>A server above its limit gives regions until it is not, and no choice is fewer than its hottest. But a region for which no
 * other server has room costs more than its own move: whoever takes it has to give in turn, at least as much as if it could
 * give its hottest regions in part. (That is convex in the load: two such regions cost one server no less than two.) Or the
 * server keeps that region and gives others. The least of these choices, summed over the servers, is the bound.
 *
 * <p>Not thread-safe; used once.
 */
final class PerRegionLowerBound {

    /** So many of a server's regions are looked at as ones for which nobody may have room. */
    private static final int MOST_BIG = 3;

    private final List<ServerLoads> servers;
    private final double limitWithOversized;
    private final double limit;
    private final double oversizedAbove;
    private final double mostRoom;
    /** The load of the smallest oversized region that may be moved. */
    private final double smallestOversized;

    /**
     * @param limitWithOversized most load of a server with an oversized region, in fair shares; no less than the other limit
     * @param limit most load of every other server, in fair shares
     */
    PerRegionLowerBound(List<ServerLoads> servers, double limitWithOversized, double limit) {
        this.servers = servers;
        this.limitWithOversized = limitWithOversized;
        this.limit = limit;
        oversizedAbove =
                servers.stream().mapToDouble(server -> server.capacity).max().orElse(1);
        smallestOversized = servers.stream()
                .flatMapToDouble(server -> server.movable.largerThan(oversizedAbove))
                .min()
                .orElse(Double.POSITIVE_INFINITY);
        mostRoom = servers.stream()
                .mapToDouble(server -> limit * server.capacity - server.load)
                .max()
                .orElse(0);
    }

    int least() {
        double moves = 0;
        for (ServerLoads server : servers) {
            double fewest = Math.min(fewest(server), fewestWithOversized(server));
            moves += Double.isInfinite(fewest) ? 0 : fewest;
        }
        return (int) Math.ceil(moves - 1e-6);
    }

    /** The same where an oversized region comes, with which it may keep more. */
    private double fewestWithOversized(ServerLoads server) {
        return server.movable.fewest(0, server.load + smallestOversized - limitWithOversized * server.capacity);
    }

    private double fewest(ServerLoads server) {
        int big = big(server);
        double[] atTaker = new double[big];
        for (int place = 0; place < big; place++) {
            atTaker[place] = atTaker(server, server.movable.load(place));
        }
        double fewest = Double.POSITIVE_INFINITY;
        for (int given = 0; given < 1 << big; given++) {
            double moves = moves(server, big, given);
            for (int place = 0; place < big; place++) {
                moves += isIn(given, place) ? atTaker[place] : 0;
            }
            fewest = Math.min(fewest, moves);
        }
        return fewest;
    }

    /** How many of the hottest regions of a server that has to give are oversized regions, or such that nobody has room for them. */
    private int big(ServerLoads server) {
        int most = server.load > limit * server.capacity ? Math.min(MOST_BIG, server.movable.size()) : 0;
        int big = 0;
        while (big < most && server.movable.load(big) > Math.min(oversizedAbove, mostRoom)) {
            big++;
        }
        return big;
    }

    private static boolean isIn(int given, int place) {
        return (given >> place & 1) == 1;
    }

    /** The moves of its own regions if of the big ones a server gives just these (bit by bit), and of the others as needed. */
    private double moves(ServerLoads server, int big, int given) {
        double excess = left(server, big, given) - limit(server, big, given, 0);
        return Integer.bitCount(given) + server.movable.fewest(big, excess);
    }

    /** The same, in parts, with another region there. */
    private double movesWith(double load, ServerLoads server, int big, int given) {
        double excess = left(server, big, given) + load - limit(server, big, given, load);
        return Integer.bitCount(given) + server.movable.fewestInParts(big, excess);
    }

    private static double left(ServerLoads server, int big, int given) {
        double left = server.load;
        for (int place = 0; place < big; place++) {
            left -= isIn(given, place) ? server.movable.load(place) : 0;
        }
        return left;
    }

    /** What a server may have: more if it keeps or takes an oversized region, or if that can't be ruled out. */
    private double limit(ServerLoads server, int big, int given, double taken) {
        double hottest = Math.max(taken, server.hottestPinned);
        for (int place = 0; place < Math.min(big + 1, server.movable.size()); place++) {
            hottest = place < big && isIn(given, place) ? hottest : Math.max(hottest, server.movable.load(place));
        }
        return (hottest > oversizedAbove ? limitWithOversized : limit) * server.capacity;
    }

    /** Whether a server that has an oversized region already, and may have the load of the hottest one, could take this at no cost. */
    private boolean hasHeadroomBesideOversized(ServerLoads taker, double load) {
        double hottest = Math.max(taker.hottestPinned, taker.movable.size() > 0 ? taker.movable.load(0) : 0);
        return hottest > oversizedAbove
                && taker.load + load <= limitWithOversized * taker.capacity + LoadPrefixSums.ROUNDING;
    }

    /** The moves that it costs the other servers to take a region of this load, at the one that it costs least. */
    private double atTaker(ServerLoads from, double load) {
        // Beside an oversized region so far above its server's share there may be room for anything.
        double fewest = limitWithOversized > 1 + limit ? 0 : Double.POSITIVE_INFINITY;
        for (int to = 0; to < servers.size() && fewest > 0; to++) {
            ServerLoads taker = servers.get(to);
            if (taker != from && hasHeadroomBesideOversized(taker, load)) {
                return 0;
            }
            int big = taker == from ? 0 : big(taker);
            for (int given = 0; taker != from && given < 1 << big; given++) {
                double itself = moves(taker, big, given);
                double more = Double.isInfinite(itself) ? itself : movesWith(load, taker, big, given) - itself;
                fewest = Math.min(fewest, Math.max(0, more));
            }
        }
        return fewest;
    }
}
