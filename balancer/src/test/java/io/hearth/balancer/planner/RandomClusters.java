// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.LocalBytes;
import io.hearth.balancer.state.Pin;
import io.hearth.balancer.state.RegionState;
import io.hearth.balancer.state.ServerState;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.LoadVector;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;

/** Clusters for tests, the same for the same seed. */
final class RandomClusters {

    private static final TableId TABLE = new TableId("t");

    private RandomClusters() {}

    static ServerId server(int index) {
        return new ServerId(String.format("rs%04d", index), 16020, 1);
    }

    static RegionState region(int index, double reads, double writes, double storeBytes) {
        return new RegionState(
                new EncodedRegionName(String.format("r%06d", index)),
                TABLE,
                LoadVector.ofReads(reads).withWrites(writes).withStoreBytes(storeBytes),
                Pin.FREE);
    }

    /** Equal counts and lognormal heat (sigma 1), independent in each dimension. */
    static ClusterState lognormal(long seed, int servers, int regionsPerServer) {
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
        return ClusterState.of(regions);
    }

    /**
     * Anything that can be: uneven counts, pins of every kind, cold servers, scorching regions, several tables, servers of
     * different capacity, two on a host, racks, servers that are no targets, region replicas, known and unknown bytes. Larger
     * with the seed.
     */
    static ClusterState wild(long seed) {
        Random random = new Random(seed);
        int servers = 1 + random.nextInt(3 + (int) (seed % 30));
        List<ServerId> ids = new ArrayList<>();
        Map<ServerId, ServerState> states = new HashMap<>();
        Map<ServerId, List<RegionState>> regions = new HashMap<>();
        for (int server = 0; server < servers; server++) {
            ServerId id = new ServerId(String.format("rs%04d", server / (1 + random.nextInt(2))), 16020 + server, 1);
            ids.add(id);
            String rack = random.nextInt(6) == 0 ? ServerState.UNKNOWN_RACK : "rack" + random.nextInt(4);
            double capacity = random.nextInt(3) == 0 ? 2 : 1;
            states.put(id, new ServerState(id, rack, capacity, random.nextInt(8) > 0));
            regions.put(id, new ArrayList<>());
        }
        int count = random.nextInt(20 * servers);
        for (int index = 0; index < count; index++) {
            int server = (int) (servers * Math.pow(random.nextDouble(), 2));
            regions.get(ids.get(server)).add(wildRegion(random, index, ids));
        }
        return ClusterState.of(regions, states);
    }

    private static RegionState wildRegion(Random random, int index, List<ServerId> servers) {
        double scorching = random.nextInt(50) == 0 ? 1000 : 1;
        RegionState free = region(
                index,
                random.nextInt(3) == 0 ? 0 : scorching * random.nextDouble() * 100,
                random.nextInt(3) == 0 ? 0 : random.nextDouble() * 100,
                random.nextDouble() * 1e9);
        Pin pin = random.nextInt(4) == 0 ? Pin.values()[random.nextInt(Pin.values().length)] : Pin.FREE;
        boolean isReplica = index > 0 && random.nextInt(6) == 0;
        EncodedRegionName primary =
                isReplica ? region(index - index % 3, 0, 0, 0).region() : free.region();
        return new RegionState(
                free.region(),
                primary,
                new TableId("t" + random.nextInt(3)),
                free.plannedLoad(),
                pin,
                bytes(random, servers));
    }

    private static LocalBytes bytes(Random random, List<ServerId> servers) {
        if (random.nextInt(3) == 0) {
            return LocalBytes.UNKNOWN;
        }
        long total = random.nextInt(1_000_000_000);
        Map<String, Long> byHost = new HashMap<>();
        for (int replica = 0; replica < 3; replica++) {
            byHost.put(servers.get(random.nextInt(servers.size())).host(), (long) (random.nextDouble() * total));
        }
        return LocalBytes.of(total, byHost);
    }

    /** The same cluster, told in another order. */
    static ClusterState shuffled(ClusterState cluster, long seed) {
        Random random = new Random(seed);
        List<Integer> order = new ArrayList<>();
        for (int server = 0; server < cluster.servers().size(); server++) {
            order.add(server);
        }
        Collections.shuffle(order, random);
        Map<ServerId, List<RegionState>> regions = new LinkedHashMap<>();
        Map<ServerId, ServerState> states = new LinkedHashMap<>();
        for (int server : order) {
            List<RegionState> ofServer = new ArrayList<>(cluster.regionsOf(server));
            Collections.shuffle(ofServer, random);
            regions.put(cluster.serverId(server), ofServer);
            states.put(cluster.serverId(server), cluster.server(server));
        }
        return ClusterState.of(regions, states);
    }

    /** The cluster as text, for the message of a test that fails: no other makes the text. */
    static Supplier<String> print(long seed, ClusterState cluster) {
        return () -> text(seed, cluster);
    }

    private static String text(long seed, ClusterState cluster) {
        StringBuilder text = new StringBuilder("seed " + seed + ":\n");
        for (int server = 0; server < cluster.servers().size(); server++) {
            text.append(cluster.server(server)).append('\n');
            if (cluster.regionCount() < 100) {
                cluster.regionsOf(server)
                        .forEach(region -> text.append("  ").append(region).append('\n'));
            }
        }
        return text.toString();
    }

    /** The same with one region of so many fair shares on the first server. */
    static ClusterState withOversized(long seed, int servers, int regionsPerServer, double shares) {
        ClusterState even = lognormal(seed, servers, regionsPerServer);
        double fair = 0;
        for (double load : even.loadByServer(LoadDimension.READS)) {
            fair += load / servers;
        }
        Map<ServerId, List<RegionState>> regions = new HashMap<>();
        for (int server = 0; server < servers; server++) {
            regions.put(even.serverId(server), new ArrayList<>(even.regionsOf(server)));
        }
        // The mean grows with the oversized region: x = shares (fair + x / servers).
        double oversizedAbove = shares * fair / (1 - shares / servers);
        regions.get(server(0)).set(0, region(servers * regionsPerServer, oversizedAbove, 0, 0));
        return ClusterState.of(regions);
    }
}
