// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import io.hearth.balancer.plan.Objective;
import io.hearth.balancer.planner.MoveFilters.MoveFilter;
import java.util.stream.IntStream;

/**
 * Mends what a hard rule forbids and the snapshot has: replicas of one region on one host or rack, and servers whose number
 * of regions is outside slop. The best move is taken even where it costs more than it gains. Scratch; not thread-safe.
 */
final class ConstraintRepair {

    private static final int SOURCES = 8;

    private final SearchContext context;
    private final PlanIndex index;
    private final PlanSimulation simulation;
    private final int[] sources = new int[SOURCES];

    ConstraintRepair(SearchContext context) {
        this.context = context;
        index = context.index;
        simulation = context.simulation;
    }

    boolean areNeeded() {
        for (int server = 0; server < index.servers; server++) {
            if (simulation.hasTooMany(server) || (index.mayTake[server] && simulation.hasTooFew(server))) {
                return true;
            }
        }
        for (int region = 0; !simulation.replicas.isEmpty() && region < index.regions; region++) {
            if (sharesAPlace(region)) {
                return true;
            }
        }
        return false;
    }

    /** How much is broken now. */
    Broken broken() {
        int onHosts = 0;
        int onRacks = 0;
        int tooMany = 0;
        int tooFew = 0;
        for (int server = 0; server < index.servers; server++) {
            tooMany += simulation.tooMany(server);
            tooFew += index.mayTake[server] ? simulation.tooFew(server) : 0;
        }
        for (int region = 0; !simulation.replicas.isEmpty() && region < index.regions; region++) {
            int server = simulation.serverOf[region];
            onHosts += simulation.replicas.sharesHost(region, server, simulation.serverOf) ? 1 : 0;
            onRacks += simulation.replicas.sharesRack(region, server, simulation.serverOf) ? 1 : 0;
        }
        return new Broken(onHosts, onRacks, tooMany, tooFew);
    }

    /**
     * How much of each rule is broken. Immutable.
     *
     * @param onHosts regions that share a host with a replica of theirs
     * @param onRacks the same of racks
     * @param tooMany regions above what slop allows servers
     * @param tooFew regions below that; more where a large one leaves a server that had few beside it
     */
    record Broken(int onHosts, int onRacks, int tooMany, int tooFew) {

        /** Whether less of any rule is broken than before: a replica that leaves its host for another of the rack has gained by it. */
        boolean isMendedSince(Broken before) {
            return onHosts < before.onHosts
                    || onRacks < before.onRacks
                    || tooMany < before.tooMany
                    || tooFew < before.tooFew;
        }
    }

    void make() {
        context.scorer.giveCountsFullWeight(true);
        boolean mayShare = !simulation.replicas.isEmpty();
        for (int region = 0; mayShare && region < index.regions && context.mayGoOn(); region++) {
            if (simulation.isMovable(region) && sharesAPlace(region)) {
                take(anywhere(region), Objective.REPLICAS);
            }
        }
        if (!areFew()) {
            bringFullestIntoSlop();
        }
        for (int server = 0; server < index.servers; server++) {
            bringIntoSlop(server);
        }
        context.scorer.giveCountsFullWeight(false);
    }

    private boolean sharesAPlace(int region) {
        int server = simulation.serverOf[region];
        return simulation.replicas.sharesHost(region, server, simulation.serverOf)
                || simulation.replicas.sharesRack(region, server, simulation.serverOf);
    }

    /** The best server of all for this region. */
    private BestCandidate anywhere(int region) {
        BestCandidate best = new BestCandidate();
        int from = simulation.serverOf[region];
        for (int to = 0; to < index.servers; to++) {
            if (to != from && simulation.mayBeOn(region, to) && simulation.keepsSlop(region, from, to)) {
                best.offer(region, to, context.scorer.net(region, from, to));
            }
        }
        return best;
    }

    /** Whether the plan can hold every move that servers with too many regions need, and these are not many. */
    private boolean areFew() {
        long needed = 0;
        boolean isMany = false;
        for (int server = 0; server < index.servers; server++) {
            needed += simulation.tooMany(server);
            isMany |= MoveFinder.hasMany(index, server);
        }
        return !isMany && needed < index.goals.limits().maxMoves();
    }

    /** The fullest gives one region at a time, so that a plan that is full has helped every server alike. */
    private void bringFullestIntoSlop() {
        TournamentTree fullest = new TournamentTree(index.servers);
        for (int server = 0; server < index.servers; server++) {
            fullest.set(server, key(server));
        }
        for (int server = fullest.top(); fullest.key(server) > 0 && context.mayGoOn(); server = fullest.top()) {
            fullest.set(server, shed(server) ? key(server) : TournamentTree.LAST);
        }
    }

    private double key(int server) {
        return simulation.hasTooMany(server) ? simulation.countAboveFair(server) : TournamentTree.LAST;
    }

    private boolean shed(int server) {
        context.destinations.list(server);
        return take(context.moveFinder.from(server, context.filters.intoSlop()), Objective.REGION_COUNT);
    }

    private void bringIntoSlop(int server) {
        if (simulation.hasTooMany(server) && context.mayGoOn()) {
            shedUntilWithinSlop(server);
        }
        if (index.mayTake[server] && simulation.hasTooFew(server) && context.mayGoOn()) {
            fill(server);
        }
    }

    private void shedUntilWithinSlop(int server) {
        LazyGreedyQueue queue = context.moveFinder.queueOfCounted(server);
        boolean goesOn = true;
        while (goesOn && simulation.hasTooMany(server)) {
            goesOn = (MoveFinder.hasMany(index, server) ? shed(server) : shed(server, queue)) && context.mayGoOn();
        }
    }

    private boolean shed(int server, LazyGreedyQueue queue) {
        context.destinations.list(server);
        return take(context.moveFinder.from(server, context.filters.intoSlop(), queue), Objective.REGION_COUNT);
    }

    private void fill(int server) {
        MoveFilter intoSlop = context.filters.intoSlop();
        FillCandidates candidates = new FillCandidates(simulation, context.scorer, server, intoSlop);
        boolean goesOn = true;
        while (goesOn && simulation.hasTooFew(server)) {
            int count = context.rankings.most().top(SOURCES, sources, 0);
            boolean areMany = IntStream.range(0, count).anyMatch(place -> MoveFinder.hasMany(index, sources[place]));
            goesOn = take(
                            areMany
                                    ? context.moveFinder.to(server, sources, count, intoSlop)
                                    : candidates.best(sources, count),
                            Objective.REGION_COUNT)
                    && context.mayGoOn();
        }
    }

    private boolean take(BestCandidate candidate, Objective because) {
        boolean isPossible = !candidate.isEmpty() && context.partialPlan.hasRoomFor(1);
        if (isPossible) {
            context.partialPlan.take(candidate, because);
        }
        return isPossible;
    }
}
