package io.hearth.balancer.snapshot;

import io.hearth.balancer.load.LoadDimension;
import io.hearth.balancer.load.ServerId;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * One look at a cluster: every server that may serve regions, with the regions it serves. Servers and regions are sorted, so
 * that the same cluster gives the same snapshot whatever order it was told in. Immutable.
 */
public final class ClusterSnapshot {

    private final List<ServerId> servers;
    private final List<ServerState> states;
    private final List<List<RegionState>> regionsByServerIndex;

    private ClusterSnapshot(
            List<ServerId> servers, List<ServerState> states, List<List<RegionState>> regionsByServerIndex) {
        this.servers = servers;
        this.states = states;
        this.regionsByServerIndex = regionsByServerIndex;
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
        Map<ServerId, Collection<RegionState>> sorted = new TreeMap<>(regionsByServer);
        List<List<RegionState>> regions = sorted.values().stream()
                .map(ofServer -> ofServer.stream()
                        .sorted(Comparator.comparing(RegionState::region))
                        .toList())
                .toList();
        List<ServerState> states = sorted.keySet().stream()
                .map(server -> stateByServer.getOrDefault(server, ServerState.of(server)))
                .toList();
        return new ClusterSnapshot(List.copyOf(sorted.keySet()), states, regions);
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
        return regionsByServerIndex.stream().mapToInt(List::size).sum();
    }

    /** How many regions of the cluster are pinned for this reason. */
    public int countPinned(Pin pin) {
        return (int) regionsByServerIndex.stream()
                .flatMap(List::stream)
                .filter(region -> region.pin() == pin)
                .count();
    }

    /** The load of every server in this dimension, by server index, in the dimension's unit. */
    public double[] loadByServer(LoadDimension dimension) {
        return regionsByServerIndex.stream()
                .mapToDouble(regions -> regions.stream()
                        .mapToDouble(region -> region.load().get(dimension))
                        .sum())
                .toArray();
    }
}
