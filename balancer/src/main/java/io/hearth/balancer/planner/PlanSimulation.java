// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import io.hearth.balancer.plan.UnmovedReason;
import io.hearth.balancer.share.RegionCountSkew;
import io.hearth.balancer.share.ServerShares;
import java.util.Optional;

/**
 * A cluster on which moves are tried: who serves what, how loaded every server is, how many regions it has, and which rule a
 * move would break. Every change costs a constant number of operations. Scratch of one search; not thread-safe.
 */
final class PlanSimulation {

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
    private final int fewestRegions;
    private final int mostRegions;
    private double squaresOfCounts;
    private int totalCount;

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
            totalCount += counted[region] ? 1 : 0;
        }
        meanCount = index.servers == 0 ? 0 : (double) totalCount / index.servers;
        for (int count : countByServer) {
            squaresOfCounts += (count - meanCount) * (count - meanCount);
        }
        boolean matters = index.goals.counts().matters();
        double slop = index.goals.counts().slop();
        fewestRegions = matters ? (int) Math.floor(meanCount * (1 - slop)) : 0;
        mostRegions = matters ? (int) Math.ceil(meanCount * (1 + slop)) : Integer.MAX_VALUE;
    }

    double meanCount() {
        return meanCount;
    }

    /** Fewest regions that slop allows a server to have. */
    int fewestRegions() {
        return fewestRegions;
    }

    boolean isCounted(int region) {
        return counted[region];
    }

    /** How far this server's number of regions is above the mean; below 0 where it has fewer. */
    double countAboveMean(int server) {
        return countByServer[server] - meanCount;
    }

    /** The imbalance of region counts in stock's measure. */
    double countImbalance() {
        return RegionCountSkew.imbalance(squaresOfCounts, totalCount, index.servers);
    }

    /** Whether this server may give a region only if it takes another. */
    boolean hasFewest(int server) {
        return countByServer[server] <= fewestRegions;
    }

    boolean hasTooFew(int server) {
        return countByServer[server] < fewestRegions;
    }

    boolean hasTooMany(int server) {
        return countByServer[server] > mostRegions;
    }

    /** How many regions this server has above what slop allows. */
    int tooMany(int server) {
        return Math.max(0, countByServer[server] - mostRegions);
    }

    /** Whether this region may be moved at all: it is not pinned, and was not moved yet. */
    boolean isMovable(int region) {
        return !moved[region] && index.state[region].isFree();
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
        return !counted[region] || (countByServer[from] > fewestRegions && countByServer[to] < mostRegions);
    }

    /** Whether this region may be served there: for what is not a matter of numbers. */
    boolean mayBeOn(int region, int to) {
        return index.mayTake[to]
                && !replicas.sharesHost(region, to, serverOf)
                && !replicas.sharesRack(region, to, serverOf);
    }

    /** The first rule that this move for heat would break. */
    Optional<UnmovedReason> broken(int region, int to) {
        if (!index.state[region].isFree()) {
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
            squaresOfCounts += 2 * (countAboveMean(to) - countAboveMean(from) + 1);
            countByServer[from]--;
            countByServer[to]++;
        }
    }
}
