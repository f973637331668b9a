// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import java.util.Arrays;
import java.util.List;

/**
 * Where the largest region of a dimension had better be, if it is most of a fair share: of the servers that are cooler with it than
 * its own, and of its own, the one that the fewest moves bring to its threshold. That is one with many cold regions, which need not be
 * exchanged for colder ones, rather than the coolest. Decided when first asked for. Scratch of one search; not thread-safe.
 */
final class OversizedRegionPlacement {

    /** The answer for a region that leaves room for others, or is not the largest. */
    static final int ANY = -1;

    /** A region above a fair share is moved only to where it makes no more than this much of the hot spot that it leaves. */
    static final double MAX_REMAINING = 0.9;

    private static final int UNDECIDED = -2;

    private final PlanSimulation simulation;
    private final PlanIndex index;
    private final int[] largest = new int[PlanIndex.DIMENSIONS];
    private final int[] host = new int[PlanIndex.DIMENSIONS];

    OversizedRegionPlacement(PlanSimulation simulation) {
        this.simulation = simulation;
        index = simulation.index;
        Arrays.fill(largest, UNDECIDED);
    }

    /** The server for this region, its own if it had better stay there; {@link #ANY} if it may be anywhere. */
    int of(int region, int dimension) {
        decideOnce(dimension);
        return region == largest[dimension] ? host[dimension] : ANY;
    }

    /** The server for the largest region, if it is on this server; {@link #ANY} if it is not, or leaves room for others. */
    int ofLargestOn(int server, int dimension) {
        decideOnce(dimension);
        boolean isHere = largest[dimension] >= 0 && simulation.serverOf[largest[dimension]] == server;
        return isHere ? host[dimension] : ANY;
    }

    /** Whether it is nowhere decided where this region had better be. */
    boolean isFree(int region) {
        boolean isFree = true;
        for (int dimension = 0; dimension < PlanIndex.DIMENSIONS; dimension++) {
            isFree &= !index.counts(dimension) || of(region, dimension) == ANY;
        }
        return isFree;
    }

    private void decideOnce(int dimension) {
        if (largest[dimension] != UNDECIDED) {
            return;
        }
        int found = ANY;
        for (int region = 0; region < index.regions; region++) {
            double atLeast = found == ANY ? ServerRankings.MOST_OF_A_SHARE : index.load(found, dimension);
            found = index.load(region, dimension) > atLeast ? region : found;
        }
        largest[dimension] = found;
        host[dimension] = found == ANY ? ANY : decide(found, dimension);
    }

    private int decide(int region, int dimension) {
        List<ServerLoads> servers = ServerLoads.all(simulation, dimension);
        PlanBounds bounds = new PlanBounds(simulation);
        double target = index.target[dimension];
        OversizedRegionLowerBound bound = new OversizedRegionLowerBound(
                servers,
                ServerRankings.thresholdBeside(bounds.withOversized(dimension), target),
                target,
                bounds.fewestRegions,
                ServerRankings.MOST_OF_A_SHARE);
        int best = simulation.serverOf[region];
        double fewest = bound.more(servers.get(best));
        for (int to = 0; to < index.servers; to++) {
            boolean comesInto = mayGo(region, dimension, to);
            double moves = comesInto ? bound.more(servers.get(to)) : Double.POSITIVE_INFINITY;
            if (comesInto && (moves < fewest || (moves == fewest && isCooler(to, best, dimension)))) {
                best = to;
                fewest = moves;
            }
        }
        return best;
    }

    private boolean mayGo(int region, int dimension, int to) {
        int from = simulation.serverOf[region];
        double load = index.load(region, dimension);
        double relief = load / simulation.shares.capacity(from) > 1 ? MAX_REMAINING : 1;
        return to != from
                && simulation.shares.shareWith(to, dimension, load) <= relief * simulation.shares.share(from, dimension)
                && simulation.mayBeOn(region, to)
                && simulation.keepsSlop(region, from, to);
    }

    private boolean isCooler(int server, int than, int dimension) {
        return simulation.shares.share(server, dimension) < simulation.shares.share(than, dimension);
    }
}
