package io.hearth.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The DataNode jar in stock DataNodes: two lines of hdfs-site.xml. */
class DataNodeGraceIT {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @TempDir
    private Path folder;

    private GraceCluster cluster;

    /** One cluster for all of it: the metrics of a JVM do not forget the names of DataNodes that are gone. */
    @Test
    void replacedReplicasWaitUntilTheSettingsOrAStopEndIt() throws Exception {
        try (GraceCluster started = GraceCluster.start(folder)) {
            cluster = started;
            aReplacedReplicaWaitsAndADeletedFileDoesNot();
            theSettingsAreLive();
            aCleanStopIssuesWhatWaits();
        }
    }

    /** A DataNode that gets a SIGTERM does not shut its dataset down. */
    @Test
    void aSignalIssuesWhatWaits() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx512m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        GraceCluster.class.getName(),
                        folder.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (BufferedReader out = process.inputReader()) {
            assertThat(out.lines().filter(GraceCluster.WAITS::equals).findFirst())
                    .isPresent();
            assertThat(GraceCluster.blockFiles(folder)).hasSize(GraceCluster.DATANODES);

            process.destroy();

            assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
            assertThat(GraceCluster.blockFiles(folder)).hasSize(GraceCluster.DATANODES - 1);
        } finally {
            process.destroyForcibly();
        }
    }

    private void aReplacedReplicaWaitsAndADeletedFileDoesNot() throws Exception {
        ExtendedBlock block = cluster.writeFileAndTakeAReplicaAway();

        assertThat(cluster.holders(block)).hasSize(GraceCluster.DATANODES);
        assertThat(GraceCluster.metric("PendingReplicas")).isEqualTo(1);
        assertThat(GraceCluster.metric("PendingBytes")).isEqualTo(block.getNumBytes());

        cluster.dfs().triggerBlockReports();
        await("the NameNode does not count on a replica that waits")
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(cluster.fileSystem()
                                .getFileBlockLocations(GraceCluster.FILE, 0, 1)[0]
                                .getHosts())
                        .hasSize(GraceCluster.DATANODES - 1));
        assertThat(cluster.holders(block)).as("and it is still there").hasSize(GraceCluster.DATANODES);

        cluster.fileSystem().delete(GraceCluster.FILE, false);
        await("the replicas of a deleted file go at once, all but the one that the NameNode has forgotten")
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(cluster.holders(block)).hasSize(1));
        assertThat(GraceCluster.metric("PendingReplicas")).isEqualTo(1);
    }

    private void theSettingsAreLive() throws Exception {
        ExtendedBlock block = cluster.writeFileAndTakeAReplicaAway();
        assertThat(cluster.holders(block)).hasSize(GraceCluster.DATANODES);
        assertThat(GraceCluster.metric("PendingReplicas")).isEqualTo(2);

        GraceCluster.writeSite(folder, "0", 2_000);
        // Each DataNode reads its settings and looks at what waits in its own time.
        await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(cluster.holders(block)).hasSize(GraceCluster.DATANODES - 1);
            assertThat(GraceCluster.metric("PendingReplicas")).isZero();
            assertThat(GraceCluster.metric("ReleasedInTime")).isEqualTo(2);
        });

        GraceCluster.writeSite(folder, "3600000", 3_000);
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(GraceCluster.metric("GraceMs"))
                .isEqualTo(GraceCluster.DATANODES * 3_600_000L));
        cluster.fileSystem().delete(GraceCluster.FILE, false);
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(GraceCluster.blockFiles(folder)).isEmpty());
    }

    private void aCleanStopIssuesWhatWaits() throws Exception {
        ExtendedBlock block = cluster.writeFileAndTakeAReplicaAway();
        assertThat(cluster.holders(block)).hasSize(GraceCluster.DATANODES);

        for (DataNode dataNode : List.copyOf(cluster.dfs().getDataNodes())) {
            dataNode.shutdown();
        }

        assertThat(GraceCluster.blockFiles(folder)).hasSize(GraceCluster.DATANODES - 1);
    }
}
