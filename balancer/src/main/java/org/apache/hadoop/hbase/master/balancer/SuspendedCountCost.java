// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.NullMarked;

/**
 * Stock's costs of region counts, suspended: {@code RegionCountSkewCostFunction} for as long as HBase asks whether to search,
 * where Hearth evens the numbers itself; and for the whole search, with those of tables and of primaries, where they are as
 * Hearth wants them for reasons that stock does not know: capacities, or heat that leaves a server with few. Something of the
 * same weight stands in the place of each and costs nothing: without its weight the other costs would have less to reach. Confined to the balancer's lock.
 */
@NullMarked
final class SuspendedCountCost {

    private final List<CostFunction> costs;
    private final Map<Integer, CostFunction> stockByPlace = new HashMap<>();

    /** What HBase's log shows in the place of a cost of region counts. */
    private static final class RegionCountsByHearth extends CostFunction {

        private final CostFunction stock;

        RegionCountsByHearth(CostFunction stock) {
            this.stock = stock;
            setMultiplier(stock.getMultiplier());
        }

        @Override
        void prepare(BalancerClusterState cluster) {
            super.prepare(cluster);
            stock.prepare(cluster);
        }

        /** As stock: a cost that does not matter to this cluster has no weight. */
        @Override
        boolean isNeeded() {
            return stock.isNeeded();
        }

        @Override
        protected double cost() {
            return 0;
        }
    }

    private SuspendedCountCost(List<CostFunction> costs) {
        this.costs = costs;
    }

    /** Suspends nothing. */
    static SuspendedCountCost none() {
        return new SuspendedCountCost(List.of());
    }

    /** Suspends what even numbers of regions are worth to stock, if it is there. */
    static SuspendedCountCost ofCounts(List<CostFunction> costs) {
        SuspendedCountCost suspended = new SuspendedCountCost(costs);
        suspended.putAside(RegionCountSkewCostFunction.class);
        return suspended;
    }

    /** The same for all of its costs by which every server has as many as another. */
    static SuspendedCountCost ofAllCounts(List<CostFunction> costs) {
        SuspendedCountCost suspended = ofCounts(costs);
        suspended.putAside(TableSkewCostFunction.class);
        suspended.putAside(PrimaryRegionCountSkewCostFunction.class);
        return suspended;
    }

    private void putAside(Class<? extends CostFunction> kind) {
        for (int place = 0; place < costs.size(); place++) {
            CostFunction stock = costs.get(place);
            if (kind.isInstance(stock)) {
                costs.set(place, new RegionCountsByHearth(stock));
                stockByPlace.put(place, stock);
            }
        }
    }

    void putBack() {
        stockByPlace.forEach((place, stock) -> {
            if (costs.get(place) instanceof RegionCountsByHearth) {
                costs.set(place, stock);
            }
        });
    }
}
