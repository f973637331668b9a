// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

import io.hearth.balancer.config.BalancerConfig.LocalityConfig;
import io.hearth.balancer.state.LocalBytes;
import io.hearth.common.model.EncodedRegionName;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.HDFSBlocksDistribution;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.master.balancer.BlockLocations.LocalityErrorHandler;
import org.apache.hbase.thirdparty.com.google.common.util.concurrent.MoreExecutors;

/**
 * The balancer's cache of block locations on simulated time, with a function for a NameNode; whoever gives it reports asks that
 * NameNode himself. It stands here because only this package can. Not thread-safe.
 */
public final class SimulatedLocations {

    private static final double NO_PACE = 1e6;

    /** A simulated NameNode fails in no way: what goes wrong is wrong with the test. */
    private static final class NoErrors implements LocalityErrorHandler {

        @Override
        public void nameNodeUnavailable(Throwable failure) {
            throw new AssertionError(failure);
        }

        @Override
        public void regionNotRead(RegionInfo region, Throwable failure) {
            throw new AssertionError(region.toString(), failure);
        }

        @Override
        public void reportsNotRead(Throwable failure) {
            throw new AssertionError(failure);
        }
    }

    private final AtomicLong nowMs = new AtomicLong();
    private final HearthRegionLocationFinder finder;

    /**
     * @param nameNode where the blocks of a region are
     * @param assigned the regions that are served
     */
    public SimulatedLocations(
            Function<RegionInfo, HDFSBlocksDistribution> nameNode, Supplier<Collection<RegionInfo>> assigned) {
        finder = new HearthRegionLocationFinder(
                nowMs::get,
                new NoErrors(),
                (region, host) -> {},
                Optional.of(nameNode::apply),
                MoreExecutors.newDirectExecutorService());
        finder.configure(new LocalityConfig(NO_PACE, LocalityConfig.DEFAULTS.maxAgeMs()));
        finder.setAssignedRegions(assigned);
    }

    /** Takes all servers' reports. */
    public void reported(ClusterMetrics metrics, long atMs) {
        nowMs.set(atMs);
        finder.setClusterMetrics(metrics);
    }

    /** Blocks of these regions have moved. */
    public void changed(List<EncodedRegionName> regions, long atMs) {
        nowMs.set(atMs);
        finder.regionsChanged(regions);
    }

    public LocalBytes localBytes(RegionInfo region) {
        return finder.localBytes(region);
    }

    /** Everything that is remembered. */
    public List<Object> state() {
        return finder.state();
    }
}
