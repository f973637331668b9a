// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hbase.ClusterMetrics.Option;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** The tests share one cluster, in this order: the last ones kill a server, restart the master and close it. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class EmbeddedClusterIT {
    private static final TableName TABLE = TableName.valueOf("t");
    private static final int REGIONS = 12;
    private static final int ROWS = 24 * 1024;
    private static final byte[] FAMILY = Bytes.toBytes("f");
    private static final Duration SOON = Duration.ofSeconds(60);

    @TempDir
    static Path parent;

    private static Set<Thread> threadsBefore;
    private static Path directory;
    private static EmbeddedCluster cluster;
    private static TableDescriptor table;

    @BeforeAll
    static void startAndLoad() throws IOException {
        threadsBefore = Thread.getAllStackTraces().keySet();
        directory = parent.resolve("cluster");
        cluster = EmbeddedCluster.builder().directory(directory).start();
        byte[][] splits = IntStream.range(1, REGIONS)
                .mapToObj(i -> row(i * ROWS / REGIONS))
                .toArray(byte[][]::new);
        table = TableDescriptorBuilder.newBuilder(TABLE)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                .build();
        cluster.admin().createTable(table, splits);
        Random random = new Random(1);
        try (BufferedMutator mutator = cluster.connection().getBufferedMutator(TABLE)) {
            for (int i = 0; i < ROWS; i++) {
                byte[] value = new byte[1024];
                random.nextBytes(value);
                mutator.mutate(new Put(row(i)).addColumn(FAMILY, Bytes.toBytes("q"), value));
            }
        }
        cluster.admin().flush(TABLE);
    }

    @AfterAll
    static void close() {
        if (cluster != null) {
            cluster.close();
        }
    }

    @Test
    @Order(1)
    void everyHostHasADataNodeAndARegionServerUnderItsNameAndAddress() throws IOException {
        assertThat(Arrays.stream(cluster.fileSystem().getDataNodeStats())
                        .map(node -> new ClusterHost(node.getHostName(), node.getIpAddr(), node.getNetworkLocation())))
                .containsExactlyInAnyOrderElementsOf(cluster.hosts());
        for (ClusterHost host : cluster.hosts()) {
            assertThat(cluster.regionServerOn(host.name()).orElseThrow().getHostname())
                    .isEqualTo(host.name());
        }
        assertThat(cluster.admin().isBalancerEnabled()).isFalse();
    }

    @Test
    @Order(2)
    void everyRegionIsLocalAfterALoadAndAFlush() throws IOException {
        for (HRegionLocation location : locations()) {
            assertThat(trueLocality(location.getRegion(), location.getHostname()))
                    .as("%s on %s", location.getRegion().getEncodedName(), location.getHostname())
                    .isEqualTo(1.0f);
        }
        await("every region reports locality 1.00").atMost(SOON).untilAsserted(() -> assertThat(reportedLocalities())
                .hasSize(REGIONS)
                .allSatisfy((region, locality) -> assertThat(locality).isEqualTo(1.0f)));
    }

    @Test
    @Order(3)
    void everyBlockHasThreeReplicasInTwoRacks() throws IOException {
        for (HRegionLocation location : locations()) {
            for (LocatedFileStatus file : storeFiles(location.getRegion())) {
                for (BlockLocation block : file.getBlockLocations()) {
                    assertThat(block.getHosts()).hasSize(3).contains(location.getHostname());
                    assertThat(racks(block)).hasSizeGreaterThanOrEqualTo(2);
                }
            }
        }
    }

    @Test
    @Order(4)
    void localityFallsWhenARegionMovesAndRisesWhenItsBlocksFollow() throws IOException {
        RegionInfo region = locations().get(0).getRegion();
        String destination = cluster.hosts().stream()
                .map(ClusterHost::name)
                .min(Comparator.comparing(host -> trueLocality(region, host)))
                .orElseThrow();
        float expected = trueLocality(region, destination);
        assertThat(expected).isLessThan(1.0f);
        ServerName server = cluster.regionServerOn(destination).orElseThrow();
        cluster.admin().move(region.getEncodedNameAsBytes(), server);
        await("the fall is reported").atMost(SOON).untilAsserted(() -> assertThat(
                        reportedLocalities().get(region.getEncodedName()))
                .isCloseTo(expected, within(0.01f)));

        ReplicaMover mover = new ReplicaMover(cluster.fileSystem());
        for (FileStatus file : storeFiles(region)) {
            mover.makeLocal(file.getPath(), destination);
        }
        await("the NameNode sees all blocks local").atMost(SOON).until(() -> trueLocality(region, destination) == 1f);
        await("replaced replicas vanish").atMost(SOON).untilAsserted(() -> everyBlockHasThreeReplicasInTwoRacks());
        await("the rise is reported").atMost(SOON).untilAsserted(() -> {
            assertThat(readWithoutCache(region)).isPositive();
            assertThat(reportedLocalities().get(region.getEncodedName())).isEqualTo(1.0f);
        });
    }

    @Test
    @Order(5)
    void theMasterRestarts() throws IOException {
        ServerName before = cluster.master().getServerName();
        cluster.restartMaster();
        assertThat(cluster.master().getServerName()).isNotEqualTo(before);
        assertThat(cluster.admin().getRegionServers()).hasSize(cluster.hosts().size());
    }

    @Test
    @Order(6)
    void theRegionsOfAKilledRegionServerComeBackWithAllRows() throws IOException {
        try (Table t = cluster.connection().getTable(TABLE)) {
            t.put(new Put(row(ROWS)).addColumn(FAMILY, Bytes.toBytes("q"), Bytes.toBytes("only in the WAL")));
        }
        String host = locations().get(REGIONS - 1).getHostname();
        cluster.killRegionServer(host);
        assertThat(cluster.regionServerOn(host)).isEmpty();
        await("all regions are open elsewhere").atMost(SOON).untilAsserted(() -> assertThat(locations())
                .hasSize(REGIONS)
                .noneMatch(location -> location.getHostname().equals(host)));
        assertThat(count(new Scan())).isEqualTo(ROWS + 1);
    }

    @Test
    @Order(7)
    void aStoppedDataNodeIsDeadToTheNameNode() throws IOException {
        cluster.stopDataNode("host1");
        await("the NameNode's notice")
                .atMost(SOON)
                .until(() -> liveDataNodes() == cluster.hosts().size() - 1);
    }

    @Test
    @Order(8)
    void closeLeavesNoDirectoryAndNoThread() {
        assertThat(directory).isDirectory();
        cluster.close();
        assertThat(directory).doesNotExist();
        await("no thread keeps the JVM alive").pollInSameThread().atMost(SOON).untilAsserted(() -> assertThat(
                        threadsLeft())
                .isEmpty());
        cluster.close();
        assertThat(Files.exists(directory)).isFalse();
    }

    private static byte[] row(int i) {
        return Bytes.toBytes(String.format("%08d", i));
    }

    private static List<HRegionLocation> locations() throws IOException {
        try (RegionLocator locator = cluster.connection().getRegionLocator(TABLE)) {
            locator.clearRegionLocationCache();
            return locator.getAllRegionLocations();
        }
    }

    /** By the NameNode's block locations. */
    private static float trueLocality(RegionInfo region, String host) {
        try {
            return HRegion.computeHDFSBlocksDistribution(cluster.configuration(), table, region)
                    .getBlockLocalityIndex(host);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<String, Float> reportedLocalities() throws IOException {
        Map<String, Float> localityByRegion = new TreeMap<>();
        for (ServerMetrics server : cluster.admin()
                .getClusterMetrics(EnumSet.of(Option.LIVE_SERVERS))
                .getLiveServerMetrics()
                .values()) {
            for (RegionMetrics region : server.getRegionMetrics().values()) {
                if (RegionInfo.getTable(region.getRegionName()).equals(TABLE)) {
                    localityByRegion.put(RegionInfo.encodeRegionName(region.getRegionName()), region.getDataLocality());
                }
            }
        }
        return localityByRegion;
    }

    private static List<LocatedFileStatus> storeFiles(RegionInfo region) throws IOException {
        org.apache.hadoop.fs.Path root = CommonFSUtils.getRootDir(cluster.configuration());
        org.apache.hadoop.fs.Path family = new org.apache.hadoop.fs.Path(
                CommonFSUtils.getRegionDir(root, TABLE, region.getEncodedName()), Bytes.toString(FAMILY));
        RemoteIterator<LocatedFileStatus> files = cluster.fileSystem().listLocatedStatus(family);
        List<LocatedFileStatus> found = new ArrayList<>();
        while (files.hasNext()) {
            found.add(files.next());
        }
        return found;
    }

    private static Set<String> racks(BlockLocation block) throws IOException {
        return Arrays.stream(block.getTopologyPaths())
                .map(path -> path.substring(0, path.lastIndexOf('/')))
                .collect(Collectors.toSet());
    }

    /** An open stream learns of moved blocks only if it is read. */
    private static int readWithoutCache(RegionInfo region) throws IOException {
        return count(new Scan()
                .withStartRow(region.getStartKey())
                .withStopRow(region.getEndKey())
                .setCacheBlocks(false)
                .setReadType(Scan.ReadType.PREAD));
    }

    private static int count(Scan scan) throws IOException {
        int rows = 0;
        try (Table t = cluster.connection().getTable(TABLE);
                ResultScanner scanner = t.getScanner(scan)) {
            while (scanner.next() != null) {
                rows++;
            }
        }
        return rows;
    }

    private static int liveDataNodes() throws IOException {
        return cluster.fileSystem().getDataNodeStats(DatanodeReportType.LIVE).length;
    }

    private static Set<Thread> threadsLeft() {
        Set<Thread> left = new HashSet<>(Thread.getAllStackTraces().keySet());
        left.removeAll(threadsBefore);
        left.removeIf(Thread::isDaemon);
        return left;
    }
}
