// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.hearth.common.hadoop.LinkFailure;
import io.hearth.datanode.hdfs.LiveDataNodeConfig;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataStorage;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.jspecify.annotations.NullMarked;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the DataNode's dataset the stock one with Hearth's deletion delay and read cache: what {@code dfs.datanode.fsdataset.factory}
 * names in hdfs-site.xml. Where Hearth's dataset does not fit this Hadoop it makes the stock one.
 */
@NullMarked
public class HearthDatasetFactory extends FsDatasetSpi.Factory<FsDatasetImpl> {

    private static final Logger LOG = LoggerFactory.getLogger(HearthDatasetFactory.class);

    @Override
    public FsDatasetImpl newInstance(DataNode dataNode, DataStorage storage, Configuration conf) throws IOException {
        return isLinked(() -> List.of(
                        HearthDataset.class,
                        ReadCacheHooks.class,
                        DeletionDelayHooks.class,
                        DatasetReplicas.class,
                        FinalizedReplicas.class,
                        LiveDataNodeConfig.class))
                ? new HearthDataset(dataNode, storage, conf)
                : new FsDatasetImpl(dataNode, storage, conf);
    }

    /** Links these classes before the first of them is used: a dataset that is half made can't be made again. */
    static boolean isLinked(Supplier<List<Class<?>>> classes) {
        try {
            for (Class<?> one : classes.get()) {
                Class<?> unused = MethodHandles.lookup().ensureInitialized(one);
            }
            return true;
        } catch (LinkageError | IllegalAccessException failure) {
            LOG.error(
                    "The DataNode runs without Hearth's deletion delay and read cache: {}",
                    LinkFailure.of(failure).orElseGet(failure::toString));
            return false;
        }
    }
}
