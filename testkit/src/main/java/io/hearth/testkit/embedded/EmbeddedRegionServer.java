// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.embedded;

import java.io.IOException;
import java.security.PrivilegedAction;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.security.User;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A RegionServer that runs as a thread of this JVM, on a host of its own, and can be killed.
 *
 * <p>It runs as a Hadoop user of its own, because Hadoop keeps one file system, and so one address to call from, per
 * user. HBase leaves the threads, streams and file system of a killed RegionServer as they are, because it thinks that
 * the process is about to end. Here it is not, so they are closed once the server is gone; nobody outside can notice.
 */
public final class EmbeddedRegionServer extends HRegionServer {
    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedRegionServer.class);

    private final User user;
    private volatile boolean killed;

    /** Called by HBase, by reflection, as the user that the server is to run as. */
    public EmbeddedRegionServer(Configuration conf) throws IOException {
        super(conf);
        this.user = User.getCurrent();
    }

    static void install(Configuration conf, ClusterHost host) {
        conf.set("hbase.unsafe.regionserver.hostname", host.name());
        conf.set("hbase.regionserver.ipc.address", host.address());
        HostSocketFactory.install(conf, host);
        // Else it would take over connections that another host's server has opened.
        conf.set("dfs.client.context", conf.get("dfs.client.context", "default") + "-" + host.name());
    }

    /** Dies as by {@code kill -9}: nothing is flushed, no region is closed, the ZooKeeper session ends. */
    @Override
    public void kill() {
        killed = true;
        super.kill();
    }

    @Override
    public void run() {
        asUser(this::serve);
        if (killed) {
            stopServiceThreads();
            for (HRegion region : List.copyOf(getOnlineRegionsLocalContext())) {
                region.getStores().forEach(EmbeddedRegionServer::closeStreams);
            }
        }
        closeFileSystem();
    }

    private void serve() {
        super.run();
    }

    @Override
    public void abort(String reason, Throwable cause) {
        asUser(() -> super.abort(reason, cause));
    }

    private void asUser(Runnable action) {
        user.runAs((PrivilegedAction<Boolean>) () -> {
            action.run();
            return true;
        });
    }

    private static void closeStreams(HStore store) {
        for (HStoreFile file : store.getStorefiles()) {
            try {
                file.closeStoreFile(false);
            } catch (IOException | RuntimeException e) {
                LOG.warn("A stream of the killed server stays open: {}", file, e);
            }
        }
    }

    private void closeFileSystem() {
        try {
            getFileSystem().close();
        } catch (IOException | RuntimeException e) {
            LOG.warn("The file system of {} did not close cleanly", getServerName(), e);
        }
    }
}
