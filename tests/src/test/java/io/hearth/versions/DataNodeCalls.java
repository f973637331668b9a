// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.versions;

import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;
import static org.mockito.Mockito.withSettings;

import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import javax.management.JMException;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.ReplicaState;
import org.apache.hadoop.hdfs.server.common.Storage.StorageDirectory;
import org.apache.hadoop.hdfs.server.datanode.BlockScanner;
import org.apache.hadoop.hdfs.server.datanode.DNConf;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataSetLockManager;
import org.apache.hadoop.hdfs.server.datanode.DataStorage;
import org.apache.hadoop.hdfs.server.datanode.ShortCircuitRegistry;
import org.apache.hadoop.hdfs.server.datanode.StorageLocation;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.metrics.DataNodeMetrics;
import org.apache.hadoop.hdfs.server.protocol.BlockCommand;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.mockito.MockSettings;

/**
 * What a DataNode asks of the dataset that Hearth's factory makes: its start, reads of clients, deletions, a block report, its metrics and
 * its end. Loaded by {@link MissingUseLoader}, beside Hearth's classes and HDFS's.
 */
public final class DataNodeCalls implements Callable<List<String>> {

    private static final String DATASETS = "org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.";

    /** As HDFS names the thread that sends a block to a client. */
    private static final String SENDING = "DataXceiver for client c at /127.0.0.1:1 [Sending block b]";

    private final StoredBlocks stored;
    private final BooleanSupplier isSaid;
    private final Configuration conf;
    private final DataNode dataNode = mock(DataNode.class, quietly());
    private final HookCalls calls = new HookCalls();

    /**
     * @param folder for its volume
     * @param isSaid whether the log says that something is missing: without that the dataset has to be Hearth's
     */
    public DataNodeCalls(Path folder, BooleanSupplier isSaid) throws IOException {
        this.stored = new StoredBlocks(folder);
        this.isSaid = isSaid;
        this.conf = configuration();
        when(dataNode.getConf()).thenReturn(conf);
        when(dataNode.getDataSetLockManager()).thenReturn(new DataSetLockManager());
        DNConf settings = new DNConf(dataNode);
        when(dataNode.getDnConf()).thenReturn(settings);
        BlockScanner scanner = new BlockScanner(dataNode);
        when(dataNode.getBlockScanner()).thenReturn(scanner);
        DataNodeMetrics metrics = mock(DataNodeMetrics.class, quietly());
        when(dataNode.getMetrics()).thenReturn(metrics);
        when(dataNode.getShortCircuitRegistry()).thenReturn(new ShortCircuitRegistry(conf));
    }

    private static MockSettings quietly() {
        return withSettings().stubOnly();
    }

    /** What left a hook, or was not as with HDFS's own dataset; empty where all was well. */
    @Override
    public List<String> call() {
        calls.call("the DataNode", this::run);
        return calls.escaped();
    }

    private void run() throws Exception {
        Set<ObjectName> before = datasets();
        FsDatasetSpi<?> dataset = conf.getClass(
                        DFSConfigKeys.DFS_DATANODE_FSDATASET_FACTORY_KEY, null, FsDatasetSpi.Factory.class)
                .getConstructor()
                .newInstance()
                .newInstance(dataNode, storage(), conf);
        if (!dataset.getClass().getSimpleName().equals("HearthDataset") && !isSaid.getAsBoolean()) {
            calls.add("the stock dataset, and nobody says why");
        }
        calls.call("addBlockPool", () -> dataset.addBlockPool(StoredBlocks.BLOCK_POOL, conf));
        read(dataset);
        delete(dataset);
        calls.call("metrics", DataNodeCalls::askMetrics);
        calls.call("shutdownBlockPool", () -> dataset.shutdownBlockPool(StoredBlocks.BLOCK_POOL));
        calls.call("shutdown", dataset::shutdown);
        Set<ObjectName> left = new HashSet<>(datasets());
        left.removeAll(before);
        if (!left.isEmpty()) {
            calls.add("a dataset that was half made is left");
        }
    }

    private static Set<ObjectName> datasets() throws JMException {
        return ManagementFactory.getPlatformMBeanServer()
                .queryNames(new ObjectName("Hadoop:service=DataNode,name=FSDatasetState*"), null);
    }

    private Configuration configuration() {
        Configuration conf = new Configuration();
        conf.set(
                DFSConfigKeys.DFS_DATANODE_DATA_DIR_KEY, stored.volume().toUri().toString());
        conf.set(DFSConfigKeys.DFS_DATANODE_FSDATASET_FACTORY_KEY, DATASETS + "HearthDatasetFactory");
        conf.set("hearth.datanode.deletion.delay.min.free.bytes", "0");
        conf.set("hearth.datanode.cache.mode", "on");
        conf.set("hearth.datanode.cache.dir", stored.ssd().toString());
        conf.set("hearth.datanode.cache.min.free.bytes", "0");
        conf.set("hearth.datanode.cache.max.bytes", "1048576");
        conf.set("hearth.datanode.cache.admission.reads", "0");
        return conf;
    }

    private DataStorage storage() throws IOException {
        DataStorage storage = mock(DataStorage.class, quietly());
        StorageDirectory folder = new StorageDirectory(
                StorageLocation.parse(stored.volume().toUri().toString()));
        folder.setStorageUuid(DatanodeStorage.generateUuid());
        when(storage.getStorageDir(0)).thenReturn(folder);
        when(storage.getNumStorageDirs()).thenReturn(1);
        when(storage.dirIterator()).thenAnswer(asked -> List.of(folder).iterator());
        return storage;
    }

    private void read(FsDatasetSpi<?> dataset) {
        Thread thread = Thread.currentThread();
        String before = thread.getName();
        thread.setName(SENDING);
        for (int time = 0; time < 3; time++) {
            calls.call("a read", () -> {
                ExtendedBlock block = stored.block(StoredBlocks.READ);
                try (InputStream meta = dataset.getMetaDataInputStream(block);
                        InputStream data = dataset.getBlockInputStream(block, 0)) {
                    if (meta.readAllBytes().length == 0 || !stored.isContent(data.readAllBytes())) {
                        calls.add("a read: it gave other bytes");
                    }
                }
            });
        }
        thread.setName(before);
        calls.call("checkBlock", () -> dataset.checkBlock(stored.block(StoredBlocks.READ), 1, ReplicaState.FINALIZED));
    }

    private void delete(FsDatasetSpi<?> dataset) {
        Block ofFile = stored.block(StoredBlocks.OF_DELETED_FILE).getLocalBlock();
        ofFile.setNumBytes(BlockCommand.NO_ACK);
        Block excess = stored.block(StoredBlocks.READ).getLocalBlock();
        calls.call(
                "invalidate",
                () -> dataset.invalidate(StoredBlocks.BLOCK_POOL, new Block[] {ofFile, new Block(excess)}));
        calls.call("the deletion", () -> await(() -> !dataset.contains(stored.block(StoredBlocks.OF_DELETED_FILE))));
        calls.call("getBlockReports", () -> await(() -> reported(dataset) == 1));
        // What waits is deleted at last, if a scanner finds it bad.
        String before = Thread.currentThread().getName();
        Thread.currentThread().setName("VolumeScannerThread(x)");
        calls.call("contains", () -> dataset.contains(stored.block(StoredBlocks.READ)));
        Thread.currentThread().setName(before);
        calls.call("the deletion that waited", () -> await(() -> !stored.isOnDisk(StoredBlocks.READ)));
    }

    private static int reported(FsDatasetSpi<?> dataset) {
        return dataset.getBlockReports(StoredBlocks.BLOCK_POOL)
                .values()
                .iterator()
                .next()
                .getNumberOfBlocks();
    }

    /** HDFS deletes in threads of its own. */
    private static void await(BooleanSupplier isDone) throws InterruptedException {
        for (long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10); !isDone.getAsBoolean(); Thread.sleep(5)) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("it does not end");
            }
        }
    }

    /** As Hadoop's timer and JMX ask them. */
    private static void askMetrics() {
        for (String name : List.of("HearthDeletionDelay", "HearthReadCache")) {
            MetricsSource source = DefaultMetricsSystem.instance().getSource(name);
            if (source != null) {
                source.getMetrics(new MetricsCollectorImpl(), true);
            }
        }
    }
}
