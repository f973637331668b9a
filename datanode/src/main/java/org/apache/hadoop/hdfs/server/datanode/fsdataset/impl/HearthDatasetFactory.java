// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.hearth.common.hadoop.LinkFailure;
import io.hearth.datanode.hdfs.LiveDataNodeConfig;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataStorage;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.jspecify.annotations.NullMarked;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the DataNode's dataset the stock one with Hearth's deletion delay and read cache: what {@code dfs.datanode.fsdataset.factory}
 * names in hdfs-site.xml.
 *
 * <p>On a Hadoop whose dataset can't be extended as this jar does, it is the stock one, and the log says so: a DataNode starts all the same.
 */
@NullMarked
public class HearthDatasetFactory extends FsDatasetSpi.Factory<FsDatasetImpl> {

    private static final Logger LOG = LoggerFactory.getLogger(HearthDatasetFactory.class);

    /** What makes a dataset. */
    @FunctionalInterface
    interface DatasetMaker {
        FsDatasetImpl make() throws IOException;
    }

    @Override
    public FsDatasetImpl newInstance(DataNode dataNode, DataStorage storage, Configuration conf) throws IOException {
        return firstThatFits(
                () -> {
                    link(List.of(
                            HearthDataset.class,
                            ReadCacheHooks.class,
                            DeletionDelayHooks.class,
                            DatasetReplicas.class,
                            FinalizedReplicas.class,
                            LiveDataNodeConfig.class));
                    return HearthDataset.make(dataNode, storage, conf);
                },
                () -> new FsDatasetFactory().newInstance(dataNode, storage, conf));
    }

    /** Hearth's dataset; the stock one where Hearth's does not link. It does so before anything of it is started, or not at all. */
    static FsDatasetImpl firstThatFits(DatasetMaker hearth, DatasetMaker stock) throws IOException {
        try {
            return hearth.make();
        } catch (LinkageError otherHadoop) {
            LOG.error(
                    "The DataNode runs with HDFS's own dataset, without Hearth's deletion delay and read cache: {}",
                    LinkFailure.of(otherHadoop).orElseGet(otherHadoop::toString));
            return stock.make();
        }
    }

    /** Links these classes before the first of them is used: a dataset that is half made can't be made again. */
    static void link(List<Class<?>> classes) {
        for (Class<?> one : classes) {
            try {
                Class<?> unused = MethodHandles.lookup().ensureInitialized(one);
            } catch (IllegalAccessException hidden) {
                throw new LinkageError(one.getName() + " can't be reached", hidden);
            }
        }
    }
}
