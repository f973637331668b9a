// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

import org.junit.runner.RunWith;

/** HBase's own test of its balancer's search, run with Hearth's; beside {@link StockBalancerTest}, in another JVM. */
@RunWith(HearthBalancerSuite.class)
@StockTests({TestStochasticLoadBalancer.class})
public class StockSearchTest {}
