// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

import java.io.IOException;
import org.apache.hadoop.hbase.HDFSBlocksDistribution;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.jspecify.annotations.NullMarked;

/** The stock finder of HBase 2.5 and 2.6 by the name and with the one question that Hearth's finder needs on every line. */
@NullMarked
class HBaseLocationFinderCompat extends RegionLocationFinder {

    /** Where the region's blocks are, by the NameNode; none anywhere for a table that is gone. */
    final HDFSBlocksDistribution ask(RegionInfo region) throws IOException {
        TableDescriptor table = getTableDescriptor(region.getTable());
        return table == null
                ? new HDFSBlocksDistribution()
                : HRegion.computeHDFSBlocksDistribution(getConf(), table, region);
    }
}
