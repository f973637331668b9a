// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

import io.hearth.balancer.HearthLoadBalancer;
import io.hearth.balancer.hbase.MasterComponentRegistry;
import io.hearth.balancer.tracking.MoveTracker;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;

/**
 * Hearth's balancer for the mocks of HBase's tests: each run comes when all that it remembers of the moves before is over.
 *
 * <p>The mocks know no time and no reports. They carry a plan out at once and ask for the next, and they deal the regions of one
 * synthetic cluster out anew for the next one. What Hearth remembers (a region is in flight until it is reported, and then cools
 * for a quarter of an hour, and rests for a day) would hold for ever there. So each run is a week and a day after the last one, and no
 * server has reported any region meanwhile.
 */
final class StatelessHearthBalancer extends HearthLoadBalancer {

    private static final Duration BETWEEN_RUNS = Duration.ofDays(8);

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
        long aheadMs = EnvironmentEdgeManager.currentTime() - System.currentTimeMillis() + BETWEEN_RUNS.toMillis();
        EnvironmentEdgeManager.injectEdge(() -> System.currentTimeMillis() + aheadMs);
        MasterComponentRegistry.manualMoveListener(getConf())
                .map(MoveTracker.class::cast)
                .ifPresent(tracker -> tracker.observed(
                        List.of(), region -> OptionalDouble.empty(), EnvironmentEdgeManager.currentTime()));
        super.preBalanceCluster(loadOfAllTables);
    }
}
