package org.apache.hadoop.hbase.master.balancer;

import io.hearth.balancer.hbase.BalancerMetrics;
import io.hearth.balancer.log.RareLog;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.slf4j.Logger;

/** What becomes of a failure of ours inside the master: it is counted each time, and logged once a minute. Thread-safe. */
final class HeatFailures {

    private final BalancerMetrics metrics;
    private final RareLog log;

    HeatFailures(BalancerMetrics metrics, Logger log) {
        this.metrics = metrics;
        this.log = new RareLog(log);
    }

    void plan(Throwable failure) {
        metrics.planFailed();
        warn("plan", "Hearth could not plan: the stock plan is used.", failure);
    }

    void reports(Throwable failure) {
        metrics.reportFailed();
        warn("reports", "The servers' reports could not be read: heat stays as it was.", failure);
    }

    void view(Throwable failure) {
        metrics.viewFailed();
        warn("view", "The bean HearthBalancerView can't be shown in JMX: the master's log has the plans.", failure);
    }

    void keeper(Throwable failure) {
        metrics.storeFailed();
        warn("keeper", "Nothing is kept for the next master: it will learn heat afresh.", failure);
    }

    void cost(Throwable failure) {
        metrics.costFailed();
        warn("cost", "A heat cost failed: it counts as 0 in this run.", failure);
    }

    void locality(Throwable failure) {
        metrics.localityFailed();
        warn(
                "locality",
                "The NameNode could not be asked where a region's blocks are: what was known holds, and it is asked again in"
                        + " a minute.",
                failure);
    }

    void placement(Throwable failure) {
        metrics.placementFailed();
        warn("placement", "Hearth could not place regions: they land as with the stock balancer.", failure);
    }

    private void warn(String kind, String message, Throwable failure) {
        log.warn(kind, message, failure, EnvironmentEdgeManager.currentTime());
    }
}
