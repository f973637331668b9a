package org.apache.hadoop.hbase.master.balancer;

import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.hbase.HDFSBlocksDistribution;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.jspecify.annotations.NullMarked;

/** The stock finder of HBase 3 by the name and with the one question that Hearth's finder needs on every line. */
@NullMarked
class HBaseLineLocationFinder extends RegionHDFSBlockLocationFinder {

    private volatile ClusterInfoProvider cluster;

    @Override
    void setClusterInfoProvider(ClusterInfoProvider given) {
        super.setClusterInfoProvider(given);
        cluster = given;
    }

    /** Where the region's blocks are, by the NameNode; none anywhere for a table that is gone. */
    final HDFSBlocksDistribution ask(RegionInfo region) throws IOException {
        TableDescriptor table = tableDescriptor(region);
        return table == null
                ? new HDFSBlocksDistribution()
                : cluster.computeHDFSBlocksDistribution(getConf(), table, region);
    }

    private TableDescriptor tableDescriptor(RegionInfo region) throws IOException {
        try {
            return cluster == null ? null : cluster.getTableDescriptor(region.getTable());
        } catch (FileNotFoundException gone) {
            return null;
        }
    }
}
