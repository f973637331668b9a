// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

import io.hearth.balancer.HearthLoadBalancer;
import io.hearth.balancer.config.BalancerConfig;
import io.hearth.balancer.hbase.MasterComponentRegistry;
import io.hearth.balancer.tracking.MoveTracker;
import io.hearth.common.config.RawSettings.MapSettings;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;

/**
 * Hearth's balancer for the mocks of HBase's tests: it begins each run without a memory of the moves before.
 *
 * <p>The mocks know no time and no reports. They carry a plan out at once and ask for the next, and they deal the regions of one
 * synthetic cluster out anew for the next one. What Hearth remembers (a region is in flight until it is reported, and then cools
 * for a quarter of an hour) would hold for ever there. A run that remembers nothing is one that comes when all of it is over.
 */
final class StatelessHearthBalancer extends HearthLoadBalancer {

    private static final MoveTracker NOTHING_REMEMBERED = new MoveTracker(
            BalancerConfig.read("mock", new MapSettings(Map.of()), key -> false).tracker());

    private final StochasticLoadBalancer stock;

    /** @param stock the one in whose place this is; its search draws its steps in the same way */
    StatelessHearthBalancer(StochasticLoadBalancer stock) {
        this.stock = stock;
    }

    @Override
    protected CandidateGenerator getRandomGenerator() {
        return stock.getClass() == StochasticLoadBalancer.class
                ? super.getRandomGenerator()
                : stock.getRandomGenerator();
    }

    @Override
    protected void preBalanceCluster(Map<TableName, Map<ServerName, List<RegionInfo>>> loadOfAllTables) {
        long now = EnvironmentEdgeManager.currentTime();
        MasterComponentRegistry.manualMoveListener(getConf())
                .map(MoveTracker.class::cast)
                .ifPresent(tracker -> tracker.restore(NOTHING_REMEMBERED.encode(now), now));
        super.preBalanceCluster(loadOfAllTables);
    }
}
