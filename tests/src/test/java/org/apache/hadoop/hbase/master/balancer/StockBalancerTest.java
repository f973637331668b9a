// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

import org.junit.runner.RunWith;

/** HBase's own tests of its stochastic balancer, run with Hearth's: those that take seconds, but for the one of {@link StockSearchTest}. */
@RunWith(HearthBalancerSuite.class)
@StockTests({
    TestBalancerRejection.class,
    TestDoubleArrayCost.class,
    TestStochasticLoadBalancerHeterogeneousCost.class,
    TestStochasticLoadBalancerHeterogeneousCostRules.class,
    TestStochasticLoadBalancerSmallCluster.class,
})
public class StockBalancerTest {}
