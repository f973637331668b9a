package io.hearth.balancer.search;

import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.ServerId;
import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.snapshot.ClusterSnapshot;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/** Looks at moves that were chosen elsewhere for replicas of one region that they bring together. Pure; thread-safe. */
public final class ReplicaGuard {

    private ReplicaGuard() {}

    /**
     * The regions that these moves, and only these, would bring to the host or (where there are racks enough) the rack of
     * another replica of theirs.
     *
     * @param serverByRegion where each region goes that is moved
     */
    public static SortedSet<RegionId> wouldMeet(
            ClusterSnapshot snapshot, PlanGoals goals, Map<RegionId, ServerId> serverByRegion) {
        SortedSet<RegionId> meeting = new TreeSet<>();
        Workbench bench = new Workbench(snapshot, goals);
        PlanSimulation simulation = bench.simulation;
        if (simulation.replicas.isEmpty()) {
            return meeting;
        }
        HeatGuard.apply(bench, serverByRegion);
        for (int region = 0; region < bench.index.regions; region++) {
            int server = simulation.serverOf[region];
            if (server != bench.index.home[region]
                    && (simulation.replicas.sharesHost(region, server, simulation.serverOf)
                            || simulation.replicas.sharesRack(region, server, simulation.serverOf))) {
                meeting.add(bench.index.state[region].region());
            }
        }
        return meeting;
    }
}
