// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hearth.healer.hbase.HealingMetricRegistry;
import io.hearth.healer.model.SkipReason;
import io.hearth.testkit.embedded.EmbeddedCluster;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.crypto.key.KeyProvider;
import org.apache.hadoop.crypto.key.KeyProviderFactory;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hdfs.client.CreateEncryptionZoneFlag;
import org.apache.hadoop.hdfs.client.HdfsAdmin;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Healing beside what HDFS has been told of its files: encryption zones, storage policies, pinned replicas, erasure coding,
 * upgrade domains.
 */
@Tag("soak")
@Tag("shared")
class HdfsPoliciesIT {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String ROOT = "/hbase";
    private static final String KEY = "key";
    private static final int DOMAINS = 3;
    private static final String CODING = "XOR-2-1-1024k";
    private static final int ROWS = 300;

    @TempDir
    private Path folder;

    private static EmbeddedCluster.Builder builder() {
        return EmbeddedCluster.builder()
                .withHearth()
                // Only to make time pass faster.
                .property("hearth.heal.poll.ms", "1000")
                .property("hearth.heal.region.stable.ms", "2000");
    }

    @Test
    void filesOfAnEncryptionZoneComeHomeAsTheyAre() throws Exception {
        String provider = "jceks://file" + folder.resolve("keys.jceks");
        createKey(provider);
        try (EmbeddedCluster cluster = builder()
                .property("hadoop.security.key.provider.path", provider)
                .beforeHBase(fs -> {
                    org.apache.hadoop.fs.Path root = new org.apache.hadoop.fs.Path(ROOT);
                    fs.mkdirs(root);
                    new HdfsAdmin(fs.getUri(), fs.getConf())
                            .createEncryptionZone(root, KEY, EnumSet.noneOf(CreateEncryptionZoneFlag.class));
                })
                .start()) {
            LocalityTable table = LocalityTable.load(cluster);
            assertThat(files(cluster)).isNotEmpty().allMatch(file -> file.getFileEncryptionInfo() != null);

            assertThat(table.moveEveryOtherRegion()).isPositive();

            awaitLocal(table);
        }
    }

    @Test
    void whatAStoragePolicyWantsElsewhereWaitsForHdfssMoverAndPinnedReplicasAndStripesStay() throws Exception {
        try (EmbeddedCluster cluster = builder().shared()) {
            LocalityTable table = LocalityTable.load(cluster);
            awaitLocal(table);
            org.apache.hadoop.fs.Path tables = new org.apache.hadoop.fs.Path(ROOT, "data/default");
            cluster.fileSystem().setStoragePolicy(tables, "ALL_SSD");
            long before = skipped(SkipReason.STORAGE_POLICY_UNMET);

            assertThat(table.moveEveryOtherRegion()).isPositive();

            await().atMost(PATIENCE).until(() -> skipped(SkipReason.STORAGE_POLICY_UNMET) > before);
            assertThat(table.localShare()).isLessThan(1);
            cluster.fileSystem().setStoragePolicy(tables, "HOT");
            awaitLocal(table);
            pinnedReplicasStay(cluster, table);
            try {
                stripesStay(cluster, table, tables);
            } finally {
                cluster.fileSystem().unsetErasureCodingPolicy(tables);
                cluster.admin().compactionSwitch(true, List.of());
            }
        }
    }

    /** A file is written to favoured nodes, and its region moves to none of them: DataNodes refuse, and no replica is lost. */
    private static void pinnedReplicasStay(EmbeddedCluster cluster, LocalityTable table) throws Exception {
        HRegionLocation localRegion = table.locations().get(1);
        List<DatanodeInfo> favoured = Arrays.stream(cluster.fileSystem().getDataNodeStats())
                .sorted(Comparator.comparing(node -> !node.getHostName().equals(localRegion.getHostname())))
                .limit(3)
                .toList();
        FavoredNodesUpdater.tell(cluster.connection(), localRegion, favoured);
        Set<HdfsLocatedFileStatus> before = files(cluster);
        table.write(ROWS);
        HdfsLocatedFileStatus pinned = files(cluster).stream()
                .filter(file -> !before.contains(file)
                        && file.getPath()
                                .toString()
                                .contains(localRegion.getRegion().getEncodedName()))
                .findAny()
                .orElseThrow();
        Set<String> hosts = favoured.stream().map(DatanodeInfo::getHostName).collect(Collectors.toSet());
        assertThat(hosts(cluster, pinned)).isEqualTo(hosts);
        long refused = RegisteredMetrics.counter(HealingMetricRegistry.INFO, "blocksFailed");

        cluster.admin()
                .move(
                        localRegion.getRegion().getEncodedNameAsBytes(),
                        cluster.admin().getRegionServers().stream()
                                .filter(server -> !hosts.contains(server.getHostname()))
                                .findAny()
                                .orElseThrow());

        await().atMost(PATIENCE)
                .until(() -> RegisteredMetrics.counter(HealingMetricRegistry.INFO, "blocksFailed") > refused);
        assertThat(hosts(cluster, pinned)).isEqualTo(hosts);
    }

    private static Set<String> hosts(EmbeddedCluster cluster, HdfsLocatedFileStatus file) throws IOException {
        Set<String> hosts = new HashSet<>();
        for (BlockLocation block : cluster.fileSystem().getFileBlockLocations(file.getPath(), 0, Long.MAX_VALUE)) {
            hosts.addAll(List.of(block.getHosts()));
        }
        return hosts;
    }

    /** Files that are written from now on are erasure coded: they are counted as such, and the others of their region become local. */
    private static void stripesStay(EmbeddedCluster cluster, LocalityTable table, org.apache.hadoop.fs.Path tables)
            throws Exception {
        // A compaction would write the files that are not erasure coded anew, as one that is.
        cluster.admin().compactionSwitch(false, List.of());
        cluster.fileSystem().enableErasureCodingPolicy(CODING);
        cluster.fileSystem().setErasureCodingPolicy(tables, CODING);
        table.write(ROWS);
        assertThat(files(cluster)).anyMatch(file -> file.getErasureCodingPolicy() != null);
        long striped = skipped(SkipReason.STRIPED);
        long verified = RegisteredMetrics.counter(HealingMetricRegistry.INFO, "bytesVerified");
        long failures = RegisteredMetrics.counter(HealingMetricRegistry.INFO, "loopFailures");

        assertThat(table.moveEveryOtherRegion()).isPositive();

        await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(skipped(SkipReason.STRIPED)).isGreaterThan(striped);
            assertThat(RegisteredMetrics.counter(HealingMetricRegistry.INFO, "bytesVerified"))
                    .isGreaterThan(verified);
        });
        assertThat(RegisteredMetrics.counter(HealingMetricRegistry.INFO, "loopFailures"))
                .isEqualTo(failures);
    }

    @Test
    void upgradeDomainsAreKept() throws Exception {
        Path hosts = folder.resolve("hosts.json");
        Files.writeString(
                hosts,
                IntStream.rangeClosed(1, 6)
                        .mapToObj(host ->
                                "{\"hostName\":\"host" + host + "\",\"upgradeDomain\":\"ud" + host % DOMAINS + "\"}")
                        .collect(Collectors.joining(",", "[", "]")));
        String policy = "org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyWithUpgradeDomain";
        // With two racks a host may have no replica to take the place of: of its domain there is one, the only one on
        // the other rack.
        try (EmbeddedCluster cluster = builder()
                .racks(6)
                .property("dfs.block.replicator.classname", policy)
                .property("dfs.upgrade.domain.factor", "" + DOMAINS)
                .property(
                        "dfs.namenode.hosts.provider.classname",
                        "org.apache.hadoop.hdfs.server.blockmanagement.CombinedHostFileManager")
                .property("dfs.hosts", hosts.toString())
                .start()) {
            LocalityTable table = LocalityTable.load(cluster);
            assertThat(leastDomains(cluster)).isEqualTo(DOMAINS);

            assertThat(table.moveEveryOtherRegion()).isPositive();

            awaitLocal(table);
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(leastDomains(cluster)).isEqualTo(DOMAINS));
        }
    }

    private static void createKey(String provider) throws IOException, GeneralSecurityException {
        Configuration conf = new Configuration(false);
        KeyProvider keys = KeyProviderFactory.get(URI.create(provider), conf);
        keys.createKey(KEY, KeyProvider.options(conf).setBitLength(128));
        keys.flush();
    }

    private static void awaitLocal(LocalityTable table) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(table.localShare()).isEqualTo(1.0));
    }

    private static long skipped(SkipReason reason) {
        return RegisteredMetrics.counter(HealingMetricRegistry.INFO, HealingMetricRegistry.metric(reason));
    }

    /** Of all blocks of store files the fewest upgrade domains that one of three replicas is on. */
    private static int leastDomains(EmbeddedCluster cluster) throws IOException {
        int least = DOMAINS;
        for (HdfsLocatedFileStatus file : files(cluster)) {
            for (LocatedBlock block : file.getLocatedBlocks().getLocatedBlocks()) {
                Set<String> domains = new HashSet<>();
                for (DatanodeInfo holder : block.getLocations()) {
                    domains.add(holder.getUpgradeDomain());
                }
                least = Math.min(least, domains.size());
            }
        }
        return least;
    }

    private static Set<HdfsLocatedFileStatus> files(EmbeddedCluster cluster) throws IOException {
        Set<HdfsLocatedFileStatus> files = new HashSet<>();
        RemoteIterator<LocatedFileStatus> listed = cluster.fileSystem()
                .listFiles(
                        new org.apache.hadoop.fs.Path(
                                cluster.configuration().get(HConstants.HBASE_DIR),
                                "data/default/" + LocalityTable.NAME),
                        true);
        while (listed.hasNext()) {
            LocatedFileStatus file = listed.next();
            if (file.getPath().getParent().getName().equals("f")) {
                files.add((HdfsLocatedFileStatus) file);
            }
        }
        return files;
    }
}
