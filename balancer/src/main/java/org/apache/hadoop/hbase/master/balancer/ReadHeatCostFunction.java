// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

import io.hearth.common.model.LoadDimension;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.NullMarked;

/** The unevenness of reads over the servers, by Hearth's heat model. */
@NullMarked
final class ReadHeatCostFunction extends HeatCostFunction {

    /** HBase makes it so. */
    ReadHeatCostFunction(Configuration given) {
        super(LoadDimension.READS, given);
    }

    ReadHeatCostFunction(double multiplier, double evenEnough, LoadSource loads) {
        super(LoadDimension.READS, multiplier, evenEnough, loads);
    }
}
