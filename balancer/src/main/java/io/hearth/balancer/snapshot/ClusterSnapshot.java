package io.hearth.balancer.snapshot;

import io.hearth.balancer.load.LoadDimension;
import io.hearth.balancer.load.ServerId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * One look at a cluster: every server that may serve regions, with the regions it serves. Servers and regions are sorted, so
 * that the same cluster gives the same snapshot whatever order it was told in. Immutable.
 */
public final class ClusterSnapshot {

    private static final Comparator<RegionState> BY_REGION = Comparator.comparing(RegionState::region);

    private final List<ServerId> servers;
    private final List<ServerState> states;
    private final List<List<RegionState>> regionsByServerIndex;
    private final int regionCount;

    private ClusterSnapshot(
            List<ServerId> servers, List<ServerState> states, List<List<RegionState>> regionsByServerIndex) {
        this.servers = servers;
        this.states = states;
        this.regionsByServerIndex = regionsByServerIndex;
        int count = 0;
        for (List<RegionState> regions : regionsByServerIndex) {
            count += regions.size();
        }
        regionCount = count;
    }

    /** The snapshot of these servers, all alike, and their regions. */
    public static ClusterSnapshot of(Map<ServerId, ? extends Collection<RegionState>> regionsByServer) {
        return of(regionsByServer, Map.of());
    }

    /**
     * The snapshot of these servers and their regions.
     *
     * @param stateByServer what is special about a server; one that is missing is like any other
     */
    public static ClusterSnapshot of(
            Map<ServerId, ? extends Collection<RegionState>> regionsByServer,
            Map<ServerId, ServerState> stateByServer) {
        List<ServerId> servers = new ArrayList<>(regionsByServer.size());
        List<ServerState> states = new ArrayList<>(regionsByServer.size());
        List<List<RegionState>> regions = new ArrayList<>(regionsByServer.size());
        new TreeMap<ServerId, Collection<RegionState>>(regionsByServer).forEach((server, ofServer) -> {
            ServerState state = stateByServer.get(server);
            servers.add(server);
            states.add(state == null ? ServerState.of(server) : state);
            regions.add(sorted(ofServer));
        });
        return new ClusterSnapshot(List.copyOf(servers), List.copyOf(states), List.copyOf(regions));
    }

    private static List<RegionState> sorted(Collection<RegionState> regions) {
        RegionState[] sorted = regions.toArray(RegionState[]::new);
        Arrays.sort(sorted, BY_REGION);
        return List.of(sorted);
    }

    /** The same cluster, in which these servers may only give regions away. */
    public ClusterSnapshot withoutTargets(Set<ServerId> closed) {
        if (closed.isEmpty()) {
            return this;
        }
        List<ServerState> changed = states.stream()
                .map(state -> closed.contains(state.server()) ? state.notATarget() : state)
                .toList();
        return new ClusterSnapshot(servers, changed, regionsByServerIndex);
    }

    /** The servers, sorted; their indexes here are the indexes everywhere in a plan. */
    public List<ServerId> servers() {
        return servers;
    }

    /** The server with this index, with its rack and capacity. */
    public ServerState serverState(int serverIndex) {
        return states.get(serverIndex);
    }

    /** The regions of the server with this index, sorted. */
    public List<RegionState> regionsOf(int serverIndex) {
        return regionsByServerIndex.get(serverIndex);
    }

    /** How many regions there are. */
    public int regionCount() {
        return regionCount;
    }

    /** The capacity of every server, by server index, in multiples of the mean. */
    public double[] capacityByServer() {
        double[] capacities = states.stream().mapToDouble(ServerState::capacity).toArray();
        double mean = Arrays.stream(capacities).average().orElse(1);
        return Arrays.stream(capacities).map(capacity -> capacity / mean).toArray();
    }

    /** The load of every server in this dimension, by server index, in the dimension's unit. */
    public double[] loadByServer(LoadDimension dimension) {
        double[] loads = new double[servers.size()];
        for (int server = 0; server < loads.length; server++) {
            for (RegionState region : regionsByServerIndex.get(server)) {
                loads[server] += region.load().get(dimension);
            }
        }
        return loads;
    }
}
