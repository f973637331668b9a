package io.hearth.balancer.search;

import io.hearth.balancer.load.LoadVector;
import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.ServerId;
import io.hearth.balancer.load.TableId;
import io.hearth.balancer.snapshot.ClusterSnapshot;
import io.hearth.balancer.snapshot.Pin;
import io.hearth.balancer.snapshot.RegionState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Clusters for tests, the same for the same seed. */
final class RandomClusters {

    private static final TableId TABLE = new TableId("t");

    private RandomClusters() {}

    static ServerId server(int index) {
        return new ServerId(String.format("rs%04d", index), 16020, 1);
    }

    static RegionState region(int index, double reads, double writes, double storeBytes) {
        return new RegionState(
                new RegionId(String.format("r%06d", index)), TABLE, LoadVector.of(reads, writes, storeBytes), Pin.FREE);
    }

    /** Equal counts and lognormal heat (sigma 1), independent in each dimension. */
    static ClusterSnapshot lognormal(long seed, int servers, int regionsPerServer) {
        Random random = new Random(seed);
        Map<ServerId, List<RegionState>> regions = new HashMap<>();
        for (int index = 0; index < servers * regionsPerServer; index++) {
            RegionState region = region(
                    index,
                    1000 * Math.exp(random.nextGaussian()),
                    1000 * Math.exp(random.nextGaussian()),
                    1e9 * Math.exp(random.nextGaussian()));
            regions.computeIfAbsent(server(index % servers), server -> new ArrayList<>())
                    .add(region);
        }
        return ClusterSnapshot.of(regions);
    }

    /** Anything that can be: uneven counts, pins of every kind, cold servers, one scorching region. */
    static ClusterSnapshot wild(long seed) {
        Random random = new Random(seed);
        int servers = 1 + random.nextInt(3 + (int) (seed % 30));
        Map<ServerId, List<RegionState>> regions = new HashMap<>();
        for (int server = 0; server < servers; server++) {
            regions.put(server(server), new ArrayList<>());
        }
        int count = random.nextInt(20 * servers);
        for (int index = 0; index < count; index++) {
            double scorching = random.nextInt(50) == 0 ? 1000 : 1;
            RegionState free = region(
                    index,
                    random.nextInt(3) == 0 ? 0 : scorching * random.nextDouble() * 100,
                    random.nextInt(3) == 0 ? 0 : random.nextDouble() * 100,
                    random.nextDouble() * 1e9);
            Pin pin = random.nextInt(4) == 0 ? Pin.values()[random.nextInt(Pin.values().length)] : Pin.FREE;
            int server = (int) (servers * Math.pow(random.nextDouble(), 2));
            regions.get(server(server)).add(new RegionState(free.region(), free.table(), free.load(), pin));
        }
        return ClusterSnapshot.of(regions);
    }
}
