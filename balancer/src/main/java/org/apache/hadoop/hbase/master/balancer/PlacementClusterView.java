// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

import io.hearth.balancer.hbase.BalancerMetrics;
import io.hearth.balancer.placement.Placement;
import io.hearth.balancer.state.LocalBytes;
import io.hearth.common.model.ServerId;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.master.MasterServices;
import org.apache.hadoop.hbase.master.assignment.AssignmentManager;
import org.apache.hadoop.hbase.master.assignment.RegionStateNode;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.jspecify.annotations.NullMarked;
import org.slf4j.Logger;

/** What a placement may know: nothing of it waits for anybody. Thread-safe. */
@NullMarked
final class PlacementClusterView implements HearthAssignment.Cluster {

    private final HBaseBalancerCompat balancer;
    private final Predicate<TableName> isCanary;
    private final HearthRegionLocationFinder finder;
    private final BalancerMetrics metrics;
    private final BalancerFailureHandler failures;
    private final Logger log;

    PlacementClusterView(
            HBaseBalancerCompat balancer,
            Predicate<TableName> isCanary,
            HearthRegionLocationFinder finder,
            BalancerMetrics metrics,
            BalancerFailureHandler failures,
            Logger log) {
        this.balancer = balancer;
        this.isCanary = isCanary;
        this.finder = finder;
        this.metrics = metrics;
        this.failures = failures;
        this.log = log;
    }

    @Override
    public long nowMs() {
        return EnvironmentEdgeManager.currentTime();
    }

    @Override
    public LocalBytes localBytes(RegionInfo region) {
        return finder.localBytes(region);
    }

    @Override
    public boolean hasReplicas(TableName table) throws Exception {
        return balancer.tableDescriptor(table)
                .filter(descriptor -> descriptor.getRegionReplication() > 1)
                .isPresent();
    }

    @Override
    public boolean isMaster(ServerName server) {
        return balancer.isMasterAmong(Set.of(server));
    }

    @Override
    public boolean isCanary(TableName table) {
        return isCanary.test(table);
    }

    /**
     * By fields that nobody locks. {@code RegionStates.getRegionServerOfRegion} waits for the lock of the region's state, under which HBase
     * writes to hbase:meta: the only thread that assigns regions would wait for meta, which it has to assign.
     */
    @Override
    public Map<RegionInfo, ServerName> serverByRegion(TableName table) {
        Map<RegionInfo, ServerName> serverByRegion = new HashMap<>();
        balancer.master()
                .map(MasterServices::getAssignmentManager)
                .map(AssignmentManager::getRegionStates)
                .ifPresent(states -> states.getRegionsOfTable(table)
                        .forEach(region -> Optional.ofNullable(states.getRegionStateNode(region))
                                .map(RegionStateNode::getRegionLocation)
                                .ifPresent(server -> serverByRegion.put(region, server))));
        return serverByRegion;
    }

    /** 0 for one that was never open. */
    @Override
    public long openSeqNum(RegionInfo region) {
        return OpenSeqNums.lastOpenSeqNum(balancer.master(), region.getEncodedName())
                .orElse(0);
    }

    @Override
    public boolean isOpen(RegionInfo region) {
        return OpenSeqNums.isServed(balancer.master(), region.getEncodedName());
    }

    @Override
    public void excluded(ServerId server, String why) {
        log.warn(
                "{} is given no regions for ten minutes: {}. Look into its log; a class or a codec may be missing there.",
                server,
                why);
    }

    @Override
    public void placed(Placement placement) {
        metrics.placed(placement);
        log.info("{}", placement.summary());
    }

    @Override
    public void failed(Throwable failure) {
        failures.placement(failure);
    }
}
