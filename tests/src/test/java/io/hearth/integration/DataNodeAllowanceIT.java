// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hearth.healer.hdfs.HdfsAdapter;
import io.hearth.healer.model.DataNode;
import io.hearth.healer.move.MoveExecutor.DataNodeLimits;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real DataNode says what block moves may take of it, also what it was told after its start. */
class DataNodeAllowanceIT {

    private static final org.apache.hadoop.fs.Path ROOT = new org.apache.hadoop.fs.Path("/hbase");

    @TempDir
    private Path folder;

    @Test
    void theLimitIsTheDataNodesOwn() throws Exception {
        Configuration conf = new HdfsConfiguration();
        conf.set("hdfs.minidfs.basedir", folder.toString());
        conf.set("dfs.datanode.balance.bandwidthPerSec", "7m");
        conf.setInt("dfs.heartbeat.interval", 1);
        // Its default asks for the machine's own name, which the hosts file of the build's JVM does not hold.
        conf.set("hadoop.http.authentication.kerberos.principal", "HTTP/localhost@LOCALHOST");
        try (MiniDFSCluster dfs =
                new MiniDFSCluster.Builder(conf).numDataNodes(1).build()) {
            dfs.getFileSystem().mkdirs(ROOT);
            assertThat(said(dfs.getFileSystem())).isEqualTo(7 << 20);

            dfs.getFileSystem().setBalancerBandwidth(5_000_000);
            await("the DataNode hears of it with a heartbeat")
                    .atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(said(dfs.getFileSystem())).isEqualTo(5_000_000));
        }
    }

    /** Of a healer whose own configuration says nothing. */
    private static long said(DistributedFileSystem fs) throws IOException {
        try (HdfsAdapter adapter = HdfsAdapter.to(fs, ROOT, new Configuration(false), Runnable::run)) {
            DataNode node = adapter.dataNodes().list().ifKnown().orElseThrow().byId().values().stream()
                    .findFirst()
                    .orElseThrow();
            assertThat(adapter.allowance().of(node))
                    .as("HDFS's defaults, until it has said")
                    .isEqualTo(new DataNodeLimits(100, 100 << 20));
            return adapter.allowance().of(node).bytesPerSecond();
        }
    }
}
