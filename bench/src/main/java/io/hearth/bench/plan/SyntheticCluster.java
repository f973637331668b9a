// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.plan;

import io.hearth.balancer.state.LocalBytes;
import io.hearth.balancer.state.Pin;
import io.hearth.balancer.state.RegionState;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadVector;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Makes the clusters that plans are measured on: as many regions on each server, their loads lognormal with sigma 1, from a
 * seed. Not thread-safe; used once.
 */
public final class SyntheticCluster {

    /** Regions of each server to begin with. */
    public static final int REGIONS_PER_SERVER = 100;

    /** Median rate of a region, in requests per second. */
    private static final double REQUESTS_PER_SECOND = 100;

    /** Median size of a region's store files, in bytes. */
    private static final double STORE_BYTES = 2.0 * (1 << 30);

    private static final int REPLICAS = 3;

    /** One table, so that nothing but heat is uneven and the stock balancer has nothing else to see to. */
    private static final TableId TABLE = new TableId("usertable");

    private final Random random;
    private final List<ServerId> servers = new ArrayList<>();

    private SyntheticCluster(int servers, long seed) {
        random = new Random(seed);
        for (int server = 0; server < servers; server++) {
            this.servers.add(new ServerId(String.format("rs%05d", server), 16020, 1));
        }
    }

    /** Regions by server of which only the reads differ from 0, and nobody knows where their blocks are. */
    public static Map<ServerId, List<RegionState>> withReadsOnly(int servers, long seed) {
        SyntheticCluster cluster = new SyntheticCluster(servers, seed);
        return cluster.regions(server -> cluster.region(LoadVector.ofReads(cluster.requests()), LocalBytes.UNKNOWN));
    }

    /** Regions by server with reads, writes and bytes drawn independently, every block local and on two other hosts. */
    public static Map<ServerId, List<RegionState>> withEverything(int servers, long seed) {
        SyntheticCluster cluster = new SyntheticCluster(servers, seed);
        return cluster.regions(server -> {
            long bytes = Math.round(STORE_BYTES * cluster.lognormal());
            LoadVector load = LoadVector.ofReads(cluster.requests())
                    .withWrites(cluster.requests())
                    .withStoreBytes((double) bytes);
            return cluster.region(load, cluster.blocks(server, bytes));
        });
    }

    private interface RegionMaker {
        RegionState regionOf(ServerId server);
    }

    private Map<ServerId, List<RegionState>> regions(RegionMaker maker) {
        Map<ServerId, List<RegionState>> byServer = new LinkedHashMap<>();
        for (ServerId server : servers) {
            List<RegionState> regions = new ArrayList<>(REGIONS_PER_SERVER);
            for (int region = 0; region < REGIONS_PER_SERVER; region++) {
                regions.add(maker.regionOf(server));
            }
            byServer.put(server, regions);
        }
        return byServer;
    }

    private RegionState region(LoadVector load, LocalBytes local) {
        HexFormat hex = HexFormat.of();
        EncodedRegionName region =
                new EncodedRegionName(hex.toHexDigits(random.nextLong()) + hex.toHexDigits(random.nextLong()));
        return new RegionState(region, region, TABLE, load, Pin.FREE, local);
    }

    private LocalBytes blocks(ServerId server, long bytes) {
        Map<String, Long> bytesByHost = new LinkedHashMap<>();
        bytesByHost.put(server.host(), bytes);
        while (bytesByHost.size() < Math.min(REPLICAS, servers.size())) {
            bytesByHost.put(servers.get(random.nextInt(servers.size())).host(), bytes);
        }
        return LocalBytes.of(bytes, bytesByHost);
    }

    private double requests() {
        return REQUESTS_PER_SECOND * lognormal();
    }

    private double lognormal() {
        return Math.exp(random.nextGaussian());
    }
}
