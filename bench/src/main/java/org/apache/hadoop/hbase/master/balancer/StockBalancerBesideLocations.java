// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

import io.hearth.balancer.config.BalancerConfig.LocalityConfig;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetricsBuilder;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.master.MasterServices;
import org.apache.hadoop.hbase.master.assignment.AssignmentManager;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.jspecify.annotations.NullMarked;

/**
 * The stock balancer, which learns where blocks are from Hearth's finder, so that these can be forgotten: what it keeps then is what
 * HBase's balancer keeps by itself, but for the answers of the NameNode. Not thread-safe.
 */
@NullMarked
public final class StockBalancerBesideLocations extends HBaseBalancerCompat {

    /** As many regions a second as there are, each once. */
    private static final LocalityConfig AT_ONCE = new LocalityConfig(1_000_000, TimeUnit.DAYS.toMillis(365));

    /** A region that is in no report is forgotten at the second look of those that are an hour apart. */
    private static final int LOOKS = 3;

    private final HearthRegionLocationFinder finder = new HearthRegionLocationFinder(
            this::nowMs,
            new LocationSnapshotBenchmark.NoErrors(),
            (region, host) -> {},
            Optional.empty(),
            LocalityRefreshPool.newThreads());
    private volatile long aheadMs;

    private long nowMs() {
        return EnvironmentEdgeManager.currentTime() + aheadMs;
    }

    private Collection<RegionInfo> assignedRegions() {
        return master().map(MasterServices::getAssignmentManager)
                .<Collection<RegionInfo>>map(AssignmentManager::getAssignedRegions)
                .orElse(List.of());
    }

    @Override
    protected void loadConf(Configuration site) {
        super.loadConf(site);
        finder.configure(AT_ONCE);
        finder.setAssignedRegions(this::assignedRegions);
        useFinder(finder, site);
    }

    /** Has the finder forget where blocks are, for good: its threads end. */
    public void forgetLocations() {
        finder.close();
        for (int look = 0; look < LOOKS; look++) {
            aheadMs += TimeUnit.HOURS.toMillis(1);
            finder.setClusterMetrics(ClusterMetricsBuilder.newBuilder().build());
        }
    }
}
