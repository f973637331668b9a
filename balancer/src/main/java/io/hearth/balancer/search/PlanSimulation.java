package io.hearth.balancer.search;

import io.hearth.balancer.cost.ServerLoads;
import io.hearth.balancer.load.LoadDimension;
import io.hearth.balancer.search.PlanGoals.DimensionGoal;
import io.hearth.balancer.snapshot.ClusterSnapshot;
import io.hearth.balancer.snapshot.RegionState;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * A cluster on which moves are tried: who serves what, how loaded every server is and how many regions it may have.
 * Scratch of one search; not thread-safe.
 */
final class PlanSimulation {

    private final ServerLoads loads;
    private final List<List<RegionState>> regionsByServer = new ArrayList<>();
    private final int[] countByServer;
    private final int fewestRegions;
    private final int mostRegions;

    PlanSimulation(ClusterSnapshot snapshot, PlanGoals goals) {
        int servers = snapshot.servers().size();
        countByServer = new int[servers];
        int counted = 0;
        for (int server = 0; server < servers; server++) {
            regionsByServer.add(new ArrayList<>(snapshot.regionsOf(server)));
            countByServer[server] = (int) snapshot.regionsOf(server).stream()
                    .filter(RegionState::isCounted)
                    .count();
            counted += countByServer[server];
        }
        double mean = servers == 0 ? 0 : (double) counted / servers;
        boolean countMatters = goals.regionCountSlop() >= 0;
        fewestRegions = countMatters ? (int) Math.floor(mean * (1 - goals.regionCountSlop())) : 0;
        mostRegions = countMatters ? (int) Math.ceil(mean * (1 + goals.regionCountSlop())) : Integer.MAX_VALUE;
        loads = loadsOf(snapshot, goals);
    }

    private static ServerLoads loadsOf(ClusterSnapshot snapshot, PlanGoals goals) {
        Map<LoadDimension, double[]> loadByServer = new EnumMap<>(LoadDimension.class);
        Map<LoadDimension, Double> weights = new EnumMap<>(LoadDimension.class);
        for (LoadDimension dimension : LoadDimension.values()) {
            double[] load = snapshot.loadByServer(dimension);
            loadByServer.put(dimension, load);
            DimensionGoal goal = goals.goalByDimension().get(dimension);
            double sum = 0;
            for (double ofServer : load) {
                sum += ofServer;
            }
            if (goal != null && sum / load.length >= goal.minMean()) {
                weights.put(dimension, goal.weight());
            }
        }
        return new ServerLoads(loadByServer, weights);
    }

    ServerLoads loads() {
        return loads;
    }

    int servers() {
        return countByServer.length;
    }

    /** The regions that this server has by now. */
    List<RegionState> regionsOf(int server) {
        return regionsByServer.get(server);
    }

    /** Whether a server may give a region away without another in return. */
    boolean mayGive(int server) {
        return countByServer[server] > fewestRegions;
    }

    /** Whether a server may take a region without giving another in return. */
    boolean mayTake(int server) {
        return countByServer[server] < mostRegions;
    }

    boolean hasTooFew(int server) {
        return countByServer[server] < fewestRegions;
    }

    boolean hasTooMany(int server) {
        return countByServer[server] > mostRegions;
    }

    void move(RegionState region, int from, int to) {
        regionsByServer.get(from).remove(region);
        regionsByServer.get(to).add(region);
        loads.move(region.load(), from, to);
        if (region.isCounted()) {
            countByServer[from]--;
            countByServer[to]++;
        }
    }
}
