// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hdfs;

import io.hearth.healer.core.BandwidthRaise.DataNodeBandwidth;
import io.hearth.healer.core.HealerServices.DataNodeAllowance;
import io.hearth.healer.core.HealerServices.DataNodeProber;
import io.hearth.healer.core.HealerServices.LiveDataNodes;
import io.hearth.healer.core.HealerServices.NameNodeProbe;
import io.hearth.healer.core.PausePersister.PauseStore;
import io.hearth.healer.lock.HealerLock;
import io.hearth.healer.model.DataNode;
import io.hearth.healer.move.BlockMover;
import io.hearth.healer.plan.PlacementRule;
import io.hearth.healer.spi.FileBlocks;
import io.hearth.healer.spi.FileBlocks.StoreDirectories;
import io.hearth.healer.spi.NameNodeUsage;
import java.io.Closeable;
import java.io.IOException;
import java.util.Collection;
import java.util.concurrent.Executor;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** All that healing asks of HDFS, of one root folder of HBase. Closing it leaves the file system open. Thread-safe. */
public interface HdfsPorts extends Closeable {

    /** HBase's root folder as the name service calls it. */
    Path rootDir();

    StoreDirectories storeDirectories();

    /** Asks the active NameNode, whatever the configuration says of observers. */
    FileBlocks fileBlocks();

    LiveDataNodes dataNodes();

    /** What was used of the NameNode for files and blocks, for the report of DataNodes and to measure it. */
    NameNodeUsage nameNodeUsage();

    /** The rules of racks and upgrade domains, and the placement policy that the configuration names. */
    PlacementRule placementRule();

    /** Whether DataNodes pin the replicas that a writer has placed on favoured nodes, by the master's configuration. */
    boolean pinsFavoredReplicas();

    /** What DataNodes allow of block moves. */
    DataNodeAllowance allowance();

    /** The same once these DataNodes have been asked anew; waits for them. */
    DataNodeAllowance askAllowance(Collection<DataNode> nodes) throws InterruptedException;

    /** How long after its copy a move is usually confirmed by this configuration's intervals, in seconds. */
    double confirmSeconds();

    /** Asks DataNodes whether they serve. */
    DataNodeProber prober();

    BlockMover mover();

    NameNodeProbe nameNodeProbe();

    /** What keeps two healers of this root folder apart. */
    HealerLock lock();

    /** Where a pause or an alarm is kept for the next master of this root folder. */
    PauseStore pauseStore();

    /** By which the bandwidth of block moves is raised at all DataNodes. */
    DataNodeBandwidth dataNodeBandwidth();

    @Override
    void close();

    /** Opens what healing asks of HDFS; called as the user as whom HDFS is to be asked. */
    @FunctionalInterface
    interface Opener {

        /**
         * Opens it for this root folder.
         *
         * @param threads where DataNodes are asked what they allow
         * @throws IOException if the folder is not in HDFS
         */
        HdfsPorts open(FileSystem fs, Path rootDir, Configuration conf, Executor threads) throws IOException;
    }
}
