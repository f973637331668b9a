package org.apache.hadoop.hbase.master.balancer;

import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.ServerId;
import java.util.Map;

/**
 * What the stock balancer would do. Immutable.
 *
 * @param serverByRegion where each moved region goes; empty where it finds nothing or sees no need
 * @param millis how long one call of {@code balanceCluster} took
 */
public record StockPlan(Map<RegionId, ServerId> serverByRegion, long millis) {

    public StockPlan {
        serverByRegion = Map.copyOf(serverByRegion);
    }
}
