// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.plan.exact;

import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.plan.PlanGoals.DimensionGoal;
import io.hearth.balancer.plan.PlanGoals.MoveCosts;
import io.hearth.balancer.plan.PlanGoals.PlanLimits;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.Pin;
import io.hearth.balancer.state.RegionState;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.LoadVector;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

/**
 * A cluster so small that a solver finds its optimum: 12 servers with 5 regions each, lognormal reads, writes and bytes with a
 * sigma of 0.4 to 1 by the seed. A server may have 4 to 6 regions. Loads are whole ten-thousandths of a mean server's.
 */
final class SmallInstance {

    static final int SERVERS = 12;
    static final int REGIONS = 60;
    static final int FEWEST = 4;
    static final int MOST = 6;

    /** A mean server's load. */
    static final int MEAN = 10_000;

    static final List<LoadDimension> DIMENSIONS =
            List.of(LoadDimension.READS, LoadDimension.WRITES, LoadDimension.STORE_SIZE);

    private final long[][] loads = new long[DIMENSIONS.size()][REGIONS];
    private final int[] servers = new int[REGIONS];

    SmallInstance(long seed) {
        Random random = new Random(seed);
        double sigma = 0.4 + 0.06 * (seed % 11);
        for (long[] ofDimension : loads) {
            double[] drawn = new double[REGIONS];
            double sum = 0;
            for (int region = 0; region < REGIONS; region++) {
                drawn[region] = Math.exp(sigma * random.nextGaussian());
                sum += drawn[region];
            }
            for (int region = 0; region < REGIONS; region++) {
                ofDimension[region] = Math.round(drawn[region] / sum * SERVERS * MEAN);
            }
        }
        List<Integer> order = new ArrayList<>();
        for (int region = 0; region < REGIONS; region++) {
            order.add(region);
        }
        Collections.shuffle(order, random);
        for (int turn = 0; turn < REGIONS; turn++) {
            servers[order.get(turn)] = turn % SERVERS;
        }
    }

    /** The load of each region in one of {@link #DIMENSIONS}. */
    long[] loads(int dimension) {
        return loads[dimension].clone();
    }

    /** The server of each region. */
    int[] servers() {
        return servers.clone();
    }

    /** The most that a server has in any dimension, with the regions on these servers. */
    long most(int[] serverByRegion) {
        long most = 0;
        for (long[] ofDimension : loads) {
            long[] byServer = new long[SERVERS];
            for (int region = 0; region < REGIONS; region++) {
                byServer[serverByRegion[region]] += ofDimension[region];
                most = Math.max(most, byServer[serverByRegion[region]]);
            }
        }
        return most;
    }

    /** How many regions are elsewhere than at the beginning. */
    int moves(int[] serverByRegion) {
        int moves = 0;
        for (int region = 0; region < REGIONS; region++) {
            moves += serverByRegion[region] == servers[region] ? 0 : 1;
        }
        return moves;
    }

    ClusterState cluster() {
        Map<ServerId, List<RegionState>> byServer = new LinkedHashMap<>();
        for (int server = 0; server < SERVERS; server++) {
            byServer.put(server(server), new ArrayList<>());
        }
        for (int region = 0; region < REGIONS; region++) {
            LoadVector load = LoadVector.ofReads(loads[0][region])
                    .withWrites(loads[1][region])
                    .withStoreBytes(loads[2][region]);
            byServer.computeIfAbsent(server(servers[region]), any -> new ArrayList<>())
                    .add(new RegionState(name(region), new TableId("t"), load, Pin.FREE));
        }
        return ClusterState.of(byServer);
    }

    private static ServerId server(int server) {
        return new ServerId(String.format(Locale.ROOT, "s%02d", server), 1, 1);
    }

    private static EncodedRegionName name(int region) {
        return new EncodedRegionName(String.format(Locale.ROOT, "%032x", region));
    }

    /** The number of this server of {@link #cluster}. */
    static int number(ServerId server) {
        return Integer.parseInt(server.host().substring(1));
    }

    /** The number of this region of {@link #cluster}. */
    static int number(EncodedRegionName region) {
        return Integer.parseInt(region.encodedName(), 16);
    }

    /** What the planner is asked for: no server above this load in any dimension, whatever the moves cost. */
    static PlanGoals goals(long allowed) {
        double target = (double) allowed / MEAN;
        DimensionGoal goal = new DimensionGoal(200, target, target, 0);
        return PlanGoals.of(Map.of(
                        LoadDimension.READS, goal,
                        LoadDimension.WRITES, goal,
                        LoadDimension.STORE_SIZE, goal))
                .withMoveCosts(MoveCosts.NONE)
                .withLimits(new PlanLimits(REGIONS, Map.of(), 0, 0, 0));
    }
}
