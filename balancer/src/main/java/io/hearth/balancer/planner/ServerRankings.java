// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import io.hearth.balancer.share.ServerShares;
import java.util.Arrays;
import java.util.BitSet;
import java.util.SplittableRandom;

/**
 * The servers in every order in which the search asks for them: by excess over their threshold, by coolness in one dimension, by
 * room in all, by number of regions. Brought up to date server by server when it is asked for an order. Scratch of one search; not
 * thread-safe.
 *
 * <p>The threshold of a server in a dimension is the target; or a little more than what cannot go, all that is pinned or its hottest region,
 * where that is above the target. Nothing is tried below it.
 */
final class ServerRankings {

    /** A region of this many fair shares leaves its server room for little else. */
    static final double MOST_OF_A_SHARE = 2.0 / 3;

    /** A server at so many times its threshold is next to it. */
    private static final double NEXT_TO = 1.01;

    /** By how much of its place in the order a hot spot may come earlier in a variation of the search. */
    private static final double VARIATION = 0.3;

    /** Beside a region above the target there may be little else: so many times the region in all, or the target times it if that is less. */
    private static final double BESIDE_OVERSIZED = 1.03;

    private final PlanIndex index;
    private final PlanSimulation simulation;
    private final ServerShares shares;
    private final double[] threshold;
    /** The hottest region of a server, in its fair shares. */
    private final double[] hottestRegionShare;
    /** The regions with most of a fair share that were moved: a server's own are in the index. */
    private final BitSet largeThatCame = new BitSet();

    private final boolean[] givenUp;
    private final int variation;
    private boolean byExcess;
    private final TournamentTree[] hottest = new TournamentTree[PlanIndex.DIMENSIONS];
    private final TournamentTree[] coolest = new TournamentTree[PlanIndex.DIMENSIONS];
    private final TournamentTree mostHeadroom;
    private final TournamentTree fewest;
    private final TournamentTree most;
    /** The servers whose place may be another since the hottest were asked for; and since any of the other orders was. */
    private final BitSet changedForHottest = new BitSet();

    private final BitSet changedForOthers = new BitSet();

    ServerRankings(PlanSimulation simulation, int variation) {
        this.variation = variation;
        this.simulation = simulation;
        index = simulation.index;
        shares = simulation.shares;
        threshold = new double[index.servers * PlanIndex.DIMENSIONS];
        hottestRegionShare = new double[index.servers * PlanIndex.DIMENSIONS];
        givenUp = new boolean[index.servers * PlanIndex.DIMENSIONS];
        for (int dimension = 0; dimension < PlanIndex.DIMENSIONS; dimension++) {
            hottest[dimension] = new TournamentTree(index.servers);
            coolest[dimension] = new TournamentTree(index.servers);
        }
        mostHeadroom = new TournamentTree(index.servers);
        fewest = new TournamentTree(index.servers);
        most = new TournamentTree(index.servers);
        for (int server = 0; server < index.servers; server++) {
            setThresholds(server);
        }
        rankAll();
    }

    private void setThresholds(int server) {
        for (int dimension = 0; dimension < PlanIndex.DIMENSIONS; dimension++) {
            setThreshold(server, dimension);
        }
    }

    private void setThreshold(int server, int dimension) {
        double hottestRegion = 0;
        double pinned = 0;
        for (int region = index.firstRegion[server]; region < index.firstRegion[server + 1]; region++) {
            double load = index.load(region, dimension);
            hottestRegion = simulation.serverOf[region] == server ? Math.max(hottestRegion, load) : hottestRegion;
            pinned += index.isFree[region] ? 0 : load;
        }
        for (int region = largeThatCame.nextSetBit(0); region >= 0; region = largeThatCame.nextSetBit(region + 1)) {
            hottestRegion = simulation.serverOf[region] == server
                    ? Math.max(hottestRegion, index.load(region, dimension))
                    : hottestRegion;
        }
        hottestRegionShare[at(server, dimension)] = hottestRegion / index.capacity[server];
        threshold[at(server, dimension)] =
                thresholdBeside(Math.max(pinned, hottestRegion) / index.capacity[server], dimension);
    }

    private double thresholdBeside(double staying, int dimension) {
        return thresholdBeside(staying, index.target[dimension]);
    }

    /** The threshold of a server on which this share stays whatever goes. */
    static double thresholdBeside(double staying, double target) {
        return Math.max(target, staying * Math.min(target, BESIDE_OVERSIZED));
    }

    private static int at(int server, int dimension) {
        return server * PlanIndex.DIMENSIONS + dimension;
    }

    private void rankAll() {
        double[] keys = new double[index.servers];
        for (int dimension = 0; dimension < PlanIndex.DIMENSIONS; dimension++) {
            for (int server = 0; server < index.servers; server++) {
                keys[server] = hotKey(server, dimension);
            }
            hottest[dimension].fill(keys);
            for (int server = 0; server < index.servers; server++) {
                keys[server] = coolKey(server, dimension);
            }
            coolest[dimension].fill(keys);
        }
        for (int server = 0; server < index.servers; server++) {
            rankBySize(server);
        }
    }

    private void rankBySize(int server) {
        boolean mayTake = index.mayTake[server];
        mostHeadroom.set(server, mayTake ? shares.headroom(server) : TournamentTree.LAST);
        fewest.set(server, mayTake ? -simulation.countAboveFair(server) : TournamentTree.LAST);
        most.set(server, simulation.countAboveFair(server));
    }

    private double hotKey(int server, int dimension) {
        double over = shares.share(server, dimension) - threshold(server, dimension);
        boolean isHot = index.counts(dimension) && over > 0 && !givenUp[at(server, dimension)];
        if (!isHot) {
            return TournamentTree.LAST;
        }
        return index.weight[dimension]
                * (byExcess ? over : varied(server, regionToGo(server, dimension, over * index.capacity[server])));
    }

    /** In a variation of the search, hot spots that are much alike come in another order. */
    private double varied(int server, double key) {
        return variation == 0
                ? key
                : key * (1 + VARIATION * new SplittableRandom(server * 31L + variation).nextDouble());
    }

    /** The load of the smallest region that brings this server to its threshold; of the largest where none does alone. */
    private double regionToGo(int server, int dimension, double over) {
        RegionsByLoad order = simulation.order;
        int enough = order.placeOf(server, dimension, over);
        for (int place = order.up(server, dimension, enough);
                place >= 0;
                place = order.up(server, dimension, place + 1)) {
            int region = order.region(server, dimension, place);
            if (simulation.isMovableForHeat(region)) {
                return index.load(region, dimension);
            }
        }
        for (int place = order.down(server, dimension, enough - 1);
                place >= 0;
                place = order.down(server, dimension, place - 1)) {
            int region = order.region(server, dimension, place);
            if (simulation.isMovableForHeat(region)) {
                return index.load(region, dimension);
            }
        }
        return 0;
    }

    private double coolKey(int server, int dimension) {
        return index.mayTake[server] && index.counts(dimension)
                ? -shares.share(server, dimension)
                : TournamentTree.LAST;
    }

    /** Takes note that the loads of this server have changed. */
    void changed(int server) {
        changedForHottest.set(server);
        changedForOthers.set(server);
    }

    /** Not at each change: while moves are chosen for other reasons, or put in order, nobody asks for some of the orders. */
    private void rankHottest() {
        if (changedForHottest.isEmpty()) {
            return;
        }
        for (int server = changedForHottest.nextSetBit(0);
                server >= 0;
                server = changedForHottest.nextSetBit(server + 1)) {
            for (int dimension = 0; dimension < PlanIndex.DIMENSIONS; dimension++) {
                if (index.counts(dimension)) {
                    hottest[dimension].set(server, hotKey(server, dimension));
                }
            }
        }
        changedForHottest.clear();
    }

    private void rankOthers() {
        if (changedForOthers.isEmpty()) {
            return;
        }
        for (int server = changedForOthers.nextSetBit(0);
                server >= 0;
                server = changedForOthers.nextSetBit(server + 1)) {
            for (int dimension = 0; dimension < PlanIndex.DIMENSIONS; dimension++) {
                if (index.counts(dimension)) {
                    coolest[dimension].set(server, coolKey(server, dimension));
                }
            }
            rankBySize(server);
        }
        changedForOthers.clear();
    }

    /** Takes note that this region is on another server: the bars of both may be others. */
    void moved(int region, int from, int to) {
        for (int dimension = 0; dimension < PlanIndex.DIMENSIONS; dimension++) {
            double load = index.load(region, dimension);
            double aloneThere = load / index.capacity[to];
            hottestRegionShare[at(to, dimension)] = Math.max(hottestRegionShare[at(to, dimension)], aloneThere);
            threshold[at(to, dimension)] =
                    Math.max(threshold[at(to, dimension)], thresholdBeside(aloneThere, dimension));
            if (aloneThere >= MOST_OF_A_SHARE) {
                largeThatCame.set(region);
            }
            if (load / index.capacity[from] >= MOST_OF_A_SHARE) {
                setThreshold(from, dimension);
            }
        }
        changed(from);
        changed(to);
    }

    /** The share at which this server is as good as it can be, or good enough. */
    double threshold(int server, int dimension) {
        return threshold[at(server, dimension)];
    }

    /** Whether so little more than its threshold is left on this server that no move is kept for it. */
    boolean isNextToThreshold(int server, int dimension) {
        return isNextToThreshold(server, dimension, shares.share(server, dimension));
    }

    /** The same of the share that it would have. */
    boolean isNextToThreshold(int server, int dimension, double share) {
        return share <= NEXT_TO * threshold(server, dimension);
    }

    /** Whether more than so many fair shares stay on this server whatever goes, and more than the target. */
    boolean keepsMoreThan(double shares, int server, int dimension) {
        return threshold(server, dimension) > thresholdBeside(shares, dimension);
    }

    /** Whether one region has most of this server's fair share. */
    boolean hasNearlyOversized(int server, int dimension) {
        return hottestRegionShare[at(server, dimension)] > MOST_OF_A_SHARE;
    }

    /** The hottest region of this server, in its fair shares. */
    double hottestRegion(int server, int dimension) {
        return hottestRegionShare[at(server, dimension)];
    }

    /** The dimension in which a server has the largest weighted excess, of those not given up; -1 where there is none. */
    int hottestDimension() {
        rankHottest();
        int hot = -1;
        double most = 0;
        for (int dimension = 0; dimension < PlanIndex.DIMENSIONS; dimension++) {
            double excess = hottest[dimension].key(hottest[dimension].top());
            if (excess > most) {
                hot = dimension;
                most = excess;
            }
        }
        return hot;
    }

    /** The server with the largest excess in this dimension. */
    int hottestServer(int dimension) {
        rankHottest();
        return hottest[dimension].top();
    }

    void giveUp(int server, int dimension) {
        givenUp[at(server, dimension)] = true;
        hottest[dimension].set(server, TournamentTree.LAST);
    }

    /**
     * Orders hot spots by their excess; or by the region that has to go, so that large regions find room before small ones
     * have filled it. Everything that was given up has another chance.
     */
    void orderByExcess(boolean excess) {
        byExcess = excess;
        reopen();
    }

    /** Gives everything that was given up another chance. */
    void reopen() {
        Arrays.fill(givenUp, false);
        for (int server = 0; server < index.servers; server++) {
            changed(server);
        }
    }

    TournamentTree coolest(int dimension) {
        rankOthers();
        return coolest[dimension];
    }

    TournamentTree mostHeadroom() {
        rankOthers();
        return mostHeadroom;
    }

    /** The servers with the fewest regions. */
    TournamentTree fewest() {
        rankOthers();
        return fewest;
    }

    /** The servers with the most regions. */
    TournamentTree most() {
        rankOthers();
        return most;
    }
}
