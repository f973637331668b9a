// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.placement;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.junit.jupiter.api.Test;

/**
 * The gate of the placement: one of 20 servers has twice the heat of any other and dies. Half of the replicas of its blocks are
 * on three hosts, as where a table was loaded by three writers, and an empty server has just joined.
 */
class DeadHotServerTest {

    private static final int SERVERS = 20;
    private static final int REGIONS = 100;
    private static final long BLOCK_BYTES = 128L << 20;

    private final List<ServerHeadroom> servers = new ArrayList<>();
    private final List<UnassignedRegion> regions = new ArrayList<>();

    DeadHotServerTest() {
        Random random = new Random(7);
        for (int server = 0; server < SERVERS - 1; server++) {
            servers.add(
                    new ServerHeadroom(RandomUnassignedRegions.server(server), LoadVector.ofReads(10_000), REGIONS));
        }
        servers.add(new ServerHeadroom(RandomUnassignedRegions.server(SERVERS - 1), LoadVector.ZERO, 0));
        for (int region = 0; region < REGIONS; region++) {
            double reads = 120 * Math.exp(random.nextGaussian());
            regions.add(new UnassignedRegion(
                    RandomUnassignedRegions.region(region), LoadVector.ofReads(reads), blocks(random)));
        }
    }

    private static LocalBytes blocks(Random random) {
        Map<String, Long> bytes = new HashMap<>();
        int fewHosts = random.nextInt(3);
        for (int block = 0; block < 10; block++) {
            bytes.merge(RandomUnassignedRegions.server(fewHosts).host(), BLOCK_BYTES, Long::sum);
            bytes.merge(
                    RandomUnassignedRegions.server(3 + random.nextInt(SERVERS - 4))
                            .host(),
                    BLOCK_BYTES,
                    Long::sum);
        }
        return LocalBytes.of(10 * BLOCK_BYTES, bytes);
    }

    @Test
    void heatSpreadsAndMostBytesAreLocal() {
        // Healthy: max/mean 1.20, 0.40 of the bytes local, 10 regions at most to one server. By lot 0.10 are local.
        Outcome healthy = place(1.2, 2, 0.2);
        assertThat(healthy.maxOverMean()).isLessThanOrEqualTo(1.21);
        assertThat(healthy.localShare()).isGreaterThan(0.38);
        assertThat(healthy.mostTaken()).isLessThanOrEqualTo(10);
    }

    @Test
    void withoutTheCapsTheHostsOfTheBytesAreFlooded() {
        // Broken: every byte is local, at max/mean 1.68 and 40 of 100 regions on one server. With the intake limited:
        // 1.40.
        Outcome uncapped = place(1_000, 1_000, -1);
        assertThat(uncapped.localShare()).isEqualTo(1);
        assertThat(uncapped.maxOverMean()).isGreaterThan(1.6);
        assertThat(uncapped.mostTaken()).isGreaterThan(30);
        assertThat(place(1_000, 2, 0.2).maxOverMean()).isGreaterThan(1.35);
    }

    private Outcome place(double maxLoadRatio, double intake, double slop) {
        Placement placement = RegionPlacer.place(
                servers,
                regions,
                new PlacementConstraints(Map.of(LoadDimension.READS, new LoadCap(maxLoadRatio, 20)), slop, intake));
        Map<ServerId, Double> reads = new HashMap<>();
        Map<ServerId, Integer> taken = new HashMap<>();
        servers.forEach(server -> reads.put(server.server(), server.load().get(LoadDimension.READS)));
        Map<EncodedRegionName, Double> readsByRegion = new HashMap<>();
        regions.forEach(
                region -> readsByRegion.put(region.region(), region.load().get(LoadDimension.READS)));
        placement.regions().forEach(placed -> {
            reads.merge(placed.server(), readsByRegion.getOrDefault(placed.region(), 0.0), Double::sum);
            taken.merge(placed.server(), 1, Integer::sum);
        });
        double mean = reads.values().stream().mapToDouble(x -> x).average().orElseThrow();
        return new Outcome(
                reads.values().stream().mapToDouble(x -> x).max().orElseThrow() / mean,
                (double) placement.localBytes() / placement.knownBytes(),
                taken.values().stream().mapToInt(x -> x).max().orElseThrow());
    }

    /**
     * @param maxOverMean reads of the hottest server over the mean
     * @param localShare share of the bytes that are local where their region landed
     * @param mostTaken regions that went to the server that took most
     */
    private record Outcome(double maxOverMean, double localShare, int mostTaken) {}
}
