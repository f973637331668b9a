// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.sim.oracle;

import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.RegionState;
import io.hearth.balancer.state.ServerState;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.ServerId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a cluster is like when a plan is done. Immutable.
 *
 * @param moves regions that are served elsewhere than in the snapshot
 * @param maxOverMean the largest share in each dimension, against the servers' capacities; 1 where there is no load
 * @param maxOverMeanOfOthers the same without the servers that have a region which alone is above a fair share: no plan could
 *     bring those to their share, and they say nothing of how even the rest is
 * @param fewestRegions regions of the server that has fewest
 * @param mostRegions regions of the server that has most
 * @param bytesToHeal bytes of the moved regions that their new servers would read from elsewhere, beyond what the old ones
 *     do; regions whose blocks nobody knows count for nothing
 */
public record PlanEvaluation(
        int moves,
        Map<LoadDimension, Double> maxOverMean,
        Map<LoadDimension, Double> maxOverMeanOfOthers,
        int fewestRegions,
        int mostRegions,
        long bytesToHeal) {

    public PlanEvaluation {
        maxOverMean = Map.copyOf(maxOverMean);
        maxOverMeanOfOthers = Map.copyOf(maxOverMeanOfOthers);
    }

    /** The cluster as it is in the snapshot. */
    public static PlanEvaluation ofNoPlan(ClusterState snapshot) {
        return of(snapshot, Map.of());
    }

    /**
     * The cluster after this plan.
     *
     * @param serverByRegion where each moved region goes
     * @throws IllegalArgumentException if it moves a region to a server that the snapshot does not have
     */
    public static PlanEvaluation of(ClusterState snapshot, Map<EncodedRegionName, ServerId> serverByRegion) {
        return new Sums(snapshot, serverByRegion).measure();
    }

    /** The largest share in this dimension, at least 1. */
    public double maxOverMean(LoadDimension dimension) {
        return maxOverMean.getOrDefault(dimension, 1.0);
    }

    /** The largest share of a server without a region that alone is above a fair share, at least 1. */
    public double maxOverMeanOfOthers(LoadDimension dimension) {
        return maxOverMeanOfOthers.getOrDefault(dimension, 1.0);
    }

    /** Sums of one measurement. */
    private static final class Sums {

        private final ClusterState snapshot;
        private final Map<EncodedRegionName, ServerId> serverByRegion;
        private final Map<ServerId, Integer> indexByServer = new HashMap<>();
        private final double[][] load;
        private final double[][] hottest;
        private final int[] regions;
        private int moves;
        private long bytesToHeal;

        Sums(ClusterState snapshot, Map<EncodedRegionName, ServerId> serverByRegion) {
            this.snapshot = snapshot;
            this.serverByRegion = serverByRegion;
            int servers = snapshot.servers().size();
            load = new double[LoadDimension.values().length][servers];
            hottest = new double[LoadDimension.values().length][servers];
            regions = new int[servers];
            for (int server = 0; server < servers; server++) {
                indexByServer.put(snapshot.serverId(server), server);
            }
        }

        PlanEvaluation measure() {
            for (int server = 0; server < regions.length; server++) {
                for (RegionState region : snapshot.regionsOf(server)) {
                    count(region, server);
                }
            }
            Map<LoadDimension, Double> shares = new EnumMap<>(LoadDimension.class);
            Map<LoadDimension, Double> sharesOfOthers = new EnumMap<>(LoadDimension.class);
            for (LoadDimension dimension : LoadDimension.values()) {
                shares.put(dimension, largestShare(dimension, true));
                sharesOfOthers.put(dimension, largestShare(dimension, false));
            }
            return new PlanEvaluation(
                    moves,
                    shares,
                    sharesOfOthers,
                    Arrays.stream(regions).min().orElse(0),
                    Arrays.stream(regions).max().orElse(0),
                    bytesToHeal);
        }

        private void count(RegionState region, int from) {
            int to = target(region, from);
            for (LoadDimension dimension : LoadDimension.values()) {
                double ofRegion = region.plannedLoad().get(dimension);
                load[dimension.ordinal()][to] += ofRegion;
                hottest[dimension.ordinal()][to] = Math.max(hottest[dimension.ordinal()][to], ofRegion);
            }
            regions[to]++;
            if (to != from) {
                moves++;
                bytesToHeal += Math.max(0, remote(region, to) - remote(region, from));
            }
        }

        private int target(RegionState region, int from) {
            ServerId server = serverByRegion.get(region.region());
            if (server == null) {
                return from;
            }
            Integer to = indexByServer.get(server);
            if (to == null) {
                throw new IllegalArgumentException("Region " + region.region() + " is moved to " + server
                        + ", which is no server of the snapshot.");
            }
            return to;
        }

        private long remote(RegionState region, int server) {
            return region.bytesByHost()
                    .remoteFor(snapshot.serverId(server).host())
                    .orElse(0);
        }

        private double largestShare(LoadDimension dimension, boolean ofAll) {
            double fairShare = LowerBounds.fairShare(snapshot, dimension);
            double largest = 1;
            for (int server = 0; server < regions.length && fairShare > 0; server++) {
                double allowed = fairShare * snapshot.server(server).capacity();
                if (ofAll || hottest[dimension.ordinal()][server] <= allowed) {
                    largest = Math.max(largest, load[dimension.ordinal()][server] / allowed);
                }
            }
            return largest;
        }
    }

    /** The cluster with these regions on these servers. */
    public static ClusterState applied(ClusterState before, Map<EncodedRegionName, ServerId> targets) {
        Map<ServerId, List<RegionState>> regions = new HashMap<>();
        Map<ServerId, ServerState> states = new HashMap<>();
        for (ServerState server : before.servers()) {
            regions.put(server.server(), new ArrayList<>());
            states.put(server.server(), server);
        }
        for (ServerState server : before.servers()) {
            for (RegionState region : server.regions()) {
                ServerId target = targets.getOrDefault(region.region(), server.server());
                regions.computeIfAbsent(target, any -> new ArrayList<>()).add(region);
            }
        }
        return ClusterState.of(regions, states);
    }
}
