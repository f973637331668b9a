package io.hearth.balancer.search;

import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.snapshot.ClusterSnapshot;

/** Everything that the phases of one search share. Scratch; not thread-safe; used once. */
final class Workbench {

    final PlanIndex index;
    final PlanSimulation simulation;
    final Rankings rankings;
    final Targets targets;
    final Merits merits;
    final MoveFinder finder;
    final SwapFinder swaps;
    final GiantHosts giants;
    final Aims aims;
    final PlanDraft draft;

    Workbench(ClusterSnapshot snapshot, PlanGoals goals) {
        this(snapshot, goals, 0);
    }

    /** @param variation 0 for the search's own order, or the number of another one */
    Workbench(ClusterSnapshot snapshot, PlanGoals goals, int variation) {
        index = new PlanIndex(snapshot, goals);
        PlaceIndex places = new PlaceIndex(index);
        HealIndex heal = new HealIndex(index, places);
        simulation = new PlanSimulation(index, places);
        rankings = new Rankings(simulation, variation);
        targets = new Targets(rankings, index.servers);
        merits = new Merits(simulation, heal);
        finder = new MoveFinder(simulation, places, heal, merits, targets);
        swaps = new SwapFinder(simulation, merits, targets);
        giants = new GiantHosts(simulation);
        aims = new Aims(simulation, rankings, merits, giants);
        draft = new PlanDraft(simulation, rankings, merits);
    }

    /** Whether a choice of so many moves gains enough after its costs. */
    boolean isWorth(Choice choice, int moves) {
        return !choice.isEmpty()
                && choice.net > 0
                && choice.net >= moves * index.goals.limits().minGain();
    }
}
