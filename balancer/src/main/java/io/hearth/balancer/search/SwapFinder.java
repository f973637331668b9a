package io.hearth.balancer.search;

/**
 * Finds two regions that had better change places: one of a server's hottest for a cooler one of another server. Scratch of
 * one search; not thread-safe.
 */
final class SwapFinder {

    /** How many of a server's hottest regions are tried. */
    private static final int HOTTEST = 8;

    private final PlanIndex index;
    private final PlanSimulation simulation;
    private final Merits merits;
    private final Targets targets;
    private final int[] hottest = new int[HOTTEST];
    private final Choice choice = new Choice();

    SwapFinder(PlanSimulation simulation, Merits merits, Targets targets) {
        this.simulation = simulation;
        this.merits = merits;
        this.targets = targets;
        index = simulation.index;
    }

    /** The best exchange with one of the listed targets of one of this server's regions hottest in this dimension. */
    Choice from(int from, int dimension, Aim aim) {
        choice.clear();
        int count = findHottest(from, dimension, aim);
        for (int position = 0; position < targets.size(); position++) {
            int to = targets.get(position);
            for (int hot = 0; hot < count; hot++) {
                if (aim.allows(hottest[hot], from, to) && simulation.mayBeOn(hottest[hot], to)) {
                    tryExchange(hottest[hot], from, to, dimension);
                }
            }
        }
        return choice;
    }

    private void tryExchange(int given, int from, int to, int dimension) {
        double load = index.load(given, dimension);
        for (int taken = index.firstRegion[to]; taken < index.firstRegion[to + 1]; taken++) {
            if (simulation.isMovable(taken) && index.load(taken, dimension) < load && mayChange(given, taken, from)) {
                choice.offerSwap(given, taken, to, merits.netOfSwap(given, taken, from, to));
            }
        }
    }

    private boolean mayChange(int given, int taken, int from) {
        return simulation.isCounted(given) == simulation.isCounted(taken)
                && simulation.tables.haveMovesLeft(given, taken)
                && simulation.mayBeOn(taken, from);
    }

    private int findHottest(int from, int dimension, Aim aim) {
        int count = 0;
        for (int region = index.firstRegion[from]; region < index.firstRegion[from + 1]; region++) {
            if (!simulation.isMovable(region) || !aim.considers(region)) {
                continue;
            }
            int place = count;
            while (place > 0 && index.load(hottest[place - 1], dimension) < index.load(region, dimension)) {
                place--;
            }
            if (place < HOTTEST) {
                count = Math.min(HOTTEST, count + 1);
                System.arraycopy(hottest, place, hottest, place + 1, count - 1 - place);
                hottest[place] = region;
            }
        }
        return count;
    }
}
