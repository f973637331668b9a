// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import io.hearth.balancer.planner.ServerLoads.LoadPrefixSums;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The fewest moves that any plan could need to be as even in one dimension, by every way to deal out the largest regions of the
 * hot servers: proven. {@link PerRegionLowerBound} looks at one such region after the other, and lets all of them have the same room.
 *
 * <p>Where each of these regions ends is decided together: a server that ends with some of them gives of its other regions what
 * takes it below its limit, and giving the hottest takes the fewest. Where the others end does not matter to the bound. After each
 * server, the fewest moves after which exactly the regions of a set sit on the servers seen so far (dynamic programming over
 * subsets): {@code servers x 3^regions} steps, so the number of regions falls as that of servers grows. Not thread-safe; used once.
 */
final class SubsetLowerBound {

    private static final int MOST_STEPS = 300_000;
    private static final int MOST_REGIONS = 6;

    /** One of the large regions: its server, and how many of that server's are larger. */
    private record Large(int server, int place, double load) {}

    private final List<ServerLoads> servers;
    private final double limitWithOversized;
    private final double limit;
    private final double oversizedAbove;
    private final List<Large> large;
    /** {@code loadOf[set]} is the load of a set of the large regions, bit by bit. */
    private final double[] loadOf;

    /**
     * @param limitWithOversized most load of a server with an oversized region, in fair shares; no less than the other limit
     * @param limit most load of every other server, in fair shares
     */
    SubsetLowerBound(List<ServerLoads> servers, double limitWithOversized, double limit) {
        this.servers = servers;
        this.limitWithOversized = limitWithOversized;
        this.limit = limit;
        oversizedAbove =
                servers.stream().mapToDouble(server -> server.capacity).max().orElse(1);
        large = largest(mostRegions(servers.size()));
        loadOf = new double[1 << large.size()];
        for (int set = 1; set < loadOf.length; set++) {
            int lowest = Integer.numberOfTrailingZeros(set);
            loadOf[set] = loadOf[set & (set - 1)] + large.get(lowest).load;
        }
    }

    private static int mostRegions(int servers) {
        int most = 0;
        for (long steps = 3L * servers; steps <= MOST_STEPS && most < MOST_REGIONS; steps *= 3) {
            most++;
        }
        return most;
    }

    /** The largest regions that may be moved, of the servers that have to give. */
    private List<Large> largest(int most) {
        List<Large> found = new ArrayList<>();
        for (int server = 0; server < servers.size(); server++) {
            ServerLoads loaded = servers.get(server);
            boolean hasToGive = loaded.load > limit * loaded.capacity + LoadPrefixSums.ROUNDING;
            for (int place = 0; hasToGive && place < Math.min(most, loaded.movable.size()); place++) {
                found.add(new Large(server, place, loaded.movable.load(place)));
            }
        }
        found.sort(Comparator.comparingDouble(Large::load)
                .reversed()
                .thenComparingInt(Large::server)
                .thenComparingInt(Large::place));
        return found.subList(0, Math.min(most, found.size()));
    }

    int least() {
        int all = loadOf.length - 1;
        double[] fewest = new double[loadOf.length];
        Arrays.fill(fewest, Double.POSITIVE_INFINITY);
        fewest[0] = 0;
        for (int server = 0; server < servers.size(); server++) {
            fewest = with(server, fewest, all);
        }
        return Double.isInfinite(fewest[all]) ? 0 : (int) fewest[all];
    }

    /** The least moves for each set of regions that this server or one before it ends with. */
    private double[] with(int server, double[] before, int all) {
        double[] moves = moves(server);
        double[] with = new double[before.length];
        Arrays.fill(with, Double.POSITIVE_INFINITY);
        for (int dealt = 0; dealt <= all; dealt++) {
            int left = all & ~dealt;
            boolean goesOn = before[dealt] < Double.POSITIVE_INFINITY;
            for (int here = left; goesOn; here = (here - 1) & left) {
                with[dealt | here] = Math.min(with[dealt | here], before[dealt] + moves[here]);
                goesOn = here > 0;
            }
        }
        return with;
    }

    /** The fewest regions that this server gives to end with a set of the large ones, for each set. */
    private double[] moves(int server) {
        ServerLoads loaded = servers.get(server);
        int own = 0;
        double others = loaded.load;
        int count = 0;
        for (int region = 0; region < large.size(); region++) {
            if (large.get(region).server == server) {
                own |= 1 << region;
                others -= large.get(region).load;
                count++;
            }
        }
        double[] moves = new double[loadOf.length];
        for (int here = 0; here < moves.length; here++) {
            double excess = others + loadOf[here] - limit(loaded, here, count);
            moves[here] = Integer.bitCount(own & ~here) + loaded.movable.fewest(count, excess);
        }
        return moves;
    }

    /** What a server may have with this set: more if an oversized region is in it, or if that can't be ruled out. */
    private double limit(ServerLoads server, int here, int ownLarge) {
        double hottest = here == 0 ? 0 : large.get(Integer.numberOfTrailingZeros(here)).load;
        hottest = Math.max(hottest, server.hottestPinned);
        hottest = ownLarge < server.movable.size() ? Math.max(hottest, server.movable.load(ownLarge)) : hottest;
        return (hottest > oversizedAbove ? limitWithOversized : limit) * server.capacity;
    }
}
