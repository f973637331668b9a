package io.hearth.cluster;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.MiniHBaseCluster.MiniHBaseClusterRegionServer;

/**
 * A RegionServer that runs as a thread of this JVM, on a host of its own, and can be killed.
 *
 * <p>HBase leaves the flusher, the WAL roller and the chores of a killed RegionServer running, because it thinks that
 * the process is about to end. Here it is not, so they are stopped once the server is gone.
 */
public final class EmbeddedRegionServer extends MiniHBaseClusterRegionServer {
    private volatile boolean killed;

    /** Called by HBase, by reflection. */
    public EmbeddedRegionServer(Configuration conf) throws IOException, InterruptedException {
        super(conf);
    }

    static void install(Configuration conf, ClusterHost host) {
        conf.set("hbase.unsafe.regionserver.hostname", host.name());
        conf.set("hbase.regionserver.ipc.address", host.address());
        HostSocketFactory.install(conf, host);
    }

    /** Dies as by {@code kill -9}: nothing is flushed, no region is closed, the ZooKeeper session ends. */
    @Override
    public void kill() {
        killed = true;
        super.kill();
    }

    @Override
    public void run() {
        super.run();
        if (killed) {
            stopServiceThreads();
        }
    }
}
