package io.hearth.balancer.search;

import io.hearth.balancer.cost.ServerShares;

/** The aims of a search on one simulated cluster. */
final class Aims {

    /** A region above a fair share is moved only where the hottest of the two servers then has at most this much of it. */
    private static final double GIANT_RELIEF = 0.9;

    /** Beside a region of several fair shares, only regions with at least this much of the server's load are worth a move. */
    private static final double LEAST_RELIEF = 0.02;

    private final PlanIndex index;
    private final PlanSimulation simulation;
    private final ServerShares shares;
    private final Rankings rankings;
    private final Merits merits;

    Aims(PlanSimulation simulation, Rankings rankings, Merits merits) {
        this.merits = merits;
        this.simulation = simulation;
        this.rankings = rankings;
        index = simulation.index;
        shares = simulation.shares;
    }

    /** To cool a server in this dimension: the target is cooler even then. */
    Aim cool(int dimension) {
        return new Aim() {
            @Override
            public boolean considers(int region) {
                return index.load(region, dimension) > 0;
            }

            @Override
            public boolean allows(int region, int from, int to) {
                double load = index.load(region, dimension);
                double before = shares.share(from, dimension);
                double after = shares.shareWith(to, dimension, load);
                double alone = load / shares.capacity(from);
                if (alone > 1) {
                    return after <= GIANT_RELIEF * before
                            && shares.shareWith(from, dimension, -load) <= GIANT_RELIEF * before;
                }
                return after < before && (!rankings.isBeyondHelp(from, dimension) || alone >= LEAST_RELIEF * before);
            }
        };
    }

    /** To even numbers of regions: no server becomes too hot for it. */
    Aim evenCounts() {
        return new Aim() {
            @Override
            public boolean considers(int region) {
                return simulation.isCounted(region);
            }

            @Override
            public boolean allows(int region, int from, int to) {
                return simulation.countByServer[from] > simulation.countByServer[to] + 1 && staysCool(region, to);
            }
        };
    }

    /** To part the regions of a table, where that alone is worth its costs: no server becomes too hot for it. */
    Aim partTables() {
        return new Aim() {
            @Override
            public boolean considers(int region) {
                return true;
            }

            @Override
            public boolean allows(int region, int from, int to) {
                return simulation.tables.gain(region, from, to) > merits.cost(region, to) && staysCool(region, to);
            }
        };
    }

    /** To bring a server's number of regions into slop, at any price. */
    Aim intoSlop() {
        return new Aim() {
            @Override
            public boolean considers(int region) {
                return simulation.isCounted(region);
            }

            @Override
            public boolean allows(int region, int from, int to) {
                return true;
            }
        };
    }

    private boolean staysCool(int region, int to) {
        for (int dimension = 0; dimension < PlanIndex.DIMENSIONS; dimension++) {
            double load = index.load(region, dimension);
            if (index.counts(dimension)
                    && load > 0
                    && shares.shareWith(to, dimension, load) > index.target[dimension]) {
                return false;
            }
        }
        return true;
    }
}
