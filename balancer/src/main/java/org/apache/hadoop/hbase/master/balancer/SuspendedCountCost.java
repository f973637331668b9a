// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

import java.util.List;
import org.jspecify.annotations.NullMarked;

/**
 * Stock's cost of region counts ({@code RegionCountSkewCostFunction}), put aside for as long as HBase asks whether to search,
 * where Hearth evens the numbers itself: something of the same weight stands in its place and costs nothing. Without its weight
 * the other costs would have less to reach. Confined to the balancer's lock.
 */
@NullMarked
final class SuspendedCountCost {

    private final List<CostFunction> costs;
    private final int place;

    /** What HBase's log shows in the place of {@code RegionCountSkewCostFunction}. */
    private static final class RegionCountsByHearth extends CostFunction {

        private final CostFunction stock;

        RegionCountsByHearth(CostFunction stock) {
            this.stock = stock;
            setMultiplier(stock.getMultiplier());
        }

        @Override
        protected double cost() {
            return 0;
        }
    }

    private SuspendedCountCost(List<CostFunction> costs, int place) {
        this.costs = costs;
        this.place = place;
    }

    /** Puts it aside, if it is there. */
    static SuspendedCountCost of(List<CostFunction> costs) {
        for (int place = 0; place < costs.size(); place++) {
            if (costs.get(place) instanceof RegionCountSkewCostFunction stock) {
                costs.set(place, new RegionCountsByHearth(stock));
                return new SuspendedCountCost(costs, place);
            }
        }
        return new SuspendedCountCost(costs, -1);
    }

    void putBack() {
        if (place >= 0 && costs.get(place) instanceof RegionCountsByHearth aside) {
            costs.set(place, aside.stock);
        }
    }
}
