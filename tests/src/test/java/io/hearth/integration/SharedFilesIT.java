// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hearth.healer.hdfs.HdfsAdapter;
import io.hearth.healer.spi.Observed;
import io.hearth.testkit.embedded.ClusterHost;
import io.hearth.testkit.embedded.EmbeddedCluster;
import java.net.URI;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Regions that read files of others, in a real cluster, according to the NameNode. */
@Tag("shared")
class SharedFilesIT {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final TableName TABLE = TableName.valueOf("t");
    private static final TableName CLONE = TableName.valueOf("c");

    @Test
    void daughtersAndAClonesRegionComeHomeAndTheOriginalLosesNothing() throws Exception {
        try (EmbeddedCluster cluster = EmbeddedCluster.builder()
                .withHearth()
                // Only to make time pass faster.
                .property("hearth.heal.poll.ms", "1000")
                .property("hearth.heal.region.stable.ms", "2000")
                // HBase leaves snapshots off where its file cleaners don't name the snapshots' one.
                .property("hbase.snapshot.enabled", "true")
                .shared()) {
            UncompactedTable table = UncompactedTable.load(cluster, TABLE);
            followsAMountTable(cluster);
            awaitAllLocal(table);

            mobFilesFollowTheirRegion(cluster, table, table.locations().get(1).getRegion());
            daughtersBecomeLocal(cluster, table);
            aCloneBecomesLocal(cluster, table);

            assertThat(cluster.master().isAborted()).isFalse();
            await().atMost(PATIENCE).untilAsserted(() -> assertThat(UncompactedTable.blocksAtRisk(cluster))
                    .isZero());
        }
    }

    private static void followsAMountTable(EmbeddedCluster cluster) throws Exception {
        Configuration conf = cluster.configuration();
        String root = conf.get(HConstants.HBASE_DIR);
        conf.set("fs.viewfs.mounttable.site.link./hbase", root);
        try (HdfsAdapter adapter = HdfsAdapter.to(
                FileSystem.get(URI.create("viewfs://site/"), conf),
                new Path("viewfs://site/hbase"),
                conf,
                Runnable::run)) {
            assertThat(adapter.rootDir()).isEqualTo(new Path(root));
            assertThat(adapter.storeDirectories().list(adapter.rootDir().toUri().getPath()))
                    .isInstanceOf(Observed.Known.class);
        }
    }

    private static void mobFilesFollowTheirRegion(EmbeddedCluster cluster, UncompactedTable table, RegionInfo region)
            throws Exception {
        // The host with the fewest bytes of the store files may have all blocks of the MOB files.
        Set<String> notTo = new HashSet<>();
        for (ClusterHost host : cluster.hosts()) {
            if (table.mobBlocks(region, host.name())[1] == 0) {
                notTo.add(host.name());
            }
        }
        table.moveToLeastLocalHost(region, notTo);
        String host = table.locations().get(1).getHostname();
        assertThat(table.mobBlocks(region, host)[1]).isPositive();

        await().atMost(PATIENCE).untilAsserted(() -> assertThat(table.mobBlocks(region, host)[1])
                .isZero());
        assertThat(table.mobBlocks(region, host)[0]).isPositive();
        awaitAllLocal(table);
    }

    /**
     * The daughters go to two racks: the block in the middle is read by both, and in one rack the other's replica is the only one
     * that may go once it spans three racks, and it stays.
     */
    private static void daughtersBecomeLocal(EmbeddedCluster cluster, UncompactedTable table) throws Exception {
        HRegionLocation parent = table.locations().get(0);
        cluster.admin()
                .splitRegionAsync(parent.getRegion().getRegionName(), UncompactedTable.row(250))
                .get();
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(table.locations()).hasSize(3));

        table.moveToLeastLocalHost(table.locations().get(0).getRegion(), Set.of(parent.getHostname()));
        Set<String> notTo =
                new HashSet<>(hostsInTheRackOf(cluster, table.locations().get(0)));
        notTo.add(parent.getHostname());
        table.moveToLeastLocalHost(table.locations().get(1).getRegion(), notTo);
        assertThat(table.leastLocality()).as("before healing").isLessThan(1);

        awaitAllLocal(table);
    }

    /**
     * The region that was not split, in another rack than the original: in the same rack the original's replica is the only
     * one that may go without a rack, and it stays. So do the blocks that both daughters and their clones read.
     */
    private static void aCloneBecomesLocal(EmbeddedCluster cluster, UncompactedTable table) throws Exception {
        cluster.admin().snapshot("s", TABLE);
        cluster.admin().cloneSnapshot("s", CLONE);
        UncompactedTable clone = new UncompactedTable(cluster, CLONE);
        assertThat(clone.locations()).hasSize(3);
        RegionInfo region = clone.locations().get(2).getRegion();
        clone.moveToLeastLocalHost(
                region, hostsInTheRackOf(cluster, table.locations().get(2)));
        String host = clone.locations().get(2).getHostname();
        assertThat(clone.locality(region, host)).as("before healing").isLessThan(1);

        await().atMost(PATIENCE).untilAsserted(() -> {
            // An assertion error is tried again, this is not.
            if (table.leastLocality() < 1) {
                throw new IllegalStateException("The original has lost local bytes: " + table.leastLocality());
            }
            assertThat(clone.locality(region, host)).as(clone::lastPlans).isEqualTo(1);
        });
    }

    private static void awaitAllLocal(UncompactedTable table) {
        await().atMost(PATIENCE)
                .untilAsserted(() ->
                        assertThat(table.leastLocality()).as(table::lastPlans).isEqualTo(1));
    }

    private static Set<String> hostsInTheRackOf(EmbeddedCluster cluster, HRegionLocation location) {
        String rack = cluster.hosts().stream()
                .filter(host -> host.name().equals(location.getHostname()))
                .findFirst()
                .orElseThrow()
                .rack();
        return cluster.hosts().stream()
                .filter(host -> host.rack().equals(rack))
                .map(ClusterHost::name)
                .collect(Collectors.toSet());
    }
}
