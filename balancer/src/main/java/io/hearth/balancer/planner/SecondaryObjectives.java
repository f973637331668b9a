// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import io.hearth.balancer.plan.Objective;

/**
 * What is done when heat is even: numbers of regions are brought so near to the mean that the stock balancer leaves them
 * alone, and crowded tables are parted, by moves that make no server too hot. Scratch; not thread-safe.
 */
final class SecondaryObjectives {

    private static final int SOURCES = 8;

    private final SearchContext context;
    private final PlanIndex index;
    private final PlanSimulation simulation;
    private final int[] sources = new int[SOURCES];

    SecondaryObjectives(SearchContext context) {
        this.context = context;
        index = context.index;
        simulation = context.simulation;
    }

    /** Whether numbers of regions are so uneven that they need moves of their own. */
    boolean areNeeded() {
        return index.goals.counts().matters()
                && simulation.avoidableCountImbalance() > index.goals.counts().trigger();
    }

    void make() {
        context.scorer.giveCountsFullWeight(true);
        if (index.goals.counts().matters()) {
            evenCounts();
        }
        partTables();
        context.scorer.giveCountsFullWeight(false);
    }

    private void evenCounts() {
        ServerRankings rankings = context.rankings;
        boolean goesOn = true;
        while (goesOn
                && context.mayGoOn()
                && simulation.avoidableCountImbalance() > index.goals.counts().target()) {
            int fullest = rankings.most().top();
            int emptiest = rankings.fewest().top();
            boolean canGive = rankings.most().key(fullest) != TournamentTree.LAST;
            boolean canTake = rankings.fewest().key(emptiest) != TournamentTree.LAST;
            if (canTake && simulation.isFewForHeat(emptiest)) {
                rankings.fewest().set(emptiest, TournamentTree.LAST);
                continue;
            }
            double above = canGive ? simulation.countAboveFair(fullest) : 0;
            double below = canTake ? -simulation.countAboveFair(emptiest) : 0;
            if (above <= 0.5 && below <= 0.5) {
                goesOn = false;
            } else if (above >= below) {
                if (!shed(fullest)) {
                    rankings.most().set(fullest, TournamentTree.LAST);
                }
            } else if (!fill(emptiest)) {
                rankings.fewest().set(emptiest, TournamentTree.LAST);
            }
        }
    }

    private boolean shed(int server) {
        context.destinations.list(server);
        return takeIfWorth(context.moveFinder.from(server, context.filters.evenCounts()), Objective.REGION_COUNT);
    }

    private boolean fill(int server) {
        int count = context.rankings.most().top(SOURCES, sources, 0);
        return takeIfWorth(
                context.moveFinder.to(server, sources, count, context.filters.evenCounts()), Objective.REGION_COUNT);
    }

    private void partTables() {
        for (int region = 0; region < index.regions && context.mayGoOn(); region++) {
            int server = simulation.serverOf[region];
            if (simulation.tables.isCrowded(region, server) && simulation.isMovable(region)) {
                context.destinations.list(server);
                takeIfWorth(context.moveFinder.of(region, context.filters.partTables()), Objective.TABLE_SKEW);
            }
        }
    }

    private boolean takeIfWorth(BestCandidate candidate, Objective because) {
        boolean isWorth = context.isWorth(candidate, 1) && context.partialPlan.hasRoomFor(1);
        if (isWorth) {
            context.partialPlan.take(candidate, because);
        }
        return isWorth;
    }
}
