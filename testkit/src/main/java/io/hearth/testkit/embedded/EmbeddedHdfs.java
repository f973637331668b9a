// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.embedded;

import java.io.IOException;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi.FsVolumeReferences;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.FsVolumeImpl;
import org.apache.hadoop.hdfs.server.namenode.ha.HATestUtil;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.net.NetUtils;

/** The HDFS of an embedded cluster: a NameNode, or two of which one is active, and a DataNode on each host. Not thread-safe. */
final class EmbeddedHdfs implements AutoCloseable {

    private static final String NAME_SERVICE = "hearth";
    private static final long LEASE_HARD_LIMIT_MS = 20 * 60_000;

    private final MiniDFSCluster cluster;
    private final DistributedFileSystem fileSystem;
    private final Map<String, DataNodeProperties> stoppedByHost = new HashMap<>();

    private EmbeddedHdfs(MiniDFSCluster cluster, DistributedFileSystem fileSystem) {
        this.cluster = cluster;
        this.fileSystem = fileSystem;
    }

    /** Starts it and puts its address into the configuration: a name service's where a second NameNode stands by. */
    static EmbeddedHdfs start(Configuration conf, List<ClusterHost> hosts, boolean standby) throws IOException {
        MiniDFSCluster cluster = new MiniDFSCluster.Builder(conf)
                .nnTopology(standby ? MiniDFSNNTopology.simpleHATopology() : MiniDFSNNTopology.simpleSingleNN(0, 0))
                .numDataNodes(hosts.size())
                .storagesPerDatanode(1)
                .hosts(hosts.stream().map(ClusterHost::name).toArray(String[]::new))
                .racks(hosts.stream().map(ClusterHost::rack).toArray(String[]::new))
                .useConfiguredTopologyMappingClass(true)
                .checkDataNodeAddrConfig(true)
                .dataNodeConfOverlays(hosts.stream().map(EmbeddedHdfs::overlay).toArray(Configuration[]::new))
                .checkExitOnShutdown(false)
                .build();
        // MiniDFSCluster has told Hadoop that every host is localhost.
        hosts.forEach(host -> NetUtils.addStaticResolution(host.name(), host.address()));
        if (standby) {
            cluster.transitionToActive(0);
            HATestUtil.setFailoverConfigurations(cluster, conf, NAME_SERVICE);
        } else {
            conf.set("fs.defaultFS", cluster.getURI().toString());
        }
        return new EmbeddedHdfs(cluster, (DistributedFileSystem) FileSystem.newInstance(conf));
    }

    private static Configuration overlay(ClusterHost host) {
        Configuration overlay = new Configuration(false);
        HostSocketFactory.install(overlay, host);
        overlay.set("dfs.datanode.address", host.address() + ":0");
        overlay.set("dfs.datanode.http.address", host.address() + ":0");
        overlay.set("dfs.datanode.ipc.address", host.address() + ":0");
        return overlay;
    }

    DistributedFileSystem fileSystem() {
        return fileSystem;
    }

    /** Makes the NameNode active that stands by. */
    void failOver() throws IOException {
        int active = cluster.getNameNode(0).isActiveState() ? 0 : 1;
        cluster.transitionToStandby(active);
        cluster.transitionToActive(1 - active);
    }

    /** Restarts both NameNodes, first the one that stands by, which becomes active before the other one goes. */
    void restartNameNodes() throws IOException {
        restartStandby();
        failOver();
        restartStandby();
    }

    private void restartStandby() throws IOException {
        int standby = cluster.getNameNode(0).isActiveState() ? 1 : 0;
        cluster.restartNameNode(standby, true);
    }

    /** Restarts the DataNode of that host at its ports, or starts one that was stopped; returns when the NameNodes have heard of it. */
    void restartDataNode(String hostName) throws IOException {
        DataNodeProperties stopped = stoppedByHost.remove(hostName);
        List<DataNode> dataNodes = cluster.getDataNodes();
        for (int i = 0; i < dataNodes.size() && stopped == null; i++) {
            if (dataNodes.get(i).getDatanodeId().getHostName().equals(hostName)) {
                stopped = cluster.stopDataNode(i);
            }
        }
        if (stopped != null) {
            cluster.restartDataNode(stopped, true);
            cluster.waitActive();
        }
    }

    /** Has every DataNode tell the NameNodes all that it has. */
    void reportBlocks() throws IOException {
        cluster.triggerBlockReports();
    }

    /** Stops the DataNode of that host, if it runs, and has the NameNode count it as dead at once. */
    void stopDataNode(String hostName) throws IOException {
        List<DataNode> dataNodes = cluster.getDataNodes();
        for (int i = 0; i < dataNodes.size(); i++) {
            DataNode dataNode = dataNodes.get(i);
            if (dataNode.getDatanodeId().getHostName().equals(hostName)) {
                stoppedByHost.put(hostName, cluster.stopDataNode(i));
                cluster.setDataNodeDead(dataNode.getDatanodeId());
                return;
            }
        }
    }

    /** How long a lease stays with a client that does not renew it, though another one asks. */
    void setLeaseSoftLimit(Duration limit) {
        for (int nameNode = 0; nameNode < cluster.getNumNameNodes(); nameNode++) {
            cluster.setLeasePeriod(limit.toMillis(), LEASE_HARD_LIMIT_MS, nameNode);
        }
    }

    /** Stops the NameNode; the DataNodes go on. */
    void stopNameNode() {
        cluster.shutdownNameNode(0);
    }

    /** Starts the NameNode again at its address; returns when it serves and has heard of every DataNode. */
    void startNameNode() throws IOException {
        cluster.restartNameNode(0, true);
        cluster.waitActive();
    }

    /** Leaves no room on the DataNode of that host, or gives back what was taken. */
    void setFull(String hostName, boolean full) throws IOException {
        for (DataNode dataNode : cluster.getDataNodes()) {
            if (dataNode.getDatanodeId().getHostName().equals(hostName)) {
                setFull(dataNode, full);
            }
        }
    }

    private static void setFull(DataNode dataNode, boolean full) throws IOException {
        try (FsVolumeReferences volumes = dataNode.getFSDataset().getFsVolumeReferences()) {
            for (FsVolumeSpi volume : volumes) {
                // One byte is less than any block; with a negative capacity a volume asks the disk.
                ((FsVolumeImpl) volume).setCapacityForTesting(full ? 1 : -1);
            }
        }
        DataNodeTestUtils.triggerHeartbeat(dataNode);
    }

    @Override
    public void close() {
        IOUtils.closeStream(fileSystem);
        cluster.shutdown(true);
    }

    /**
     * Seeds the HDFS client's cache of local addresses so that no host of the embedded cluster is local.
     *
     * <p>To the HDFS client every 127.x address is local, and a stream whose blocks are all local never asks the NameNode
     * again where they are ({@code DFSInputStream.allBlocksLocal}). With the cache seeded the streams of every RegionServer
     * follow block moves, as they do on separate machines.
     */
    @SuppressWarnings("unchecked")
    static void noneIsLocal(List<ClusterHost> hosts) {
        try {
            Field field = DFSUtilClient.class.getDeclaredField("localAddrMap");
            field.setAccessible(true);
            Map<String, Boolean> localByAddress = (Map<String, Boolean>) field.get(null);
            hosts.forEach(host -> localByAddress.put(host.address(), false));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("DFSUtilClient.localAddrMap is not what it was in Hadoop 3.4.3", e);
        }
    }
}
