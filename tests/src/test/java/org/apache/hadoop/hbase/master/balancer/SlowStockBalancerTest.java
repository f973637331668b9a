// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

import org.junit.runner.RunWith;

/** HBase's own tests of its stochastic balancer, run with Hearth's: those that take a quarter of a minute or more ({@code -Prelease-checks}). */
@RunWith(HearthBalancerSuite.class)
@StockTests({
    TestBalancerDecision.class,
    TestStochasticLoadBalancerBalanceCluster.class,
    TestStochasticLoadBalancerLargeCluster.class,
    TestStochasticLoadBalancerMidCluster.class,
    TestStochasticLoadBalancerRegionReplica.class,
    TestStochasticLoadBalancerRegionReplicaHighReplication.class,
    TestStochasticLoadBalancerRegionReplicaLargeCluster.class,
    TestStochasticLoadBalancerRegionReplicaMidCluster.class,
    TestStochasticLoadBalancerRegionReplicaReplicationGreaterThanNumNodes.class,
    TestStochasticLoadBalancerRegionReplicaSameHosts.class,
    TestStochasticLoadBalancerRegionReplicaWithRacks.class,
})
public class SlowStockBalancerTest {}
