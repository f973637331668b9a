// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

import org.apache.hadoop.conf.Configuration;

/** How the stock balancer is configured when Hearth is held against it. */
public enum StockTuning {

    /** As HBase comes. */
    DEFAULT("stock") {
        @Override
        void apply(Configuration site) {}
    },
    /**
     * As somebody would set it who has read the source: heat at 100 times its weight (500, as much as the region count), the
     * threshold below which nothing is done next to 0, and no end to the steps but that of time.
     */
    TUNED("stock tuned") {
        @Override
        void apply(Configuration site) {
            site.setFloat("hbase.master.balancer.stochastic.readRequestCost", 500);
            site.setFloat("hbase.master.balancer.stochastic.writeRequestCost", 500);
            site.setFloat("hbase.master.balancer.stochastic.storefileSizeCost", 500);
            site.setFloat("hbase.master.balancer.stochastic.minCostNeedBalance", 0.0001f);
            site.setBoolean("hbase.master.balancer.stochastic.runMaxSteps", true);
        }
    };

    private final String label;

    StockTuning(String label) {
        this.label = label;
    }

    /** The name in tables. */
    public String label() {
        return label;
    }

    abstract void apply(Configuration site);
}
