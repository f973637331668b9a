// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

/** HBase's own cost of loads of servers. */
public final class StockArrayCost {

    private StockArrayCost() {}

    public static double cost(double[] loads) {
        DoubleArrayCost cost = new DoubleArrayCost();
        cost.prepare(loads.length);
        cost.applyCostsChange(costs -> System.arraycopy(loads, 0, costs, 0, loads.length));
        return cost.cost();
    }
}
