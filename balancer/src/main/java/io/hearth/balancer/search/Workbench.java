package io.hearth.balancer.search;

import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.snapshot.ClusterSnapshot;

/** Everything that the phases of one search share. Scratch; not thread-safe; used once. */
final class Workbench {

    final PlanIndex index;
    private final PlaceIndex places;
    private final HealIndex heal;
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
        this(new PlanIndex(snapshot, goals));
    }

    private Workbench(PlanIndex index) {
        this(index, new PlaceIndex(index));
    }

    private Workbench(PlanIndex index, PlaceIndex places) {
        this(index, places, new HealIndex(index, places), 0);
    }

    /**
     * The same snapshot and goals for another search.
     *
     * @param variation 0 for the search's own order, or the number of another one
     */
    Workbench again(int variation) {
        return new Workbench(index, places, heal, variation);
    }

    private Workbench(PlanIndex index, PlaceIndex places, HealIndex heal, int variation) {
        this.index = index;
        this.places = places;
        this.heal = heal;
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
