package io.hearth.balancer.search;

import io.hearth.balancer.cost.ServerShares;

/**
 * Finds the next move on a simulated cluster: of the moves that come into question the one with the largest net gain, and
 * before all others one that leaves its target at or below the goals. Scratch of one search; not thread-safe.
 */
final class MoveFinder {

    private final PlanIndex index;
    private final PlanSimulation simulation;
    private final ServerShares shares;
    private final PlaceIndex places;
    private final HealIndex heal;
    private final Merits merits;
    private final Targets targets;
    private final MovesNeeded movesNeeded;
    private final Choice fitting = new Choice();
    private final Choice any = new Choice();

    MoveFinder(PlanSimulation simulation, PlaceIndex places, HealIndex heal, Merits merits, Targets targets) {
        this.simulation = simulation;
        this.places = places;
        this.heal = heal;
        this.merits = merits;
        this.targets = targets;
        movesNeeded = new MovesNeeded(simulation);
        index = simulation.index;
        shares = simulation.shares;
    }

    /**
     * The best move to bring this server down to its bar in this dimension. One that takes its target over the target's own
     * target is chosen where nothing else is possible, or where what the target has to shed then is fewer regions than this
     * server would otherwise have to.
     */
    Choice cooling(int from, int dimension, double bar, Aim aim) {
        from(from, aim);
        double over = (shares.share(from, dimension) - bar) * index.capacity[from];
        return !fitting.isEmpty() && needsDetour(over, dimension) ? any : chosen();
    }

    private boolean needsDetour(double over, int dimension) {
        double load = index.load(fitting.region, dimension);
        if (load >= over || index.load(any.region, dimension) < over) {
            return false;
        }
        int from = simulation.serverOf[fitting.region];
        int direct = movesNeeded.most(from, dimension, over, load);
        return 1 + movesNeeded.whenTaken(any.region, any.to) < direct;
    }

    /** The best move of one of this server's regions to one of the listed targets, or to a host that has its bytes. */
    Choice from(int from, Aim aim) {
        clear();
        for (int region = index.firstRegion[from]; region < index.firstRegion[from + 1]; region++) {
            if (simulation.isMovable(region) && aim.considers(region)) {
                tryTargets(region, from, aim);
            }
        }
        return chosen();
    }

    /** The best move of this region to one of the listed targets, or to a host that has its bytes. */
    Choice of(int region, Aim aim) {
        clear();
        tryTargets(region, simulation.serverOf[region], aim);
        return chosen();
    }

    /** The best move to this server, of the regions of these servers. */
    Choice to(int to, int[] givers, int count, Aim aim) {
        clear();
        for (int position = 0; position < count; position++) {
            int from = givers[position];
            for (int region = index.firstRegion[from]; from != to && region < index.firstRegion[from + 1]; region++) {
                if (simulation.isMovable(region) && aim.considers(region)) {
                    tryTarget(region, from, to, merits.giveHeat(region, from), aim);
                }
            }
        }
        return chosen();
    }

    private void clear() {
        fitting.clear();
        any.clear();
    }

    private Choice chosen() {
        return fitting.isEmpty() ? any : fitting;
    }

    private void tryTargets(int region, int from, Aim aim) {
        double giveHeat = merits.giveHeat(region, from);
        for (int position = 0; position < targets.size(); position++) {
            tryTarget(region, from, targets.get(position), giveHeat, aim);
        }
        if (heal.matters()) {
            tryHostsOfBytes(region, from, giveHeat, aim);
        }
    }

    private void tryHostsOfBytes(int region, int from, double giveHeat, Aim aim) {
        for (int entry = heal.firstEntry(region); entry < heal.firstEntry(region + 1); entry++) {
            int host = heal.hostOfEntry(entry);
            if (host == PlaceIndex.UNKNOWN) {
                continue;
            }
            for (int position = places.firstServer(host); position < places.firstServer(host + 1); position++) {
                int to = places.serverOnHost(position);
                if (!targets.isListed(to)) {
                    tryTarget(region, from, to, giveHeat, aim);
                }
            }
        }
    }

    private void tryTarget(int region, int from, int to, double giveHeat, Aim aim) {
        if (!simulation.keepsSlop(region, from, to)
                || !aim.allows(region, from, to)
                || !simulation.mayBeOn(region, to)) {
            return;
        }
        double net = giveHeat + merits.takeHeat(region, to) + merits.rest(region, from, to);
        any.offer(region, to, net);
        if (fits(region, to)) {
            fitting.offer(region, to, net);
        }
    }

    private boolean fits(int region, int to) {
        for (int dimension = 0; dimension < PlanIndex.DIMENSIONS; dimension++) {
            if (index.counts(dimension)
                    && shares.shareWith(to, dimension, index.load(region, dimension)) > index.target[dimension]) {
                return false;
            }
        }
        return true;
    }
}
