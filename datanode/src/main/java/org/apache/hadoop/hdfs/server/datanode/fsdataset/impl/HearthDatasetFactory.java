// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataStorage;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.jspecify.annotations.NullMarked;

/**
 * Makes the DataNode's dataset the stock one with Hearth's deletion delay and read cache: what {@code dfs.datanode.fsdataset.factory}
 * names in hdfs-site.xml.
 */
@NullMarked
public class HearthDatasetFactory extends FsDatasetSpi.Factory<FsDatasetImpl> {

    @Override
    public FsDatasetImpl newInstance(DataNode dataNode, DataStorage storage, Configuration conf) throws IOException {
        return new HearthDataset(dataNode, storage, conf);
    }
}
