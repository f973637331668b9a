// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.test.GenericTestUtils.LogCapturer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** A reader whose replica has gone from a DataNode that is well: why {@code conf/regionserver} has dead node detection off (decision 69). */
class DeadNodeDetectionIT {

    private static final String DETECTION = "dfs.client.deadnode.detection.enabled";
    private static final Path FILE = new Path("/f");
    private static final short REPLICAS = 2;
    private static final int READS = 20;

    /** Longer than a probe takes to come. */
    private static final long PAUSE_MS = 400;

    @TempDir
    private java.nio.file.Path folder;

    @Test
    void withWhatConfSetsItFailsOnce() throws Exception {
        assertThat(failures(regionServer())).isEqualTo(1);
    }

    @Test
    void withDeadNodeDetectionItFailsAgainAndAgain() throws Exception {
        Configuration detecting = regionServer();
        detecting.setBoolean(DETECTION, true);

        assertThat(failures(detecting)).isGreaterThan(2);
    }

    private static Configuration regionServer() {
        Configuration conf = new HdfsConfiguration();
        conf.addResource(new Path(java.nio.file.Path.of("..", "conf", "regionserver", "hbase-site.xml")
                .toAbsolutePath()
                .toUri()));
        return conf;
    }

    /** How often a stream fails on a replica that goes after its first read. */
    private long failures(Configuration conf) throws Exception {
        conf.set("hdfs.minidfs.basedir", folder.toString());
        // Its default asks for the machine's own name, which the hosts file of the build's JVM does not hold.
        conf.set("hadoop.http.authentication.kerberos.principal", "HTTP/localhost@LOCALHOST");
        // The NameNode is not to bring the replica back.
        conf.setInt("dfs.namenode.redundancy.interval.seconds", 3_600);
        // Whenever it asks for locations again, on a slow machine within these reads, the client forgets who failed.
        conf.setLong("dfs.client.refresh.read-block-locations.ms", TimeUnit.MINUTES.toMillis(10));
        // What the clients of a JVM share goes by this name.
        conf.set("dfs.client.context", folder.getFileName().toString());
        try (MiniDFSCluster dfs =
                new MiniDFSCluster.Builder(conf).numDataNodes(REPLICAS).build()) {
            write(dfs);
            try (HdfsDataInputStream in =
                    (HdfsDataInputStream) dfs.getFileSystem().open(FILE)) {
                in.readFully(0, new byte[1]);
                takeReplica(dfs, in.getAllBlocks().get(0));
                return failures(in);
            }
        }
    }

    private static void write(MiniDFSCluster dfs) throws Exception {
        try (FSDataOutputStream out = dfs.getFileSystem().create(FILE, REPLICAS)) {
            out.write(new byte[10_000]);
        }
    }

    /** The replica that is read, the first that the stream knows. */
    private static void takeReplica(MiniDFSCluster dfs, LocatedBlock block) throws Exception {
        String uuid = block.getLocations()[0].getDatanodeUuid();
        DataNode holder = dfs.getDataNodes().stream()
                .filter(dataNode -> dataNode.getDatanodeUuid().equals(uuid))
                .findFirst()
                .orElseThrow();
        holder.getFSDataset().invalidate(block.getBlock().getBlockPoolId(), new Block[] {
            block.getBlock().getLocalBlock()
        });
        await().atMost(Duration.ofSeconds(10))
                .until(() -> !holder.getFSDataset().contains(block.getBlock()));
    }

    private static long failures(HdfsDataInputStream in) throws Exception {
        LogCapturer log = LogCapturer.captureLogs(LoggerFactory.getLogger(DFSClient.class));
        try {
            for (int read = 0; read < READS; read++) {
                in.readFully(0, new byte[1]);
                TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
            }
        } finally {
            log.stopCapturing();
        }
        return log.getOutput()
                .lines()
                .filter(line -> line.contains("Connection failure: Failed to connect"))
                .count();
    }
}
