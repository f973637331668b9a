// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.heal;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import io.hearth.healer.model.BlockReplicas;
import io.hearth.healer.model.BlockReplicas.BlockId;
import io.hearth.healer.model.BlockReplicas.Replica;
import io.hearth.healer.model.DataNode;
import io.hearth.healer.model.DataNode.ServiceState;
import io.hearth.healer.model.DataNode.StorageType;
import io.hearth.healer.model.DataNodes;
import io.hearth.healer.model.RegionFiles;
import io.hearth.healer.model.ServedRegion;
import io.hearth.healer.model.ServedRegion.HealRank;
import io.hearth.healer.model.ServedRegion.ReportedLocality;
import io.hearth.healer.model.ServedRegion.TableHealingMode;
import io.hearth.healer.model.StoreFile;
import io.hearth.healer.spi.Assignments.AssignmentSnapshot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * A synthetic cluster of some size, as the master sees it and as a NameNode lists it: each block has a replica where its region was
 * written and one on each of two other racks; some of the regions are served elsewhere now. Blocks are made at each listing,
 * always the same ones, so that only what somebody holds takes memory. Not thread-safe.
 */
public final class LargeCluster implements SimulatedFiles {

    private static final long BLOCK_BYTES = 128L << 20;
    private static final int REPLICAS = 3;

    /** Who serves a region now. */
    @FunctionalInterface
    private interface Reassignment {

        int servedAt(int region, int writtenAt);
    }

    private final ClusterSize size;
    private final long seed;
    /** The first so many hosts hold what was written so far. */
    private final int oldHosts;

    private final List<DataNode> nodes = new ArrayList<>();
    private final List<ServerId> servers = new ArrayList<>();
    private final List<Replica> replicas = new ArrayList<>();
    private final int[] writtenAt;
    private final int[] servedAt;
    private final List<EncodedRegionName> encodedRegionNames = new ArrayList<>();
    private final Map<EncodedRegionName, Integer> numberById = new HashMap<>();
    private long nameNodeCalls;

    /** @param reassignedShare the share of regions that are not where they were written */
    public LargeCluster(ClusterSize size, double reassignedShare, long seed) {
        this(size, size.hosts(), anywhere(size, reassignedShare, seed), seed);
    }

    private LargeCluster(ClusterSize size, int oldHosts, Reassignment reassignment, long seed) {
        this.size = size;
        this.seed = seed;
        this.oldHosts = oldHosts;
        for (int host = 0; host < size.hosts(); host++) {
            String name = String.format("host%04d.example.com", host);
            DataNode node = new DataNode(
                    new DataNode.Id("uuid-" + name),
                    name,
                    "10.0." + host / 256 + "." + host % 256,
                    "/rack" + host % size.racks(),
                    ServiceState.IN_SERVICE);
            nodes.add(node);
            replicas.add(new Replica(node, StorageType.DISK));
            servers.add(new ServerId(name, 16020, 1));
        }
        writtenAt = new int[size.regions()];
        servedAt = new int[size.regions()];
        SplittableRandom random = new SplittableRandom(seed);
        for (int region = 0; region < size.regions(); region++) {
            int host = region % size.hosts();
            writtenAt[region] = host < oldHosts ? host : random.nextInt(oldHosts);
            servedAt[region] = reassignment.servedAt(region, writtenAt[region]);
            EncodedRegionName id =
                    new EncodedRegionName(String.format("%016x%016x", random.nextLong(), random.nextLong()));
            encodedRegionNames.add(id);
            numberById.put(id, region);
        }
    }

    /** A cluster to which this share of its servers, one at least, has just come: they serve as many regions as the others do. */
    public static LargeCluster withNewServers(ClusterSize size, double share, long seed) {
        int newHosts = Math.max(1, (int) Math.round(share * size.hosts()));
        return new LargeCluster(size, size.hosts() - newHosts, (region, writtenAt) -> region % size.hosts(), seed);
    }

    /** A cluster in which each server has given one region of so many away, and got one of another server's for each. */
    public static LargeCluster withExchangedRegions(ClusterSize size, int oneOf, long seed) {
        return new LargeCluster(
                size,
                size.hosts(),
                (region, writtenAt) -> {
                    int round = region / size.hosts();
                    int distance = 1 + new SplittableRandom(seed + round).nextInt(size.hosts() - 1);
                    return round % oneOf == 0 ? (writtenAt + distance) % size.hosts() : writtenAt;
                },
                seed);
    }

    private static Reassignment anywhere(ClusterSize size, double share, long seed) {
        SplittableRandom random = new SplittableRandom(seed + 1);
        return (region, writtenAt) -> random.nextDouble() < share ? random.nextInt(size.hosts()) : writtenAt;
    }

    @Override
    public DataNodes dataNodes() {
        return DataNodes.of(nodes);
    }

    /** What the master sees: a region that is served elsewhere than it was written is reported with no local byte. */
    public AssignmentSnapshot assignmentSnapshot() {
        List<ServedRegion> served = new ArrayList<>(size.regions());
        for (int region = 0; region < size.regions(); region++) {
            long bytes = bytes(region);
            served.add(new ServedRegion(
                    encodedRegionNames.get(region),
                    new TableId("t"),
                    HealRank.USER,
                    TableHealingMode.ON,
                    servers.get(servedAt[region]),
                    Optional.of(new ReportedLocality(servedAt[region] == writtenAt[region] ? bytes : 0, bytes))));
        }
        return AssignmentSnapshot.of(served, List.of());
    }

    /** What the NameNode lists for a region, in one call for each of its store folders. */
    public RegionFiles list(EncodedRegionName region) {
        nameNodeCalls += size.foldersPerRegion();
        return RegionFiles.of(files(region));
    }

    @Override
    public List<StoreFile> files(EncodedRegionName region) {
        List<StoreFile> files = new ArrayList<>();
        for (int file = 0; file < size.filesPerRegion(); file++) {
            files.add(file(region, file));
        }
        return files;
    }

    @Override
    public StoreFile file(String path) {
        String[] parts = path.split("/", -1);
        return file(new EncodedRegionName(parts[parts.length - 3]), Integer.parseInt(parts[parts.length - 1]));
    }

    private StoreFile file(EncodedRegionName region, int ofRegion) {
        int folder = ofRegion / size.filesPerFolder();
        String path = "/hbase/data/default/t/" + region + "/f" + folder + "/" + ofRegion;
        return new StoreFile(path, REPLICAS, false, true, blocks(numberById.getOrDefault(region, 0), ofRegion));
    }

    @Override
    public int foldersPerRegion() {
        return size.foldersPerRegion();
    }

    ClusterSize size() {
        return size;
    }

    public long nameNodeCalls() {
        return nameNodeCalls;
    }

    /** How hot a region is: Zipf over the regions, in no order of theirs. */
    double readsPerSecond(EncodedRegionName region) {
        int rank = 1 + Math.floorMod(numberById.getOrDefault(region, 0) * 7_919, size.regions());
        return 1_000_000 / Math.pow(rank, 0.99);
    }

    private List<BlockReplicas> blocks(int region, int file) {
        long fileNumber = (long) region * size.filesPerRegion() + file;
        int count = size.blocksOfFile(fileNumber);
        SplittableRandom random = new SplittableRandom(seed ^ (fileNumber * 0x9E3779B97F4A7C15L));
        List<BlockReplicas> blocks = new ArrayList<>(count);
        for (int block = 0; block < count; block++) {
            long bytes = block == count - 1 ? lastBlockBytes(fileNumber) : BLOCK_BYTES;
            blocks.add(new BlockReplicas(
                    new BlockId("pool", size.firstBlockOfFile(fileNumber) + block, 1_001),
                    bytes,
                    holders(region, random),
                    false));
        }
        return blocks;
    }

    /** Where it was written, and one host on each of two other racks. */
    private List<Replica> holders(int region, SplittableRandom random) {
        int writer = writtenAt[region];
        int second = 1 + random.nextInt(size.racks() - 1);
        int third = 1 + random.nextInt(size.racks() - 2);
        return List.of(
                replicas.get(writer),
                replicas.get(hostOnRack(writer + second, random)),
                replicas.get(hostOnRack(writer + (third < second ? third : third + 1), random)));
    }

    private int hostOnRack(int number, SplittableRandom random) {
        int rack = number % size.racks();
        int onRack = (oldHosts - rack + size.racks() - 1) / size.racks();
        return rack + size.racks() * random.nextInt(onRack);
    }

    private long bytes(int region) {
        long bytes = 0;
        for (int file = 0; file < size.filesPerRegion(); file++) {
            long fileNumber = (long) region * size.filesPerRegion() + file;
            bytes += (size.blocksOfFile(fileNumber) - 1) * BLOCK_BYTES + lastBlockBytes(fileNumber);
        }
        return bytes;
    }

    private static long lastBlockBytes(long fileNumber) {
        return 1 + Math.floorMod(fileNumber * 0x9E3779B97F4A7C15L, BLOCK_BYTES);
    }

    /**
     * How large a synthetic cluster is. Immutable.
     *
     * @param racks at least 3
     * @param blocks blocks of all files together
     */
    public record ClusterSize(
            int hosts, int racks, int regions, int foldersPerRegion, int filesPerFolder, long blocks) {

        /** HubSpot's largest, as far as they have said: 350,000 store files, 5 million blocks, 1,000 hosts in 3 zones, which HDFS takes for racks. */
        public static final ClusterSize HUBSPOT = new ClusterSize(1_000, 3, 87_500, 2, 2, 5_000_000);

        /** A twentieth of it. */
        public static final ClusterSize SMALL = new ClusterSize(50, 3, 4_375, 2, 2, 250_000);

        int filesPerRegion() {
            return foldersPerRegion * filesPerFolder;
        }

        long files() {
            return (long) regions * filesPerRegion();
        }

        /** One for each column family of each region. */
        public long folders() {
            return (long) regions * foldersPerRegion;
        }

        int blocksOfFile(long file) {
            return (int) (firstBlockOfFile(file + 1) - firstBlockOfFile(file));
        }

        long firstBlockOfFile(long file) {
            return blocks * file / files();
        }

        /** What a table calls it. */
        public String label() {
            return String.format(
                    Locale.ROOT,
                    "%,d hosts on %,d racks, %,d regions, %,d store folders, %,d store files, %,d blocks",
                    hosts,
                    racks,
                    regions,
                    folders(),
                    files(),
                    blocks);
        }
    }
}
