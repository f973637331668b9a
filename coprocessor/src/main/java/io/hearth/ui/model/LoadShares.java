// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.ui.model;

import io.hearth.balancer.cost.PackingLowerBound;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.LoadVector;
import java.util.Arrays;

/** The servers' loads as plans count them, in multiples of what is fair for each. Made for one page. */
final class LoadShares {

    private static final LoadDimension[] DIMENSIONS = LoadDimension.values();

    private final double[][] loadByServer;
    private final double[] capacity;
    private final double[] mean = new double[DIMENSIONS.length];
    private final PackingLowerBound[] packingBounds = new PackingLowerBound[DIMENSIONS.length];

    private LoadShares(int servers) {
        loadByServer = new double[servers][DIMENSIONS.length];
        capacity = new double[servers];
    }

    static LoadShares of(PageInput input) {
        LoadShares shares = new LoadShares(input.servers().size());
        double capacities =
                input.servers().stream().mapToDouble(ServerStatus::capacity).sum();
        for (int server = 0; server < shares.capacity.length; server++) {
            ServerStatus of = input.servers().get(server);
            shares.capacity[server] = of.capacity() * shares.capacity.length / capacities;
            for (RegionStatus region : of.regions()) {
                shares.add(server, PageBuilder.weighed(region, input.weights()));
            }
        }
        shares.packingBound(input);
        return shares;
    }

    private void packingBound(PageInput input) {
        Arrays.setAll(packingBounds, index -> new PackingLowerBound(capacity.length, mean[index]));
        for (ServerStatus server : input.servers()) {
            for (RegionStatus region : server.regions()) {
                LoadVector load = PageBuilder.weighed(region, input.weights());
                for (LoadDimension dimension : DIMENSIONS) {
                    packingBounds[dimension.ordinal()].add(load.get(dimension));
                }
            }
        }
    }

    private void add(int server, LoadVector load) {
        for (LoadDimension dimension : DIMENSIONS) {
            int index = dimension.ordinal();
            double value = load.get(dimension);
            loadByServer[server][index] += value;
            mean[index] += value / capacity.length;
        }
    }

    /** What a server of mean capacity should have, in the dimension's unit. */
    double mean(LoadDimension dimension) {
        return mean[dimension.ordinal()];
    }

    /** What this server can take, in multiples of a mean server's. */
    double capacity(int server) {
        return capacity[server];
    }

    /** The load of this server in multiples of its fair share; 0 where there is no load. */
    double ofServer(int server, LoadDimension dimension) {
        return of(loadByServer[server][dimension.ordinal()], dimension) / capacity[server];
    }

    /** This load in multiples of a mean server's fair share. */
    double of(double load, LoadDimension dimension) {
        double fair = mean(dimension);
        return fair > 0 ? load / fair : 0;
    }

    /** The share that the hottest regions make of the largest server, wherever they are; 1 of none where that is less. */
    PackingLowerBound.Bound lowerBound(LoadDimension dimension) {
        double largest = Arrays.stream(capacity).max().orElse(1);
        PackingLowerBound.Bound least = packingBounds[dimension.ordinal()].least();
        double share = of(least.load(), dimension) / largest;
        return share > 1 ? new PackingLowerBound.Bound(share, least.together()) : new PackingLowerBound.Bound(1, 0);
    }
}
