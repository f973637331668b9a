package io.hearth.balancer.search;

import java.util.Arrays;

/** How many regions a server would have to give away to come down by so much. Scratch of one search; not thread-safe. */
final class MovesNeeded {

    /** A hair, for the rounding of sums that loads went in and out of. */
    private static final double ROUNDING = 1e-9;

    private static final int IMPOSSIBLE = 1_000_000;

    private final PlanSimulation simulation;
    private final PlanIndex index;
    private double[] loads = new double[128];

    MovesNeeded(PlanSimulation simulation) {
        this.simulation = simulation;
        index = simulation.index;
    }

    /** The least number of these loads, the first {@code count}, with at least this sum; all of them where they are less. */
    static int least(double[] loads, int count, double sum) {
        Arrays.sort(loads, 0, count);
        int taken = 0;
        for (double left = sum; left > ROUNDING && taken < count; taken++) {
            left -= loads[count - 1 - taken];
        }
        return taken;
    }

    /** The number of moves from this server, with regions up to this load only, that bring it down by so much. */
    int most(int server, int dimension, double over, double largest) {
        int count = 0;
        double sum = 0;
        loads = loads.length < index.regionsOn(server) ? new double[index.regionsOn(server)] : loads;
        for (int region = index.firstRegion[server]; region < index.firstRegion[server + 1]; region++) {
            double load = index.load(region, dimension);
            if (load > 0 && load <= largest && simulation.isMovable(region)) {
                loads[count++] = load;
                sum += load;
            }
        }
        return sum < over ? IMPOSSIBLE : least(loads, count, over);
    }

    /** The number of moves that a server would need, dimension by dimension, to come back to the goals with this region. */
    int whenTaken(int region, int to) {
        int moves = 0;
        for (int dimension = 0; dimension < PlanIndex.DIMENSIONS; dimension++) {
            if (index.counts(dimension)) {
                double share = simulation.shares.shareWith(to, dimension, index.load(region, dimension));
                double over = (share - index.target[dimension]) * index.capacity[to];
                moves += over > ROUNDING ? most(to, dimension, over, Double.POSITIVE_INFINITY) : 0;
            }
        }
        return moves;
    }
}
