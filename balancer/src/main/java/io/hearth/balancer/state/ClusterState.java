// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.state;

import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.ServerId;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A cluster at one time: its servers, with the regions that each serves. Planner, page, snapshot file and simulator all use it.
 * Servers and regions are sorted, so the same cluster gives the same state whatever order it was told in. Immutable.
 *
 * @param atMs when, in milliseconds since 1970; 0 where nobody said
 * @param source who found it out, such as {@code the master}; {@link #UNKNOWN} where nobody said
 * @param hbaseVersion the cluster's version of HBase; {@link #UNKNOWN} where nobody said
 * @param servers sorted by {@link ServerId}; a plan's are those that count in it, without those being emptied
 */
public record ClusterState(long atMs, String source, String hbaseVersion, List<ServerState> servers) {

    /** Where nobody said. */
    public static final String UNKNOWN = "unknown";

    private static final Comparator<ServerState> BY_SERVER = Comparator.comparing(ServerState::server);

    public ClusterState {
        servers = servers.stream().sorted(BY_SERVER).toList();
    }

    /** The state of these servers, all alike, and their regions. */
    public static ClusterState of(Map<ServerId, ? extends Collection<RegionState>> regionsByServer) {
        return of(regionsByServer, Map.of());
    }

    /**
     * The state of these servers and their regions.
     *
     * @param stateByServer what is special about a server; one that is missing is like any other
     */
    public static ClusterState of(
            Map<ServerId, ? extends Collection<RegionState>> regionsByServer,
            Map<ServerId, ServerState> stateByServer) {
        List<ServerState> servers = regionsByServer.entrySet().stream()
                .map(entry -> {
                    ServerState state = stateByServer.get(entry.getKey());
                    return (state == null ? ServerState.of(entry.getKey()) : state).withRegions(entry.getValue());
                })
                .toList();
        return new ClusterState(0, UNKNOWN, UNKNOWN, servers);
    }

    /** The same servers, found out at this time by this source. */
    public ClusterState foundOut(long whenMs, String by, String version) {
        return new ClusterState(whenMs, by, version, servers);
    }

    /** The same without the servers that are being emptied: what is fair is fair for the others. */
    public ClusterState serving() {
        return new ClusterState(
                atMs,
                source,
                hbaseVersion,
                servers.stream().filter(server -> !server.draining()).toList());
    }

    /** The same cluster, in which these servers may only give regions away. */
    public ClusterState withoutTargets(Set<ServerId> excluded) {
        if (excluded.isEmpty()) {
            return this;
        }
        List<ServerState> changed = servers.stream()
                .map(state -> excluded.contains(state.server()) ? state.receivingNone() : state)
                .toList();
        return new ClusterState(atMs, source, hbaseVersion, changed);
    }

    /** The server with this index, which is its index everywhere in a plan. */
    public ServerState server(int serverIndex) {
        return servers.get(serverIndex);
    }

    /** The name of the server with this index. */
    public ServerId serverId(int serverIndex) {
        return servers.get(serverIndex).server();
    }

    /** The names of the servers, in their order; made at each call. */
    public List<ServerId> serverIds() {
        return servers.stream().map(ServerState::server).toList();
    }

    /** The regions of the server with this index, sorted. */
    public List<RegionState> regionsOf(int serverIndex) {
        return servers.get(serverIndex).regions();
    }

    /** How many regions there are. */
    public int regionCount() {
        int count = 0;
        for (ServerState server : servers) {
            count += server.regions().size();
        }
        return count;
    }

    /** The capacity of every server, by server index, in multiples of the mean. */
    public double[] capacityByServer() {
        double[] capacities =
                servers.stream().mapToDouble(ServerState::capacity).toArray();
        double mean = Arrays.stream(capacities).average().orElse(1);
        return Arrays.stream(capacities).map(capacity -> capacity / mean).toArray();
    }

    /** The planned load of every server in this dimension, by server index, in the dimension's unit. */
    public double[] loadByServer(LoadDimension dimension) {
        double[] loads = new double[servers.size()];
        for (int server = 0; server < loads.length; server++) {
            for (RegionState region : regionsOf(server)) {
                loads[server] += region.plannedLoad().get(dimension);
            }
        }
        return loads;
    }
}
