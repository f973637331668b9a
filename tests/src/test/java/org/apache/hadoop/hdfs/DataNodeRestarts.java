// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hdfs;

/** What a DataNode of a mini cluster starts with again, visible only here. */
public final class DataNodeRestarts {

    private DataNodeRestarts() {}

    /** Otherwise it has the settings of its first start, whatever its files say. What is set beside the files stays. */
    public static void readFilesAgain(MiniDFSCluster.DataNodeProperties stopped) {
        stopped.conf.reloadConfiguration();
    }
}
