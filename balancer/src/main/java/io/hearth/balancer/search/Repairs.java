package io.hearth.balancer.search;

import io.hearth.balancer.plan.Concern;

/**
 * Mends what a hard rule forbids and the snapshot has: replicas of one region on one host or rack, and servers whose number
 * of regions is outside slop. The best move is taken even where it costs more than it gains. Scratch; not thread-safe.
 */
final class Repairs {

    private static final int GIVERS = 8;

    private final Workbench bench;
    private final PlanIndex index;
    private final PlanSimulation simulation;
    private final int[] givers = new int[GIVERS];

    Repairs(Workbench bench) {
        this.bench = bench;
        index = bench.index;
        simulation = bench.simulation;
    }

    boolean areNeeded() {
        for (int server = 0; server < index.servers; server++) {
            if (simulation.hasTooMany(server) || simulation.hasTooFew(server)) {
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

    void make() {
        bench.merits.giveCountsFullWeight(true);
        boolean mayShare = !simulation.replicas.isEmpty();
        for (int region = 0; mayShare && region < index.regions && bench.mayGoOn(); region++) {
            if (simulation.isMovable(region) && sharesAPlace(region)) {
                take(anywhere(region), Concern.REPLICAS);
            }
        }
        if (!areFew()) {
            bringFullestIntoSlop();
        }
        for (int server = 0; server < index.servers; server++) {
            bringIntoSlop(server);
        }
        bench.merits.giveCountsFullWeight(false);
    }

    private boolean sharesAPlace(int region) {
        int server = simulation.serverOf[region];
        return simulation.replicas.sharesHost(region, server, simulation.serverOf)
                || simulation.replicas.sharesRack(region, server, simulation.serverOf);
    }

    /** The best server of all for this region. */
    private Choice anywhere(int region) {
        Choice best = new Choice();
        int from = simulation.serverOf[region];
        for (int to = 0; to < index.servers; to++) {
            if (to != from && simulation.mayBeOn(region, to) && simulation.keepsSlop(region, from, to)) {
                best.offer(region, to, bench.merits.net(region, from, to));
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
        ServerTree fullest = new ServerTree(index.servers);
        for (int server = 0; server < index.servers; server++) {
            fullest.set(server, key(server));
        }
        for (int server = fullest.top(); fullest.key(server) > 0 && bench.mayGoOn(); server = fullest.top()) {
            fullest.set(server, shed(server) ? key(server) : ServerTree.LAST);
        }
    }

    private double key(int server) {
        return simulation.hasTooMany(server) ? simulation.countByServer[server] : ServerTree.LAST;
    }

    private boolean shed(int server) {
        bench.targets.list(server);
        return take(bench.finder.from(server, bench.aims.intoSlop()), Concern.REGION_COUNT);
    }

    private void bringIntoSlop(int server) {
        boolean goesOn = bench.mayGoOn();
        while (goesOn && simulation.hasTooMany(server)) {
            goesOn = shed(server) && bench.mayGoOn();
        }
        while (goesOn && index.mayTake[server] && simulation.hasTooFew(server)) {
            int count = bench.rankings.most().top(GIVERS, givers, 0);
            goesOn = take(bench.finder.to(server, givers, count, bench.aims.intoSlop()), Concern.REGION_COUNT)
                    && bench.mayGoOn();
        }
    }

    private boolean take(Choice choice, Concern because) {
        boolean isPossible = !choice.isEmpty() && bench.draft.hasRoomFor(1);
        if (isPossible) {
            bench.draft.take(choice, because);
        }
        return isPossible;
    }
}
