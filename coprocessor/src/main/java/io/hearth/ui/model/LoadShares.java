// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.ui.model;

import io.hearth.balancer.cost.FairShares;
import io.hearth.balancer.cost.PackingLowerBound;
import io.hearth.balancer.cost.TableWeights;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.RegionState;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.LoadVector;
import java.util.Arrays;

/**
 * The servers' {@link FairShares} as the page shows them: multiples of the mean, with regions of unknown heat at their first
 * rates; and what no plan can come below. Servers are those that serve, by their index in the cluster's state. Made for one page.
 */
final class LoadShares {

    private static final LoadDimension[] DIMENSIONS = LoadDimension.values();

    private final ClusterState serving;
    private final TableWeights weights;
    private final FairShares shares;
    private final PackingLowerBound[] packingBounds = new PackingLowerBound[DIMENSIONS.length];

    private LoadShares(ClusterState serving, TableWeights weights) {
        this.serving = serving;
        this.weights = weights;
        shares = new FairShares(loadByServer(), serving.capacityByServer(), FairShares.FairLoad.MEAN);
        packingBound();
    }

    static LoadShares of(ClusterState serving, TableWeights weights) {
        return new LoadShares(serving, weights);
    }

    private double[] loadByServer() {
        double[] loads = new double[serving.servers().size() * DIMENSIONS.length];
        for (int server = 0; server < serving.servers().size(); server++) {
            for (RegionState region : serving.regionsOf(server)) {
                LoadVector load = load(region);
                for (LoadDimension dimension : DIMENSIONS) {
                    loads[server * DIMENSIONS.length + dimension.ordinal()] += load.get(dimension);
                }
            }
        }
        return loads;
    }

    private void packingBound() {
        int servers = serving.servers().size();
        Arrays.setAll(packingBounds, index -> new PackingLowerBound(servers, shares.mean(DIMENSIONS[index])));
        for (int server = 0; server < servers; server++) {
            for (RegionState region : serving.regionsOf(server)) {
                LoadVector load = load(region);
                for (LoadDimension dimension : DIMENSIONS) {
                    packingBounds[dimension.ordinal()].add(load.get(dimension));
                }
            }
        }
    }

    /** The servers that serve, in the order of their indexes. */
    ClusterState serving() {
        return serving;
    }

    /** What plans count of this region; where its heat is not known yet, its size and its first rates by the same weights. */
    LoadVector load(RegionState region) {
        if (region.heatKnown()) {
            return region.plannedLoad();
        }
        double storeBytes =
                region.reported().map(stored -> (double) stored.storeBytes()).orElse(0.0);
        return weights.of(region.table()).weigh(region.measuredLoad().withStoreBytes(storeBytes));
    }

    /** What a server of mean capacity should have, in the dimension's unit. */
    double mean(LoadDimension dimension) {
        return shares.mean(dimension);
    }

    /** What this server can take, in multiples of a mean server's. */
    double capacity(int server) {
        return shares.capacity(server);
    }

    /** The load of this server in multiples of its fair share; 0 where there is no load. */
    double ofServer(int server, LoadDimension dimension) {
        return shares.hasLoad(dimension) ? shares.ofServer(server, dimension) : 0;
    }

    /** The load of this region in multiples of a mean server's fair share. */
    double ofRegion(RegionState region, LoadDimension dimension) {
        return shares.of(load(region).get(dimension), dimension);
    }

    /** The share that the hottest regions make of the largest server, wherever they are; 1 of none where that is less. */
    PackingLowerBound.Bound lowerBound(LoadDimension dimension) {
        double largest = Arrays.stream(serving.capacityByServer()).max().orElse(1);
        PackingLowerBound.Bound least = packingBounds[dimension.ordinal()].least();
        double share = shares.of(least.load(), dimension) / largest;
        return share > 1 ? new PackingLowerBound.Bound(share, least.together()) : new PackingLowerBound.Bound(1, 0);
    }
}
