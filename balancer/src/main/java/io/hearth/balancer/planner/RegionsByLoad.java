// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import java.util.BitSet;
import java.util.Comparator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The regions of each server in the order of their load, by dimension: the coldest first, of equal ones the last first. Only
 * those that have not been moved and are not pinned are found; finding the next one skips 64 at a time. A server is sorted
 * when it is first asked for. Scratch of one search; not thread-safe.
 */
final class RegionsByLoad {

    /** There is no such place. */
    static final int NONE = -1;

    private final PlanIndex index;
    private final boolean[] moved;
    private final @Nullable Order[] orders;

    /** One server's regions in one dimension. */
    private static final class Order {

        private final int[] regions;
        /** The place of each region of the server, by its number on the server. */
        private final int[] placeOf;

        private final BitSet left;

        Order(int[] regions, int first) {
            this.regions = regions;
            placeOf = new int[regions.length];
            left = new BitSet(regions.length);
            for (int place = 0; place < regions.length; place++) {
                placeOf[regions[place] - first] = place;
            }
        }
    }

    /** @param moved by region, whether it was moved; kept up to date by the caller, who tells {@link #changed} */
    RegionsByLoad(PlanIndex index, boolean[] moved) {
        this.index = index;
        this.moved = moved;
        orders = new Order[index.servers * PlanIndex.DIMENSIONS];
    }

    private Order order(int server, int dimension) {
        int at = server * PlanIndex.DIMENSIONS + dimension;
        Order order = orders[at];
        if (order == null) {
            order = sort(server, dimension);
            orders[at] = order;
        }
        return order;
    }

    private Order sort(int server, int dimension) {
        int[] sorted = IntStream.range(index.firstRegion[server], index.firstRegion[server + 1])
                .boxed()
                .sorted(Comparator.comparingDouble((Integer region) -> index.load(region, dimension))
                        .thenComparing(Comparator.reverseOrder()))
                .mapToInt(Integer::intValue)
                .toArray();
        Order order = new Order(sorted, index.firstRegion[server]);
        for (int place = 0; place < sorted.length; place++) {
            order.left.set(place, isLeft(sorted[place]));
        }
        return order;
    }

    private boolean isLeft(int region) {
        return !moved[region] && index.isFree[region];
    }

    /** Takes note that this region was moved, or is back. */
    void changed(int region) {
        int initialServer = index.initialServer[region];
        for (int dimension = 0; dimension < PlanIndex.DIMENSIONS; dimension++) {
            Order order = orders[initialServer * PlanIndex.DIMENSIONS + dimension];
            if (order != null) {
                order.left.set(order.placeOf[region - index.firstRegion[initialServer]], isLeft(region));
            }
        }
    }

    /** The region of this server that so many others are colder than. */
    int region(int server, int dimension, int place) {
        return order(server, dimension).regions[place];
    }

    /** The first place from this one upwards that has a region left; {@link #NONE} where there is none. */
    int up(int server, int dimension, int place) {
        return order(server, dimension).left.nextSetBit(place);
    }

    /** The first place from this one downwards that has a region left; {@link #NONE} where there is none. */
    int down(int server, int dimension, int place) {
        return place < 0 ? NONE : order(server, dimension).left.previousSetBit(place);
    }

    /** The first place with at least this load, be its region left or not; the number of regions where there is none. */
    int placeOf(int server, int dimension, double load) {
        int[] regions = order(server, dimension).regions;
        int low = 0;
        int high = regions.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (index.load(regions[middle], dimension) < load) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
