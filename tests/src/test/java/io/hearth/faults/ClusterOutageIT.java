// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hearth.healer.hbase.HealingMetricRegistry;
import io.hearth.integration.LocalityTable;
import io.hearth.integration.RegisteredMetrics;
import io.hearth.testkit.embedded.EmbeddedCluster;
import java.io.IOException;
import java.time.Duration;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.BalanceRequest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What breaks at night, while blocks move: a line says what, where and what to do, and the master lives. */
@Tag("shared")
class ClusterOutageIT {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static EmbeddedCluster cluster() throws Exception {
        return EmbeddedCluster.builder()
                .withHearth()
                // Only to make time pass faster.
                .property("hearth.heal.poll.ms", "1000")
                .property("hearth.heal.region.stable.ms", "1000")
                .property("hearth.balancer.heat.store.interval.ms", "10000")
                // Slow enough that something is always under way when the fault comes.
                .property("hearth.heal.cluster.bandwidth", "2000000")
                .shared();
    }

    @Test
    void aNameNodeIsAwayWhileBlocksMoveAndTheBalancerRuns() throws Exception {
        try (EmbeddedCluster cluster = cluster()) {
            LocalityTable table = LocalityTable.load(cluster);
            long failedBefore = failures("nameNodeFailures");
            table.moveEveryOtherRegion();
            awaitMovesUnderWay();

            cluster.stopNameNode();
            try {
                await("the healer asks in vain")
                        .atMost(PATIENCE)
                        .until(() -> failures("nameNodeFailures") > failedBefore);
                // A dry run: HBase's RegionServers abort where they have to close a region without a NameNode.
                assertThat(cluster.admin()
                                .balance(BalanceRequest.newBuilder()
                                        .setDryRun(true)
                                        .build())
                                .isBalancerRan())
                        .as("a plan needs no NameNode")
                        .isTrue();
            } finally {
                // HBase needs ten minutes to end without one.
                cluster.startNameNode();
            }

            awaitLocal(table);
            assertThat(log(cluster))
                    .contains("The NameNode could not be asked for blocks (NAMENODE_FAILED)")
                    .contains("Nothing is concluded from that; it is asked again later.");
            assertMasterLives(cluster);
        }
    }

    @Test
    void aTableIsDroppedWhileItsBlocksMove() throws Exception {
        try (EmbeddedCluster cluster = cluster()) {
            LocalityTable table = LocalityTable.load(cluster);
            long loopFailures = failures("loopFailures");
            table.moveEveryOtherRegion();
            awaitMovesUnderWay();

            cluster.admin().disableTable(LocalityTable.NAME);
            cluster.admin().deleteTable(LocalityTable.NAME);

            await("nothing is left to do")
                    .atMost(PATIENCE)
                    .until(() ->
                            gauge("regionsQueued") == 0 && gauge("blocksWaiting") == 0 && gauge("blocksInFlight") == 0);
            assertThat(failures("loopFailures")).isEqualTo(loopFailures);
            assertMasterLives(cluster);
        }
    }

    @Test
    void aDataNodeIsFull() throws Exception {
        try (EmbeddedCluster cluster = cluster()) {
            LocalityTable table = LocalityTable.load(cluster);
            HRegionLocation region = table.locations().get(0);
            ServerName full = table.leastLocalServer(region.getRegion());
            cluster.setDataNodeFull(full.getHostname(), true);
            cluster.admin().move(region.getRegion().getEncodedNameAsBytes(), full);

            await("what is full is named").atMost(PATIENCE).untilAsserted(() -> assertThat(log(cluster))
                    .contains("has no room for"));
            cluster.setDataNodeFull(full.getHostname(), false);
            awaitLocal(table);
            assertMasterLives(cluster);
        }
    }

    private static void awaitMovesUnderWay() {
        await("moves are under way")
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(50))
                .until(() -> gauge("blocksInFlight") > 0);
    }

    private static void awaitLocal(LocalityTable table) {
        await().atMost(PATIENCE).ignoreException(IOException.class).untilAsserted(() -> assertThat(table.localShare())
                .isEqualTo(1.0));
    }

    private static String log(EmbeddedCluster cluster) throws IOException {
        return cluster.log();
    }

    private static long failures(String counter) {
        return RegisteredMetrics.counterOrZero(HealingMetricRegistry.INFO, counter);
    }

    private static long gauge(String name) {
        return RegisteredMetrics.gauge(HealingMetricRegistry.INFO, name);
    }

    private static void assertMasterLives(EmbeddedCluster cluster) {
        assertThat(cluster.master().isInitialized()).isTrue();
        assertThat(cluster.master().isAborted()).isFalse();
    }
}
