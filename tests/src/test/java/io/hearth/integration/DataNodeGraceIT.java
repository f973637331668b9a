package io.hearth.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The DataNode jar in stock DataNodes: two lines of hdfs-site.xml. */
class DataNodeGraceIT {

    private static final org.apache.hadoop.fs.Path FILE = new org.apache.hadoop.fs.Path("/f");
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final int DATANODES = 3;

    @TempDir
    private Path folder;

    private MiniDFSCluster cluster;
    private DistributedFileSystem fileSystem;

    @BeforeEach
    void aClusterWhoseReplacedReplicasWaitAnHour() throws IOException {
        writeSite("3600000", 1_000);
        HdfsConfiguration conf = new HdfsConfiguration();
        conf.setClassLoader(new URLClassLoader(
                new URL[] {folder.toUri().toURL()}, getClass().getClassLoader()));
        conf.reloadConfiguration();
        conf.set("hdfs.minidfs.basedir", folder.resolve("dfs").toString());
        conf.setInt("dfs.heartbeat.interval", 1);
        conf.setInt("dfs.namenode.redundancy.interval.seconds", 1);
        conf.setInt("dfs.namenode.path.based.cache.refresh.interval.ms", 1_000);
        cluster = new MiniDFSCluster.Builder(conf).numDataNodes(DATANODES).build();
        fileSystem = cluster.getFileSystem();
    }

    @AfterEach
    void stop() {
        cluster.shutdown(true);
    }

    /** One cluster for all of it: the metrics of a JVM do not forget the names of DataNodes that are gone. */
    @Test
    void replacedReplicasWaitUntilTheSettingsOrAStopEndIt() throws Exception {
        aReplacedReplicaWaitsAndADeletedFileDoesNot();
        theSettingsAreLive();
        aCleanStopIssuesWhatWaits();
    }

    private void aReplacedReplicaWaitsAndADeletedFileDoesNot() throws Exception {
        ExtendedBlock block = writeFileAndTakeAReplicaAway();

        assertThat(holders(block)).hasSize(DATANODES);
        assertThat(metric("PendingReplicas")).isEqualTo(1);
        assertThat(metric("PendingBytes")).isEqualTo(block.getNumBytes());

        cluster.triggerBlockReports();
        await("the NameNode does not count on a replica that waits")
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(fileSystem.getFileBlockLocations(FILE, 0, 1)[0].getHosts())
                        .hasSize(DATANODES - 1));
        assertThat(holders(block)).as("and it is still there").hasSize(DATANODES);

        fileSystem.delete(FILE, false);
        await("the replicas of a deleted file go at once, all but the one that the NameNode has forgotten")
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(holders(block)).hasSize(1));
        assertThat(metric("PendingReplicas")).isEqualTo(1);
    }

    private void theSettingsAreLive() throws Exception {
        ExtendedBlock block = writeFileAndTakeAReplicaAway();
        assertThat(holders(block)).hasSize(DATANODES);
        assertThat(metric("PendingReplicas")).isEqualTo(2);

        writeSite("0", 2_000);
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(holders(block)).hasSize(DATANODES - 1));
        assertThat(metric("PendingReplicas")).isZero();
        assertThat(metric("ReleasedInTime")).isEqualTo(2);

        writeSite("3600000", 3_000);
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(metric("GraceMs")).isEqualTo(DATANODES * 3_600_000L));
        fileSystem.delete(FILE, false);
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(blockFiles()).isEmpty());
    }

    private void aCleanStopIssuesWhatWaits() throws Exception {
        ExtendedBlock block = writeFileAndTakeAReplicaAway();
        assertThat(holders(block)).hasSize(DATANODES);

        for (DataNode dataNode : List.copyOf(cluster.getDataNodes())) {
            dataNode.shutdown();
        }

        assertThat(blockFiles()).hasSize(DATANODES - 1);
    }

    /** Writes a block with a replica on each DataNode, has the NameNode take one away, and waits until that is ordered. */
    private ExtendedBlock writeFileAndTakeAReplicaAway() throws IOException {
        try (FSDataOutputStream out = fileSystem.create(FILE, (short) DATANODES)) {
            out.write(new byte[10_000]);
        }
        ExtendedBlock block;
        try (HdfsDataInputStream in = (HdfsDataInputStream) fileSystem.open(FILE)) {
            block = in.getAllBlocks().get(0).getBlock();
        }
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(holders(block)).hasSize(DATANODES));
        long delayed = metric("Delayed");
        fileSystem.setReplication(FILE, (short) (DATANODES - 1));
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(metric("Delayed")).isEqualTo(delayed + 1));
        return block;
    }

    private List<DataNode> holders(ExtendedBlock block) {
        return cluster.getDataNodes().stream()
                .filter(dataNode -> dataNode.getFSDataset().contains(block))
                .toList();
    }

    private List<Path> blockFiles() throws IOException {
        try (Stream<Path> files = Files.walk(folder.resolve("dfs"))) {
            return files.filter(file -> file.getFileName().toString().matches("blk_\\d+"))
                    .toList();
        }
    }

    /** The sum over the DataNodes, by the metrics system of this JVM. */
    private static long metric(String name) {
        long sum = 0;
        for (String source : sources()) {
            MetricsCollectorImpl collector = new MetricsCollectorImpl();
            DefaultMetricsSystem.instance().getSource(source).getMetrics(collector, true);
            for (var record : collector.getRecords()) {
                for (AbstractMetric metric : record.metrics()) {
                    sum += metric.name().equals(name) ? metric.value().longValue() : 0;
                }
            }
        }
        return sum;
    }

    /** The first DataNode of a JVM has the plain name, the others a number after it. */
    private static List<String> sources() {
        List<String> sources = new ArrayList<>();
        for (int i = 0; i < DATANODES; i++) {
            sources.add("HearthGrace" + (i == 0 ? "" : "-" + i));
        }
        return sources;
    }

    private void writeSite(String graceMs, long modifiedMs) throws IOException {
        Path file = folder.resolve("hdfs-site.xml");
        Files.writeString(
                file,
                "<configuration><property><name>dfs.datanode.fsdataset.factory</name><value>"
                        + "org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.GraceDatasetFactory"
                        + "</value></property><property><name>hearth.datanode.grace.ms</name><value>" + graceMs
                        + "</value></property></configuration>");
        Files.setLastModifiedTime(file, FileTime.fromMillis(modifiedMs));
    }
}
