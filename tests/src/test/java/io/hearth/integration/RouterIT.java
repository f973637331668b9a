// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.healer.hdfs.HdfsAdapter;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.federation.router.Router;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Healing where HBase's root folder is reached through a router of router-based federation. */
@Tag("soak")
class RouterIT {

    @TempDir
    private Path folder;

    @Test
    void throughARouterNothingMayBeMovedAndOneLineSaysSo() throws Exception {
        Configuration conf = new Configuration();
        conf.set("hdfs.minidfs.basedir", folder.resolve("dfs").toString());
        conf.setBoolean("fs.automatic.close", false);
        // Its default asks for the machine's own name, which the hosts file of the build's JVM does not hold.
        conf.set("hadoop.http.authentication.kerberos.principal", "HTTP/localhost@LOCALHOST");
        try (MiniDFSCluster hdfs =
                        new MiniDFSCluster.Builder(conf).numDataNodes(1).build();
                Router router = router(hdfs)) {
            hdfs.waitActive();
            InetSocketAddress address = router.getRpcServerAddress();
            URI federation = URI.create("hdfs://" + address.getHostString() + ":" + address.getPort());
            org.apache.hadoop.fs.Path root = new org.apache.hadoop.fs.Path("/hbase");
            hdfs.getFileSystem().mkdirs(root);
            try (FileSystem throughRouter = FileSystem.newInstance(federation, conf)) {
                assertThat(missingPrivilege(throughRouter, root, conf))
                        .isEqualTo(federation
                                + " is a router (router-based federation), through which healing is not supported. Set"
                                + " hbase.rootdir to the name service of the NameNodes that hold it, where healing"
                                + " runs.");
            }
            try (FileSystem direct = FileSystem.newInstance(hdfs.getURI(), conf)) {
                assertThat(missingPrivilege(direct, root, conf))
                        .as("by its NameNode")
                        .isEmpty();
            }
        }
    }

    /** What keeps the healer from moving anything; nothing where it may. */
    private static String missingPrivilege(FileSystem fs, org.apache.hadoop.fs.Path root, Configuration conf)
            throws Exception {
        try (HdfsAdapter adapter = HdfsAdapter.to(fs, root, conf, Runnable::run)) {
            return adapter.mover().missingPrivilege().orElse("");
        }
    }

    /** A router that has not heard of its name service yet: what NameNodes alone are asked it refuses by itself. */
    private static Router router(MiniDFSCluster hdfs) {
        Configuration conf = new Configuration(hdfs.getConfiguration(0));
        conf.set("dfs.federation.router.default.nameserviceId", "ns0");
        conf.setBoolean("dfs.federation.router.store.enable", false);
        conf.setBoolean("dfs.federation.router.heartbeat.enable", false);
        conf.setBoolean("dfs.federation.router.namenode.heartbeat.enable", false);
        conf.setBoolean("dfs.federation.router.safemode.enable", false);
        conf.setBoolean("dfs.federation.router.http.enable", false);
        conf.setBoolean("dfs.federation.router.admin.enable", false);
        conf.setBoolean("dfs.federation.router.metrics.enable", false);
        conf.set("dfs.federation.router.rpc-address", "localhost:0");
        conf.set("dfs.federation.router.rpc-bind-host", "127.0.0.1");
        conf.set("dfs.federation.router.kerberos.principal.hostname", "localhost");
        Router router = new Router();
        router.setRouterId("router");
        router.init(conf);
        router.start();
        return router;
    }
}
