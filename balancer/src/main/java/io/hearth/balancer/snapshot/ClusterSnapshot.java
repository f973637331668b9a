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
    private final List<List<RegionState>> regionsByServerIndex;

    private ClusterSnapshot(List<ServerId> servers, List<List<RegionState>> regionsByServerIndex) {
        this.servers = servers;
        this.regionsByServerIndex = regionsByServerIndex;
    }

    /** The snapshot of these servers and their regions. */
    public static ClusterSnapshot of(Map<ServerId, ? extends Collection<RegionState>> regionsByServer) {
        Map<ServerId, Collection<RegionState>> sorted = new TreeMap<>(regionsByServer);
        List<List<RegionState>> regions = sorted.values().stream()
                .map(ofServer -> ofServer.stream()
                        .sorted(Comparator.comparing(RegionState::region))
                        .toList())
                .toList();
        return new ClusterSnapshot(List.copyOf(sorted.keySet()), regions);
    }

    /** The servers, sorted; their indexes here are the indexes everywhere in a plan. */
    public List<ServerId> servers() {
        return servers;
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
