// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.integration;

import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.master.balancer.CustomCostFunction;

/** A cost function such as a site may name in {@code additionalCostFunctions}: it counts how often it is asked. */
public final class CountingCostFunction extends CustomCostFunction {

    static final AtomicLong ASKED = new AtomicLong();

    public CountingCostFunction(Configuration site) {
        super(site);
    }

    @Override
    protected double cost() {
        ASKED.incrementAndGet();
        return 0;
    }
}
