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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which server has which region when every move of a plan is done and nothing else happens: what the plan answers for. Regions
 * that come later, or whose heat was not known, are not in it. Immutable; about 150 bytes a region.
 *
 * <p>With the loads of another time it tells what max/mean would be then, had nobody but the plan moved, made or merged regions:
 * of server s with load L(s) and capacity c(s), in multiples of the mean capacity, the largest L(s) / (c(s) mean L), as in {@link
 * io.hearth.balancer.share.ServerShares#maxOverMean}.
 */
public final class PlannedPlacement {

    private static final LoadDimension[] DIMENSIONS = LoadDimension.values();

    /** In multiples of the mean. */
    private final double[] capacity;

    private final List<Placed> regions;

    /** One region with the load that it was planned with, the index of its server and whether the plan moved it there. */
    private record Placed(EncodedRegionName region, LoadVector planned, int server, boolean moved) {

        LoadVector now(RegionLoads currentLoads) {
            return currentLoads.load(region).orElse(planned);
        }
    }

    private PlannedPlacement(double[] capacity, List<Placed> regions) {
        this.capacity = capacity;
        this.regions = regions;
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
        List<Placed> regions = new ArrayList<>(snapshot.regionCount());
        for (int server = 0; server < indexes.size(); server++) {
            for (RegionState region : snapshot.regionsOf(server)) {
                if (region.heatKnown()) {
                    ServerId target = targets.get(region.region());
                    int placedOn = target == null ? server : indexes.getOrDefault(target, server);
                    regions.add(new Placed(region.region(), region.plannedLoad(), placedOn, target != null));
                }
            }
        }
        return new PlannedPlacement(snapshot.capacityByServer(), regions);
    }

    /**
     * Max/mean in each dimension with these loads, as plans count it: at least 1. A region that is gone carries what it was
     * planned with, and so does what stands for the other tables of a server in a run over one table.
     */
    public Map<LoadDimension, Double> maxOverMean(RegionLoads currentLoads) {
        double[][] loads = new double[DIMENSIONS.length][capacity.length];
        for (Placed placed : regions) {
            LoadVector load = placed.now(currentLoads);
            for (LoadDimension dimension : DIMENSIONS) {
                loads[dimension.ordinal()][placed.server()] += load.get(dimension);
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
        for (Placed placed : regions) {
            LoadVector now = placed.moved() ? placed.now(currentLoads) : placed.planned();
            for (LoadDimension dimension : DIMENSIONS) {
                int index = dimension.ordinal();
                double load = Math.max(placed.planned().get(dimension), now.get(dimension) / growth[index]);
                loads[index][placed.server()] += load;
            }
        }
        return maxOverMean(loads);
    }

    /** By how much the regions that the plan left alone have grown together in each dimension; 1 where they have not. */
    private double[] growth(RegionLoads currentLoads) {
        double[] planned = new double[DIMENSIONS.length];
        double[] now = new double[DIMENSIONS.length];
        for (Placed placed : regions) {
            if (!placed.moved()) {
                LoadVector load = placed.now(currentLoads);
                for (LoadDimension dimension : DIMENSIONS) {
                    planned[dimension.ordinal()] += placed.planned().get(dimension);
                    now[dimension.ordinal()] += load.get(dimension);
                }
            }
        }
        double[] growth = new double[DIMENSIONS.length];
        Arrays.setAll(growth, index -> planned[index] > 0 ? Math.max(1, now[index] / planned[index]) : 1);
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
