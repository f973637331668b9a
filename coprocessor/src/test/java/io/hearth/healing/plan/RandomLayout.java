package io.hearth.healing.plan;

import io.hearth.balancer.load.RegionId;
import io.hearth.healing.fakes.Racks;
import io.hearth.healing.model.BlockReplicas;
import io.hearth.healing.model.DataNode;
import io.hearth.healing.model.DataNodeId;
import io.hearth.healing.model.DataNodes;
import io.hearth.healing.model.RegionFiles;
import io.hearth.healing.model.Replica;
import io.hearth.healing.model.ServiceState;
import io.hearth.healing.model.StorageType;
import io.hearth.healing.model.StoreFile;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** A cluster and a region's files drawn from a seed; larger seeds draw larger ones. */
record RandomLayout(RegionId region, String host, RegionFiles files, DataNodes nodes) {

    static RandomLayout of(long seed) {
        Random random = new Random(seed);
        int size = 2 + (int) Math.min(40, seed / 20);
        int racks = 1 + random.nextInt(Math.min(8, size));
        List<DataNode> nodes = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            nodes.add(new DataNode(
                    new DataNodeId("u" + i), "h" + i, "10.0.0." + i, "/r" + random.nextInt(racks), state(random)));
        }
        List<StoreFile> files = new ArrayList<>();
        long number = 0;
        for (int f = random.nextInt(5); f >= 0; f--) {
            List<BlockReplicas> blocks = new ArrayList<>();
            int replication = 1 + random.nextInt(Math.min(4, size));
            for (int b = random.nextInt(6); b >= 0; b--) {
                blocks.add(block(number++, replication, nodes, random));
            }
            files.add(new StoreFile("/t/r/f" + f, replication, oneIn(20, random), !oneIn(20, random), blocks));
        }
        return new RandomLayout(
                new RegionId("r"), "h" + random.nextInt(size), RegionFiles.of(files), DataNodes.of(nodes));
    }

    private static BlockReplicas block(long number, int replication, List<DataNode> nodes, Random random) {
        List<DataNode> shuffled = new ArrayList<>(nodes);
        Collections.shuffle(shuffled, random);
        int holders = Math.min(nodes.size(), Math.max(0, replication + (oneIn(8, random) ? random.nextInt(3) - 1 : 0)));
        List<Replica> replicas = shuffled.subList(0, holders).stream()
                .map(node -> new Replica(node, storage(random)))
                .toList();
        return new BlockReplicas(Racks.blockId(number), 1 + random.nextInt(1000), replicas, oneIn(30, random));
    }

    private static ServiceState state(Random random) {
        return oneIn(10, random)
                ? ServiceState.STALE
                : oneIn(15, random) ? ServiceState.LEAVING : ServiceState.IN_SERVICE;
    }

    private static StorageType storage(Random random) {
        List<StorageType> types = List.of(StorageType.values());
        return oneIn(4, random) ? types.get(random.nextInt(types.size())) : StorageType.DISK;
    }

    private static boolean oneIn(int n, Random random) {
        return random.nextInt(n) == 0;
    }
}
