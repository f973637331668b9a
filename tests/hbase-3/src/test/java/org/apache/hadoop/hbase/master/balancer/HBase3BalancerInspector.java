// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

import io.hearth.balancer.HearthLoadBalancer;
import java.io.IOException;
import java.util.Collection;
import java.util.OptionalLong;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;

/** Looks at what Hearth's balancer sees of its master; it stands here because only this package can. */
public final class HBase3BalancerInspector {

    private final HBaseBalancerCompat balancer;

    public HBase3BalancerInspector(HearthLoadBalancer balancer) {
        this.balancer = balancer;
    }

    public boolean seesTheMaster() {
        return balancer.master().isPresent();
    }

    public OptionalLong openSeqNum(ServerName server, RegionInfo region) {
        return OpenSeqNums.openSeqNum(balancer.master(), server, region.getEncodedName());
    }

    public Collection<TableDescriptor> tableDescriptors() throws IOException {
        return balancer.tableDescriptors();
    }

    public boolean usesHearthsFinder() {
        return balancer.regionFinder instanceof HearthRegionLocationFinder;
    }
}
