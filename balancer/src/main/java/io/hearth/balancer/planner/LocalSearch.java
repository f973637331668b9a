// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import io.hearth.balancer.plan.Objective;
import io.hearth.balancer.planner.MoveFilters.MoveFilter;
import io.hearth.balancer.share.ExchangeGain;
import io.hearth.common.model.LoadDimension;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Lowers what is left above target when regions have been moved one by one. It looks at the cluster as the plan makes it, where a
 * region that moves already can have another target for nothing, or stay after all. Each step relocates one region of the hottest
 * server, or exchanges it for a region of another server, whichever lowers the objective most; what a region costs is counted
 * from where it is in the snapshot. Scratch of one search; not thread-safe.
 *
 * <p>A local search with the neighbourhoods <i>relocate</i> and <i>exchange</i>, as for the machine reassignment problem
 * (ROADEF/EURO challenge 2012). Every step lowers the objective, so it ends.
 */
final class LocalSearch {

    private static final LoadDimension[] DIMENSION = LoadDimension.values();

    /** So many of the hottest regions of a server are tried, and as many whose load is nearest to what the server has too much. */
    private static final int FEW = 8;

    /** So many of each where none of these helps. */
    private static final int MANY = 32;

    /**
     * So many servers that nothing helped are looked at a second time: in each dimension of those that are farther above their
     * threshold, and of all others.
     */
    private static final int MOST_SECOND_LOOKS = 20;

    /** How often servers that were given up are looked at again, while any other was helped. */
    private static final int PASSES = 5;

    /** Of a server with more regions so many are tried in exchange, spread over all of them. */
    private static final int MOST_TAKEN = 128;

    /** A step that lowers the objective by less may be one of rounding. */
    private static final double LEAST_GAIN = 1e-6;

    private final SearchContext context;
    private final PlanIndex index;
    private final PlanSimulation simulation;
    private final MoveScorer scorer;
    private final ServedRegions served;
    /** Regions above the fair share of any server: where they had better be is decided for the whole plan. */
    private final BitSet oversized = new BitSet();

    /** Regions with most of a mean server's fair share: any of them is tried in exchange for any other. */
    private final int[] large;

    private final int[] given = new int[2 * MANY];
    private final double[] keyOfGiven = new double[2 * MANY];
    private int givenCount;
    private int looksNextToThreshold;
    private final int[] looksFarther = new int[PlanIndex.DIMENSIONS];
    /** How often the plan was changed. */
    private int changes;
    /** By server and dimension, after how many changes nothing was found for it: until the next one nothing will be. */
    private final int[] foundNothingAt;

    /** By region, what the plan pays for it where it has it now. */
    private final double[] paid;

    private final ExchangeGain exchangeGain;

    /** By region, its cost on the server that is cooled, once it is computed: many exchanges ask for it. */
    private final double[] costOnCooled;

    /** By region, for which server that was computed, plus 1; 0 for none. */
    private final int[] cooledOfCost;

    /** The regions of the server that is looked at which are tried in exchange. */
    private final int[] taken = new int[MOST_TAKEN];

    /** {@code load[place * DIMENSIONS + dimension]} of each of these: read far more often than gathered. */
    private final double[] takenLoad = new double[MOST_TAKEN * PlanIndex.DIMENSIONS];

    private int takenCount;
    /** The largest of these loads, by dimension. */
    private final double[] mostTaken = new double[PlanIndex.DIMENSIONS];
    /** What each of these gives back at most: what the plan pays for it, less its cost. */
    private final double[] mostRefund = new double[MOST_TAKEN];

    private double mostRefundOfAny;
    /** How many moves an exchange for one of these adds at least: less than none where the plan may take one back. */
    private int fewestMovesOfTaken;
    /** By how much load a step has to cool the hottest server, in multiples of what is fair for a mean server. */
    private double leastRelief;

    private final BestCandidate best = new BestCandidate();

    LocalSearch(SearchContext context) {
        this.context = context;
        index = context.index;
        simulation = context.simulation;
        scorer = context.scorer;
        served = new ServedRegions(simulation);
        foundNothingAt = new int[index.servers * PlanIndex.DIMENSIONS];
        Arrays.fill(foundNothingAt, -1);
        paid = new double[index.regions];
        exchangeGain = new ExchangeGain(simulation.shares);
        costOnCooled = new double[index.regions];
        cooledOfCost = new int[index.regions];
        for (int region = 0; region < index.regions; region++) {
            setPaid(region);
        }
        setAbove(Arrays.stream(index.capacity).max().orElse(1), oversized);
        BitSet most = new BitSet();
        setAbove(ServerRankings.MOST_OF_A_SHARE, most);
        large = most.stream().toArray();
    }

    /** Sets the regions with more than this load in a dimension that counts. */
    private void setAbove(double load, BitSet regions) {
        for (int place = 0; place < index.load.length; place++) {
            if (index.load[place] > load && index.counts(place % PlanIndex.DIMENSIONS)) {
                regions.set(place / PlanIndex.DIMENSIONS);
            }
        }
    }

    private void setPaid(int region) {
        paid[region] = simulation.wasMoved(region) ? scorer.cost(region, simulation.serverOf[region]) : 0;
    }

    /**
     * Goes on while a server above its threshold can be helped.
     *
     * @param mostMoves the plan does not grow beyond as many
     * @return whether anything changed
     */
    boolean improve(long mostMoves) {
        int pass = 0;
        boolean isChanged = coolHotSpots(mostMoves);
        boolean goesOn = isChanged;
        // What helped one server may have made room for another that was given up.
        while (goesOn && ++pass < PASSES) {
            goesOn = coolHotSpots(mostMoves);
        }
        return isChanged;
    }

    private boolean coolHotSpots(long mostMoves) {
        ServerRankings rankings = context.rankings;
        rankings.orderByExcess(true);
        boolean any = false;
        int dimension = rankings.hottestDimension();
        while (dimension >= 0 && context.partialPlan.steps().size() < mostMoves && !context.deadline.isOver()) {
            int server = rankings.hottestServer(dimension);
            if (find(server, dimension)) {
                apply(server, dimension);
                any = true;
            } else {
                rankings.giveUp(server, dimension);
            }
            dimension = rankings.hottestDimension();
        }
        return any;
    }

    /** Finds the step that lowers the objective most: among a few, and if there is none, among many. */
    private boolean find(int from, int dimension) {
        int place = from * PlanIndex.DIMENSIONS + dimension;
        boolean isInVain = foundNothingAt[place] == changes;
        if (!isInVain) {
            context.destinations.list(from, dimension);
        }
        boolean isFound = !isInVain && (find(from, dimension, FEW) || findLargeExchange(from, dimension));
        if (!isFound && !isInVain && mayLookAgain(from, dimension)) {
            context.destinations.listMany(from, dimension);
            isFound = find(from, dimension, MANY);
        }
        foundNothingAt[place] = isFound ? foundNothingAt[place] : changes;
        return isFound;
    }

    /** Servers next to their threshold don't use up the looks of the others, nor does one dimension those of one that counts less. */
    private boolean mayLookAgain(int server, int dimension) {
        return context.rankings.isNextToThreshold(server, dimension)
                ? looksNextToThreshold++ < MOST_SECOND_LOOKS
                : looksFarther[dimension]++ < MOST_SECOND_LOOKS;
    }

    private boolean find(int from, int dimension, int tried) {
        best.clear();
        MoveFilter filter = context.filters.cool(from, dimension);
        leastRelief = context.filters.minReduction(from, dimension) * index.capacity[from];
        findGiven(from, dimension, tried);
        for (int position = 0; position < givenCount; position++) {
            tryRelocation(given[position], from, filter);
        }
        for (int destination = 0; destination < context.destinations.size(); destination++) {
            int to = context.destinations.get(destination);
            findTaken(to);
            for (int position = 0; position < givenCount; position++) {
                if (simulation.mayBeOn(given[position], to)) {
                    tryExchanges(given[position], from, to, dimension);
                }
            }
        }
        return !best.isEmpty();
    }

    /** One of this server's large regions for another's: where it has two, hot in different dimensions, they had better be apart. */
    private boolean findLargeExchange(int from, int dimension) {
        for (int region : large) {
            if (simulation.serverOf[region] == from && simulation.isRelocatable(region)) {
                for (int taken : large) {
                    tryLargeExchange(region, taken, from, dimension);
                }
            }
        }
        return !best.isEmpty();
    }

    private void tryLargeExchange(int region, int taken, int from, int dimension) {
        int to = simulation.serverOf[taken];
        double less = index.load(region, dimension) - index.load(taken, dimension);
        if (to != from
                && less > 0
                && less >= leastRelief
                && simulation.shares.shareWith(to, dimension, less) < simulation.shares.share(from, dimension)
                && simulation.mayBeOn(region, to)
                && context.oversized.isFree(region)
                && context.oversized.isFree(taken)) {
            tryExchange(
                    region, taken, from, to, paid[region] - costAt(region, to) + scorer.mostOfTables(region, from, to));
        }
    }

    /** The regions of this server that are tried: the hottest, and those whose load is nearest to what the server has too much. */
    private void findGiven(int from, int dimension, int tried) {
        double over = (simulation.shares.share(from, dimension) - context.rankings.threshold(from, dimension))
                * index.capacity[from];
        givenCount = 0;
        for (int place = 0; place < served.count(from); place++) {
            int region = served.get(from, place);
            if (mayBeGiven(region, dimension)) {
                insert(region, -index.load(region, dimension), 0, tried);
            }
        }
        boolean areAll = givenCount < tried;
        for (int place = 0; !areAll && place < served.count(from); place++) {
            int region = served.get(from, place);
            double load = index.load(region, dimension);
            if (mayBeGiven(region, dimension) && -load > keyOfGiven[tried - 1]) {
                insert(region, Math.abs(load - over), tried, tried);
            }
        }
    }

    private boolean mayBeGiven(int region, int dimension) {
        double load = index.load(region, dimension);
        return load > 0 && load >= leastRelief && simulation.isRelocatable(region) && !oversized.get(region);
    }

    /** Keeps so many regions with the smallest keys, in their order, from this position on. */
    private void insert(int region, double key, int first, int most) {
        if (givenCount == first + most) {
            if (key >= keyOfGiven[givenCount - 1]) {
                return;
            }
            givenCount--;
        }
        int place = givenCount++;
        while (place > first && keyOfGiven[place - 1] > key) {
            given[place] = given[place - 1];
            keyOfGiven[place] = keyOfGiven[place - 1];
            place--;
        }
        given[place] = region;
        keyOfGiven[place] = key;
    }

    private void tryRelocation(int region, int from, MoveFilter filter) {
        BestCandidate elsewhere = context.moveFinder.of(region, filter);
        if (!elsewhere.isEmpty()) {
            offer(
                    region,
                    BestCandidate.NONE,
                    elsewhere.to,
                    elsewhere.net + paid[region],
                    simulation.wasMoved(region) ? 0 : 1);
        }
        int back = index.initialServer[region];
        if (back != from
                && simulation.keepsSlop(region, from, back)
                && filter.allows(region, from, back)
                && simulation.mayBeOn(region, back)) {
            double net = scorer.net(region, from, back) + scorer.cost(region, back) + paid[region];
            offer(region, BestCandidate.NONE, back, net, -1);
        }
    }

    /** The regions of this server that are tried in exchange, and what is largest of them. */
    private void findTaken(int to) {
        Arrays.fill(mostTaken, 0);
        mostRefundOfAny = Double.NEGATIVE_INFINITY;
        fewestMovesOfTaken = 1;
        takenCount = 0;
        int step = 1 + (served.count(to) - 1) / MOST_TAKEN;
        for (int place = 0; place < served.count(to); place += step) {
            int region = served.get(to, place);
            if (oversized.get(region) || !simulation.isRelocatable(region)) {
                continue;
            }
            for (int dimension = 0; dimension < PlanIndex.DIMENSIONS; dimension++) {
                double load = index.load(region, dimension);
                takenLoad[takenCount * PlanIndex.DIMENSIONS + dimension] = load;
                mostTaken[dimension] = Math.max(mostTaken[dimension], load);
            }
            mostRefund[takenCount] = mostRefund(region);
            mostRefundOfAny = Math.max(mostRefundOfAny, mostRefund[takenCount]);
            fewestMovesOfTaken = simulation.wasMoved(region) ? -1 : fewestMovesOfTaken;
            taken[takenCount++] = region;
        }
    }

    /** What the plan pays for this region, less what it costs where it goes, at most. */
    private double mostRefund(int region) {
        double leastCost = scorer.leastCost(region);
        // One that was moved may go back, for nothing.
        return paid[region] - (simulation.wasMoved(region) ? Math.min(0, leastCost) : leastCost);
    }

    private void tryExchanges(int region, int from, int to, int dimension) {
        double needed = least(region, moreMoves(region, to) + fewestMovesOfTaken);
        double ofTables = scorer.mostOfTables(region, from, to);
        if (scorer.mostHeatOfSwap(region, from, to, mostTaken) + mostRefund(region) + ofTables + mostRefundOfAny
                < Math.max(needed, best.net) - ExchangeGain.ROUNDING) {
            return;
        }
        double before = simulation.shares.share(from, dimension);
        double load = index.load(region, dimension);
        double besideTaken = paid[region] - costAt(region, to) + ofTables;
        exchangeGain.give(index.load, region * PlanIndex.DIMENSIONS, from, to);
        double rounding = exchangeGain.rounding();
        for (int place = 0; place < takenCount; place++) {
            int first = place * PlanIndex.DIMENSIONS;
            double less = load - takenLoad[first + dimension];
            if (less > 0
                    && less >= leastRelief
                    && simulation.shares.shareWith(to, dimension, less) < before
                    && exchangeGain.of(takenLoad, first) + besideTaken + mostRefund[place]
                            >= Math.max(needed, best.net) - rounding) {
                tryExchange(region, taken[place], from, to, besideTaken);
            }
        }
    }

    /** @param besideTaken what the exchange gains at most beside heat, without what the taken region costs or saves */
    private void tryExchange(int region, int taken, int from, int to, double besideTaken) {
        double heat = scorer.heatOfSwap(region, taken, from, to);
        if (heat + besideTaken + paid[taken] - costOnCooled(taken, from) <= best.net
                || !simulation.swapKeepsSlop(region, taken)
                || !simulation.areRelocatable(region, taken)
                || !simulation.mayBeOn(taken, from)) {
            return;
        }
        double net = heat
                + paid[region]
                + paid[taken]
                + simulation.tables.gainOfSwap(region, taken, from, to)
                - costAt(region, to)
                - costOnCooled(taken, from);
        offer(region, taken, to, net, moreMoves(region, to) + moreMoves(taken, from));
    }

    private double costAt(int region, int to) {
        return to == index.initialServer[region] ? 0 : scorer.cost(region, to);
    }

    private double costOnCooled(int region, int cooled) {
        if (cooledOfCost[region] != cooled + 1) {
            cooledOfCost[region] = cooled + 1;
            costOnCooled[region] = costAt(region, cooled);
        }
        return costOnCooled[region];
    }

    private int moreMoves(int region, int to) {
        int before = simulation.wasMoved(region) ? 1 : 0;
        return (to == index.initialServer[region] ? 0 : 1) - before;
    }

    private void offer(int region, int taken, int to, double net, int moreMoves) {
        if (net >= least(region, moreMoves)) {
            best.offerSwap(region, taken, to, net);
        }
    }

    /** What a step has to gain that adds so many moves to the plan. */
    private double least(int region, int moreMoves) {
        return Math.max(LEAST_GAIN, moreMoves * context.leastGain(region));
    }

    private void apply(int from, int dimension) {
        int region = best.region;
        int taken = best.taken;
        int to = best.to;
        Objective because = Objective.of(DIMENSION[dimension]);
        boolean isSwap = taken != BestCandidate.NONE && !simulation.wasMoved(region) && !simulation.wasMoved(taken);
        relocate(region, from, to, isSwap ? taken : BestCandidate.NONE, best.net, because);
        if (taken != BestCandidate.NONE) {
            relocate(taken, to, from, isSwap ? region : BestCandidate.NONE, best.net, because);
        }
    }

    /** Brings a region elsewhere, whether that lowers the objective or not. */
    void relocate(int region, int to) {
        int from = simulation.serverOf[region];
        relocate(region, from, to, BestCandidate.NONE, 0, Objective.of(DIMENSION[index.heaviest]));
    }

    private void relocate(int region, int from, int to, int with, double net, Objective because) {
        changes++;
        served.move(region, from, to);
        context.partialPlan.relocate(region, to, with, net, because);
        setPaid(region);
    }

    /** Makes the plan what it was. */
    void restore(List<PartialPlan.Step> steps) {
        if (steps.isEmpty() && context.partialPlan.steps().isEmpty()) {
            return;
        }
        changes++;
        int[] before = simulation.serverOf.clone();
        context.partialPlan.takeBackAll();
        steps.forEach(step -> context.partialPlan.redo(step, step.net()));
        for (int region = 0; region < index.regions; region++) {
            if (simulation.serverOf[region] != before[region]) {
                served.move(region, before[region], simulation.serverOf[region]);
                setPaid(region);
            }
        }
    }

    /** The regions that each server has as the plan stands. Not thread-safe. */
    private static final class ServedRegions {

        private static final int ROOM = 8;

        private final int[][] regionsByServer;
        private final int[] count;
        private final int[] placeOf;

        ServedRegions(PlanSimulation simulation) {
            PlanIndex index = simulation.index;
            count = new int[index.servers];
            placeOf = new int[index.regions];
            for (int server : simulation.serverOf) {
                count[server]++;
            }
            regionsByServer = new int[index.servers][];
            for (int server = 0; server < index.servers; server++) {
                regionsByServer[server] = new int[count[server] + ROOM];
            }
            Arrays.fill(count, 0);
            for (int region = 0; region < index.regions; region++) {
                add(region, simulation.serverOf[region]);
            }
        }

        int count(int server) {
            return count[server];
        }

        int get(int server, int place) {
            return regionsByServer[server][place];
        }

        void move(int region, int from, int to) {
            int last = regionsByServer[from][--count[from]];
            regionsByServer[from][placeOf[region]] = last;
            placeOf[last] = placeOf[region];
            add(region, to);
        }

        private void add(int region, int server) {
            int place = count[server]++;
            if (place == regionsByServer[server].length) {
                regionsByServer[server] = Arrays.copyOf(regionsByServer[server], place + place / 2 + ROOM);
            }
            regionsByServer[server][place] = region;
            placeOf[region] = place;
        }
    }
}
