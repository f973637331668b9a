// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

import org.junit.runner.RunWith;

/** HBase's own tests of its stochastic balancer, run with Hearth's: those that take minutes ({@code -Prelease-checks}). */
@RunWith(HearthBalancerSuite.class)
@StockTests({
    TestBalancerDecision.class,
    TestStochasticLoadBalancerBalanceCluster.class,
    TestStochasticLoadBalancerLargeCluster.class,
    TestStochasticLoadBalancerRegionReplicaHighReplication.class,
    TestStochasticLoadBalancerRegionReplicaLargeCluster.class,
    TestStochasticLoadBalancerRegionReplicaMidCluster.class,
    TestStochasticLoadBalancerRegionReplicaReplicationGreaterThanNumNodes.class,
    TestStochasticLoadBalancerRegionReplicaWithRacks.class,
})
public class SlowStockBalancerTest {}
