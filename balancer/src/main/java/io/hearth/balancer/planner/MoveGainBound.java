// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import java.util.Arrays;

/**
 * An upper bound of what a move of one region gains on any of the listed destinations, or on any server at all. It is what the move would
 * gain on a server that is as cool in each dimension as the coolest of them, as large as the largest, has as few regions as the one with
 * fewest, and has the region's bytes. To compute it takes as long as to score a move to one destination. Scratch of one search; not
 * thread-safe.
 */
final class MoveGainBound {

    /** Sums of the same terms in another order differ by less than this part of the terms, by far. */
    private static final double ROUNDING = 1e-9;

    private final PlanIndex index;
    private final PlanSimulation simulation;
    private final MoveScorer scorer;
    private final DestinationCandidates destinations;
    private final BestServer listed = new BestServer();
    private final BestServer anywhere = new BestServer();

    /** What is best of some servers, as if one had it all. */
    private static final class BestServer {

        private final double[] leastShare = new double[PlanIndex.DIMENSIONS];
        private double mostCapacity;
        /** The one that has fewest regions beside what is fair for it. */
        private int emptiest;

        private double fewest;

        void clear() {
            Arrays.fill(leastShare, Double.POSITIVE_INFINITY);
            mostCapacity = 0;
            fewest = Double.POSITIVE_INFINITY;
        }

        void offerCount(int server, double countAboveFair) {
            if (countAboveFair < fewest) {
                fewest = countAboveFair;
                emptiest = server;
            }
        }
    }

    MoveGainBound(PlanSimulation simulation, MoveScorer scorer, DestinationCandidates destinations) {
        this.simulation = simulation;
        this.scorer = scorer;
        this.destinations = destinations;
        index = simulation.index;
    }

    /** Reads the listed destinations and their loads, for {@link #most} until either changes. */
    void readDestinations() {
        listed.clear();
        for (int position = 0; position < destinations.size(); position++) {
            read(destinations.get(position));
        }
    }

    /** Reads this destination alone. */
    void readDestination(int to) {
        listed.clear();
        read(to);
    }

    private void read(int server) {
        for (int dimension = 0; dimension < PlanIndex.DIMENSIONS; dimension++) {
            listed.leastShare[dimension] =
                    Math.min(listed.leastShare[dimension], simulation.shares.share(server, dimension));
        }
        listed.mostCapacity = Math.max(listed.mostCapacity, index.capacity[server]);
        listed.offerCount(server, simulation.countAboveFair(server));
    }

    /** Reads all servers but this one and their loads, for {@link #mostAnywhere} until these change. */
    void readAllBut(int from) {
        anywhere.clear();
        for (int dimension = 0; dimension < PlanIndex.DIMENSIONS; dimension++) {
            if (index.counts(dimension)) {
                anywhere.leastShare[dimension] =
                        simulation.shares.share(destinations.coolestOfAll(dimension, from), dimension);
            }
        }
        for (int server = 0; server < index.servers; server++) {
            if (server != from) {
                anywhere.mostCapacity = Math.max(anywhere.mostCapacity, index.capacity[server]);
                anywhere.offerCount(server, simulation.countAboveFair(server));
            }
        }
    }

    /**
     * What {@link MoveScorer#net} of a move of this region to a listed destination is at most; negative infinity where none is listed.
     *
     * @param giveHeat what {@link MoveScorer#giveHeat} is for this region and its server
     */
    double most(int region, int from, double giveHeat) {
        return most(region, from, giveHeat, listed, scorer.leastCost(region));
    }

    /** The same of a move to a listed destination on a host that has nothing of the region. */
    double mostWithoutBytes(int region, int from, double giveHeat) {
        return most(region, from, giveHeat, listed, scorer.costWithoutBytes(region));
    }

    /**
     * The same of a move to any server that may take regions, listed or not. While the region's server takes nothing and the others give
     * nothing it never grows.
     */
    double mostAnywhere(int region, int from, double giveHeat) {
        return most(region, from, giveHeat, anywhere, scorer.leastCost(region));
    }

    /** The part of {@link #mostAnywhere} that is the same for all regions of this server that are counted. */
    double mostOfCounts(int from) {
        return scorer.countGain(from, anywhere.emptiest);
    }

    private double most(int region, int from, double giveHeat, BestServer to, double cost) {
        if (to.mostCapacity == 0) {
            return Double.NEGATIVE_INFINITY;
        }
        double rest = scorer.countGain(region, from, to.emptiest) + simulation.tables.mostGain(region, from) - cost;
        double most = giveHeat + rest;
        double terms = 1 + Math.abs(giveHeat) + Math.abs(rest);
        for (int dimension = 0; dimension < PlanIndex.DIMENSIONS; dimension++) {
            if (index.counts(dimension)) {
                double load = index.load(region, dimension);
                double gain = simulation.shares.mostGain(to.leastShare[dimension], to.mostCapacity, dimension, load);
                most += gain;
                terms += Math.abs(gain);
            }
        }
        return most + ROUNDING * terms;
    }
}
