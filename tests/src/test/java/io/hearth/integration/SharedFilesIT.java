package io.hearth.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hearth.cluster.EmbeddedCluster;
import io.hearth.healing.hdfs.HdfsBridge;
import io.hearth.healing.observe.Observed;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.junit.jupiter.api.Test;

/** Regions that read files of others, in a real cluster, by the NameNode's word. */
class SharedFilesIT {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final TableName TABLE = TableName.valueOf("t");
    private static final TableName CLONE = TableName.valueOf("c");

    @Test
    void daughtersAndAClonesRegionsComeHomeAndTheOriginalLosesNothing() throws Exception {
        try (EmbeddedCluster cluster = EmbeddedCluster.builder()
                .withHearth()
                // Only to make time pass faster.
                .property("hearth.heal.poll.ms", "1000")
                .property("hearth.heal.settle.ms", "2000")
                // HBase leaves snapshots off where its file cleaners don't name the snapshots' one.
                .property("hbase.snapshot.enabled", "true")
                .start()) {
            SharedTable table = SharedTable.load(cluster, TABLE);
            followsAMountTable(cluster);
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(table.leastLocality()).isEqualTo(1));

            mobFilesFollowTheirRegion(table, table.locations().get(1).getRegion());
            daughtersComeHome(cluster, table);
            aCloneComesHome(cluster, table);

            assertThat(cluster.master().isAborted()).isFalse();
            await().atMost(PATIENCE).untilAsserted(() -> assertThat(SharedTable.blocksAtRisk(cluster))
                    .isZero());
        }
    }

    private static void followsAMountTable(EmbeddedCluster cluster) throws Exception {
        Configuration conf = cluster.configuration();
        String root = conf.get(HConstants.HBASE_DIR);
        conf.set("fs.viewfs.mounttable.site.link./hbase", root);
        try (HdfsBridge bridge = HdfsBridge.to(
                FileSystem.get(URI.create("viewfs://site/"), conf), new Path("viewfs://site/hbase"), conf)) {
            assertThat(bridge.rootFolder()).isEqualTo(new Path(root));
            assertThat(bridge.storeFolders().list(bridge.rootFolder().toUri().getPath()))
                    .isInstanceOf(Observed.Known.class);
        }
    }

    private static void mobFilesFollowTheirRegion(SharedTable table, RegionInfo region) throws Exception {
        table.moveFarAway(region, Set.of());
        String host = table.locations().get(1).getHostname();
        assertThat(table.mobBlocks(region, host)[1]).isPositive();

        await().atMost(PATIENCE).untilAsserted(() -> assertThat(table.mobBlocks(region, host)[1])
                .isZero());
        assertThat(table.mobBlocks(region, host)[0]).isPositive();
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(table.leastLocality()).isEqualTo(1));
    }

    private static void daughtersComeHome(EmbeddedCluster cluster, SharedTable table) throws Exception {
        HRegionLocation parent = table.locations().get(0);
        cluster.admin()
                .splitRegionAsync(parent.getRegion().getRegionName(), SharedTable.row(250))
                .get();
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(table.locations()).hasSize(3));

        table.moveFarAway(table.locations().get(0).getRegion(), Set.of(parent.getHostname()));
        table.moveFarAway(
                table.locations().get(1).getRegion(),
                Set.of(parent.getHostname(), table.locations().get(0).getHostname()));
        assertThat(table.leastLocality()).as("before healing").isLessThan(1);

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(table.leastLocality()).isEqualTo(1));
    }

    private static void aCloneComesHome(EmbeddedCluster cluster, SharedTable table) throws Exception {
        cluster.admin().snapshot("s", TABLE);
        cluster.admin().cloneSnapshot("s", CLONE);
        SharedTable clone = new SharedTable(cluster, CLONE);
        List<HRegionLocation> originals = table.locations();
        List<HRegionLocation> clones = clone.locations();
        assertThat(clones).hasSameSizeAs(originals);
        for (int region = 0; region < clones.size(); region++) {
            clone.moveFarAway(
                    clones.get(region).getRegion(), Set.of(originals.get(region).getHostname()));
        }
        assertThat(clone.leastLocality()).as("before healing").isLessThan(1);

        await().atMost(PATIENCE).untilAsserted(() -> {
            // An assertion error is tried again, this is not.
            if (table.leastLocality() < 1) {
                throw new IllegalStateException("The original has lost local bytes: " + table.leastLocality());
            }
            assertThat(clone.leastLocality()).isEqualTo(1);
        });
    }
}
