// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import io.hearth.balancer.share.ServerShares;

/** The aims of a search on one simulated cluster. */
final class MoveFilters {

    /**
     * What cools a server by less than this much of a fair share is not done for it, unless little more is needed or the
     * server has so many regions that half of a usual one is less.
     */
    private static final double MIN_REDUCTION = 0.003;

    /** Beside a region of several fair shares, only regions with at least this much of the server's load are worth a move. */
    private static final double MIN_REDUCTION_BEYOND_HELP = 0.02;

    /** A server with a region of this many fair shares stays a hot spot whatever else goes. */
    private static final double BEYOND_HELP = 3;

    /** A region with less than this of a fair share does no harm wherever it is, where servers have {@value #USUAL_REGIONS} of them or fewer. */
    private static final double HARMLESS = 0.01;

    private static final double USUAL_REGIONS = 200;

    private final PlanIndex index;
    private final PlanSimulation simulation;
    private final ServerShares shares;
    private final ServerRankings rankings;
    private final MoveScorer scorer;
    private final OversizedRegionPlacement oversized;
    private final double harmless;

    MoveFilters(
            PlanSimulation simulation, ServerRankings rankings, MoveScorer scorer, OversizedRegionPlacement oversized) {
        this.scorer = scorer;
        this.oversized = oversized;
        this.simulation = simulation;
        this.rankings = rankings;
        index = simulation.index;
        shares = simulation.shares;
        // Of smaller regions there are more: each may be that much smaller, and all of them together too.
        double times = Math.max(1, simulation.meanCount() / USUAL_REGIONS);
        harmless = HARMLESS / (times * times);
    }

    /** To cool this server in this dimension: the target is cooler even then. For one step, for it knows how hot the server is. */
    MoveFilter cool(int server, int dimension) {
        double before = shares.share(server, dimension);
        double relief = minReduction(server, dimension);
        double capacity = shares.capacity(server);
        return new MoveFilter() {
            @Override
            public int kind() {
                return dimension;
            }

            @Override
            public boolean considers(int region) {
                double load = index.load(region, dimension);
                return load > 0 && load / capacity >= Math.min(1, relief);
            }

            @Override
            public boolean allows(int region, int from, int to) {
                int host = oversized.of(region, dimension);
                if (host != OversizedRegionPlacement.ANY && host != to) {
                    return false;
                }
                double load = index.load(region, dimension);
                double after = shares.shareWith(to, dimension, load);
                return load / capacity > 1 ? after <= OversizedRegionPlacement.MAX_REMAINING * before : after < before;
            }
        };
    }

    /** To even numbers of regions: no server becomes too hot for it. */
    MoveFilter evenCounts() {
        return new MoveFilter() {
            @Override
            public int kind() {
                return MoveFilter.COUNTS;
            }

            @Override
            public boolean considers(int region) {
                return simulation.isCounted(region);
            }

            @Override
            public boolean allows(int region, int from, int to) {
                return simulation.countAboveFair(from) > simulation.countAboveFair(to) + 1
                        && !simulation.isFewForHeat(to)
                        && staysBelow(index.middle, harmless, region, to);
            }
        };
    }

    /** To part the regions of a table, where that alone is worth its costs: no server becomes too hot for it. */
    MoveFilter partTables() {
        return new MoveFilter() {
            @Override
            public int kind() {
                return MoveFilter.COUNTS;
            }

            @Override
            public boolean considers(int region) {
                return true;
            }

            @Override
            public boolean allows(int region, int from, int to) {
                return simulation.tables.gain(region, from, to) > scorer.cost(region, to)
                        && staysBelow(index.target, 0, region, to);
            }
        };
    }

    /** To bring a server's number of regions into slop, at any price. */
    MoveFilter intoSlop() {
        return new MoveFilter() {
            @Override
            public int kind() {
                return MoveFilter.SLOP;
            }

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

    /** Whether this server stays a hot spot whatever goes, because one region alone is several fair shares. */
    boolean isBeyondHelp(int server) {
        boolean isBeyondHelp = false;
        for (int dimension = 0; dimension < PlanIndex.DIMENSIONS; dimension++) {
            isBeyondHelp |= index.counts(dimension) && isBeyondHelp(server, dimension);
        }
        return isBeyondHelp;
    }

    private boolean isBeyondHelp(int server, int dimension) {
        return rankings.keepsMoreThan(BEYOND_HELP, server, dimension);
    }

    /** By how much, in fair shares, a move or an exchange has to cool this server: else it is made for the sake of others. */
    double minReduction(int server, int dimension) {
        double share = shares.share(server, dimension);
        double threshold = rankings.threshold(server, dimension);
        if (isBeyondHelp(server, dimension)) {
            return MIN_REDUCTION_BEYOND_HELP * share;
        }
        if (threshold > index.target[dimension]) {
            return 0;
        }
        return Math.min((share - threshold) / 4, Math.min(MIN_REDUCTION, usualRegion(server, dimension) / 2));
    }

    /** The mean share of this server's regions; of those beside the hottest where that leaves them little. */
    private double usualRegion(int server, int dimension) {
        int count = simulation.countByServer[server];
        boolean isOneMostOfIt = count > 1 && rankings.hasNearlyOversized(server, dimension);
        double ofOthers =
                shares.share(server, dimension) - (isOneMostOfIt ? rankings.hottestRegion(server, dimension) : 0);
        return Math.max(0, ofOthers) / Math.max(1, isOneMostOfIt ? count - 1 : count);
    }

    /** Whether a server stays at or below a limit in each dimension with this region, or the region is harmless. */
    private boolean staysBelow(double[] limit, double harmless, int region, int to) {
        for (int dimension = 0; dimension < PlanIndex.DIMENSIONS; dimension++) {
            double load = index.load(region, dimension);
            // Beside a region above a fair share, what heat has taken away does not come back for numbers' sake,
            // however little each is.
            boolean isOversized = rankings.threshold(to, dimension) > index.target[dimension];
            if (index.counts(dimension)
                    && shares.shareWith(to, dimension, load) > limit[dimension]
                    && load / shares.capacity(to) > (isOversized ? 0 : harmless)) {
                return false;
            }
        }
        return true;
    }

    /** What a move is sought for, and so which moves come into question. */
    interface MoveFilter {

        /** How many kinds of aims there are that look at all regions of a server. */
        int KINDS = PlanIndex.DIMENSIONS + 2;

        /** The kind of one that has to do with numbers of regions within slop. */
        int SLOP = PlanIndex.DIMENSIONS;

        /** The kind of one that evens numbers of regions. */
        int COUNTS = PlanIndex.DIMENSIONS + 1;

        /** What kind of aim it is, below {@link #KINDS}: the dimension of one that cools a server. What a region gains is remembered by it. */
        int kind();

        /** Whether it would help at all if this region left its server. */
        boolean considers(int region);

        /** Whether this move helps, and does no harm that this aim may not do. */
        boolean allows(int region, int from, int to);
    }
}
