package io.hearth.balancer.search;

/**
 * Finds two regions that had better change places: one of a server's hottest for a cooler one of another server. Scratch of
 * one search; not thread-safe.
 */
final class SwapFinder {

    /** How many of a server's hottest regions are tried. */
    private static final int HOTTEST = 8;

    /** How many of the cluster's coldest regions are tried. */
    private static final int COLDEST = 64;

    private final PlanIndex index;
    private final PlanSimulation simulation;
    private final Merits merits;
    private final Targets targets;
    private final ColdestRegions coldestRegions;
    private final int[] hottest = new int[HOTTEST];
    private final int[] coldest = new int[COLDEST];
    private final Choice choice = new Choice();
    private double least;

    SwapFinder(PlanSimulation simulation, Merits merits, Targets targets) {
        this.simulation = simulation;
        this.merits = merits;
        this.targets = targets;
        index = simulation.index;
        coldestRegions = new ColdestRegions(simulation);
    }

    /** The best exchange with one of the listed targets of one of this server's regions hottest in this dimension, that cools it by so much. */
    Choice from(int from, int dimension, double leastRelief, Aim aim) {
        choice.clear();
        least = leastRelief * index.capacity[from];
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

    /** The same with one of the coldest regions, wherever they are. */
    Choice withColdest(int from, int dimension, double leastRelief, Aim aim) {
        choice.clear();
        least = leastRelief * index.capacity[from];
        int hot = findHottest(from, dimension, aim);
        int cold = coldestRegions.list(dimension, from, coldest);
        for (int place = 0; place < cold; place++) {
            int to = simulation.serverOf[coldest[place]];
            for (int position = 0; position < hot; position++) {
                if (aim.allows(hottest[position], from, to) && simulation.mayBeOn(hottest[position], to)) {
                    tryExchange(hottest[position], coldest[place], from, to, dimension);
                }
            }
        }
        return choice;
    }

    /** The best exchange of any of this server's regions with any of the cluster's, that cools it by so much. */
    Choice withAny(int from, int dimension, double leastRelief, Aim aim) {
        choice.clear();
        least = leastRelief * index.capacity[from];
        for (int given = index.firstRegion[from]; given < index.firstRegion[from + 1]; given++) {
            for (int to = 0; simulation.isMovable(given) && aim.considers(given) && to < index.servers; to++) {
                if (to != from && aim.allows(given, from, to) && simulation.mayBeOn(given, to)) {
                    tryExchange(given, from, to, dimension);
                }
            }
        }
        return choice;
    }

    private void tryExchange(int given, int from, int to, int dimension) {
        for (int taken = index.firstRegion[to]; taken < index.firstRegion[to + 1]; taken++) {
            if (simulation.isMovable(taken)) {
                tryExchange(given, taken, from, to, dimension);
            }
        }
    }

    private void tryExchange(int given, int taken, int from, int to, int dimension) {
        if (index.load(taken, dimension) < index.load(given, dimension) - least && mayChange(given, taken, from)) {
            choice.offerSwap(given, taken, to, merits.netOfSwap(given, taken, from, to));
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
