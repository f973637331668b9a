package io.hearth.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hearth.cluster.EmbeddedCluster;
import io.hearth.healing.hbase.HealingMetricRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.master.balancer.BalancerView;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hdfs.tools.DFSck;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.Test;

/** The healer in a real master: regions move and a server dies, and the NameNode's word says when data is home again. */
class HealerIT {

    private static final TableName TABLE = TableName.valueOf("t");
    private static final int REGIONS = 12;
    private static final Duration PATIENCE = Duration.ofSeconds(120);

    @Test
    void localityReturnsAfterMovesAndACrash() throws Exception {
        try (EmbeddedCluster cluster = EmbeddedCluster.builder()
                .withHearth()
                // Only to make time pass faster.
                .property("hearth.heal.poll.ms", "1000")
                .property("hearth.heal.settle.ms", "2000")
                .start()) {
            load(cluster);
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(localShare(cluster)).isEqualTo(1.0));
            Map<String, Integer> racksBefore = racksByBlock(cluster);
            long verifiedBefore = Metrics.counter(HealingMetricRegistry.INFO, "bytesVerified");

            long nonLocalBytes = moveEveryOtherRegion(cluster);
            assertThat(nonLocalBytes).isPositive();
            awaitHome(cluster);
            assertThat(Metrics.counter(HealingMetricRegistry.INFO, "bytesVerified") - verifiedBefore)
                    .as("bytes verified against %d non-local bytes", nonLocalBytes)
                    .isBetween(nonLocalBytes, nonLocalBytes * 105 / 100);
            theBalancerKnows(cluster);

            cluster.killRegionServer(busiest(cluster).getHostname());
            await().atMost(PATIENCE)
                    .until(() -> cluster.admin().getRegions(TABLE).size() == REGIONS && allServed(cluster));
            awaitHome(cluster);

            assertThat(fsck(cluster)).contains("Status: HEALTHY");
            assertThat(racksByBlock(cluster)).as("racks of each block").containsAllEntriesOf(racksBefore);
            assertThat(cluster.master().isAborted()).isFalse();
        }
    }

    private static void load(EmbeddedCluster cluster) throws IOException {
        byte[][] splits = new byte[REGIONS - 1][];
        for (int split = 1; split < REGIONS; split++) {
            splits[split - 1] = Bytes.toBytes(String.format("%04d", split));
        }
        byte[] family = Bytes.toBytes("f");
        cluster.admin()
                .createTable(
                        TableDescriptorBuilder.newBuilder(TABLE)
                                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(family))
                                .build(),
                        splits);
        Random random = new Random(1);
        byte[] value = new byte[10_000];
        try (BufferedMutator mutator = cluster.connection().getBufferedMutator(TABLE)) {
            for (int row = 0; row < 3_000; row++) {
                random.nextBytes(value);
                byte[] key = Bytes.toBytes(String.format("%04d-%06d", row % REGIONS, row));
                mutator.mutate(new Put(key).addColumn(family, family, value.clone()));
            }
        }
        cluster.admin().flush(TABLE);
    }

    /** Moves half of the regions to the next server; returns the bytes that were not local there, by the NameNode's word. */
    private static long moveEveryOtherRegion(EmbeddedCluster cluster) throws IOException {
        List<ServerName> servers =
                cluster.admin().getRegionServers().stream().sorted().toList();
        List<HRegionLocation> locations = locations(cluster);
        long nonLocalBytes = 0;
        for (int region = 0; region < locations.size(); region += 2) {
            HRegionLocation location = locations.get(region);
            ServerName next = servers.get((servers.indexOf(location.getServerName()) + 1) % servers.size());
            nonLocalBytes +=
                    bytes(cluster, location.getRegion(), next.getHostname()).nonLocal();
            cluster.admin().move(location.getRegion().getEncodedNameAsBytes(), next);
        }
        return nonLocalBytes;
    }

    private static void awaitHome(EmbeddedCluster cluster) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(localShare(cluster)).isEqualTo(1.0));
        await("the reported locality follows")
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(reportedLocalities(cluster)).allMatch(locality -> locality == 1f));
    }

    private static void theBalancerKnows(EmbeddedCluster cluster) {
        await().atMost(PATIENCE).untilAsserted(() -> {
            for (HRegionLocation location : locations(cluster)) {
                assertThat(BalancerView.cachedLocality(cluster.master(), location.getRegion(), location.getHostname()))
                        .as("what the balancer believes of %s", location)
                        .isEqualTo(1f);
            }
        });
    }

    private static ServerName busiest(EmbeddedCluster cluster) throws IOException {
        Map<ServerName, Integer> count = new HashMap<>();
        locations(cluster).forEach(location -> count.merge(location.getServerName(), 1, Integer::sum));
        return count.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .orElseThrow()
                .getKey();
    }

    private static boolean allServed(EmbeddedCluster cluster) throws IOException {
        return locations(cluster).stream()
                .allMatch(location -> location.getServerName() != null
                        && cluster.regionServerOn(location.getHostname()).isPresent());
    }

    private static List<HRegionLocation> locations(EmbeddedCluster cluster) throws IOException {
        try (RegionLocator locator = cluster.connection().getRegionLocator(TABLE)) {
            locator.clearRegionLocationCache();
            return locator.getAllRegionLocations();
        }
    }

    private static List<Float> reportedLocalities(EmbeddedCluster cluster) throws IOException {
        return cluster.admin().getClusterMetrics().getLiveServerMetrics().values().stream()
                .flatMap(server -> server.getRegionMetrics().values().stream())
                .filter(region -> RegionInfo.getTable(region.getRegionName()).equals(TABLE))
                .map(RegionMetrics::getDataLocality)
                .toList();
    }

    private static double localShare(EmbeddedCluster cluster) throws IOException {
        long local = 0;
        long total = 0;
        for (HRegionLocation location : locations(cluster)) {
            LocalBytes bytes = bytes(cluster, location.getRegion(), location.getHostname());
            local += bytes.local;
            total += bytes.total;
        }
        return (double) local / total;
    }

    private static LocalBytes bytes(EmbeddedCluster cluster, RegionInfo region, String host) throws IOException {
        long local = 0;
        long total = 0;
        RemoteIterator<LocatedFileStatus> files = cluster.fileSystem().listFiles(storeFolder(cluster, region), true);
        while (files.hasNext()) {
            for (BlockLocation block : files.next().getBlockLocations()) {
                total += block.getLength();
                local += Arrays.asList(block.getHosts()).contains(host) ? block.getLength() : 0;
            }
        }
        return new LocalBytes(local, total);
    }

    /** How many of a region's bytes are local to a host. */
    private record LocalBytes(long local, long total) {

        long nonLocal() {
            return total - local;
        }
    }

    private static Path storeFolder(EmbeddedCluster cluster, RegionInfo region) {
        return new Path(
                cluster.configuration().get(HConstants.HBASE_DIR),
                "data/default/" + TABLE + "/" + region.getEncodedName() + "/f");
    }

    /** How many racks each block of the table's store files spans, by file and offset. */
    private static Map<String, Integer> racksByBlock(EmbeddedCluster cluster) throws IOException {
        Map<String, Integer> racks = new HashMap<>();
        for (HRegionLocation location : locations(cluster)) {
            RemoteIterator<LocatedFileStatus> files =
                    cluster.fileSystem().listFiles(storeFolder(cluster, location.getRegion()), true);
            while (files.hasNext()) {
                LocatedFileStatus file = files.next();
                for (BlockLocation block : file.getBlockLocations()) {
                    Set<String> ofBlock = new HashSet<>();
                    for (String path : block.getTopologyPaths()) {
                        ofBlock.add(path.substring(0, path.lastIndexOf('/')));
                    }
                    racks.put(file.getPath() + "@" + block.getOffset(), ofBlock.size());
                }
            }
        }
        return racks;
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
