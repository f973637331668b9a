// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hearth.balancer.hbase.HBaseNames;
import io.hearth.balancer.hbase.MasterComponentRegistry;
import io.hearth.common.model.TableId;
import io.hearth.healer.hbase.HealingMetricRegistry;
import io.hearth.testkit.embedded.EmbeddedCluster;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.master.balancer.LocalityCacheInspector;
import org.apache.hadoop.hdfs.tools.DFSck;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The healer in a real master, according to the NameNode. */
@Tag("shared")
class HealerIT {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static EmbeddedCluster cluster() throws Exception {
        return EmbeddedCluster.builder()
                .withHearth()
                // Only to make time pass faster.
                .property("hearth.heal.poll.ms", "1000")
                .property("hearth.heal.region.stable.ms", "2000")
                // As by default in HDFS, servers do not learn of moved blocks by themselves: only the healer says so.
                .property("dfs.client.refresh.read-block-locations.ms", "0")
                .shared();
    }

    @Test
    void localityReturnsAfterMovesAndACrash() throws Exception {
        try (EmbeddedCluster cluster = cluster()) {
            LocalityTable table = LocalityTable.load(cluster);
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(table.localShare()).isEqualTo(1.0));
            Map<String, Integer> racksBefore = table.racksByBlock();
            long verifiedBefore = bytesVerified();

            long nonLocalBytes = table.moveEveryOtherRegion();
            assertThat(nonLocalBytes).isPositive();
            awaitLocal(table);
            await("the last move is verified, and no byte was moved that did not have to be")
                    .atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(bytesVerified() - verifiedBefore)
                            .isBetween(nonLocalBytes, nonLocalBytes * 105 / 100));
            awaitTheBalancerKnows(cluster, table);
            whatLeavesUnnoticedComesBack(cluster, table);

            cluster.killRegionServer(table.busiestServer().getHostname());
            await().atMost(PATIENCE).until(table::isServed);
            awaitLocal(table);

            assertThat(fsck(cluster)).contains("Status: HEALTHY");
            assertThat(blocksOnFewerRacks(racksBefore, table.racksByBlock())).isEmpty();
            assertThat(cluster.master().isAborted()).isFalse();
        }
    }

    /** The region's server goes on reporting that it is local: nobody reads its file. */
    private static void whatLeavesUnnoticedComesBack(EmbeddedCluster cluster, LocalityTable table) throws Exception {
        HRegionLocation unmoved = table.locations().get(1);
        long doubted = RegisteredMetrics.counter(HealingMetricRegistry.INFO, "regionsLocalityStale");
        table.makeRemote(unmoved);
        // All of them: one that goes after the first has been healed is missed by everybody.
        await("its replicas are gone").atMost(PATIENCE).until(() -> table.isRemote(unmoved));

        // What the age of an answer does within hours.
        await("the balancer's cache has asked the NameNode, and has told the healer")
                .atMost(PATIENCE)
                .untilAsserted(() -> {
                    MasterComponentRegistry.blocksMovedListener(cluster.master().getConfiguration())
                            .orElseThrow()
                            .regionsChanged(List.of(HBaseNames.region(unmoved.getRegion())));
                    assertThat(RegisteredMetrics.counter(HealingMetricRegistry.INFO, "regionsLocalityStale"))
                            .isGreaterThan(doubted);
                });
        awaitLocal(table);
    }

    @Test
    void theSwitchAndTheTableAreObeyed() throws Exception {
        try (EmbeddedCluster cluster = cluster()) {
            LocalityTable table = LocalityTable.load(cluster);
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(table.localShare()).isEqualTo(1.0));

            assertThat(isHealed(cluster)).isTrue();
            setLive(cluster, "hearth.heal.enabled", "false");
            assertThat(isHealed(cluster)).as("what the balancer is told").isFalse();
            assertThat(table.moveEveryOtherRegion()).isPositive();
            staysRemote(table);

            setHealOfTable(cluster, "off");
            setLive(cluster, "hearth.heal.enabled", "true");
            assertThat(isHealed(cluster)).as("the table says no").isFalse();
            staysRemote(table);

            setHealOfTable(cluster, "on");
            awaitLocal(table);
        }
    }

    /** Several polls and the time to settle pass, and nothing becomes local. */
    private static void staysRemote(LocalityTable table) throws Exception {
        double before = table.localShare();
        assertThat(before).isLessThan(1);
        await().during(Duration.ofSeconds(8)).atMost(PATIENCE).untilAsserted(() -> assertThat(table.localShare())
                .isEqualTo(before));
    }

    private static void setHealOfTable(EmbeddedCluster cluster, String value) throws Exception {
        cluster.admin()
                .modifyTable(
                        TableDescriptorBuilder.newBuilder(cluster.admin().getDescriptor(LocalityTable.NAME))
                                .setValue("HEARTH_HEAL", value)
                                .build(),
                        false);
    }

    private static void setLive(EmbeddedCluster cluster, String key, String value) throws Exception {
        cluster.master().getConfiguration().set(key, value);
        cluster.admin().updateConfiguration(cluster.master().getServerName());
    }

    private static boolean isHealed(EmbeddedCluster cluster) {
        return MasterComponentRegistry.healingAvailability(cluster.master().getConfiguration())
                .isHealed(new TableId(LocalityTable.NAME.getNameAsString()));
    }

    private static long bytesVerified() {
        return RegisteredMetrics.counter(HealingMetricRegistry.INFO, "bytesVerified");
    }

    private static void awaitLocal(LocalityTable table) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(table.localShare()).isEqualTo(1.0));
    }

    private static void awaitTheBalancerKnows(EmbeddedCluster cluster, LocalityTable table) {
        await().atMost(PATIENCE).untilAsserted(() -> {
            for (HRegionLocation location : table.locations()) {
                assertThat(LocalityCacheInspector.cachedLocality(
                                cluster.master(), location.getRegion(), location.getHostname()))
                        .as("what the balancer believes of %s", location)
                        .isEqualTo(1f);
            }
        });
    }

    static List<String> blocksOnFewerRacks(Map<String, Integer> before, Map<String, Integer> after) {
        return before.entrySet().stream()
                .filter(block -> after.getOrDefault(block.getKey(), 0) < block.getValue())
                .map(block -> block + " -> " + after.get(block.getKey()))
                .toList();
    }

    private static String fsck(EmbeddedCluster cluster) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Configuration conf = cluster.configuration();
        // HBase puts a proxy of its own into the cached file system of this JVM, which fsck can't look into.
        conf.setBoolean("fs.hdfs.impl.disable.cache", true);
        ToolRunner.run(new DFSck(conf, new PrintStream(out, true, StandardCharsets.UTF_8)), new String[] {"/"});
        return out.toString(StandardCharsets.UTF_8);
    }
}
