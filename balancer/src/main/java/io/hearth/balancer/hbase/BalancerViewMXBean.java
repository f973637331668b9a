// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.hbase;

import java.util.List;

/**
 * What the balancer did and why, for the master's {@code /jmx} page and any JMX client: {@code
 * Hadoop:service=HBase,name=Master,sub=HearthBalancerView}.
 */
public interface BalancerViewMXBean {

    /** {@code act}, {@code off}, or why plans are only advice. */
    String getMode();

    /** The last plan that said something, line by line, for a person. */
    List<String> getLastPlan();

    /** The last plans that said something, newest first, each in one line: a JSON array, see {@link DecisionJson}. */
    String getPlanSummariesJson();

    /**
     * What Hearth would have done in the last ten runs in which it only advised, and what the stock balancer did, newest first: a
     * JSON array, see {@link AdviceJson}.
     */
    String getAdviceJson();

    /** The same in sums, day by day, oldest first: a JSON array, see {@link AdviceJson}. */
    String getAdviceDaysJson();

    /** Every region that is left alone, with who, why and until when: a JSON array, see {@link MoveTrackerJson}. */
    String getPinsJson();

    /** What the last runs predicted and what came of it: a JSON array, see {@link MoveTrackerJson}. */
    String getPredictionsJson();

    /** As {@code host:port}, the RegionServers that were restarted three times within an hour, sorted. */
    List<String> getFlappingServers();

    /**
     * The same plans with every move and what it was weighed against. An operation, not an attribute: it may be large, and
     * {@code /jmx} asks for every attribute.
     */
    String plansJson();

    /**
     * The moves of the stock balancer's last plans that were not made, each region once, newest first, with the reason: a JSON
     * array, see {@link DecisionJson}. An operation for the same reason.
     */
    String rejectedStockMovesJson();

    /** The same as {@link #getAdviceJson} of every run that is kept. An operation for the same reason. */
    String adviceRunsJson();

    /** Removes the pin of a region that was moved manually, by its encoded name; says whether it had one. */
    boolean removePin(String encodedName);

    /**
     * What the last plan with moves was made from, as a snapshot file for {@code bin/hearth balancer plan --snapshot}; empty before the
     * first one. An operation for the same reason.
     */
    String snapshotOfLastPlan();

    /**
     * The cluster's state by the last reports, as {@link ClusterStateJson}: every server with its totals, without regions, racks
     * and what is being emptied. An operation, because each call adds up all regions; its size grows with the servers alone.
     */
    String clusterStateJson();
}
