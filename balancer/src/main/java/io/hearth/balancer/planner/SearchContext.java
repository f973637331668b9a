// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.plan.PlanGoals.RegionCountGoal;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.RegionState;
import io.hearth.balancer.state.ServerState;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Everything that the phases of one search share. Scratch; not thread-safe; used once. */
final class SearchContext {

    final PlanIndex index;
    private final TopologyIndex places;
    private final LocalityCostIndex heal;
    final PlanSimulation simulation;
    final ServerRankings rankings;
    final DestinationCandidates destinations;
    final MoveScorer scorer;
    final MoveFinder moveFinder;
    final SwapFinder swaps;
    final OversizedRegionPlacement oversized;
    final MoveFilters filters;
    final PartialPlan partialPlan;

    final Deadline deadline;

    SearchContext(ClusterState snapshot, PlanGoals goals) {
        this(snapshot, goals, Deadline.never());
    }

    SearchContext(ClusterState snapshot, PlanGoals goals, Deadline deadline) {
        this(new PlanIndex(snapshot, goals), deadline);
    }

    private SearchContext(PlanIndex index, Deadline deadline) {
        this(index, new TopologyIndex(index), deadline);
    }

    private SearchContext(PlanIndex index, TopologyIndex places, Deadline deadline) {
        this(index, places, new LocalityCostIndex(index, places), 0, deadline);
    }

    /**
     * The same snapshot and goals for another search.
     *
     * @param variation 0 for the search's own order, or the number of another one
     */
    SearchContext again(int variation) {
        return new SearchContext(index, places, heal, variation, deadline);
    }

    /** The same snapshot for another search, with another goal for numbers of regions. */
    SearchContext withCounts(RegionCountGoal counts) {
        return new SearchContext(index.withCounts(counts), places, heal, 0, deadline);
    }

    /** The snapshot as the plan makes it. */
    ClusterState clusterAfter() {
        List<List<RegionState>> regionsByServer = IntStream.range(0, index.servers)
                .<List<RegionState>>mapToObj(server -> new ArrayList<>())
                .toList();
        for (int region = 0; region < index.regions; region++) {
            regionsByServer.get(simulation.serverOf[region]).add(index.state[region]);
        }
        List<ServerState> servers = IntStream.range(0, index.servers)
                .mapToObj(server -> index.snapshot.server(server).withRegions(regionsByServer.get(server)))
                .toList();
        return new ClusterState(index.snapshot.atMs(), index.snapshot.source(), index.snapshot.hbaseVersion(), servers);
    }

    private SearchContext(
            PlanIndex index, TopologyIndex places, LocalityCostIndex heal, int variation, Deadline deadline) {
        this.deadline = deadline;
        this.index = index;
        this.places = places;
        this.heal = heal;
        simulation = new PlanSimulation(index, places);
        rankings = new ServerRankings(simulation, variation);
        destinations = new DestinationCandidates(rankings, index.servers);
        scorer = new MoveScorer(simulation, heal);
        moveFinder = new MoveFinder(simulation, places, heal, scorer, destinations);
        swaps = new SwapFinder(simulation, scorer, destinations);
        oversized = new OversizedRegionPlacement(simulation);
        filters = new MoveFilters(simulation, rankings, scorer, oversized);
        partialPlan = new PartialPlan(simulation, rankings, scorer);
    }

    /** Whether there is time for more moves, and room in the plan. */
    boolean mayGoOn() {
        return partialPlan.hasRoomFor(1) && !deadline.isOver();
    }

    /** Whether a choice of so many moves gains enough after its costs. */
    boolean isWorth(BestCandidate candidate, int moves) {
        return !candidate.isEmpty() && candidate.net > 0 && candidate.net >= moves * leastGain(candidate.region);
    }

    /** What a move of this region has to gain after its costs. */
    double leastGain(int region) {
        return index.goals.limits().minGain() * heal.size(region);
    }
}
