package io.hearth.balancer.search;

/**
 * Finds the next move on a simulated cluster: of the moves that come into question the one with the largest net gain. Scratch
 * of one search; not thread-safe.
 */
final class MoveFinder {

    private final PlanIndex index;
    private final PlanSimulation simulation;
    private final PlaceIndex places;
    private final HealIndex heal;
    private final Merits merits;
    private final Targets targets;
    private final Choice choice = new Choice();

    MoveFinder(PlanSimulation simulation, PlaceIndex places, HealIndex heal, Merits merits, Targets targets) {
        this.simulation = simulation;
        this.places = places;
        this.heal = heal;
        this.merits = merits;
        this.targets = targets;
        index = simulation.index;
    }

    /** The best move of one of this server's regions to one of the listed targets, or to a host that has its bytes. */
    Choice from(int from, Aim aim) {
        choice.clear();
        for (int region = index.firstRegion[from]; region < index.firstRegion[from + 1]; region++) {
            if (simulation.isMovable(region) && aim.considers(region)) {
                tryTargets(region, from, aim);
            }
        }
        return choice;
    }

    /** The best move of this region to one of the listed targets, or to a host that has its bytes. */
    Choice of(int region, Aim aim) {
        choice.clear();
        tryTargets(region, simulation.serverOf[region], aim);
        return choice;
    }

    /** The best move to this server, of the regions of these servers. */
    Choice to(int to, int[] givers, int count, Aim aim) {
        choice.clear();
        for (int position = 0; position < count; position++) {
            int from = givers[position];
            for (int region = index.firstRegion[from]; from != to && region < index.firstRegion[from + 1]; region++) {
                if (simulation.isMovable(region) && aim.considers(region)) {
                    tryTarget(region, from, to, merits.giveHeat(region, from), aim);
                }
            }
        }
        return choice;
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
        choice.offer(region, to, net);
    }
}
