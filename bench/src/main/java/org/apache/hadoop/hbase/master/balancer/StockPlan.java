// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ServerId;
import java.util.Map;

/**
 * What the stock balancer would do. Immutable.
 *
 * @param serverByRegion where each moved region goes; empty where it finds nothing or sees no need
 * @param millis how long one call of {@code balanceCluster} took
 */
public record StockPlan(Map<EncodedRegionName, ServerId> serverByRegion, long millis) {

    public StockPlan {
        serverByRegion = Map.copyOf(serverByRegion);
    }
}
