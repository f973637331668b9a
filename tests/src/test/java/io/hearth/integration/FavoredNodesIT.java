// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hearth.balancer.HearthLoadBalancer;
import io.hearth.healer.hbase.HealingMetricRegistry;
import io.hearth.healer.metrics.HealingMetrics.HealingCounter;
import io.hearth.healer.model.SkipReason;
import io.hearth.testkit.embedded.EmbeddedCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The healer beside HBase's balancer with favoured nodes, whose store files HDFS pins to them or not. Broken, one after the other:
 * HealingEngine takes no replica for pinned, BlockMovePlanner plans moves of pinned ones (no block is left alone), HealingEngine asks HDFS
 * alone whether replicas are pinned (the table is not healed), MasterHealer does not warn (0 times). It passes where HealingEngine asks HBase
 * alone: HBase's balancer takes the regions back to where their blocks are.
 */
@Tag("soak")
class FavoredNodesIT {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String FAVORED = "org.apache.hadoop.hbase.master.balancer.FavoredStochasticBalancer";
    private static final String WARNING = "HBase's balancer deals out favoured nodes, and healing brings replicas";

    @Test
    void pinnedBlocksAreSkippedAndNoReplicaIsLost() throws Exception {
        try (EmbeddedCluster cluster = cluster(FAVORED, true)) {
            LocalityTable table = LocalityTable.load(cluster);
            favour(cluster, table);
            table.write(300);
            Map<String, Set<String>> before = hostsByBlock(cluster);
            assertThat(before.values()).isNotEmpty().allMatch(hosts -> hosts.size() == 3);
            long skipped = skipped();
            long failed = failed();

            assertThat(table.moveEveryOtherRegion()).isPositive();

            awaitRemote(table);
            await().atMost(PATIENCE).untilAsserted(() -> assertThat(skipped() - skipped)
                    .as("pinned blocks that are left alone; moves that failed: %s", failed() - failed)
                    .isPositive());
            assertThat(table.localShare()).isLessThan(1);
            assertThat(hostsByBlock(cluster)).as("nothing has moved").isEqualTo(before);
            assertThat(failed()).as("nobody was asked to move one").isEqualTo(failed);
            assertWarned(cluster, 1);
        }
    }

    @Test
    void whereHdfsPinsNothingTablesAreHealed() throws Exception {
        try (EmbeddedCluster cluster = cluster(FAVORED, false)) {
            movedRegionsAreHealed(cluster);
            assertWarned(cluster, 1);
        }
    }

    /** DataNodes pin what a writer names favoured nodes for, and here none does. */
    @Test
    void whereHBaseDealsOutNoFavouredNodesTablesAreHealed() throws Exception {
        try (EmbeddedCluster cluster = cluster(HearthLoadBalancer.class.getName(), true)) {
            movedRegionsAreHealed(cluster);
            assertWarned(cluster, 0);
        }
    }

    private static void movedRegionsAreHealed(EmbeddedCluster cluster) throws Exception {
        LocalityTable table = LocalityTable.load(cluster);
        long skipped = skipped();

        assertThat(table.moveEveryOtherRegion()).isPositive();

        await().atMost(PATIENCE).untilAsserted(() -> assertThat(table.localShare())
                .as("the local share of the table; blocks left alone as pinned: %s", skipped() - skipped)
                .isEqualTo(1.0));
        assertThat(skipped() - skipped).as("blocks left alone as pinned").isZero();
        await("as many replicas as before")
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(hostsByBlock(cluster).values()).allMatch(hosts -> hosts.size() == 3));
    }

    /** HBase's balancer takes a region to a favoured server of its instead where it likes: now and then all of them. */
    private static void awaitRemote(LocalityTable table) {
        await("a region is away from its blocks").atMost(PATIENCE).until(() -> {
            boolean isRemote = table.localShare() < 1;
            if (!isRemote) {
                table.moveEveryOtherRegion();
            }
            return isRemote;
        });
    }

    private static EmbeddedCluster cluster(String balancer, boolean pins) throws IOException {
        return EmbeddedCluster.builder()
                .withHearth()
                .property("hbase.master.loadbalancer.class", balancer)
                .property("dfs.datanode.block-pinning.enabled", String.valueOf(pins))
                // Only to make time pass faster.
                .property("hearth.heal.poll.ms", "1000")
                .property("hearth.heal.region.stable.ms", "2000")
                .start();
    }

    /** HBase names DataNodes by the port of its own configuration, which those of an embedded cluster do not have. */
    private static void favour(EmbeddedCluster cluster, LocalityTable table) throws Exception {
        List<DatanodeInfo> nodes = List.of(cluster.fileSystem().getDataNodeStats(DatanodeReportType.LIVE));
        for (HRegionLocation region : table.locations()) {
            FavoredNodesUpdater.tell(
                    cluster.connection(),
                    region,
                    nodes.stream()
                            .sorted(Comparator.comparing(
                                    node -> !node.getHostName().equals(region.getHostname())))
                            .limit(3)
                            .toList());
        }
    }

    private static void assertWarned(EmbeddedCluster cluster, int times) throws IOException {
        assertThat(Pattern.compile(Pattern.quote(WARNING))
                        .matcher(cluster.log())
                        .results()
                        .count())
                .as("times that the log says: " + WARNING)
                .isEqualTo(times);
    }

    private static long failed() {
        return RegisteredMetrics.counter(HealingMetricRegistry.INFO, HealingCounter.BLOCKS_FAILED.metric());
    }

    private static long skipped() {
        return RegisteredMetrics.counter(HealingMetricRegistry.INFO, HealingMetricRegistry.metric(SkipReason.PINNED));
    }

    /** The hosts that the NameNode has for each block of the store files. */
    private static Map<String, Set<String>> hostsByBlock(EmbeddedCluster cluster) throws IOException {
        Map<String, Set<String>> hosts = new TreeMap<>();
        RemoteIterator<LocatedFileStatus> files = cluster.fileSystem()
                .listFiles(
                        new Path(
                                cluster.configuration().get(HConstants.HBASE_DIR),
                                "data/default/" + LocalityTable.NAME),
                        true);
        while (files.hasNext()) {
            LocatedFileStatus file = files.next();
            if (!file.getPath().getParent().getName().equals("f")) {
                continue;
            }
            for (BlockLocation block : file.getBlockLocations()) {
                hosts.put(file.getPath() + "@" + block.getOffset(), new TreeSet<>(Arrays.asList(block.getHosts())));
            }
        }
        return hosts;
    }
}
