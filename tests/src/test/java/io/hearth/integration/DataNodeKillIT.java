// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** DataNodes in processes of their own, one of which is killed while a deletion waits there. */
@Tag("soak")
class DataNodeKillIT {

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final org.apache.hadoop.fs.Path FILE = new org.apache.hadoop.fs.Path("/f");

    private static final int BYTES = 10_000;

    /** Nobody else's in this build, and below those that the system gives out. */
    private static final int FIRST_PORT = 29_860;

    @TempDir
    private Path folder;

    private DistributedFileSystem fs;

    @Test
    void whatWaitedAtAKillStaysUntilTheNameNodeOrdersItAgain() throws Exception {
        try (MiniDFSCluster dfs = startNameNode();
                DataNodeProcess first = startDataNode(dfs, 0);
                DataNodeProcess second = startDataNode(dfs, 1)) {
            fs = dfs.getFileSystem();
            await().atMost(PATIENCE).until(() -> fs.getDataNodeStats().length == 2);
            writeFile();
            await().atMost(PATIENCE).until(() -> first.replicas() + second.replicas() == 2);
            readOnBoth();
            fs.setReplication(FILE, (short) 1);
            await("a deletion waits")
                    .atMost(PATIENCE)
                    .until(() -> first.metric("PendingReplicas") + second.metric("PendingReplicas") == 1);
            DataNodeProcess killed = first.metric("PendingReplicas") == 1 ? first : second;

            killed.kill();
            assertThat(killed.replicas()).as("a kill deletes nothing").isEqualTo(1);
            killed.start();
            await("it has reported").atMost(PATIENCE).until(() -> killed.metric("BlockReportsNumOps") > 0);
            killed.report();
            await("it has reported more than once")
                    .atMost(PATIENCE)
                    .until(() -> killed.metric("BlockReportsNumOps") > 1);
            assertThat(killed.replicas()).as("no report has it ordered again").isEqualTo(1);
            assertThat(killed.metric("Delayed") + killed.metric("NotRead")).isZero();

            dfs.restartNameNode(0);
            // Of either: here it goes at once, since nobody has read it since, and there it waits.
            await("a NameNode that was restarted orders what is surplus")
                    .atMost(PATIENCE)
                    .until(() -> first.staying() + second.staying() == 1);
            try (FSDataInputStream in = fs.open(FILE)) {
                assertThat(in.readAllBytes()).hasSize(BYTES);
            }
        }
    }

    private MiniDFSCluster startNameNode() throws IOException {
        HdfsConfiguration conf = new HdfsConfiguration();
        conf.set("hdfs.minidfs.basedir", folder.resolve("dfs").toString());
        // Its default asks for the machine's own name, which the hosts file of the build's JVM does not hold.
        conf.set("hadoop.http.authentication.kerberos.principal", "HTTP/localhost@LOCALHOST");
        conf.setInt("dfs.namenode.redundancy.interval.seconds", 1);
        return new MiniDFSCluster.Builder(conf).numDataNodes(0).build();
    }

    private DataNodeProcess startDataNode(MiniDFSCluster dfs, int number) throws IOException {
        return DataNodeProcess.start(
                folder.resolve("dn" + number),
                dfs.getURI(),
                FIRST_PORT + 3 * number,
                Map.of(
                        "hearth.datanode.deletion.delay.ms", "3600000",
                        "hearth.datanode.deletion.delay.min.free.bytes", "0"));
    }

    private void writeFile() throws IOException {
        try (FSDataOutputStream out = fs.create(FILE, (short) 2)) {
            out.write(new byte[BYTES]);
        }
    }

    /** The NameNode gives holders in any order, since both are equally near. */
    private void readOnBoth() {
        Set<String> readOn = new HashSet<>();
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(20)).until(() -> {
            try (HdfsDataInputStream in = (HdfsDataInputStream) fs.open(FILE)) {
                in.read();
                readOn.add(in.getCurrentDatanode().getDatanodeUuid());
            }
            return readOn.size() == 2;
        });
    }
}
