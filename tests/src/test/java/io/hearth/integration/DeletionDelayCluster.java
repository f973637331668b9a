// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
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
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;

/** An HDFS whose DataNodes have the jar, with replaced replicas that wait for an hour, configured by an hdfs-site.xml. */
final class DeletionDelayCluster implements AutoCloseable {

    static final org.apache.hadoop.fs.Path FILE = new org.apache.hadoop.fs.Path("/f");
    static final int DATANODES = 3;

    /** What {@link #main} prints when a replica waits. */
    static final String WAITS = "a replica waits";

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /** More than one JVM starts in all. */
    private static final int MOST_DATANODES = 30;

    private static final Map<String, Long> BEFORE = new HashMap<>();

    private final MiniDFSCluster dfs;

    private DeletionDelayCluster(MiniDFSCluster dfs) {
        this.dfs = dfs;
    }

    private static final String GRACE_MS = "hearth.datanode.deletion.delay.ms";

    /** A process with such a cluster, that runs until a signal ends it. */
    public static void main(String[] args) throws IOException, InterruptedException {
        start(Path.of(args[0]), 1).writeFileAndTakeAReplicaAway();
        System.out.println(WAITS);
        Thread.currentThread().join();
    }

    static DeletionDelayCluster start(Path folder, int nameNodes) throws IOException {
        BEFORE.clear();
        BEFORE.putAll(sums());
        writeSite(folder, "3600000", 1_000);
        HdfsConfiguration conf = new HdfsConfiguration();
        conf.setClassLoader(
                new URLClassLoader(new URL[] {folder.toUri().toURL()}, DeletionDelayCluster.class.getClassLoader()));
        conf.reloadConfiguration();
        conf.set("hdfs.minidfs.basedir", folder.resolve("dfs").toString());
        // Its default asks for the machine's own name, which the hosts file of the build's JVM does not hold.
        conf.set("hadoop.http.authentication.kerberos.principal", "HTTP/localhost@LOCALHOST");
        conf.setInt("dfs.heartbeat.interval", 1);
        conf.setInt("dfs.namenode.redundancy.interval.seconds", 1);
        conf.setInt("dfs.ha.tail-edits.period", 1);
        MiniDFSCluster dfs = new MiniDFSCluster.Builder(conf)
                .nnTopology(
                        nameNodes == 1
                                ? MiniDFSNNTopology.simpleSingleNN(0, 0)
                                : MiniDFSNNTopology.simpleHATopology(nameNodes))
                .numDataNodes(DATANODES)
                .build();
        DeletionDelayCluster cluster = new DeletionDelayCluster(dfs);
        if (nameNodes > 1) {
            dfs.transitionToActive(0);
            cluster.reportAll();
        }
        return cluster;
    }

    /** A NameNode that has become active deletes nothing before it has heard of a DataNode twice: that it lives, and what it has. */
    void reportAll() throws IOException {
        dfs.triggerHeartbeats();
        dfs.triggerBlockReports();
    }

    MiniDFSCluster dfs() {
        return dfs;
    }

    /** By the active NameNode. */
    DistributedFileSystem fileSystem() throws IOException {
        return dfs.getFileSystem(activeNameNode());
    }

    private int activeNameNode() {
        return dfs.getNumNameNodes() > 1 && dfs.getNameNode(1).isActiveState() ? 1 : 0;
    }

    /** Makes the other NameNode active. */
    void failOver() throws IOException {
        int active = activeNameNode();
        dfs.transitionToStandby(active);
        dfs.transitionToActive(1 - active);
        reportAll();
    }

    @Override
    public void close() {
        dfs.shutdown(true);
    }

    /** Writes a block that clients read on each DataNode, has the NameNode take one replica away, and waits until that is ordered. */
    ExtendedBlock writeFileAndTakeAReplicaAway() throws IOException {
        ExtendedBlock block = writeFile(DATANODES);
        readOnAll(DATANODES);
        long delayed = metric("Delayed");
        fileSystem().setReplication(FILE, (short) (DATANODES - 1));
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(metric("Delayed")).isEqualTo(delayed + 1));
        return block;
    }

    /** Writes a block with so many replicas. */
    ExtendedBlock writeFile(int replication) throws IOException {
        try (FSDataOutputStream out = fileSystem().create(FILE, (short) replication)) {
            out.write(new byte[10_000]);
        }
        ExtendedBlock block;
        try (HdfsDataInputStream in = (HdfsDataInputStream) fileSystem().open(FILE)) {
            block = in.getAllBlocks().get(0).getBlock();
        }
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(holders(block)).hasSize(replication));
        return block;
    }

    /** Has clients read until so many DataNodes have served: the NameNode gives holders in any order, since all are equally near. */
    void readOnAll(int holders) {
        Set<String> readOn = new HashSet<>();
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(20)).until(() -> {
            try (HdfsDataInputStream in = (HdfsDataInputStream) fileSystem().open(FILE)) {
                in.read();
                readOn.add(in.getCurrentDatanode().getDatanodeUuid());
            }
            return readOn.size() == holders;
        });
    }

    /** How many holders the active NameNode knows. */
    int knownHolders() throws IOException {
        return fileSystem().getFileBlockLocations(FILE, 0, 1)[0].getHosts().length;
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

    /** The sum over the DataNodes of this cluster, by the metrics system of this JVM, which does not forget DataNodes that are gone. */
    static long metric(String name) {
        return sums().getOrDefault(name, 0L) - BEFORE.getOrDefault(name, 0L);
    }

    private static Map<String, Long> sums() {
        Map<String, Long> sums = new HashMap<>();
        for (int i = 0; i < MOST_DATANODES; i++) {
            // The first DataNode of a JVM has the plain name, the others a number after it.
            MetricsSource source =
                    DefaultMetricsSystem.instance().getSource("HearthDeletionDelay" + (i == 0 ? "" : "-" + i));
            if (source != null) {
                MetricsCollectorImpl collector = new MetricsCollectorImpl();
                source.getMetrics(collector, true);
                // Their class is not public in Hadoop 3.3.
                List<? extends MetricsRecord> records = collector.getRecords();
                for (MetricsRecord record : records) {
                    for (AbstractMetric metric : record.metrics()) {
                        sums.merge(metric.name(), metric.value().longValue(), Long::sum);
                    }
                }
            }
        }
        return sums;
    }

    static void writeSite(Path folder, String graceMs, long modifiedMs) throws IOException {
        writeSite(folder, Map.of(GRACE_MS, graceMs), modifiedMs);
    }

    /** Writes hdfs-site.xml with the factory and these lines. */
    static void writeSite(Path folder, Map<String, String> lines, long modifiedMs) throws IOException {
        StringBuilder site = new StringBuilder("<configuration>")
                .append(property(
                        "dfs.datanode.fsdataset.factory",
                        "org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.DeletionDelayDatasetFactory"));
        lines.forEach((key, value) -> site.append(property(key, value)));
        Path file = folder.resolve("hdfs-site.xml");
        Files.writeString(file, site.append("</configuration>"));
        Files.setLastModifiedTime(file, FileTime.fromMillis(modifiedMs));
    }

    private static String property(String key, String value) {
        return "<property><name>" + key + "</name><value>" + value + "</value></property>";
    }
}
