// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hdfs.server.datanode;

import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;

/** What a DataNode's scanners are asked to do, visible only here. */
public final class DataNodeScans {

    private DataNodeScans() {}

    /** Has the scanner verify this replica next, as after an error of a read. */
    public static void suspect(DataNode dataNode, ExtendedBlock block) throws IOException {
        dataNode.getBlockScanner()
                .markSuspectBlock(dataNode.getFSDataset().getVolume(block).getStorageID(), block);
    }
}
