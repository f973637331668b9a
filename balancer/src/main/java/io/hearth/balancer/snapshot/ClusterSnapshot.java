package io.hearth.balancer.snapshot;

import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.ServerId;
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

    private static final Comparator<RegionSnapshot> BY_REGION = Comparator.comparing(RegionSnapshot::region);

    private final List<ServerId> servers;
    private final List<ServerSnapshot> states;
    private final List<List<RegionSnapshot>> regionsByServerIndex;
    private final int regionCount;

    private ClusterSnapshot(
            List<ServerId> servers, List<ServerSnapshot> states, List<List<RegionSnapshot>> regionsByServerIndex) {
        this.servers = servers;
        this.states = states;
        this.regionsByServerIndex = regionsByServerIndex;
        int count = 0;
        for (List<RegionSnapshot> regions : regionsByServerIndex) {
            count += regions.size();
        }
        regionCount = count;
    }

    /** The snapshot of these servers, all alike, and their regions. */
    public static ClusterSnapshot of(Map<ServerId, ? extends Collection<RegionSnapshot>> regionsByServer) {
        return of(regionsByServer, Map.of());
    }

    /**
     * The snapshot of these servers and their regions.
     *
     * @param stateByServer what is special about a server; one that is missing is like any other
     */
    public static ClusterSnapshot of(
            Map<ServerId, ? extends Collection<RegionSnapshot>> regionsByServer,
            Map<ServerId, ServerSnapshot> stateByServer) {
        List<ServerId> servers = new ArrayList<>(regionsByServer.size());
        List<ServerSnapshot> states = new ArrayList<>(regionsByServer.size());
        List<List<RegionSnapshot>> regions = new ArrayList<>(regionsByServer.size());
        new TreeMap<ServerId, Collection<RegionSnapshot>>(regionsByServer).forEach((server, ofServer) -> {
            ServerSnapshot state = stateByServer.get(server);
            servers.add(server);
            states.add(state == null ? ServerSnapshot.of(server) : state);
            regions.add(sorted(ofServer));
        });
        return new ClusterSnapshot(List.copyOf(servers), List.copyOf(states), List.copyOf(regions));
    }

    private static List<RegionSnapshot> sorted(Collection<RegionSnapshot> regions) {
        RegionSnapshot[] sorted = regions.toArray(RegionSnapshot[]::new);
        Arrays.sort(sorted, BY_REGION);
        return List.of(sorted);
    }

    /** The same cluster, in which these servers may only give regions away. */
    public ClusterSnapshot withoutTargets(Set<ServerId> excluded) {
        if (excluded.isEmpty()) {
            return this;
        }
        List<ServerSnapshot> changed = states.stream()
                .map(state -> excluded.contains(state.server()) ? state.notATarget() : state)
                .toList();
        return new ClusterSnapshot(servers, changed, regionsByServerIndex);
    }

    /** The servers, sorted; their indexes here are the indexes everywhere in a plan. */
    public List<ServerId> servers() {
        return servers;
    }

    /** The server with this index, with its rack and capacity. */
    public ServerSnapshot serverSnapshot(int serverIndex) {
        return states.get(serverIndex);
    }

    /** The regions of the server with this index, sorted. */
    public List<RegionSnapshot> regionsOf(int serverIndex) {
        return regionsByServerIndex.get(serverIndex);
    }

    /** How many regions there are. */
    public int regionCount() {
        return regionCount;
    }

    /** The capacity of every server, by server index, in multiples of the mean. */
    public double[] capacityByServer() {
        double[] capacities =
                states.stream().mapToDouble(ServerSnapshot::capacity).toArray();
        double mean = Arrays.stream(capacities).average().orElse(1);
        return Arrays.stream(capacities).map(capacity -> capacity / mean).toArray();
    }

    /** The load of every server in this dimension, by server index, in the dimension's unit. */
    public double[] loadByServer(LoadDimension dimension) {
        double[] loads = new double[servers.size()];
        for (int server = 0; server < loads.length; server++) {
            for (RegionSnapshot region : regionsByServerIndex.get(server)) {
                loads[server] += region.load().get(dimension);
            }
        }
        return loads;
    }
}
