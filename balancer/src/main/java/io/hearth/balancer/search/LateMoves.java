package io.hearth.balancer.search;

import io.hearth.balancer.plan.Concern;

/**
 * What is done when heat is even: numbers of regions are brought so near to the mean that the stock balancer leaves them
 * alone, and crowded tables are parted, by moves that make no server too hot. Scratch; not thread-safe.
 */
final class LateMoves {

    private static final int GIVERS = 8;

    private final Workbench bench;
    private final PlanIndex index;
    private final PlanSimulation simulation;
    private final int[] givers = new int[GIVERS];

    LateMoves(Workbench bench) {
        this.bench = bench;
        index = bench.index;
        simulation = bench.simulation;
    }

    /** Whether numbers of regions are so uneven that they need moves of their own. */
    boolean areNeeded() {
        return index.goals.counts().matters()
                && simulation.countImbalance() > index.goals.counts().trigger();
    }

    void make() {
        bench.merits.giveCountsFullWeight(true);
        if (index.goals.counts().matters()) {
            evenCounts();
        }
        partTables();
        bench.merits.giveCountsFullWeight(false);
    }

    private void evenCounts() {
        Rankings rankings = bench.rankings;
        boolean goesOn = true;
        while (goesOn
                && bench.mayGoOn()
                && simulation.countImbalance() > index.goals.counts().target()) {
            int fullest = rankings.most().top();
            int emptiest = rankings.fewest().top();
            boolean canGive = rankings.most().key(fullest) != ServerTree.LAST;
            boolean canTake = rankings.fewest().key(emptiest) != ServerTree.LAST;
            double above = canGive ? simulation.countAboveMean(fullest) : 0;
            double below = canTake ? -simulation.countAboveMean(emptiest) : 0;
            if (above <= 0.5 && below <= 0.5) {
                goesOn = false;
            } else if (above >= below) {
                if (!shed(fullest)) {
                    rankings.most().set(fullest, ServerTree.LAST);
                }
            } else if (!fill(emptiest)) {
                rankings.fewest().set(emptiest, ServerTree.LAST);
            }
        }
    }

    private boolean shed(int server) {
        bench.targets.list(server);
        return takeIfWorth(bench.finder.from(server, bench.aims.evenCounts()), Concern.REGION_COUNT);
    }

    private boolean fill(int server) {
        int count = bench.rankings.most().top(GIVERS, givers, 0);
        return takeIfWorth(bench.finder.to(server, givers, count, bench.aims.evenCounts()), Concern.REGION_COUNT);
    }

    private void partTables() {
        for (int region = 0; region < index.regions && bench.mayGoOn(); region++) {
            int server = simulation.serverOf[region];
            if (simulation.tables.isCrowded(region, server) && simulation.isMovable(region)) {
                bench.targets.list(server);
                takeIfWorth(bench.finder.of(region, bench.aims.partTables()), Concern.TABLE_SKEW);
            }
        }
    }

    private boolean takeIfWorth(Choice choice, Concern because) {
        boolean isWorth = bench.isWorth(choice, 1) && bench.draft.hasRoomFor(1);
        if (isWorth) {
            bench.draft.take(choice, because);
        }
        return isWorth;
    }
}
