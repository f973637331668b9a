// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.namenode;

import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.BlockListAsLongs;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.security.token.block.ExportedBlockKeys;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.NodeType;
import org.apache.hadoop.hdfs.server.common.StorageInfo;
import org.apache.hadoop.hdfs.server.protocol.BlockReportContext;
import org.apache.hadoop.hdfs.server.protocol.DatanodeRegistration;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.hdfs.server.protocol.NamenodeProtocols;
import org.apache.hadoop.hdfs.server.protocol.NamespaceInfo;
import org.apache.hadoop.hdfs.server.protocol.ReceivedDeletedBlockInfo;
import org.apache.hadoop.hdfs.server.protocol.ReceivedDeletedBlockInfo.BlockStatus;
import org.apache.hadoop.hdfs.server.protocol.SlowDiskReports;
import org.apache.hadoop.hdfs.server.protocol.SlowPeerReports;
import org.apache.hadoop.hdfs.server.protocol.StorageBlockReport;
import org.apache.hadoop.hdfs.server.protocol.StorageReceivedDeletedBlocks;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;
import org.apache.hadoop.io.EnumSetWritable;
import org.apache.hadoop.util.VersionInfo;

/**
 * A NameNode in this JVM, with the files of many regions and three replicas of each of their blocks: as it is with DataNodes, though
 * there are none. What DataNodes would tell it is told by its own RPC interface, so that a million blocks take minutes and no disk.
 * Not thread-safe.
 */
final class NameNodeOfManyBlocks implements AutoCloseable {

    private static final int DATANODES = 12;
    private static final short REPLICAS = 3;
    private static final long BLOCK_BYTES = 128L << 20;
    private static final long DISK_BYTES = 1L << 50;
    private static final String CLIENT = "bench";

    /** A DataNode that has registered, and its one volume. */
    private record Registered(DatanodeRegistration node, DatanodeStorage storage) {}

    private final MiniDFSCluster cluster;
    private final NamenodeProtocols nameNode;
    private final Map<String, Registered> nodeByUuid = new HashMap<>();

    private NameNodeOfManyBlocks(MiniDFSCluster cluster) {
        this.cluster = cluster;
        this.nameNode = cluster.getNameNodeRpc();
    }

    /** Starts it, with its files below this folder of the disk. */
    static NameNodeOfManyBlocks start(Path folder) throws IOException {
        Configuration conf = new HdfsConfiguration();
        conf.set("hdfs.minidfs.basedir", folder.toString());
        conf.set("hadoop.http.authentication.kerberos.principal", "HTTP/localhost@LOCALHOST");
        // Nobody sends heartbeats after the first ones.
        conf.setLong("dfs.namenode.heartbeat.recheck-interval", Integer.MAX_VALUE);
        conf.setBoolean("dfs.namenode.redundancy.considerLoad", false);
        conf.setBoolean("dfs.namenode.datanode.registration.ip-hostname-check", false);
        NameNodeOfManyBlocks started = new NameNodeOfManyBlocks(
                new MiniDFSCluster.Builder(conf).numDataNodes(0).build());
        for (int node = 0; node < DATANODES; node++) {
            started.register(node);
        }
        return started;
    }

    private void register(int number) throws IOException {
        NamespaceInfo namespace = nameNode.versionRequest();
        DatanodeID id = new DatanodeID(
                "127.0.1." + (1 + number), "dn" + number, UUID.randomUUID().toString(), 9866, 9864, 0, 9867);
        DatanodeRegistration node = nameNode.registerDatanode(new DatanodeRegistration(
                id,
                new StorageInfo(
                        namespace.getLayoutVersion(),
                        namespace.getNamespaceID(),
                        namespace.getClusterID(),
                        namespace.getCTime(),
                        NodeType.DATA_NODE),
                new ExportedBlockKeys(),
                VersionInfo.getVersion()));
        DatanodeStorage storage = new DatanodeStorage(DatanodeStorage.generateUuid());
        StorageReport report = new StorageReport(storage, false, DISK_BYTES, 0, DISK_BYTES, 0, 0);
        nameNode.sendHeartbeat(
                node,
                new StorageReport[] {report},
                0,
                0,
                0,
                0,
                0,
                null,
                true,
                SlowPeerReports.EMPTY_REPORT,
                SlowDiskReports.EMPTY_REPORT);
        nameNode.blockReport(
                node,
                namespace.getBlockPoolID(),
                new StorageBlockReport[] {new StorageBlockReport(storage, BlockListAsLongs.EMPTY)},
                new BlockReportContext(1, 0, 1L + number, 0));
        nodeByUuid.put(id.getDatanodeUuid(), new Registered(node, storage));
    }

    /** A file of so many blocks, as it is once its writer has closed it. */
    void file(String path, int blocks) throws IOException {
        HdfsFileStatus file = nameNode.create(
                path,
                FsPermission.getFileDefault(),
                CLIENT,
                new EnumSetWritable<>(EnumSet.of(CreateFlag.CREATE)),
                true,
                REPLICAS,
                BLOCK_BYTES,
                null,
                null,
                null);
        ExtendedBlock last = null;
        for (int block = 0; block < blocks; block++) {
            LocatedBlock added =
                    nameNode.addBlock(path, CLIENT, last, new DatanodeInfo[0], file.getFileId(), null, null);
            last = added.getBlock();
            last.setNumBytes(BLOCK_BYTES);
            for (DatanodeInfo holder : added.getLocations()) {
                received(
                        Optional.ofNullable(nodeByUuid.get(holder.getDatanodeUuid()))
                                .orElseThrow(),
                        last);
            }
        }
        if (!nameNode.complete(path, CLIENT, last, file.getFileId())) {
            throw new IOException("The NameNode does not close " + path + ".");
        }
    }

    private void received(Registered holder, ExtendedBlock block) throws IOException {
        ReceivedDeletedBlockInfo received =
                new ReceivedDeletedBlockInfo(block.getLocalBlock(), BlockStatus.RECEIVED_BLOCK, null);
        cluster.getNamesystem()
                .processIncrementalBlockReport(
                        holder.node(),
                        new StorageReceivedDeletedBlocks(holder.storage(), new ReceivedDeletedBlockInfo[] {received}));
    }

    long blocks() {
        return cluster.getNamesystem().getBlocksTotal();
    }

    DistributedFileSystem fileSystem() throws IOException {
        return cluster.getFileSystem();
    }

    @Override
    public void close() {
        cluster.shutdown(true);
    }
}
