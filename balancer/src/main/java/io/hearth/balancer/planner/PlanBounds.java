// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import io.hearth.balancer.share.PackingLowerBound;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What no plan can beat in one dimension, whatever it moves: the evenness, and the moves for the evenness that a simulated
 * cluster has. Not thread-safe.
 */
final class PlanBounds {

    private final PlanIndex index;
    private final PlanSimulation simulation;
    private final double largestCapacity;
    /** Fewest regions of the server of a large one; or what a server has that slop could not be brought to. */
    final int fewestRegions;

    PlanBounds(PlanSimulation simulation) {
        this.simulation = simulation;
        index = simulation.index;
        largestCapacity = Arrays.stream(index.capacity).max().orElse(1);
        fewestRegions = Math.min(
                simulation.fewestBesideLarge(),
                Arrays.stream(simulation.countByServer).min().orElse(0));
    }

    /**
     * Max/mean below which no plan can come: 1; or the hottest region on the largest server, with as many of the coldest
     * regions as a server may not be without; or what is pinned to a server; or what of the hottest regions some server has.
     */
    double lowerBound(int dimension) {
        PackingLowerBound packingBound = new PackingLowerBound(index.servers, 1);
        for (int region = 0; region < index.regions; region++) {
            packingBound.add(index.load(region, dimension));
        }
        return Math.max(withOversized(dimension), packingBound.least().load() / largestCapacity);
    }

    /** The same but for the hottest regions that have to share a server. */
    double withOversized(int dimension) {
        double hottest = 0;
        double bound = 1;
        for (int server = 0; server < index.servers; server++) {
            double pinned = 0;
            for (int region = index.firstRegion[server]; region < index.firstRegion[server + 1]; region++) {
                double load = index.load(region, dimension);
                pinned += index.isFree[region] ? 0 : load;
                hottest = Math.max(hottest, load);
            }
            bound = Math.max(bound, pinned / index.capacity[server]);
        }
        if (!isOversized(hottest)) {
            return bound;
        }
        return Math.max(bound, (hottest + coldest(dimension, fewestRegions - 1)) / largestCapacity);
    }

    private boolean isOversized(double load) {
        return load > largestCapacity;
    }

    private double coldest(int dimension, int count) {
        if (count <= 0) {
            return 0;
        }
        return IntStream.range(0, index.regions)
                .filter(simulation::isCounted)
                .mapToDouble(region -> index.load(region, dimension))
                .sorted()
                .limit(count)
                .sum();
    }

    /** The least number of moves that any plan from the snapshot needs to be as even as the simulated cluster is now. */
    int leastMoves(int dimension) {
        double[] limits = reached(dimension);
        List<ServerLoads> servers = ServerLoads.all(simulation, dimension);
        int byRoom = new PerRegionLowerBound(servers, limits[1], limits[0]).least();
        int byDealing = new SubsetLowerBound(servers, limits[1], limits[0]).least();
        int byOversized =
                new OversizedRegionLowerBound(servers, limits[1], limits[0], fewestRegions, largestCapacity).least();
        return Math.max(byOversized, Math.max(byRoom, byDealing));
    }

    /** The largest share of the servers without an oversized region, and of all. */
    private double[] reached(int dimension) {
        boolean[] hasOversized = new boolean[index.servers];
        for (int region = 0; region < index.regions; region++) {
            hasOversized[simulation.serverOf[region]] |= isOversized(index.load(region, dimension));
        }
        double[] reached = {1, 1};
        for (int server = 0; server < index.servers; server++) {
            int kind = hasOversized[server] ? 1 : 0;
            reached[kind] = Math.max(reached[kind], simulation.shares.share(server, dimension));
        }
        reached[1] = Math.max(reached[0], reached[1]);
        return reached;
    }
}
