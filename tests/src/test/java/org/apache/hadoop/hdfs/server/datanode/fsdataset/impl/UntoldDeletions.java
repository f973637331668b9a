// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;

/** Replicas that leave a DataNode's volume map without a word to its dataset, visible only here. */
public final class UntoldDeletions {

    private UntoldDeletions() {}

    public static void forget(DataNode dataNode, ExtendedBlock block) {
        ((FsDatasetImpl) dataNode.getFSDataset()).volumeMap.remove(block.getBlockPoolId(), block.getBlockId());
    }
}
