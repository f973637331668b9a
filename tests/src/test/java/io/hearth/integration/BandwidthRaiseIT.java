// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hearth.healer.core.BandwidthRaise;
import io.hearth.healer.core.BandwidthRaise.DataNodeBandwidth;
import io.hearth.healer.core.BandwidthRaise.NotPermittedException;
import io.hearth.healer.core.BandwidthRaise.RaisedBandwidth;
import io.hearth.healer.hdfs.HdfsAdapter;
import java.io.IOException;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.security.UserGroupInformation;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What block moves may take of real DataNodes is asked, raised by the NameNode's heartbeats, kept in a file and put back. */
class BandwidthRaiseIT {

    private static final org.apache.hadoop.fs.Path ROOT = new org.apache.hadoop.fs.Path("/hbase");
    private static final org.apache.hadoop.fs.Path KEPT =
            new org.apache.hadoop.fs.Path("/hbase/.hearth/healer.bandwidth");
    private static final long BEFORE = 7 << 20;
    private static final long RAISED = 70 << 20;

    @TempDir
    private static Path folder;

    private static MiniDFSCluster dfs;
    private static final ExecutorService THREADS = Executors.newCachedThreadPool();

    @BeforeAll
    static void start() throws IOException {
        Configuration conf = new HdfsConfiguration();
        conf.set("hdfs.minidfs.basedir", folder.toString());
        conf.set("dfs.datanode.balance.bandwidthPerSec", "7m");
        conf.setInt("dfs.heartbeat.interval", 1);
        // Its default asks for the machine's own name, which the hosts file of the build's JVM does not hold.
        conf.set("hadoop.http.authentication.kerberos.principal", "HTTP/localhost@LOCALHOST");
        dfs = new MiniDFSCluster.Builder(conf).numDataNodes(3).build();
        dfs.getFileSystem().mkdirs(new org.apache.hadoop.fs.Path(ROOT, ".hearth"));
    }

    @AfterEach
    void nothingIsLeft() throws IOException {
        assertThat(dfs.getFileSystem().exists(KEPT)).isFalse();
    }

    @AfterAll
    static void stop() {
        THREADS.shutdownNow();
        dfs.close();
    }

    @Test
    void everyDataNodeIsRaisedAndPutBack() throws Exception {
        try (HdfsAdapter adapter = adapter()) {
            DataNodeBandwidth dataNodes = adapter.dataNodeBandwidth();
            assertThat(dataNodes.ask()).hasSize(3).containsValue(BEFORE);
            assertThat(dataNodes.loadRaised()).isEmpty();

            BandwidthRaise raise = raised(dataNodes, RAISED);
            assertInForce(dataNodes, RAISED);
            assertThat(dataNodes.loadRaised()).contains(new RaisedBandwidth(BEFORE, RAISED));
            raise.end(true);
            assertInForce(dataNodes, BEFORE);
        }
    }

    /** Each step of a killed healer's, and what the next one makes of it. */
    @Test
    void whatAKilledHealerHasRaisedIsPutBackByTheNextOne() throws Exception {
        try (HdfsAdapter killed = adapter();
                HdfsAdapter next = adapter()) {
            killed.dataNodeBandwidth().save(new RaisedBandwidth(BEFORE, RAISED));
            putBack(next.dataNodeBandwidth());
            assertThat(next.dataNodeBandwidth().loadRaised())
                    .as("written, not raised")
                    .isEmpty();
            assertInForce(next.dataNodeBandwidth(), BEFORE);

            BandwidthRaise unused = raised(killed.dataNodeBandwidth(), RAISED);
            assertInForce(killed.dataNodeBandwidth(), RAISED);
            putBack(next.dataNodeBandwidth());
            assertInForce(next.dataNodeBandwidth(), BEFORE);
        }
    }

    @Test
    void aFileThatNobodyCanReadIsNamed() throws Exception {
        try (HdfsAdapter adapter = adapter()) {
            dfs.getFileSystem().create(KEPT).close();
            Assertions.assertThatIOException()
                    .isThrownBy(() -> adapter.dataNodeBandwidth().loadRaised())
                    .withMessage(
                            "/hbase/.hearth/healer.bandwidth can't be read as what a healer writes there. Delete it, and"
                                    + " set the bandwidth of block moves with hdfs dfsadmin -setBalancerBandwidth.");
            adapter.dataNodeBandwidth().forgetRaised();
        }
    }

    @Test
    void whoIsNoSuperuserIsToldSo() throws Exception {
        dfs.getFileSystem().setPermission(ROOT, new FsPermission("777"));
        UserGroupInformation nobody = UserGroupInformation.createRemoteUser("nobody");
        nobody.doAs((PrivilegedExceptionAction<Void>) () -> {
            try (FileSystem fs = FileSystem.newInstance(dfs.getURI(), dfs.getConfiguration(0));
                    HdfsAdapter adapter = HdfsAdapter.to(fs, ROOT, new Configuration(false), THREADS)) {
                String line = "only an HDFS superuser may set the bandwidth of DataNodes"
                        + " (org.apache.hadoop.security.AccessControlException: Access denied for user nobody. Superuser"
                        + " privilege is required";
                Assertions.assertThatExceptionOfType(NotPermittedException.class)
                        .isThrownBy(() -> adapter.dataNodeBandwidth().ask())
                        .withMessageStartingWith(line)
                        .withMessageEndingWith(
                                "). Run it as the user of the NameNode, or add its user to dfs.permissions.superusergroup.");
                Assertions.assertThatExceptionOfType(NotPermittedException.class)
                        .isThrownBy(() -> adapter.dataNodeBandwidth().setAll(RAISED))
                        .withMessageStartingWith(line);
            }
            return null;
        });
        try (HdfsAdapter adapter = adapter()) {
            assertThat(adapter.dataNodeBandwidth().ask()).containsValue(BEFORE).doesNotContainValue(RAISED);
        }
    }

    /** A DataNode that restarts has its configured value again, and the others keep theirs. */
    @Test
    void aDataNodeThatRestartsForgetsIt() throws Exception {
        try (HdfsAdapter adapter = adapter()) {
            BandwidthRaise raise = raised(adapter.dataNodeBandwidth(), RAISED);
            assertInForce(adapter.dataNodeBandwidth(), RAISED);
            dfs.restartDataNode(0);
            dfs.waitActive();
            Map<String, Long> inForce = adapter.dataNodeBandwidth().ask();
            assertThat(inForce.values()).containsExactlyInAnyOrder(BEFORE, RAISED, RAISED);
            raise.end(true);
            assertInForce(adapter.dataNodeBandwidth(), BEFORE);
        }
    }

    private static BandwidthRaise raised(DataNodeBandwidth dataNodes, long bytesPerSecond) {
        BandwidthRaise raise = new BandwidthRaise(dataNodes, OptionalLong.of(bytesPerSecond));
        raise.doWork(true, 0);
        assertThat(raise.refusal()).isEmpty();
        return raise;
    }

    /** By the next healer, which raises nothing; at its second look it knows that what no DataNode has is not on its way to them. */
    private static void putBack(DataNodeBandwidth dataNodes) {
        BandwidthRaise next = new BandwidthRaise(dataNodes, OptionalLong.empty());
        next.doWork(true, 0);
        next.doWork(true, 10_000);
    }

    private static HdfsAdapter adapter() throws IOException {
        DistributedFileSystem fs = dfs.getFileSystem();
        return HdfsAdapter.to(fs, ROOT, new Configuration(false), THREADS);
    }

    private static void assertInForce(DataNodeBandwidth dataNodes, long bytesPerSecond) {
        await("every DataNode hears of it with a heartbeat")
                .atMost(Duration.ofSeconds(30))
                .untilAsserted(
                        () -> assertThat(dataNodes.ask().values()).hasSize(3).containsOnly(bytesPerSecond));
    }
}
