// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

import org.apache.hadoop.hbase.master.MasterServices;

/** How HBase 2 tells a balancer and a finder which master they belong to. */
final class HBaseVersionSupport {

    private HBaseVersionSupport() {}

    static void attach(BaseLoadBalancer balancer, MasterServices master) {
        balancer.setMasterServices(master);
    }

    static void attach(HearthRegionLocationFinder finder, MasterServices master) {
        finder.setServices(master);
    }
}
