// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.state.ClusterState;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ServerId;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/** Looks at moves that were chosen elsewhere for replicas of one region that they bring together. Pure; thread-safe. */
public final class ReplicaColocationValidator {

    private ReplicaColocationValidator() {}

    /**
     * The regions that these moves, and only these, would bring to the host or (where there are racks enough) the rack of
     * another replica of theirs.
     *
     * @param serverByRegion where each region goes that is moved
     */
    public static SortedSet<EncodedRegionName> wouldMeet(
            ClusterState snapshot, PlanGoals goals, Map<EncodedRegionName, ServerId> serverByRegion) {
        SortedSet<EncodedRegionName> meeting = new TreeSet<>();
        SearchContext context = new SearchContext(snapshot, goals);
        PlanSimulation simulation = context.simulation;
        if (simulation.replicas.isEmpty()) {
            return meeting;
        }
        StockPlanHeatValidator.apply(context, serverByRegion);
        for (int region = 0; region < context.index.regions; region++) {
            int server = simulation.serverOf[region];
            if (server != context.index.initialServer[region]
                    && (simulation.replicas.sharesHost(region, server, simulation.serverOf)
                            || simulation.replicas.sharesRack(region, server, simulation.serverOf))) {
                meeting.add(context.index.state[region].region());
            }
        }
        return meeting;
    }
}
