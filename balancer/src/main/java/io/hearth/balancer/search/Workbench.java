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

    final Deadline deadline;

    Workbench(ClusterSnapshot snapshot, PlanGoals goals) {
        this(snapshot, goals, Deadline.never());
    }

    Workbench(ClusterSnapshot snapshot, PlanGoals goals, Deadline deadline) {
        this(new PlanIndex(snapshot, goals), deadline);
    }

    private Workbench(PlanIndex index, Deadline deadline) {
        this(index, new PlaceIndex(index), deadline);
    }

    private Workbench(PlanIndex index, PlaceIndex places, Deadline deadline) {
        this(index, places, new HealIndex(index, places), 0, deadline);
    }

    /**
     * The same snapshot and goals for another search.
     *
     * @param variation 0 for the search's own order, or the number of another one
     */
    Workbench again(int variation) {
        return new Workbench(index, places, heal, variation, deadline);
    }

    private Workbench(PlanIndex index, PlaceIndex places, HealIndex heal, int variation, Deadline deadline) {
        this.deadline = deadline;
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

    /** Whether there is time for more moves, and room in the plan. */
    boolean mayGoOn() {
        return draft.hasRoomFor(1) && !deadline.isOver();
    }

    /** Whether a choice of so many moves gains enough after its costs. */
    boolean isWorth(Choice choice, int moves) {
        return !choice.isEmpty()
                && choice.net > 0
                && choice.net >= moves * index.goals.limits().minGain() * heal.size(choice.region);
    }
}
