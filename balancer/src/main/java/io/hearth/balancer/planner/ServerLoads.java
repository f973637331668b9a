// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;

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
            if (index.isFree[region]) {
                movable[count++] = load;
            } else {
                pinned += load;
                hottestPinned = Math.max(hottestPinned, load);
            }
        }
        return new ServerLoads(index.capacity[server], counted, Arrays.copyOf(movable, count), pinned, hottestPinned);
    }

    /** The loads of the regions that a server could give, the hottest first: how many it takes to be rid of so much. Immutable. */
    static final class LoadPrefixSums {

        /** A hair, for the rounding of sums that loads went in and out of. */
        static final double ROUNDING = 1e-9;

        private final double[] hottestFirst;
        /** {@code sum[count]} is the load of so many of the hottest. */
        private final double[] sum;

        LoadPrefixSums(double[] loads) {
            double[] ascending =
                    Arrays.stream(loads).filter(load -> load > 0).sorted().toArray();
            hottestFirst = new double[ascending.length];
            sum = new double[ascending.length + 1];
            for (int place = 0; place < ascending.length; place++) {
                hottestFirst[place] = ascending[ascending.length - 1 - place];
                sum[place + 1] = sum[place] + hottestFirst[place];
            }
        }

        double total() {
            return sum[hottestFirst.length];
        }

        int size() {
            return hottestFirst.length;
        }

        /** The load of the region than which so many others are hotter. */
        double load(int place) {
            return hottestFirst[place];
        }

        /** The loads above this one. */
        DoubleStream largerThan(double load) {
            return Arrays.stream(hottestFirst).takeWhile(hot -> hot > load);
        }

        /** The fewest regions that are this load together, not counting so many of the hottest; infinite where all are less. */
        double fewest(int withoutHottest, double excess) {
            if (excess <= ROUNDING) {
                return 0;
            }
            double wanted = excess - ROUNDING + sum[withoutHottest];
            int place = Arrays.binarySearch(sum, wanted);
            int count = place >= 0 ? place : -place - 1;
            return count > hottestFirst.length ? Double.POSITIVE_INFINITY : count - withoutHottest;
        }

        /** The same where a region can be given in part: never more, and convex in the load. */
        double fewestInParts(int withoutHottest, double excess) {
            double whole = fewest(withoutHottest, excess);
            if (whole == 0 || Double.isInfinite(whole)) {
                return whole;
            }
            int last = withoutHottest + (int) whole - 1;
            double before = sum[last] - sum[withoutHottest];
            return whole - 1 + Math.max(0, excess - ROUNDING - before) / hottestFirst[last];
        }
    }
}
