// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import java.util.Arrays;

/**
 * An upper bound of what a move of one region gains on any of the listed destinations. It is what the move would gain on a server
 * that is as cool in each dimension as the coolest of them, as large as the largest, has as few regions as the one with fewest, and
 * has the region's bytes. To compute it takes as long as to score a move to one destination. Scratch of one search; not thread-safe.
 */
final class MoveGainBound {

    /** Sums of the same terms in another order differ by less than this part of the terms, by far. */
    private static final double ROUNDING = 1e-9;

    private final PlanIndex index;
    private final PlanSimulation simulation;
    private final MoveScorer scorer;
    private final DestinationCandidates destinations;
    private final double[] leastShare = new double[PlanIndex.DIMENSIONS];
    private double mostCapacity;
    /** The destination that has fewest regions beside what is fair for it. */
    private int emptiest;

    MoveGainBound(PlanSimulation simulation, MoveScorer scorer, DestinationCandidates destinations) {
        this.simulation = simulation;
        this.scorer = scorer;
        this.destinations = destinations;
        index = simulation.index;
    }

    /** Reads the listed destinations and their loads, for {@link #most} until either changes. */
    void readDestinations() {
        Arrays.fill(leastShare, Double.POSITIVE_INFINITY);
        mostCapacity = 0;
        double fewest = Double.POSITIVE_INFINITY;
        for (int position = 0; position < destinations.size(); position++) {
            int server = destinations.get(position);
            for (int dimension = 0; dimension < PlanIndex.DIMENSIONS; dimension++) {
                leastShare[dimension] = Math.min(leastShare[dimension], simulation.shares.share(server, dimension));
            }
            mostCapacity = Math.max(mostCapacity, index.capacity[server]);
            double count = simulation.countAboveFair(server);
            if (count < fewest) {
                fewest = count;
                emptiest = server;
            }
        }
    }

    /**
     * What {@link MoveScorer#net} of a move of this region to a listed destination is at most; negative infinity where none is listed.
     *
     * @param giveHeat what {@link MoveScorer#giveHeat} is for this region and its server
     */
    double most(int region, int from, double giveHeat) {
        if (destinations.size() == 0) {
            return Double.NEGATIVE_INFINITY;
        }
        double rest = scorer.countGain(region, from, emptiest)
                + simulation.tables.mostGain(region, from)
                - scorer.leastCost(region);
        double most = giveHeat + rest;
        double terms = 1 + Math.abs(giveHeat) + Math.abs(rest);
        for (int dimension = 0; dimension < PlanIndex.DIMENSIONS; dimension++) {
            if (index.counts(dimension)) {
                double load = index.load(region, dimension);
                double gain = simulation.shares.mostGain(leastShare[dimension], mostCapacity, dimension, load);
                most += gain;
                terms += Math.abs(gain);
            }
        }
        return most + ROUNDING * terms;
    }
}
