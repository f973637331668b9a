// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A server as bounds see it, in one dimension; loads in multiples of the mean server's. Immutable. */
final class ServerLoads {

    final double capacity;
    final int regions;
    final double load;
    final double hottestPinned;
    final LoadPrefixSums movable;

    /**
     * @param regions how many it has
     * @param movable the loads of those that may be moved
     * @param pinned the load of all others
     * @param hottestPinned the largest of these; 0 where there are none
     */
    ServerLoads(double capacity, int regions, double[] movable, double pinned, double hottestPinned) {
        this.capacity = capacity;
        this.regions = regions;
        this.movable = new LoadPrefixSums(movable);
        this.hottestPinned = hottestPinned;
        load = pinned + this.movable.total();
    }

    /** The servers as they are in the snapshot. */
    static List<ServerLoads> all(PlanSimulation simulation, int dimension) {
        List<ServerLoads> servers = new ArrayList<>();
        for (int server = 0; server < simulation.index.servers; server++) {
            servers.add(of(simulation, server, dimension));
        }
        return servers;
    }

    private static ServerLoads of(PlanSimulation simulation, int server, int dimension) {
        PlanIndex index = simulation.index;
        double[] movable = new double[index.regionsOn(server)];
        int count = 0;
        int counted = 0;
        double pinned = 0;
        double hottestPinned = 0;
        for (int region = index.firstRegion[server]; region < index.firstRegion[server + 1]; region++) {
            double load = index.load(region, dimension);
            counted += simulation.isCounted(region) ? 1 : 0;
            if (index.state[region].isFree()) {
                movable[count++] = load;
            } else {
                pinned += load;
                hottestPinned = Math.max(hottestPinned, load);
            }
        }
        return new ServerLoads(index.capacity[server], counted, Arrays.copyOf(movable, count), pinned, hottestPinned);
    }
}
