// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.LocalBytes;
import io.hearth.balancer.state.Pin;
import io.hearth.balancer.state.RegionState;
import io.hearth.balancer.state.ServerState;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A cluster for tests, written down server by server. Servers and regions are numbered from 0 in the order in which they are
 * added; a search numbers them the same.
 */
final class SmallCluster {

    private final Map<ServerId, List<RegionState>> regions = new LinkedHashMap<>();
    private final Map<ServerId, ServerState> states = new HashMap<>();
    private ServerId server = RandomClusters.server(0);
    private int count;

    /** One more server, with a region of table {@code t} for each of these reads per second. */
    SmallCluster server(double... reads) {
        server = RandomClusters.server(regions.size());
        return add(reads);
    }

    /** One more server on the host of the last one. */
    SmallCluster onSameHost(double... reads) {
        server = new ServerId(server.host(), server.port() + 1, 1);
        return add(reads);
    }

    private SmallCluster add(double... reads) {
        regions.put(server, new ArrayList<>());
        states.put(server, ServerState.of(server));
        for (double ofRegion : reads) {
            region(ofRegion, 0);
        }
        return this;
    }

    /** So many more regions of this load on the last server. */
    SmallCluster regions(int number, double reads) {
        for (int region = 0; region < number; region++) {
            region(reads, 0);
        }
        return this;
    }

    /** One more region on the last server. */
    SmallCluster region(double reads, double writes) {
        regions.get(server).add(RandomClusters.region(count++, reads, writes, 0));
        return this;
    }

    /** The last server is in this rack. */
    SmallCluster rack(String rack) {
        ServerState state = state(server);
        return put(new ServerState(server, rack, state.capacity(), state.mayReceiveRegions()));
    }

    SmallCluster capacity(double capacity) {
        ServerState state = state(server);
        return put(new ServerState(server, state.rack(), capacity, state.mayReceiveRegions()));
    }

    /** The last server may only give regions. */
    SmallCluster receivingNone() {
        return put(state(server).receivingNone());
    }

    private ServerState state(ServerId of) {
        return states.getOrDefault(of, ServerState.of(of));
    }

    private SmallCluster put(ServerState state) {
        states.put(server, state);
        return this;
    }

    /** The last region is pinned. */
    SmallCluster pinned(Pin pin) {
        RegionState last = last();
        return replace(new RegionState(
                last.region(), last.primary(), last.table(), last.plannedLoad(), pin, last.bytesByHost()));
    }

    /** The last region is of this table. */
    SmallCluster table(String table) {
        RegionState last = last();
        return replace(new RegionState(
                last.region(), last.primary(), new TableId(table), last.plannedLoad(), last.pin(), last.bytesByHost()));
    }

    /** The last region is a replica of this one. */
    SmallCluster replicaOf(int region) {
        RegionState last = last();
        return replace(new RegionState(
                last.region(),
                RandomClusters.region(region, 0, 0, 0).region(),
                last.table(),
                last.plannedLoad(),
                last.pin(),
                last.bytesByHost()));
    }

    /** The last region has so many bytes, of which these servers' hosts have so many. */
    SmallCluster bytes(long total, Map<Integer, Long> byServer) {
        Map<String, Long> byHost = new HashMap<>();
        byServer.forEach(
                (number, bytes) -> byHost.put(RandomClusters.server(number).host(), bytes));
        RegionState last = last();
        return replace(new RegionState(
                last.region(),
                last.primary(),
                last.table(),
                last.plannedLoad(),
                last.pin(),
                LocalBytes.of(total, byHost)));
    }

    private RegionState last() {
        List<RegionState> ofServer = regions.get(server);
        return ofServer.get(ofServer.size() - 1);
    }

    private SmallCluster replace(RegionState region) {
        List<RegionState> ofServer = regions.get(server);
        ofServer.set(ofServer.size() - 1, region);
        return this;
    }

    ClusterState state() {
        return ClusterState.of(regions, states);
    }

    SearchContext search(PlanGoals goals) {
        return new SearchContext(state(), goals);
    }
}
