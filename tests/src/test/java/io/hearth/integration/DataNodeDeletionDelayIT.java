// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataNodeFaultInjector;
import org.apache.hadoop.hdfs.server.datanode.DataNodeScans;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.UntoldDeletions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The DataNode jar in stock DataNodes: two lines of hdfs-site.xml. */
@Tag("soak")
class DataNodeDeletionDelayIT {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @TempDir
    private Path folder;

    private DeletionDelayCluster cluster;

    /** One cluster for all of it: the metrics of a JVM do not forget the names of DataNodes that are gone. */
    @Test
    void replacedReplicasWaitUntilTheSettingsOrAStopEndIt() throws Exception {
        try (DeletionDelayCluster started = DeletionDelayCluster.start(folder, 1)) {
            cluster = started;
            aReplacedReplicaWaitsAndADeletedFileDoesNot();
            theSettingsAreLive();
            whatNoClientReadGoesAtOnce();
            whatTheDataNodeFoundBadGoesAtOnce();
            whatComesAgainAfterItWentByItselfStays();
            whatHasNoFilesGoesAtOnce();
            whatIsTooMuchGoesAtOnce();
            whatWaitsIsNotMovedToAnotherDisk();
            aQuestionUnderTheLockOfTheDatasetDeletesNothing();
            aCleanStopIssuesWhatWaits();
        }
    }

    /**
     * The worst that can come between an order to delete a surplus replica and its end: the NameNode that gave it is no longer
     * active, and the other one, which does not know of it, has to choose what is surplus.
     */
    @Test
    void delayingASurplusReplicaLosesNothing() throws Exception {
        try (DeletionDelayCluster started = DeletionDelayCluster.start(folder, 2)) {
            cluster = started;
            ExtendedBlock block = cluster.writeFileAndTakeAReplicaAway();
            assertThat(cluster.holders(block)).hasSize(DeletionDelayCluster.DATANODES);

            // Down to one replica, with the fail-over between the orders and their end.
            cluster.fileSystem().setReplication(DeletionDelayCluster.FILE, (short) 1);
            cluster.failOver();
            await("the other NameNode counts on one replica").atMost(PATIENCE).untilAsserted(() -> {
                cluster.reportAll();
                assertThat(cluster.knownHolders()).isEqualTo(1);
            });
            await("the orders of both wait").atMost(PATIENCE).untilAsserted(() -> assertThat(
                            DeletionDelayCluster.metric("PendingReplicas"))
                    .isEqualTo(DeletionDelayCluster.DATANODES - 1));
            DeletionDelayCluster.writeSite(folder, "0", 2_000);
            await("the deletions are over").atMost(PATIENCE).untilAsserted(() -> assertThat(
                            DeletionDelayCluster.metric("PendingReplicas"))
                    .isZero());

            cluster.failOver();
            await("one is left, on the disk and according to the NameNode")
                    .atMost(PATIENCE)
                    .untilAsserted(() -> {
                        assertThat(cluster.holders(block)).hasSize(1);
                        assertThat(cluster.knownHolders()).isEqualTo(1);
                    });
            try (FSDataInputStream in = cluster.fileSystem().open(DeletionDelayCluster.FILE)) {
                assertThat(in.readAllBytes()).hasSize((int) block.getNumBytes());
            }
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
                        DeletionDelayCluster.class.getName(),
                        folder.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (BufferedReader out = process.inputReader()) {
            assertThat(out.lines().filter(DeletionDelayCluster.WAITS::equals).findFirst())
                    .isPresent();
            assertThat(DeletionDelayCluster.blockFiles(folder)).hasSize(DeletionDelayCluster.DATANODES);

            process.destroy();

            assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
            assertThat(DeletionDelayCluster.blockFiles(folder)).hasSize(DeletionDelayCluster.DATANODES - 1);
        } finally {
            process.destroyForcibly();
        }
    }

    private void aReplacedReplicaWaitsAndADeletedFileDoesNot() throws Exception {
        ExtendedBlock block = cluster.writeFileAndTakeAReplicaAway();

        assertThat(cluster.holders(block)).hasSize(DeletionDelayCluster.DATANODES);
        assertThat(DeletionDelayCluster.metric("PendingReplicas")).isEqualTo(1);
        assertThat(DeletionDelayCluster.metric("PendingBytes")).isEqualTo(block.getNumBytes());

        cluster.dfs().triggerBlockReports();
        await("the NameNode does not count on a replica that waits")
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(cluster.fileSystem()
                                .getFileBlockLocations(DeletionDelayCluster.FILE, 0, 1)[0]
                                .getHosts())
                        .hasSize(DeletionDelayCluster.DATANODES - 1));
        assertThat(cluster.holders(block)).as("and it is still there").hasSize(DeletionDelayCluster.DATANODES);

        cluster.fileSystem().delete(DeletionDelayCluster.FILE, false);
        await("the replicas of a deleted file go at once, all but the one that the NameNode has forgotten")
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(cluster.holders(block)).hasSize(1));
        assertThat(DeletionDelayCluster.metric("PendingReplicas")).isEqualTo(1);
    }

    private void theSettingsAreLive() throws Exception {
        ExtendedBlock block = cluster.writeFileAndTakeAReplicaAway();
        assertThat(cluster.holders(block)).hasSize(DeletionDelayCluster.DATANODES);
        assertThat(DeletionDelayCluster.metric("PendingReplicas")).isEqualTo(2);

        DeletionDelayCluster.writeSite(folder, "0", 2_000);
        // Each DataNode reads its settings and looks at what waits in its own time.
        await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(cluster.holders(block)).hasSize(DeletionDelayCluster.DATANODES - 1);
            assertThat(DeletionDelayCluster.metric("PendingReplicas")).isZero();
            assertThat(DeletionDelayCluster.metric("ReleasedInTime")).isEqualTo(2);
        });

        DeletionDelayCluster.writeSite(folder, "3600000", 3_000);
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(DeletionDelayCluster.metric("DelayMs"))
                .isEqualTo(DeletionDelayCluster.DATANODES * 3_600_000L));
        cluster.fileSystem().delete(DeletionDelayCluster.FILE, false);
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(DeletionDelayCluster.blockFiles(folder))
                .isEmpty());
    }

    private void whatNoClientReadGoesAtOnce() throws Exception {
        long unread = DeletionDelayCluster.metric("NotRead");
        ExtendedBlock block = cluster.writeFile(DeletionDelayCluster.DATANODES);

        cluster.fileSystem().setReplication(DeletionDelayCluster.FILE, (short) (DeletionDelayCluster.DATANODES - 1));

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(cluster.holders(block)).hasSize(DeletionDelayCluster.DATANODES - 1));
        assertThat(DeletionDelayCluster.metric("NotRead")).isEqualTo(unread + 1);
        deleteFile(block, 0);
    }

    /** One that the scanner finds, which verifies checksums, and one that the other scanner finds, which compares lengths. */
    private void whatTheDataNodeFoundBadGoesAtOnce() throws Exception {
        ExtendedBlock block = cluster.writeFile(2);
        cluster.readOnAll(2);
        DataNode rotten = cluster.holders(block).get(0);
        cluster.dfs().corruptReplica(rotten, block);
        DataNodeScans.suspect(rotten, block);
        await("it is replaced and deleted").atMost(PATIENCE).untilAsserted(() -> assertThat(cluster.holders(block))
                .hasSize(2)
                .doesNotContain(rotten));

        cluster.readOnAll(2);
        DataNode cut = cluster.holders(block).get(0);
        int index = cluster.dfs().getDataNodes().indexOf(cut);
        try (RandomAccessFile file = new RandomAccessFile(cluster.dfs().getBlockFile(index, block), "rw")) {
            file.setLength(5_000);
        }
        DataNodeTestUtils.runDirectoryScanner(cut);
        await("it is replaced and deleted").atMost(PATIENCE).untilAsserted(() -> assertThat(cluster.holders(block))
                .hasSize(2)
                .doesNotContain(cut));
        assertThat(DeletionDelayCluster.metric("ReportedBad")).isEqualTo(2);
        assertThat(DeletionDelayCluster.metric("PendingReplicas")).isZero();
        deleteFile(block, 0);
    }

    /** Somebody removes the files of a replica that waits, HDFS notices, and copies the block there once more. */
    private void whatComesAgainAfterItWentByItselfStays() throws Exception {
        ExtendedBlock block = cluster.writeFileAndTakeAReplicaAway();
        DataNode robbed = waiting(block);
        int index = cluster.dfs().getDataNodes().indexOf(robbed);
        Files.delete(cluster.dfs().getBlockMetadataFile(index, block).toPath());
        Files.delete(cluster.dfs().getBlockFile(index, block).toPath());
        UntoldDeletions.forget(robbed, block);

        cluster.fileSystem().setReplication(DeletionDelayCluster.FILE, (short) DeletionDelayCluster.DATANODES);
        await("the block is copied there").atMost(PATIENCE).untilAsserted(() -> assertThat(cluster.knownHolders())
                .isEqualTo(DeletionDelayCluster.DATANODES));

        assertThat(DeletionDelayCluster.metric("PendingReplicas"))
                .as("the NameNode counts on this one, and its deletion was never ordered")
                .isZero();
        deleteFile(block, 0);
    }

    /** The one whose replica waits: the NameNode does not count on it after a block report. */
    private DataNode waiting(ExtendedBlock block) throws Exception {
        cluster.dfs().triggerBlockReports();
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(cluster.knownHolders()).isEqualTo(DeletionDelayCluster.DATANODES - 1));
        List<String> known = List.of(cluster.fileSystem()
                .getFileBlockLocations(DeletionDelayCluster.FILE, 0, 1)[0]
                .getNames());
        return cluster.holders(block).stream()
                .filter(holder -> !known.contains(holder.getDatanodeId().getXferAddr()))
                .findFirst()
                .orElseThrow();
    }

    /** As Hadoop 3.2 and 3.3 order it when a reader finds no files. */
    private void whatHasNoFilesGoesAtOnce() throws Exception {
        ExtendedBlock block = cluster.writeFile(2);
        cluster.readOnAll(2);
        DataNode robbed = cluster.holders(block).get(0);
        int index = cluster.dfs().getDataNodes().indexOf(robbed);
        Files.delete(cluster.dfs().getBlockMetadataFile(index, block).toPath());

        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread reader = new Thread(
                () -> {
                    try {
                        robbed.getFSDataset().invalidate(block.getBlockPoolId(), new Block[] {block.getLocalBlock()});
                    } catch (Throwable thrown) {
                        failure.set(thrown);
                    }
                },
                "DataXceiver for client DFSClient_1 at /127.0.0.1:4711 [Sending block " + block + "]");
        reader.start();
        reader.join();
        assertThat(failure.get()).isNull();

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(cluster.holders(block)).doesNotContain(robbed));
        assertThat(DeletionDelayCluster.metric("PendingReplicas")).isZero();
        deleteFile(block, 0);
    }

    /** The DataNode would tell the NameNode of it, which counts it as gone and would delete another one for it. */
    private void whatWaitsIsNotMovedToAnotherDisk() throws Exception {
        ExtendedBlock block = cluster.writeFileAndTakeAReplicaAway();
        FsDatasetSpi<?> dataset = waiting(block).getFSDataset();
        String now = dataset.getVolume(block).getStorageID();

        try (FsDatasetSpi.FsVolumeReferences volumes = dataset.getFsVolumeReferences()) {
            for (FsVolumeSpi volume : volumes) {
                dataset.moveBlockAcrossVolumes(block, volume);
            }
        }

        assertThat(dataset.getVolume(block).getStorageID()).isEqualTo(now);
        cluster.dfs().triggerHeartbeats();
        assertThat(cluster.knownHolders()).isEqualTo(DeletionDelayCluster.DATANODES - 1);
        deleteFile(block, 1);
    }

    /** Of pipeline recovery. Broken (it counts as bad): Hadoop 3.2 and 3.3 wait for a lock for ever that the thread keeps others from. */
    private void aQuestionUnderTheLockOfTheDatasetDeletesNothing() throws Exception {
        ExtendedBlock block = cluster.writeFileAndTakeAReplicaAway();
        long bad = DeletionDelayCluster.metric("ReportedBad");
        long pending = DeletionDelayCluster.metric("PendingReplicas");

        for (DataNode holder : cluster.holders(block)) {
            int index = cluster.dfs().getDataNodes().indexOf(holder);
            Files.delete(cluster.dfs().getBlockFile(index, block).toPath());
            assertThat(holder.getFSDataset().isValidBlock(block)).isFalse();
        }

        assertThat(DeletionDelayCluster.metric("PendingReplicas")).isEqualTo(pending);
        assertThat(DeletionDelayCluster.metric("ReportedBad")).isEqualTo(bad);
        deleteFile(block, 1);
    }

    /** Its quota is free as soon as the replication is lowered; so are its bytes. */
    private void whatIsTooMuchGoesAtOnce() throws Exception {
        DeletionDelayCluster.writeSite(
                folder,
                Map.of(
                        "hearth.datanode.deletion.delay.ms",
                        "3600000",
                        "hearth.datanode.deletion.delay.max.bytes",
                        "9999"),
                4_000);
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(DeletionDelayCluster.metric("MaxBytes"))
                .isEqualTo(DeletionDelayCluster.DATANODES * 9_999L));
        ExtendedBlock block = cluster.writeFile(DeletionDelayCluster.DATANODES);
        cluster.readOnAll(DeletionDelayCluster.DATANODES);

        cluster.fileSystem().setReplication(DeletionDelayCluster.FILE, (short) 1);

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(cluster.holders(block)).hasSize(1));
        assertThat(DeletionDelayCluster.metric("ReleasedOverLimit")).isEqualTo(DeletionDelayCluster.DATANODES - 1);
        deleteFile(block, 0);
        DeletionDelayCluster.writeSite(folder, "3600000", 5_000);
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(DeletionDelayCluster.metric("MaxBytes"))
                .isEqualTo(DeletionDelayCluster.DATANODES * 17_179_869_184L));
    }

    private void aCleanStopIssuesWhatWaits() throws Exception {
        ExtendedBlock block = cluster.writeFileAndTakeAReplicaAway();
        assertThat(cluster.holders(block)).hasSize(DeletionDelayCluster.DATANODES);

        DataNodeFaultInjector stock = DataNodeFaultInjector.get();
        DataNodeFaultInjector.set(new SlowDeletions());
        try {
            for (DataNode dataNode : List.copyOf(cluster.dfs().getDataNodes())) {
                // A DataNode that stops ends its block pools in threads that it has interrupted.
                Thread.currentThread().interrupt();
                dataNode.getFSDataset().shutdownBlockPool(block.getBlockPoolId());
                assertThat(Thread.interrupted()).isTrue();
                dataNode.shutdown();
            }

            assertThat(DeletionDelayCluster.blockFiles(folder)).hasSize(DeletionDelayCluster.DATANODES - 1);
        } finally {
            DataNodeFaultInjector.set(stock);
        }
    }

    /** With an order under way a DataNode would stop before it has deleted the replica, as in stock HDFS. */
    private void deleteFile(ExtendedBlock block, int replicasThatWait) throws Exception {
        cluster.fileSystem().delete(DeletionDelayCluster.FILE, false);
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(cluster.dfs().getDataNodes())
                .filteredOn(dataNode ->
                        DataNodeTestUtils.fetchReplicaInfo(dataNode, block.getBlockPoolId(), block.getBlockId())
                                != null)
                .hasSize(replicasThatWait));
    }

    /** A disk that takes a second for each deletion. */
    private static final class SlowDeletions extends DataNodeFaultInjector {

        @Override
        public void delayDeleteReplica() {
            LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1));
        }
    }
}
