// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import io.hearth.balancer.planner.MoveFilters.MoveFilter;
import io.hearth.balancer.share.ExchangeGain;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Finds two regions that had better change places: one of a server's hottest for a cooler one of another server. Scratch of
 * one search; not thread-safe.
 */
final class SwapFinder {

    /** How many of a server's hottest regions are tried. */
    private static final int HOTTEST = 8;

    /** Of a server with many regions so many are tried in exchange: near what is wanted, the coldest, and in between. */
    private static final int OF_MANY = 16;

    /** How many of the cluster's coldest regions are tried. */
    private static final int COLDEST = 64;

    private final PlanIndex index;
    private final PlanSimulation simulation;
    private final MoveScorer scorer;
    private final DestinationCandidates destinations;
    private final ColdestRegions coldestRegions;
    private final int[] hottest = new int[HOTTEST];
    private final int[] coldest = new int[COLDEST];
    private final ExchangeGain exchangeGain;
    private final BestCandidate candidate = new BestCandidate();
    private double least;
    /** What it costs to bring the region that is given to the server that is looked at. */
    private double costOfGiven;
    /** What the exchange gains at most by tables that become less crowded, and by these and by bytes that become local. */
    private double mostOfTables;

    private double mostBesideHeat;
    /** The largest loads of the regions that may be taken from it, by dimension. */
    private final double[] mostTaken = new double[PlanIndex.DIMENSIONS];

    SwapFinder(PlanSimulation simulation, MoveScorer scorer, DestinationCandidates destinations) {
        this.simulation = simulation;
        this.scorer = scorer;
        this.destinations = destinations;
        index = simulation.index;
        exchangeGain = new ExchangeGain(simulation.shares);
        coldestRegions = new ColdestRegions(simulation);
    }

    /** The best exchange with one of the listed targets of one of this server's regions hottest in this dimension, that cools it by so much. */
    BestCandidate from(int from, int dimension, double minReduction, MoveFilter filter) {
        candidate.clear();
        least = minReduction * index.capacity[from];
        int count = findHottest(from, dimension, filter);
        for (int position = 0; position < destinations.size(); position++) {
            int to = destinations.get(position);
            findMostTaken(to);
            for (int hot = 0; hot < count; hot++) {
                if (filter.allows(hottest[hot], from, to) && simulation.mayBeOn(hottest[hot], to)) {
                    tryExchange(hottest[hot], from, to, dimension);
                }
            }
        }
        return candidate;
    }

    /** The same with one of the coldest regions, wherever they are. */
    BestCandidate withColdest(int from, int dimension, double minReduction, MoveFilter filter) {
        candidate.clear();
        least = minReduction * index.capacity[from];
        int hot = findHottest(from, dimension, filter);
        int cold = coldestRegions.list(dimension, from, coldest);
        for (int place = 0; place < cold; place++) {
            int to = simulation.serverOf[coldest[place]];
            for (int position = 0; position < hot; position++) {
                if (filter.allows(hottest[position], from, to) && simulation.mayBeOn(hottest[position], to)) {
                    setGiven(hottest[position], from, to);
                    tryExchange(hottest[position], coldest[place], from, to, dimension);
                }
            }
        }
        return candidate;
    }

    /** The best exchange of any of this server's regions with any of the cluster's, that cools it by so much. */
    BestCandidate withAny(int from, int dimension, double minReduction, MoveFilter filter) {
        candidate.clear();
        least = minReduction * index.capacity[from];
        for (int given = index.firstRegion[from]; given < index.firstRegion[from + 1]; given++) {
            for (int to = 0;
                    simulation.isMovableForHeat(given) && filter.considers(given) && to < index.servers;
                    to++) {
                if (to != from && filter.allows(given, from, to) && simulation.mayBeOn(given, to)) {
                    findMostTaken(to);
                    tryExchange(given, from, to, dimension);
                }
            }
        }
        return candidate;
    }

    private void setGiven(int given, int from, int to) {
        costOfGiven = scorer.cost(given, to);
        mostOfTables = scorer.mostOfTables(given, from, to);
        mostBesideHeat = mostOfTables + scorer.mostSavedBySwap();
    }

    /** The largest loads of what this server can still give. */
    private void findMostTaken(int to) {
        RegionsByLoad order = simulation.order;
        for (int dimension = 0; dimension < PlanIndex.DIMENSIONS; dimension++) {
            int place =
                    index.counts(dimension) ? order.down(to, dimension, index.regionsOn(to) - 1) : RegionsByLoad.NONE;
            mostTaken[dimension] =
                    place == RegionsByLoad.NONE ? 0 : index.load(order.region(to, dimension, place), dimension);
        }
    }

    private void tryExchange(int given, int from, int to, int dimension) {
        setGiven(given, from, to);
        double mostHeat = scorer.mostHeatOfSwap(given, from, to, mostTaken);
        // Where the regions of a server are much alike, all exchanges gain the same: the first two are kept.
        if (mostHeat + mostBesideHeat - costOfGiven <= candidate.net
                || !candidate.wouldKeep(mostHeat - costOfGiven + mostOfTables - scorer.leastCost())) {
            return;
        }
        if (MoveFinder.hasMany(index, to)) {
            tryExchangeOfMany(given, from, to, dimension);
            return;
        }
        exchangeGain.give(index.load, given * PlanIndex.DIMENSIONS, from, to);
        double mostBeside = mostBesideHeat - costOfGiven + exchangeGain.rounding();
        for (int taken = index.firstRegion[to]; taken < index.firstRegion[to + 1]; taken++) {
            if (isCooler(taken, given, dimension)
                    && simulation.isMovableForHeat(taken)
                    && exchangeGain.of(index.load, taken * PlanIndex.DIMENSIONS) + mostBeside > candidate.net) {
                tryExchange(given, taken, from, to, dimension);
            }
        }
    }

    /** With the regions around the one that leaves the server just at its target, with the coldest, and with some in between. */
    private void tryExchangeOfMany(int given, int from, int to, int dimension) {
        double load = index.load(given, dimension);
        double over = (simulation.shares.share(from, dimension) - index.target[dimension]) * index.capacity[from];
        int wanted = simulation.order.placeOf(to, dimension, load - Math.max(least, over));
        int colder = simulation.order.placeOf(to, dimension, load - least);
        for (int step = 0; step < OF_MANY; step++) {
            tryPlace(given, from, to, dimension, step);
            tryPlace(given, from, to, dimension, wanted - OF_MANY / 2 + step);
            tryPlace(given, from, to, dimension, (int) ((long) colder * step / OF_MANY));
        }
    }

    private void tryPlace(int given, int from, int to, int dimension, int place) {
        int left = simulation.order.up(to, dimension, Math.max(0, place));
        if (left != RegionsByLoad.NONE) {
            int taken = simulation.order.region(to, dimension, left);
            if (simulation.isMovableForHeat(taken)) {
                tryExchange(given, taken, from, to, dimension);
            }
        }
    }

    private void tryExchange(int given, int taken, int from, int to, int dimension) {
        if (isCooler(taken, given, dimension)) {
            double gain = scorer.heatOfSwap(given, taken, from, to) - costOfGiven;
            // Where bytes are is looked up last: it takes longer than all the rest, and only takes away from the gain.
            if (gain + mostBesideHeat > candidate.net && mayChange(given, taken, from)) {
                double ofTable = simulation.tables.gainOfSwap(given, taken, from, to);
                candidate.offerSwap(given, taken, to, gain + ofTable - scorer.cost(taken, from));
            }
        }
    }

    private boolean isCooler(int taken, int given, int dimension) {
        return index.load(taken, dimension) < index.load(given, dimension) - least;
    }

    private boolean mayChange(int given, int taken, int from) {
        return simulation.swapKeepsSlop(given, taken)
                && simulation.tables.haveMovesLeft(given, taken)
                && simulation.mayBeOn(taken, from);
    }

    /** The hottest that may be moved: an aim to cool a server considers a region wherever it considers a colder one. */
    private int findHottest(int from, int dimension, MoveFilter filter) {
        RegionsByLoad order = simulation.order;
        int count = 0;
        int place = order.down(from, dimension, index.regionsOn(from) - 1);
        while (place >= 0 && count < HOTTEST && filter.considers(order.region(from, dimension, place))) {
            int region = order.region(from, dimension, place);
            if (simulation.isMovableForHeat(region)) {
                hottest[count++] = region;
            }
            place = order.down(from, dimension, place - 1);
        }
        return count;
    }

    /**
     * The regions of a cluster that have least load in a dimension, the coldest first: what a server takes in place of hotter ones
     * where it may not have fewer. Ordered when first asked for. Scratch of one search; not thread-safe.
     */
    private static final class ColdestRegions {

        /** So many are known in each dimension: enough to fill forty servers of a hundred regions. */
        private static final int MOST = 4096;

        /** So many are ordered at first, and so many times as many where these do not do. */
        private static final int FIRST = 256;

        private static final int MORE = 4;

        private final PlanSimulation simulation;
        private final int[][] coldest = new int[PlanIndex.DIMENSIONS][];
        private final double[][] sortedLoads = new double[PlanIndex.DIMENSIONS][];

        ColdestRegions(PlanSimulation simulation) {
            this.simulation = simulation;
        }

        /** Fills {@code into} with the coldest regions that may move and are not on this server. Returns their number. */
        int list(int dimension, int notOn, int[] into) {
            if (coldest[dimension] == null) {
                coldest[dimension] = order(dimension, FIRST);
            }
            int found = 0;
            for (int place = 0; found < into.length && isOrdered(dimension, place); place++) {
                int region = coldest[dimension][place];
                if (simulation.isMovableForHeat(region) && simulation.serverOf[region] != notOn) {
                    into[found++] = region;
                }
            }
            return found;
        }

        /** Whether the region at this place is known, or becomes known now. */
        private boolean isOrdered(int dimension, int place) {
            int ordered = coldest[dimension].length;
            if (place == ordered && ordered < Math.min(MOST, simulation.index.regions)) {
                coldest[dimension] = order(dimension, Math.min(MOST, MORE * ordered));
            }
            return place < coldest[dimension].length;
        }

        /** Sorts no more regions than are wanted: there may be a million. */
        private int[] order(int dimension, int most) {
            PlanIndex index = simulation.index;
            double[] loads = sortedLoads(dimension);
            double limit = loads.length == 0 ? 0 : loads[Math.min(most, loads.length) - 1];
            return IntStream.range(0, index.regions)
                    .filter(region -> index.load(region, dimension) <= limit)
                    .boxed()
                    .sorted(Comparator.comparingDouble((Integer region) -> index.load(region, dimension))
                            .thenComparing(Comparator.naturalOrder()))
                    .limit(most)
                    .mapToInt(Integer::intValue)
                    .toArray();
        }

        private double[] sortedLoads(int dimension) {
            double[] loads = sortedLoads[dimension];
            if (loads == null) {
                loads = IntStream.range(0, simulation.index.regions)
                        .mapToDouble(region -> simulation.index.load(region, dimension))
                        .sorted()
                        .limit(MOST)
                        .toArray();
                sortedLoads[dimension] = loads;
            }
            return loads;
        }
    }
}
