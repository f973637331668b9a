package org.apache.hadoop.hbase.master.balancer;

import io.hearth.balancer.load.LoadDimension;

/** The unevenness of reads over the servers, by Hearth's heat model. */
final class ReadHeatCostFunction extends HeatCostFunction {

    ReadHeatCostFunction(double multiplier, RegionLoads loads) {
        super(LoadDimension.READS, multiplier, loads);
    }
}
