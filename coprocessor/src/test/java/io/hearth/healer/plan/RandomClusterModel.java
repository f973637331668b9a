// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.plan;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.healer.fakes.Racks;
import io.hearth.healer.model.BlockReplicas;
import io.hearth.healer.model.BlockReplicas.Replica;
import io.hearth.healer.model.DataNode;
import io.hearth.healer.model.DataNode.ServiceState;
import io.hearth.healer.model.DataNode.StorageType;
import io.hearth.healer.model.RegionFiles.FilePart;
import io.hearth.healer.model.StoreFile;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;

/** Worlds drawn from a seed; larger seeds draw larger ones. */
final class RandomClusterModel {

    private final Random random;
    private final int hosts;
    private final List<DataNode> nodes = new ArrayList<>();
    private final SortedMap<String, StoreFile> fileByPath = new TreeMap<>();
    private long nextBlock;

    private RandomClusterModel(long seed) {
        this.random = new Random(seed);
        this.hosts = 2 + (int) Math.min(30, seed / 40);
    }

    static ClusterModel of(long seed) {
        return new RandomClusterModel(seed).draw();
    }

    private ClusterModel draw() {
        drawNodes();
        int files = 1 + random.nextInt(6);
        for (int file = 0; file < files; file++) {
            StoreFile drawn = file("/t/r/f" + file);
            fileByPath.put(drawn.path(), drawn);
        }
        List<ClusterModel.Region> regions = new ArrayList<>();
        int count = 1 + random.nextInt(5);
        for (int region = 0; region < count; region++) {
            regions.add(region("r" + region));
        }
        return new ClusterModel(nodes, fileByPath, regions, 1 + random.nextInt(4));
    }

    private void drawNodes() {
        int racks = 1 + random.nextInt(Math.min(8, hosts));
        int domains = oneIn(2) ? 0 : 1 + random.nextInt(6);
        for (int host = 0; host < hosts; host++) {
            for (int node = oneIn(12) ? 2 : 1; node > 0; node--) {
                nodes.add(new DataNode(
                        new DataNode.Id(String.format("u%02d-%d", host, node)),
                        "h" + host,
                        "10.0.0." + host,
                        "/r" + random.nextInt(racks),
                        state(),
                        domains == 0 || oneIn(8) ? Optional.empty() : Optional.of("d" + random.nextInt(domains)),
                        oneIn(8) ? OptionalDouble.empty() : OptionalDouble.of(random.nextInt(11) / 10.0),
                        oneIn(6) ? OptionalLong.of(random.nextInt(2_000)) : OptionalLong.empty()));
            }
        }
    }

    /** Reads each file with even odds, so that most files have several readers. */
    private ClusterModel.Region region(String name) {
        SortedMap<String, FilePart> parts = new TreeMap<>();
        for (String path : fileByPath.keySet()) {
            if (oneIn(2)) {
                parts.put(path, oneIn(2) ? FilePart.WHOLE : oneIn(2) ? FilePart.FIRST_HALF : FilePart.SECOND_HALF);
            }
        }
        return new ClusterModel.Region(
                new EncodedRegionName(name),
                host(),
                oneIn(2) ? Optional.of(host()) : Optional.empty(),
                parts,
                oneIn(5) ? random.nextInt(3_000) : Long.MAX_VALUE);
    }

    private StoreFile file(String path) {
        int replication = 1 + random.nextInt(Math.min(4, hosts));
        List<StorageType> wanted = wanted(replication);
        List<BlockReplicas> blocks = new ArrayList<>();
        for (int block = random.nextInt(7); block >= 0; block--) {
            blocks.add(block(replication, wanted));
        }
        return new StoreFile(path, replication, oneIn(25), !oneIn(25), wanted, blocks);
    }

    /** HOT, ALL_SSD, ONE_SSD, WARM. */
    private List<StorageType> wanted(int replication) {
        StorageType first = oneIn(3) ? StorageType.SSD : StorageType.DISK;
        StorageType rest = oneIn(8) ? StorageType.ARCHIVE : oneIn(8) ? StorageType.SSD : StorageType.DISK;
        List<StorageType> types = new ArrayList<>(Collections.nCopies(replication, rest));
        types.set(0, first);
        return types;
    }

    private BlockReplicas block(int replication, List<StorageType> wanted) {
        List<DataNode> holders = ClusterModel.shuffled(nodes, random);
        List<StorageType> types = ClusterModel.shuffled(wanted, random);
        int count = replication + (oneIn(12) ? random.nextInt(3) - 1 : 0);
        List<Replica> replicas = new ArrayList<>();
        for (int replica = 0; replica < Math.min(count, nodes.size()); replica++) {
            StorageType type = replica < types.size() && !oneIn(30) ? types.get(replica) : anyType();
            replicas.add(new Replica(holders.get(replica), type));
        }
        return new BlockReplicas(Racks.blockId(nextBlock++), 1 + random.nextInt(1000), replicas, oneIn(40));
    }

    private StorageType anyType() {
        return StorageType.values()[random.nextInt(StorageType.values().length)];
    }

    private ServiceState state() {
        return oneIn(12) ? ServiceState.STALE : oneIn(20) ? ServiceState.NOT_IN_SERVICE : ServiceState.IN_SERVICE;
    }

    private String host() {
        return "h" + random.nextInt(hosts);
    }

    private boolean oneIn(int n) {
        return random.nextInt(n) == 0;
    }
}
