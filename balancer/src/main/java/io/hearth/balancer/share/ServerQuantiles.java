// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.share;

import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.LoadVector;
import io.hearth.common.model.Quantiles;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * How local and how loaded the servers of a cluster are, as quantiles over all of them. Immutable.
 *
 * @param locality local bytes over bytes of each server with store files, from 0 to 1
 * @param shares the load of each server in multiples of its fair share, by dimension
 */
public record ServerQuantiles(Quantiles locality, Map<LoadDimension, Quantiles> shares) {

    /** Copies the map. */
    public ServerQuantiles {
        shares = Map.copyOf(shares);
    }

    /**
     * What a server has.
     *
     * @param capacity how much load it can take against the others, above 0
     * @param localBytes those of its store files' bytes that have a replica on its host
     */
    public record ServerSample(LoadVector load, double capacity, double localBytes, long storeBytes) {}

    /** Those of these servers. */
    public static ServerQuantiles of(List<ServerSample> servers) {
        LoadDimension[] dimensions = LoadDimension.values();
        double[] loads = new double[servers.size() * dimensions.length];
        for (int server = 0; server < servers.size(); server++) {
            for (LoadDimension dimension : dimensions) {
                loads[server * dimensions.length + dimension.ordinal()] =
                        servers.get(server).load().get(dimension);
            }
        }
        FairShares fair = new FairShares(loads, capacities(servers), FairShares.FairLoad.MEAN);
        Map<LoadDimension, Quantiles> shares = new EnumMap<>(LoadDimension.class);
        for (LoadDimension dimension : dimensions) {
            double[] ofServers = new double[servers.size()];
            Arrays.setAll(ofServers, server -> fair.ofServer(server, dimension));
            shares.put(dimension, Quantiles.of(ofServers));
        }
        return new ServerQuantiles(
                Quantiles.of(servers.stream()
                        .filter(server -> server.storeBytes() > 0)
                        .mapToDouble(server -> server.localBytes() / server.storeBytes())
                        .toArray()),
                shares);
    }

    /** In multiples of the mean. */
    private static double[] capacities(List<ServerSample> servers) {
        double[] capacities =
                servers.stream().mapToDouble(ServerSample::capacity).toArray();
        double mean = Arrays.stream(capacities).average().orElse(1);
        Arrays.setAll(capacities, server -> capacities[server] / mean);
        return capacities;
    }

    /** The shares of servers in this dimension. */
    public Quantiles shares(LoadDimension dimension) {
        return Objects.requireNonNull(shares.get(dimension));
    }
}
