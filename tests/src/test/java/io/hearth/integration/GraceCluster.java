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

/** An HDFS whose DataNodes have the jar, with replaced replicas that wait for an hour, configured by an hdfs-site.xml. */
final class GraceCluster implements AutoCloseable {

    static final org.apache.hadoop.fs.Path FILE = new org.apache.hadoop.fs.Path("/f");
    static final int DATANODES = 3;

    /** What {@link #main} prints when a replica waits. */
    static final String WAITS = "a replica waits";

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final MiniDFSCluster dfs;

    private GraceCluster(MiniDFSCluster dfs) {
        this.dfs = dfs;
    }

    /** A process with such a cluster, that runs until a signal ends it. */
    public static void main(String[] args) throws IOException, InterruptedException {
        start(Path.of(args[0])).writeFileAndTakeAReplicaAway();
        System.out.println(WAITS);
        Thread.currentThread().join();
    }

    static GraceCluster start(Path folder) throws IOException {
        writeSite(folder, "3600000", 1_000);
        HdfsConfiguration conf = new HdfsConfiguration();
        conf.setClassLoader(
                new URLClassLoader(new URL[] {folder.toUri().toURL()}, GraceCluster.class.getClassLoader()));
        conf.reloadConfiguration();
        conf.set("hdfs.minidfs.basedir", folder.resolve("dfs").toString());
        // Its default asks for the machine's own name, which the hosts file of the build's JVM does not hold.
        conf.set("hadoop.http.authentication.kerberos.principal", "HTTP/localhost@LOCALHOST");
        conf.setInt("dfs.heartbeat.interval", 1);
        conf.setInt("dfs.namenode.redundancy.interval.seconds", 1);
        return new GraceCluster(
                new MiniDFSCluster.Builder(conf).numDataNodes(DATANODES).build());
    }

    MiniDFSCluster dfs() {
        return dfs;
    }

    DistributedFileSystem fileSystem() throws IOException {
        return dfs.getFileSystem();
    }

    @Override
    public void close() {
        dfs.shutdown(true);
    }

    /** Writes a block with a replica on each DataNode, has the NameNode take one away, and waits until that is ordered. */
    ExtendedBlock writeFileAndTakeAReplicaAway() throws IOException {
        try (FSDataOutputStream out = fileSystem().create(FILE, (short) DATANODES)) {
            out.write(new byte[10_000]);
        }
        ExtendedBlock block;
        try (HdfsDataInputStream in = (HdfsDataInputStream) fileSystem().open(FILE)) {
            block = in.getAllBlocks().get(0).getBlock();
        }
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(holders(block)).hasSize(DATANODES));
        long delayed = metric("Delayed");
        fileSystem().setReplication(FILE, (short) (DATANODES - 1));
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(metric("Delayed")).isEqualTo(delayed + 1));
        return block;
    }

    List<DataNode> holders(ExtendedBlock block) {
        return dfs.getDataNodes().stream()
                .filter(dataNode -> dataNode.getFSDataset().contains(block))
                .toList();
    }

    static List<Path> blockFiles(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder.resolve("dfs"))) {
            return files.filter(file -> file.getFileName().toString().matches("blk_\\d+"))
                    .toList();
        }
    }

    /** The sum over the DataNodes, by the metrics system of this JVM. */
    static long metric(String name) {
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

    static void writeSite(Path folder, String graceMs, long modifiedMs) throws IOException {
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
