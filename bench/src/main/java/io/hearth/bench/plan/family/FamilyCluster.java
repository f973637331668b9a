// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.plan.family;

import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.LocalBytes;
import io.hearth.balancer.state.Pin;
import io.hearth.balancer.state.RegionState;
import io.hearth.balancer.state.ServerState;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadVector;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes the cluster of one family, size and seed: a mean server has 2,000 reads and 1,000 writes per second and 200 GB, a region's
 * blocks are on its server and on two hosts drawn at random. The numbers are drawn in the order in which those of the solver's
 * clusters were. Used once; not thread-safe.
 */
final class FamilyCluster {

    private static final double READS_PER_SERVER = 2_000;
    private static final double WRITES_PER_SERVER = 1_000;
    private static final double BYTES_PER_SERVER = 200e9;
    private static final int TABLES = 7;
    private static final int RACKS = 3;
    private static final int REMOTE_REPLICAS = 2;
    private static final int REPLICATED_ONE_IN = 3;
    private static final int HOSTS_PER_SERVER_OF_GROUP = 2;

    private final ClusterFamily family;
    private final int hosts;
    private final int servers;
    private final int regions;
    private final PythonRandom random;
    private final double[] reads;
    private final double[] writes;
    private final double[] bytes;
    private final double[] capacity;
    private final List<List<RegionState>> byServer = new ArrayList<>();

    private FamilyCluster(ClusterFamily family, int hosts, int regionsPerServer, long seed) {
        this.family = family;
        this.hosts = hosts;
        servers = family.plannedServers(hosts);
        regions = servers * regionsPerServer;
        random = new PythonRandom(seed);
        ClusterFamily.Loads loads = family.draw(random, regions);
        capacity = new double[servers];
        for (int server = 0; server < servers; server++) {
            capacity[server] = family == ClusterFamily.CAPS ? random.choice(0.5, 1, 2) : 1;
            byServer.add(new ArrayList<>());
        }
        reads = scaled(loads.reads(), servers * READS_PER_SERVER);
        writes = scaled(loads.writes(), servers * WRITES_PER_SERVER);
        bytes = scaled(loads.bytes(), servers * BYTES_PER_SERVER);
    }

    /** @param servers of the whole cluster, of which a group is a part */
    static ClusterState of(ClusterFamily family, int servers, int regionsPerServer, long seed) {
        int planned = family.plannedServers(servers);
        int hosts = family.isGroup() ? Math.max(servers, planned * HOSTS_PER_SERVER_OF_GROUP) : servers;
        return new FamilyCluster(family, hosts, regionsPerServer, seed).state();
    }

    private static double[] scaled(double[] loads, double total) {
        double sum = 0;
        for (double load : loads) {
            sum += load;
        }
        double of = sum;
        return Arrays.stream(loads).map(load -> load * total / of).toArray();
    }

    private ClusterState state() {
        List<List<RegionState>> secondaries = new ArrayList<>();
        byServer.forEach(server -> secondaries.add(new ArrayList<>()));
        List<List<Integer>> dealt = dealt();
        for (int server = 0; server < servers; server++) {
            for (int region : dealt.get(server)) {
                RegionState state = region(region, server);
                byServer.get(server).add(state);
                if (family == ClusterFamily.REPLICAS && region % REPLICATED_ONE_IN == 0) {
                    int other = (server + 1 + random.below(servers - 1)) % servers;
                    secondaries.get(other).add(secondary(region, state));
                }
            }
        }
        Map<ServerId, List<RegionState>> regionsByServer = new LinkedHashMap<>();
        Map<ServerId, ServerState> states = new LinkedHashMap<>();
        for (int server = 0; server < servers; server++) {
            ServerId id = new ServerId(host(server), 16020, 1);
            byServer.get(server).addAll(secondaries.get(server));
            regionsByServer.put(id, byServer.get(server));
            states.put(id, new ServerState(id, "/r" + server % RACKS, capacity[server]));
        }
        return ClusterState.of(regionsByServer, states);
    }

    /** The regions of each server, in the order in which they are drawn on. */
    private List<List<Integer>> dealt() {
        int[] order = new int[regions];
        Arrays.setAll(order, region -> region);
        if (family.liesInOrder()) {
            return inBlocks(order, regions / servers);
        }
        random.shuffle(order);
        return switch (family) {
            case HOT_TABLE -> hotTableFirst(order);
            case DOUBLED -> inTurn(order, servers - servers / 2, server -> server);
            case EMPTY_RACK ->
                inTurn(order, servers - servers / RACKS, server -> server / (RACKS - 1) * RACKS + server % (RACKS - 1));
            case FAST20, CAPS, ANTI, BIMODAL, REPLICAS, SIGMA1, READS1, SIGMA15, GIANTS, GROUP3, GROUP60 ->
                inTurn(order, servers, server -> server);
        };
    }

    private interface ServerChoice {
        int serverOf(int turn);
    }

    private List<List<Integer>> inTurn(int[] order, int taking, ServerChoice choice) {
        List<List<Integer>> dealt = emptyServers();
        for (int turn = 0; turn < order.length; turn++) {
            dealt.get(choice.serverOf(turn % taking)).add(order[turn]);
        }
        return dealt;
    }

    private List<List<Integer>> inBlocks(int[] order, int perServer) {
        List<List<Integer>> dealt = emptyServers();
        for (int turn = 0; turn < order.length; turn++) {
            dealt.get(turn / perServer).add(order[turn]);
        }
        return dealt;
    }

    /** The hot table's on the first quarter of the servers, the others where there is room: as many regions everywhere. */
    private List<List<Integer>> hotTableFirst(int[] order) {
        int hot = ClusterFamily.regionsOfHotTable(regions);
        int few = Math.max(1, servers / 4);
        List<List<Integer>> dealt = emptyServers();
        for (int region = 0; region < hot; region++) {
            dealt.get(region % few).add(region);
        }
        int server = 0;
        for (int region : order) {
            while (region >= hot && dealt.get(server).size() >= regions / servers) {
                server++;
            }
            if (region >= hot) {
                dealt.get(server).add(region);
            }
        }
        return dealt;
    }

    private List<List<Integer>> emptyServers() {
        List<List<Integer>> dealt = new ArrayList<>();
        for (int server = 0; server < servers; server++) {
            dealt.add(new ArrayList<>());
        }
        return dealt;
    }

    private RegionState region(int region, int server) {
        EncodedRegionName name = name(family.label() + "-" + region);
        long size = (long) bytes[region];
        LoadVector load =
                LoadVector.ofReads(reads[region]).withWrites(writes[region]).withStoreBytes((double) size);
        return new RegionState(name, name, table(region), load, Pin.FREE, blocks(server, size));
    }

    private TableId table(int region) {
        boolean isHot = family == ClusterFamily.HOT_TABLE && region < ClusterFamily.regionsOfHotTable(regions);
        return new TableId(isHot ? "hot" : "t" + region % TABLES);
    }

    private RegionState secondary(int region, RegionState primary) {
        EncodedRegionName name = name(family.label() + "-" + region + "-r1");
        LoadVector load = primary.plannedLoad().withReads(reads[region] * 0.3).withWrites(0);
        return new RegionState(name, primary.region(), primary.table(), load, Pin.FREE, primary.bytesByHost());
    }

    private LocalBytes blocks(int server, long size) {
        Map<String, Long> bytesByHost = new LinkedHashMap<>();
        bytesByHost.put(host(server), size);
        for (int replica = 0; replica < REMOTE_REPLICAS; replica++) {
            bytesByHost.put(host(random.below(hosts)), size);
        }
        return LocalBytes.of(size, bytesByHost);
    }

    private static String host(int server) {
        return "h" + server;
    }

    private static EncodedRegionName name(String of) {
        try {
            MessageDigest digest = MessageDigest.getInstance("MD5");
            return new EncodedRegionName(HexFormat.of().formatHex(digest.digest(of.getBytes(StandardCharsets.UTF_8))));
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException("This JDK has no MD5: " + missing.getMessage(), missing);
        }
    }
}
