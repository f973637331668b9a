// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

import io.hearth.balancer.hbase.BalancerMetrics;
import io.hearth.balancer.heat.HeatModel;
import io.hearth.common.log.RateLimitedLogger;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.master.balancer.BlockLocations.LocalityErrorHandler;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.jspecify.annotations.NullMarked;
import org.slf4j.Logger;

/**
 * What becomes of a failure of ours inside the master: it is counted each time, and logged once a minute. One that another version of HBase
 * explains makes Hearth's balancer rest, which is logged once. Thread-safe.
 */
@NullMarked
final class BalancerFailureHandler implements LocalityErrorHandler {

    private static final int OBJECTIONS_SHOWN = 3;

    private final BalancerMetrics metrics;
    private final RateLimitedLogger log;
    private final Predicate<Throwable> restIfLinkFailed;

    /** @param restIfLinkFailed whether another version of HBase explains the failure, so that Hearth's balancer rests and has said so */
    BalancerFailureHandler(BalancerMetrics metrics, Logger log, Predicate<Throwable> restIfLinkFailed) {
        this.metrics = metrics;
        this.restIfLinkFailed = restIfLinkFailed;
        this.log = new RateLimitedLogger(log);
    }

    void plan(Throwable failure) {
        metrics.planFailed();
        warn("plan", "Hearth could not plan: the stock plan is used.", failure);
    }

    void reports(Throwable failure) {
        metrics.reportFailed();
        warn("reports", "The servers' reports could not be read: heat stays as it was.", failure);
    }

    void suspects(Throwable failure) {
        metrics.reportFailed();
        warn("suspects", "A suspect server was not asked for its call times: its reports alone are judged.", failure);
    }

    void refused(HeatModel.Refused refused) {
        if (refused.reports() > 0) {
            metrics.reportsRefused(refused.reports());
            log.warn(
                    "refused",
                    refused.problems().stream().limit(OBJECTIONS_SHOWN).collect(Collectors.joining("; ")) + ".",
                    EnvironmentEdgeManager.currentTime());
        }
    }

    void view(Throwable failure) {
        metrics.viewFailed();
        warn("view", "The bean HearthBalancerView can't be shown in JMX: the master's log has the plans.", failure);
    }

    void persister(Throwable failure) {
        metrics.storeFailed();
        warn("keeper", "Nothing is kept for the next master: it will learn heat afresh.", failure);
    }

    void cost(Throwable failure) {
        metrics.costFailed();
        warn("cost", "A heat cost failed: it counts as 0 in this run.", failure);
    }

    @Override
    public void nameNodeUnavailable(Throwable failure) {
        metrics.localityFailed();
        warn(
                "NameNode",
                "The NameNode could not be asked where blocks are: what was known holds, and it is asked again in a minute.",
                failure);
    }

    @Override
    public void regionNotRead(RegionInfo region, Throwable failure) {
        metrics.localityFailed();
        warn(
                "locality of a region",
                "Where the blocks of " + region.getRegionNameAsString()
                        + " are could not be read: what was known of it holds, and it is asked about again in a minute.",
                failure);
    }

    @Override
    public void reportsNotRead(Throwable failure) {
        metrics.localityFailed();
        warn(
                "locality in reports",
                "Where blocks are, or which have moved by the servers' reports, could not be looked up: what is not known counts as"
                        + " nowhere, and the next reports are searched.",
                failure);
    }

    void placement(Throwable failure) {
        metrics.placementFailed();
        warn("placement", "Hearth could not place regions: they land as with the stock balancer.", failure);
    }

    private void warn(String kind, String message, Throwable failure) {
        if (!restIfLinkFailed.test(failure)) {
            log.warn(kind, message, failure, EnvironmentEdgeManager.currentTime());
        }
    }
}
