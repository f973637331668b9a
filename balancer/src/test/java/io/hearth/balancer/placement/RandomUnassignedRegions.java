// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.placement;

import io.hearth.balancer.placement.RegionPlacer.PlacementConstraints;
import io.hearth.balancer.placement.RegionPlacer.PlacementConstraints.LoadCap;
import io.hearth.balancer.placement.RegionPlacer.ServerHeadroom;
import io.hearth.balancer.placement.RegionPlacer.UnassignedRegion;
import io.hearth.balancer.state.LocalBytes;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.LoadVector;
import io.hearth.common.model.ServerId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Servers, and regions that have lost theirs, the same for the same seed.
 *
 * @param servers the servers that are left
 * @param regions the regions without a server
 */
record RandomUnassignedRegions(List<ServerHeadroom> servers, List<UnassignedRegion> regions) {

    static final PlacementConstraints RULES = new PlacementConstraints(
            Map.of(LoadDimension.READS, new LoadCap(1.2, 20), LoadDimension.WRITES, new LoadCap(1.2, 20)), 0.2, 2);

    static ServerId server(int index) {
        return new ServerId(String.format("rs%04d", index), 16020, 1);
    }

    static EncodedRegionName region(int index) {
        return new EncodedRegionName(String.format("r%06d", index));
    }

    /**
     * A cluster of even servers of which one died: its regions have lognormal heat (sigma 1) and 4 to 40 blocks, each with a
     * replica on each of two other hosts.
     */
    static RandomUnassignedRegions deadServer(long seed, int serversLeft, int regionsPerServer) {
        Random random = new Random(seed);
        List<ServerHeadroom> servers = new ArrayList<>();
        for (int server = 0; server < serversLeft; server++) {
            LoadVector load = LoadVector.ZERO;
            for (int region = 0; region < regionsPerServer; region++) {
                load = plus(load, lognormal(random));
            }
            servers.add(new ServerHeadroom(server(server), load, regionsPerServer));
        }
        List<UnassignedRegion> regions = new ArrayList<>();
        for (int region = 0; region < regionsPerServer; region++) {
            regions.add(new UnassignedRegion(region(region), lognormal(random), blocks(random, serversLeft, 4, 40)));
        }
        return new RandomUnassignedRegions(servers, regions);
    }

    /** Anything that can be: several servers on a host, uneven and empty ones, bytes unknown or elsewhere, scorching heat. */
    static RandomUnassignedRegions wild(long seed) {
        Random random = new Random(seed);
        int size = 1 + random.nextInt(3 + (int) (seed % 10));
        List<ServerHeadroom> servers = new ArrayList<>();
        for (int server = 0; server < size; server++) {
            double scale = random.nextInt(4) == 0 ? 0 : Math.exp(random.nextGaussian());
            ServerId id = new ServerId("rs" + random.nextInt(size), 16020 + server, 1);
            LoadVector load = LoadVector.ofReads(1000 * scale * random.nextDouble())
                    .withWrites(1000 * scale * random.nextDouble());
            LoadVector scanned = LoadVector.ofReads(random.nextInt(6) == 0 ? 50_000 * random.nextDouble() : 0);
            servers.add(new ServerHeadroom(
                    id,
                    plus(load, scanned),
                    scale == 0 ? 0 : random.nextInt(20),
                    random.nextInt(3),
                    random.nextInt(3) == 0 ? 2 : 1,
                    List.of(scanned)));
        }
        List<UnassignedRegion> regions = new ArrayList<>();
        int count = random.nextInt(8 * size);
        for (int region = 0; region < count; region++) {
            double scorching = random.nextInt(20) == 0 ? 5000 : 50;
            LoadVector load = random.nextInt(4) == 0
                    ? LoadVector.ZERO
                    : LoadVector.ofReads(scorching * random.nextDouble()).withWrites(50 * random.nextDouble());
            LocalBytes local = random.nextInt(4) == 0 ? LocalBytes.UNKNOWN : blocks(random, size + 2, 0, 5);
            regions.add(new UnassignedRegion(region(region), load, local));
        }
        return new RandomUnassignedRegions(servers, regions);
    }

    static LoadVector plus(LoadVector one, LoadVector other) {
        return LoadVector.ofReads(one.get(LoadDimension.READS) + other.get(LoadDimension.READS))
                .withWrites(one.get(LoadDimension.WRITES) + other.get(LoadDimension.WRITES));
    }

    private static LoadVector lognormal(Random random) {
        return LoadVector.ofReads(100 * Math.exp(random.nextGaussian()))
                .withWrites(100 * Math.exp(random.nextGaussian()));
    }

    private static LocalBytes blocks(Random random, int hosts, int min, int max) {
        long blockBytes = 128L << 20;
        int blocks = min + random.nextInt(max - min + 1);
        Map<String, Long> bytes = new HashMap<>();
        for (int block = 0; block < blocks; block++) {
            int first = random.nextInt(hosts);
            bytes.merge(server(first).host(), blockBytes, Long::sum);
            if (hosts > 1) {
                int second = (first + 1 + random.nextInt(hosts - 1)) % hosts;
                bytes.merge(server(second).host(), blockBytes, Long::sum);
            }
        }
        return LocalBytes.of(blocks * blockBytes, bytes);
    }
}
