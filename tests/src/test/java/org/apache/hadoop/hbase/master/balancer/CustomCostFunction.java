// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

import org.apache.hadoop.conf.Configuration;

/** What a site's own cost function extends; HBase lets that be done in its own package only. */
public abstract class CustomCostFunction extends CostFunction {

    protected CustomCostFunction(Configuration site) {
        setMultiplier(1);
    }
}
