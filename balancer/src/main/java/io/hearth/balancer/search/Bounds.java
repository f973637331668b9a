package io.hearth.balancer.search;

import java.util.Arrays;

/** What no plan can beat in one dimension. Not thread-safe. */
final class Bounds {

    /** A hair, for the rounding of sums that loads went in and out of. */
    private static final double ROUNDING = 1e-9;

    private final PlanIndex index;

    Bounds(PlanIndex index) {
        this.index = index;
    }

    /** Max/mean below which no plan can come: 1, the hottest region on the largest server, or what is pinned to a server. */
    double lowerBound(int dimension) {
        double largest = 0;
        double hottest = 0;
        double bound = 1;
        for (int server = 0; server < index.servers; server++) {
            double pinned = 0;
            for (int region = index.firstRegion[server]; region < index.firstRegion[server + 1]; region++) {
                double load = index.load(region, dimension);
                pinned += index.state[region].isFree() ? 0 : load;
                hottest = Math.max(hottest, load);
            }
            largest = Math.max(largest, index.capacity[server]);
            bound = Math.max(bound, pinned / index.capacity[server]);
        }
        return largest > 0 ? Math.max(bound, hottest / largest) : bound;
    }

    /** The least number of moves that any plan needs to bring every server to this share or below it. */
    int leastMoves(int dimension, double reached) {
        int moves = 0;
        for (int server = 0; server < index.servers; server++) {
            double over = (index.share[server * PlanIndex.DIMENSIONS + dimension] - reached) * index.capacity[server];
            moves += over > ROUNDING ? leastMoves(server, dimension, over) : 0;
        }
        return moves;
    }

    private int leastMoves(int server, int dimension, double over) {
        double[] loads = new double[index.regionsOn(server)];
        int movable = 0;
        for (int region = index.firstRegion[server]; region < index.firstRegion[server + 1]; region++) {
            if (index.state[region].isFree() && index.load(region, dimension) > 0) {
                loads[movable++] = index.load(region, dimension);
            }
        }
        Arrays.sort(loads, 0, movable);
        int taken = 0;
        for (double left = over; left > ROUNDING && taken < movable; taken++) {
            left -= loads[movable - 1 - taken];
        }
        return taken;
    }
}
