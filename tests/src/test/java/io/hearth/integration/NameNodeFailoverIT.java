// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hearth.healer.hbase.HealingMetricRegistry;
import io.hearth.healer.hdfs.HdfsAdapter;
import io.hearth.healer.metrics.HealingMetrics.HealingGauge;
import io.hearth.healer.spi.FileBlocks;
import io.hearth.healer.spi.Observed;
import io.hearth.testkit.embedded.EmbeddedCluster;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;

/** The healer of a name service of two NameNodes, of which the other becomes active while blocks move. */
class NameNodeFailoverIT {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Path ROOT = new Path("/hbase");

    @Test
    void aFailOverWhileBlocksMoveLosesNothingAndHealingGoesOn() throws Exception {
        try (EmbeddedCluster cluster = EmbeddedCluster.builder()
                        .withHearth()
                        .standbyNameNode()
                        // Only to make time pass faster.
                        .property("dfs.ha.tail-edits.period", "1")
                        .property("hearth.heal.poll.ms", "1000")
                        .property("hearth.heal.region.stable.ms", "2000")
                        // And slower here, so that the fail-over finds moves under way.
                        .property("hearth.heal.cluster.bandwidth", "1MB")
                        .start();
                HdfsAdapter hdfs = HdfsAdapter.to(
                        cluster.fileSystem(), ROOT, cluster.fileSystem().getConf(), Runnable::run)) {
            LocalityTable table = LocalityTable.load(cluster);
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(table.localShare()).isEqualTo(1.0));
            Map<String, Integer> racksBefore = table.racksByBlock();

            assertThat(table.moveEveryOtherRegion()).isPositive();
            await("blocks move").atMost(PATIENCE).until(() -> inFlight() > 0);
            Optional<String> answeredBefore = answeringNameNode(hdfs.fileBlocks());
            cluster.failOverNameNodes();
            assertThat(answeringNameNode(hdfs.fileBlocks()))
                    .as("another address tells of the failover")
                    .isPresent()
                    .isNotEqualTo(answeredBefore);
            assertThat(table.localShare()).as("it was not over yet").isLessThan(1);

            await("all is local, according to the other NameNode")
                    .atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(table.localShare()).isEqualTo(1.0));
            // Until a DataNode has told all that it has, a NameNode that has become active deletes none of its
            // replicas.
            cluster.reportBlocks();
            await("no slot is held").atMost(PATIENCE).untilAsserted(() -> assertThat(inFlight())
                    .isZero());
            await("every block at its replication").atMost(PATIENCE).untilAsserted(() -> assertThat(
                            UncompactedTable.blocksAtRisk(cluster))
                    .isZero());
            assertThat(HealerIT.blocksOnFewerRacks(racksBefore, table.racksByBlock()))
                    .isEmpty();
            assertThat(cluster.master().isAborted()).isFalse();
        }
    }

    private static Optional<String> answeringNameNode(FileBlocks files) {
        assertThat(files.locate(ROOT + "/hbase.id")).isInstanceOf(Observed.Known.class);
        return files.answeringNameNode();
    }

    private static long inFlight() {
        return RegisteredMetrics.gauge(HealingMetricRegistry.INFO, HealingGauge.BLOCKS_IN_FLIGHT.metric());
    }
}
