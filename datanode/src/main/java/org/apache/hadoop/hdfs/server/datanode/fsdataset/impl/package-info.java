/**
 * The DataNode's own dataset with a deletion delay and a read cache, in HDFS's package because the dataset and its constructor are
 * visible only here. This package is an adapter.
 */
@NullMarked
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import org.jspecify.annotations.NullMarked;
