// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.tracking;

import io.hearth.balancer.heat.RegionLoads;
import io.hearth.balancer.plan.Plan;
import io.hearth.balancer.plan.PlannedMove;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.RegionState;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.LoadVector;
import io.hearth.common.model.ServerId;
import java.util.Arrays;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Which server has which region when every move of a plan is done and nothing else happens: what the plan answers for. Regions
 * that come later, or whose heat was not known, are not in it. Immutable; about 40 bytes a region.
 *
 * <p>With the loads of another time it tells what max/mean would be then, had nobody but the plan moved, made or merged regions:
 * of server s with load L(s) and capacity c(s), in multiples of the mean capacity, the largest L(s) / (c(s) mean L), as in {@link
 * io.hearth.balancer.share.ServerShares#maxOverMean}.
 */
public final class PlannedPlacement {

    private static final LoadDimension[] DIMENSIONS = LoadDimension.values();

    /** In multiples of the mean. */
    private final double[] capacity;

    private final EncodedRegionName[] regions;
    /** By region, the index of the server that has it, and by region and dimension the load that it was planned with. */
    private final int[] serverOf;

    private final double[] planned;
    /** The regions that the plan moved. */
    private final BitSet moved = new BitSet();

    private PlannedPlacement(double[] capacity, int regions) {
        this.capacity = capacity;
        this.regions = new EncodedRegionName[regions];
        serverOf = new int[regions];
        planned = new double[regions * DIMENSIONS.length];
    }

    /** How the regions of this snapshot are placed after this plan. */
    public static PlannedPlacement of(ClusterState snapshot, Plan plan) {
        Map<EncodedRegionName, ServerId> targets = new HashMap<>();
        for (PlannedMove move : plan.moves()) {
            targets.put(move.region(), move.to());
        }
        Map<ServerId, Integer> indexes = new HashMap<>();
        for (ServerId server : snapshot.serverIds()) {
            indexes.put(server, indexes.size());
        }
        PlannedPlacement placement = new PlannedPlacement(snapshot.capacityByServer(), knownHeats(snapshot));
        int count = 0;
        for (int server = 0; server < indexes.size(); server++) {
            for (RegionState region : snapshot.regionsOf(server)) {
                if (region.heatKnown()) {
                    ServerId target = targets.get(region.region());
                    int placedOn = target == null ? server : indexes.getOrDefault(target, server);
                    placement.put(count++, region, placedOn, target != null);
                }
            }
        }
        return placement;
    }

    private static int knownHeats(ClusterState snapshot) {
        return (int) snapshot.servers().stream()
                .flatMap(server -> server.regions().stream())
                .filter(RegionState::heatKnown)
                .count();
    }

    private void put(int index, RegionState region, int server, boolean isMoved) {
        regions[index] = region.region();
        serverOf[index] = server;
        moved.set(index, isMoved);
        for (LoadDimension dimension : DIMENSIONS) {
            planned[index * DIMENSIONS.length + dimension.ordinal()] =
                    region.plannedLoad().get(dimension);
        }
    }

    private double planned(int region, LoadDimension dimension) {
        return planned[region * DIMENSIONS.length + dimension.ordinal()];
    }

    private LoadVector now(int region, RegionLoads currentLoads) {
        return currentLoads
                .load(regions[region])
                .orElseGet(() -> LoadVector.of(dimension -> planned(region, dimension)));
    }

    /**
     * Max/mean in each dimension with these loads, as plans count it: at least 1. A region that is gone carries what it was
     * planned with, and so does what stands for the other tables of a server in a run over one table.
     */
    public Map<LoadDimension, Double> maxOverMean(RegionLoads currentLoads) {
        double[][] loads = new double[DIMENSIONS.length][capacity.length];
        for (int region = 0; region < regions.length; region++) {
            LoadVector load = now(region, currentLoads);
            for (LoadDimension dimension : DIMENSIONS) {
                loads[dimension.ordinal()][serverOf[region]] += load.get(dimension);
            }
        }
        return maxOverMean(loads);
    }

    /**
     * Max/mean in each dimension had nothing changed but that the regions which the plan moved grew on their new servers, as far
     * as they did by more than the others: with L what a region was planned with, L' what it has now and g = max(1, sum L' / sum
     * L) over the regions that stayed, a moved region counts as max(L, L' / g) and any other as L. A region that cooled down, or
     * another one that grew, is a change of load that no plan could know of.
     */
    Map<LoadDimension, Double> maxOverMeanByGrowthOfMoved(RegionLoads currentLoads) {
        double[] growth = growth(currentLoads);
        double[][] loads = new double[DIMENSIONS.length][capacity.length];
        for (int region = 0; region < regions.length; region++) {
            Optional<LoadVector> now = moved.get(region) ? Optional.of(now(region, currentLoads)) : Optional.empty();
            for (LoadDimension dimension : DIMENSIONS) {
                int index = dimension.ordinal();
                double before = planned(region, dimension);
                double load = now.isPresent() ? now.get().get(dimension) : before;
                loads[index][serverOf[region]] += Math.max(before, load / growth[index]);
            }
        }
        return maxOverMean(loads);
    }

    /** By how much the regions that the plan left alone have grown together in each dimension; 1 where they have not. */
    private double[] growth(RegionLoads currentLoads) {
        double[] before = new double[DIMENSIONS.length];
        double[] now = new double[DIMENSIONS.length];
        for (int region = 0; region < regions.length; region++) {
            if (!moved.get(region)) {
                LoadVector load = now(region, currentLoads);
                for (LoadDimension dimension : DIMENSIONS) {
                    before[dimension.ordinal()] += planned(region, dimension);
                    now[dimension.ordinal()] += load.get(dimension);
                }
            }
        }
        double[] growth = new double[DIMENSIONS.length];
        Arrays.setAll(growth, index -> before[index] > 0 ? Math.max(1, now[index] / before[index]) : 1);
        return growth;
    }

    private Map<LoadDimension, Double> maxOverMean(double[][] loads) {
        Map<LoadDimension, Double> maxOverMean = new EnumMap<>(LoadDimension.class);
        for (LoadDimension dimension : DIMENSIONS) {
            maxOverMean.put(dimension, maxOverMean(loads[dimension.ordinal()]));
        }
        return maxOverMean;
    }

    private double maxOverMean(double[] loadByServer) {
        double sum = 0;
        double max = 0;
        for (int server = 0; server < loadByServer.length; server++) {
            sum += loadByServer[server];
            max = Math.max(max, loadByServer[server] / capacity[server]);
        }
        return sum > 0 ? Math.max(1, max * loadByServer.length / sum) : 1;
    }
}
