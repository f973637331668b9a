// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import io.hearth.balancer.plan.PlanGoals.RegionCountGoal;
import io.hearth.balancer.plan.UnmovedReason;
import io.hearth.balancer.share.RegionCountSkew;
import io.hearth.balancer.share.ServerShares;
import java.util.Arrays;
import java.util.Optional;

/**
 * A cluster on which moves are tried: who serves what, how loaded every server is, how many regions it has, and which rule a
 * move would break. Every change costs a constant number of operations. Scratch of one search; not thread-safe.
 */
final class PlanSimulation {

    /** A server with few regions is not filled while it has one of this many fair shares. */
    private static final double LEFT_ALONE = 0.5;

    final PlanIndex index;
    final ServerShares shares;
    final TableIndex tables;
    final ReplicaIndex replicas;
    final int[] serverOf;
    final int[] countByServer;
    final RegionsByLoad order;
    private final boolean[] moved;
    private final boolean[] counted;
    private final double meanCount;
    /** Fewest and most regions that slop allows each server. */
    private final int[] fewestBySlop;

    private final int[] mostRegions;
    /**
     * How many large regions each server has, which leave room for little else: beside them heat may leave it with fewer than slop
     * allows, but not with none. None counts where the numbers are not Hearth's to even.
     */
    private final int[] large;

    /** Those that it has in the end, while moves are put in order: what makes room for them may go before. */
    private int[] largeInTheEnd;

    /** The largest load of each region that may be large, in multiples of what is fair for a mean server. */
    private final double[] largestLoad;
    /** From which load on a region is large on each server; more where the server has its regions, so that swings fill and empty none. */
    private final double[] leastLarge;

    private final RegionCountSkew countSkew;
    private double squaresOfCounts;

    PlanSimulation(PlanIndex index, TopologyIndex places) {
        this.index = index;
        shares = new ServerShares(index.share, index.capacity, index.weight, index.target);
        tables = new TableIndex(index);
        replicas = new ReplicaIndex(index, places);
        serverOf = index.initialServer.clone();
        moved = new boolean[index.regions];
        order = new RegionsByLoad(index, moved);
        counted = new boolean[index.regions];
        countByServer = new int[index.servers];
        for (int region = 0; region < index.regions; region++) {
            counted[region] = index.state[region].isCounted();
            countByServer[serverOf[region]] += counted[region] ? 1 : 0;
        }
        countSkew = new RegionCountSkew(Arrays.stream(countByServer).sum(), index.capacity);
        meanCount = countSkew.mean();
        squaresOfCounts = countSkew.squares(countByServer);
        fewestBySlop = new int[index.servers];
        mostRegions = new int[index.servers];
        setSlop(index.goals.counts());
        large = new int[index.servers];
        largeInTheEnd = new int[index.servers];
        largestLoad = new double[index.regions];
        leastLarge = new double[index.servers];
        Arrays.fill(leastLarge, Double.POSITIVE_INFINITY);
        if (index.goals.counts().isEvened(index.regions, index.pinned())) {
            findLarge();
        }
    }

    private void findLarge() {
        for (int server = 0; server < index.servers; server++) {
            boolean hasFew = countByServer[server] < fewestBySlop[server];
            leastLarge[server] = index.capacity[server] * (hasFew ? LEFT_ALONE : ServerRankings.MOST_OF_A_SHARE);
        }
        for (int region = 0; region < index.regions; region++) {
            for (int dimension = 0; counted[region] && dimension < PlanIndex.DIMENSIONS; dimension++) {
                if (index.counts(dimension)) {
                    largestLoad[region] = Math.max(largestLoad[region], index.load(region, dimension));
                }
            }
            large[serverOf[region]] += isLarge(region, serverOf[region]) ? 1 : 0;
        }
    }

    private boolean isLarge(int region, int server) {
        return largestLoad[region] >= leastLarge[server];
    }

    private void setSlop(RegionCountGoal goal) {
        for (int server = 0; server < index.servers; server++) {
            double fair = countSkew.fair(server);
            fewestBySlop[server] = goal.matters() ? (int) Math.floor(fair * (1 - goal.slop())) : 0;
            mostRegions[server] = goal.matters() ? (int) Math.ceil(fair * (1 + goal.slop())) : Integer.MAX_VALUE;
        }
    }

    double meanCount() {
        return meanCount;
    }

    /** The fewest regions that the server of a large region may have. */
    int fewestBesideLarge() {
        int bySlop = Arrays.stream(fewestBySlop).min().orElse(0);
        return Arrays.stream(large).sum() > 0 ? Math.min(1, bySlop) : bySlop;
    }

    /** Moves that make the cluster what it is now will be made anew, in another order. */
    void orderBegins() {
        largeInTheEnd = large.clone();
    }

    void orderEnds() {
        Arrays.fill(largeInTheEnd, 0);
    }

    private int fewest(int server, int largeThere) {
        return largeThere > 0 || largeInTheEnd[server] > 0 ? Math.min(1, fewestBySlop[server]) : fewestBySlop[server];
    }

    boolean isCounted(int region) {
        return counted[region];
    }

    /** How far this server's number of regions is above what is fair for its capacity; below 0 where it has fewer. */
    double countAboveFair(int server) {
        return countByServer[server] - countSkew.fair(server);
    }

    /** The weighted unevenness of heat in all dimensions that count; looks at every server. */
    double unevennessOfHeat() {
        double sum = 0;
        for (int server = 0; server < index.servers; server++) {
            for (int dimension = 0; dimension < PlanIndex.DIMENSIONS; dimension++) {
                sum += index.counts(dimension) ? shares.unevenness(server, dimension) : 0;
            }
        }
        return sum;
    }

    /** The imbalance of region counts in stock's measure. */
    double countImbalance() {
        return countSkew.imbalance(squaresOfCounts);
    }

    /** The same among the servers that could have another number: not those with few regions beside a large one. */
    double avoidableCountImbalance() {
        return countSkew.imbalance(countByServer, server -> !isFewForHeat(server));
    }

    /** Whether this server has a region that leaves room for little else. */
    boolean hasLarge(int server) {
        return large[server] > 0;
    }

    /** Whether this server has fewer regions than slop allows, beside a large one. */
    boolean isFewForHeat(int server) {
        return hasLarge(server) && countByServer[server] < fewestBySlop[server];
    }

    /**
     * Whether servers have fewer regions than slop allows, all of them beside a large one, and none has more. A server that takes no regions
     * has as many as it has.
     */
    boolean areFewForHeat() {
        boolean areAnyFew = false;
        for (int server = 0; server < index.servers; server++) {
            if ((index.mayTake[server] && hasTooFew(server)) || hasTooMany(server)) {
                return false;
            }
            areAnyFew |= isFewForHeat(server);
        }
        return areAnyFew;
    }

    /** Whether this server may give a region only if it takes another. */
    boolean hasFewest(int server) {
        return countByServer[server] <= fewest(server, large[server]);
    }

    /** Whether this server may take a region only if it gives another. */
    boolean hasMost(int server) {
        return countByServer[server] >= mostRegions[server];
    }

    boolean hasTooFew(int server) {
        return wouldHaveTooFew(server, 0);
    }

    boolean hasTooMany(int server) {
        return wouldHaveTooMany(server, 0);
    }

    /** Whether this server would have too few regions if it had so many more (below 0: fewer). */
    boolean wouldHaveTooFew(int server, int more) {
        return countByServer[server] + more < fewest(server, large[server]);
    }

    /** Whether this server would have too many regions if it had so many more (below 0: fewer). */
    boolean wouldHaveTooMany(int server, int more) {
        return countByServer[server] + more > mostRegions[server];
    }

    /** How many regions this server has above what slop allows. */
    int tooMany(int server) {
        return Math.max(0, countByServer[server] - mostRegions[server]);
    }

    /** How many regions this server has below what slop allows. */
    int tooFew(int server) {
        return Math.max(0, fewest(server, large[server]) - countByServer[server]);
    }

    /** Whether this region may be moved at all: it is not pinned, and was not moved yet. */
    boolean isMovable(int region) {
        return !moved[region] && index.isFree[region];
    }

    /** Whether the plan may give it a target, or another one if it has one already: then it is in its table's budget. */
    boolean isRelocatable(int region) {
        return index.isFree[region] && (moved[region] || tables.hasMovesLeft(region));
    }

    /** The same for two regions at once. */
    boolean areRelocatable(int one, int other) {
        return isRelocatable(one)
                && isRelocatable(other)
                && (moved[one] || moved[other] || tables.haveMovesLeft(one, other));
    }

    /** Whether it may be moved for heat, which its table's budget limits. */
    boolean isMovableForHeat(int region) {
        return isMovable(region) && tables.hasMovesLeft(region);
    }

    boolean wasMoved(int region) {
        return moved[region];
    }

    /** Whether a move keeps both servers' numbers of regions within slop, or brings them nearer to it. */
    boolean keepsSlop(int region, int from, int to) {
        return !counted[region] || (countByServer[to] < mostRegions[to] && mayLeave(region, from));
    }

    /** Whether slop lets this server do without this region, wherever it goes. */
    boolean mayLeave(int region, int from) {
        return !counted[region] || countByServer[from] > fewest(from, large[from] - (isLarge(region, from) ? 1 : 0));
    }

    /** Whether numbers of regions stay as they are, and as they may be, where these two change places. */
    boolean swapKeepsSlop(int one, int other) {
        return counted[one] == counted[other]
                && (!counted[one]
                        || (mayHaveFew(serverOf[one], one, other) && mayHaveFew(serverOf[other], other, one)));
    }

    /** Whether this server has regions enough with another one in the place of this. */
    private boolean mayHaveFew(int server, int given, int taken) {
        return !isLarge(given, server)
                || isLarge(taken, server)
                || countByServer[server] >= fewest(server, large[server] - 1);
    }

    /** Whether this region may be served there: for what is not a matter of numbers. */
    boolean mayBeOn(int region, int to) {
        return index.mayTake[to]
                && !replicas.sharesHost(region, to, serverOf)
                && !replicas.sharesRack(region, to, serverOf);
    }

    /** The first rule that this move for heat would break. */
    Optional<UnmovedReason> broken(int region, int to) {
        if (!index.isFree[region]) {
            return Optional.of(UnmovedReason.of(index.state[region].pin()));
        }
        if (!tables.hasMovesLeft(region)) {
            return Optional.of(UnmovedReason.TABLE_BUDGET);
        }
        if (!index.mayTake[to]) {
            return Optional.of(UnmovedReason.NOT_A_TARGET);
        }
        if (replicas.sharesHost(region, to, serverOf)) {
            return Optional.of(UnmovedReason.REPLICA_ON_HOST);
        }
        if (replicas.sharesRack(region, to, serverOf)) {
            return Optional.of(UnmovedReason.REPLICA_ON_RACK);
        }
        return keepsSlop(region, serverOf[region], to) ? Optional.empty() : Optional.of(UnmovedReason.COUNT_SLOP);
    }

    void move(int region, int to) {
        int from = serverOf[region];
        tables.move(region, from, to);
        shift(region, from, to);
        moved[region] = true;
        order.changed(region);
    }

    /** Brings a moved region back to where it is in the snapshot. */
    void undo(int region) {
        int to = serverOf[region];
        int from = index.initialServer[region];
        tables.undo(region, from, to);
        shift(region, to, from);
        moved[region] = false;
        order.changed(region);
    }

    private void shift(int region, int from, int to) {
        serverOf[region] = to;
        for (int dimension = 0; dimension < PlanIndex.DIMENSIONS; dimension++) {
            double load = index.load(region, dimension);
            shares.add(from, dimension, -load);
            shares.add(to, dimension, load);
        }
        if (counted[region]) {
            squaresOfCounts += 2 * (countAboveFair(to) - countAboveFair(from) + 1);
            countByServer[from]--;
            countByServer[to]++;
            large[from] -= isLarge(region, from) ? 1 : 0;
            large[to] += isLarge(region, to) ? 1 : 0;
        }
    }
}
