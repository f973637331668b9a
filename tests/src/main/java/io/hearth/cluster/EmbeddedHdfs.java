package io.hearth.cluster;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
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

    @Override
    public void close() {
        cluster.shutdown(true);
    }
}
