// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.master.HMaster;

/** Looks at what a master's balancer believes; it stands here because only this package can. */
public final class LocalityCacheInspector {

    private LocalityCacheInspector() {}

    /** The share of the region's bytes that are local to the host, by the balancer's locality cache. */
    public static float cachedLocality(HMaster master, RegionInfo region, String host) {
        return ((BaseLoadBalancer) master.getLoadBalancer())
                .regionFinder
                .getBlockDistribution(region)
                .getBlockLocalityIndex(host);
    }
}
