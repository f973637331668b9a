// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

import io.hearth.common.model.LoadDimension;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.NullMarked;

/** The unevenness of store size over the servers, by Hearth's heat model. */
@NullMarked
final class StoreSizeCostFunction extends HeatCostFunction {

    /** HBase makes it so. */
    StoreSizeCostFunction(Configuration given) {
        super(LoadDimension.STORE_SIZE, given);
    }

    StoreSizeCostFunction(double multiplier, double evenEnough, LoadSource loads) {
        super(LoadDimension.STORE_SIZE, multiplier, evenEnough, loads);
    }
}
