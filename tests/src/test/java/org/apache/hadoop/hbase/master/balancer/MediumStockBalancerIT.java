// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.runner.JUnitCore;
import org.junit.runner.Result;
import org.junit.runner.RunWith;

/** HBase's own tests of its stochastic balancer, run with Hearth's: those that take a quarter of a minute each. */
@Tag("soak")
@Tag("computing")
class MediumStockBalancerIT {

    /** No tag reaches a test of JUnit 4, so that it is run from here; a name that ends with Tests would be run by Surefire too. */
    @RunWith(HearthBalancerSuite.class)
    @StockTests({
        TestStochasticLoadBalancerMidCluster.class,
        TestStochasticLoadBalancerRegionReplica.class,
        TestStochasticLoadBalancerRegionReplicaSameHosts.class,
    })
    public static class MidClusters {}

    @Test
    void theyPass() {
        Result result = JUnitCore.runClasses(MidClusters.class);

        assertThat(result.getFailures()).isEmpty();
        assertThat(result.getRunCount()).isGreaterThan(5);
        assertThat(result.getIgnoreCount()).isZero();
    }
}
