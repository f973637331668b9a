// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.integration;

import io.hearth.testkit.embedded.ClusterHost;
import io.hearth.testkit.embedded.EmbeddedCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.mob.MobUtils;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A table that never compacts, so that references and links stay, and where its regions' bytes are according to the NameNode:
 * {@code HRegion.computeHDFSBlocksDistribution} follows references and links as a RegionServer does.
 */
final class UncompactedTable {

    private static final byte[] FAMILY = Bytes.toBytes("f");
    private static final byte[] MOB_FAMILY = Bytes.toBytes("m");
    private static final int ROWS = 800;

    /** A line of the healer of one region: its encoded name and its table. */
    private static final Pattern PLAN = Pattern.compile("Region (\\S+) of (\\S+) on .* staying: .*");

    private final EmbeddedCluster cluster;
    private final TableName name;

    UncompactedTable(EmbeddedCluster cluster, TableName name) {
        this.cluster = cluster;
        this.name = name;
    }

    /** Creates it with a region of rows before 500 and one of the others, and loads some MB into each. */
    static UncompactedTable load(EmbeddedCluster cluster, TableName name) throws IOException {
        cluster.admin()
                .createTable(
                        TableDescriptorBuilder.newBuilder(name)
                                .setCompactionEnabled(false)
                                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                                .setColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(MOB_FAMILY)
                                        .setMobEnabled(true)
                                        .setMobThreshold(1_000)
                                        .build())
                                .build(),
                        new byte[][] {row(500)});
        Random random = new Random(1);
        byte[] value = new byte[10_000];
        try (BufferedMutator mutator = cluster.connection().getBufferedMutator(name)) {
            for (int row = 0; row < ROWS; row++) {
                random.nextBytes(value);
                mutator.mutate(new Put(row(row))
                        .addColumn(FAMILY, FAMILY, value.clone())
                        .addColumn(MOB_FAMILY, FAMILY, Arrays.copyOf(value, 4_000)));
            }
        }
        cluster.admin().flush(name);
        return new UncompactedTable(cluster, name);
    }

    static byte[] row(int number) {
        return Bytes.toBytes(String.format("%04d", number));
    }

    /** The regions in the order of their keys. */
    List<HRegionLocation> locations() throws IOException {
        try (RegionLocator locator = cluster.connection().getRegionLocator(name)) {
            locator.clearRegionLocationCache();
            return locator.getAllRegionLocations();
        }
    }

    /** Moves a region to the host with the fewest of its bytes. */
    void moveToLeastLocalHost(RegionInfo region, Collection<String> notTo) throws IOException {
        String far = "";
        float least = Float.MAX_VALUE;
        for (ClusterHost host : cluster.hosts()) {
            float locality = locality(region, host.name());
            if (locality < least && !notTo.contains(host.name())) {
                far = host.name();
                least = locality;
            }
        }
        cluster.admin()
                .move(
                        region.getEncodedNameAsBytes(),
                        cluster.regionServerOn(far).orElseThrow());
    }

    /** The local share of what a region reads, if it were served on this host. */
    float locality(RegionInfo region, String host) throws IOException {
        Configuration conf = cluster.configuration();
        return HRegion.computeHDFSBlocksDistribution(conf, cluster.admin().getDescriptor(name), region)
                .getBlockLocalityIndex(host);
    }

    /** The smallest local share of all regions where they are. */
    float leastLocality() throws IOException {
        float least = 1;
        for (HRegionLocation location : locations()) {
            least = Math.min(least, locality(location.getRegion(), location.getHostname()));
        }
        return least;
    }

    /** What the healer last found of each region and why it leaves what it leaves, by its log. */
    String lastPlans() {
        Map<String, String> lineByRegion = new TreeMap<>();
        try {
            cluster.log().lines().forEach(line -> {
                Matcher plan = PLAN.matcher(line);
                if (plan.find() && plan.group(2).equals(name.getNameAsString())) {
                    lineByRegion.put(plan.group(1), plan.group());
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return String.join("\n", lineByRegion.values());
    }

    /** How many blocks of this region's MOB files are on this host, and elsewhere. */
    int[] mobBlocks(RegionInfo region, String host) throws IOException {
        int[] blocks = new int[2];
        Path folder = MobUtils.getMobFamilyPath(cluster.configuration(), name, Bytes.toString(MOB_FAMILY));
        RemoteIterator<LocatedFileStatus> files = cluster.fileSystem().listFiles(folder, false);
        while (files.hasNext()) {
            LocatedFileStatus file = files.next();
            if (file.getPath().getName().endsWith("_" + region.getEncodedName())) {
                for (BlockLocation block : file.getBlockLocations()) {
                    blocks[Arrays.asList(block.getHosts()).contains(host) ? 0 : 1]++;
                }
            }
        }
        return blocks;
    }

    /** The number of blocks of HBase's files that one rack alone holds, or that have not three replicas. */
    static int blocksAtRisk(EmbeddedCluster cluster) throws IOException {
        int count = 0;
        for (String folder : List.of("data/default", "mobdir")) {
            RemoteIterator<LocatedFileStatus> files = cluster.fileSystem()
                    .listFiles(new Path(cluster.configuration().get(HConstants.HBASE_DIR), folder), true);
            while (files.hasNext()) {
                for (BlockLocation block : files.next().getBlockLocations()) {
                    Set<String> racks = new HashSet<>();
                    for (String path : block.getTopologyPaths()) {
                        racks.add(path.substring(0, path.lastIndexOf('/')));
                    }
                    count += racks.size() < 2 || block.getHosts().length != 3 ? 1 : 0;
                }
            }
        }
        return count;
    }
}
