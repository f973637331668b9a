package io.hearth.cluster;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi.FsVolumeReferences;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.FsVolumeImpl;
import org.apache.hadoop.net.NetUtils;

/** The HDFS of an embedded cluster: one NameNode, and a DataNode on each host. Not thread-safe. */
final class EmbeddedHdfs implements AutoCloseable {
    private final MiniDFSCluster cluster;

    private EmbeddedHdfs(MiniDFSCluster cluster) {
        this.cluster = cluster;
    }

    /** Starts it and puts its address into the configuration. */
    static EmbeddedHdfs start(Configuration conf, List<ClusterHost> hosts) throws IOException {
        MiniDFSCluster cluster = new MiniDFSCluster.Builder(conf)
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
        conf.set("fs.defaultFS", cluster.getURI().toString());
        return new EmbeddedHdfs(cluster);
    }

    private static Configuration overlay(ClusterHost host) {
        Configuration overlay = new Configuration(false);
        HostSocketFactory.install(overlay, host);
        overlay.set("dfs.datanode.address", host.address() + ":0");
        overlay.set("dfs.datanode.http.address", host.address() + ":0");
        overlay.set("dfs.datanode.ipc.address", host.address() + ":0");
        return overlay;
    }

    DistributedFileSystem fileSystem() throws IOException {
        return cluster.getFileSystem();
    }

    /** Stops the DataNode of that host, if it runs, and has the NameNode count it as dead at once. */
    void stopDataNode(String hostName) throws IOException {
        List<DataNode> dataNodes = cluster.getDataNodes();
        for (int i = 0; i < dataNodes.size(); i++) {
            DataNode dataNode = dataNodes.get(i);
            if (dataNode.getDatanodeId().getHostName().equals(hostName)) {
                cluster.stopDataNode(i);
                cluster.setDataNodeDead(dataNode.getDatanodeId());
                return;
            }
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
        cluster.shutdown(true);
    }
}
