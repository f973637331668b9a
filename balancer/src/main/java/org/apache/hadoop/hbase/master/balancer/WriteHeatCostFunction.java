package org.apache.hadoop.hbase.master.balancer;

import io.hearth.balancer.load.LoadDimension;

/** The unevenness of writes over the servers, by Hearth's heat model. */
final class WriteHeatCostFunction extends HeatCostFunction {

    WriteHeatCostFunction(double multiplier, RegionLoads loads) {
        super(LoadDimension.WRITES, multiplier, loads);
    }
}
