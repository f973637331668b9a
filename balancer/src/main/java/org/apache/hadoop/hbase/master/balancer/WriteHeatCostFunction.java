// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

import io.hearth.common.model.LoadDimension;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.NullMarked;

/** The unevenness of writes over the servers, by Hearth's heat model. */
@NullMarked
final class WriteHeatCostFunction extends HeatCostFunction {

    /** HBase makes it so. */
    WriteHeatCostFunction(Configuration given) {
        super(LoadDimension.WRITES, given);
    }

    WriteHeatCostFunction(double multiplier, double evenEnough, LoadSource loads) {
        super(LoadDimension.WRITES, multiplier, evenEnough, loads);
    }
}
