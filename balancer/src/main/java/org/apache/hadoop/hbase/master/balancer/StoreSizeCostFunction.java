package org.apache.hadoop.hbase.master.balancer;

import io.hearth.balancer.load.LoadDimension;

/** The unevenness of store size over the servers, by Hearth's heat model. */
final class StoreSizeCostFunction extends HeatCostFunction {

    StoreSizeCostFunction(double multiplier, RegionLoads loads) {
        super(LoadDimension.STORE_SIZE, multiplier, loads);
    }
}
