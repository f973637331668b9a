// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.hbase.HDFSBlocksDistribution;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/** The stock finder of HBase 3 by the name and with the one question that Hearth's finder needs on every line. */
@NullMarked
class HBaseLocationFinderCompat extends RegionHDFSBlockLocationFinder {

    private volatile @Nullable ClusterInfoProvider cluster;

    @Override
    void setClusterInfoProvider(ClusterInfoProvider given) {
        super.setClusterInfoProvider(given);
        cluster = given;
    }

    /** Where the region's blocks are, by the NameNode; none anywhere for a table that is gone. */
    final HDFSBlocksDistribution ask(RegionInfo region) throws IOException {
        ClusterInfoProvider known = cluster;
        TableDescriptor table = known == null ? null : tableDescriptor(known, region);
        return known == null || table == null
                ? new HDFSBlocksDistribution()
                : known.computeHDFSBlocksDistribution(getConf(), table, region);
    }

    private static @Nullable TableDescriptor tableDescriptor(ClusterInfoProvider cluster, RegionInfo region)
            throws IOException {
        try {
            return cluster.getTableDescriptor(region.getTable());
        } catch (FileNotFoundException gone) {
            return null;
        }
    }
}
