// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;

/**
 * Looks for a plan where no single step lowers the objective, in a small cluster: brings a few regions elsewhere at random, lets the
 * {@link LocalSearch} find its way from there, and keeps what lowers the objective. Each round costs what a local search costs.
 * Scratch of one search; not thread-safe.
 *
 * <p>Source: H. R. Lourenço, O. C. Martin, T. Stützle, <i>Iterated Local Search</i>, Handbook of Metaheuristics (2003), with a
 * perturbation as in ruin and recreate. The random numbers are the same in each search.
 */
final class IteratedLocalSearch {

    /** So many rounds at most. */
    private static final int MOST_ROUNDS = 2_000;

    /** So many rounds, over the number of regions: a round costs as many looks as there are regions. */
    private static final int ROUNDS_FOR_REGIONS = 30_000;

    /** So many regions at most are brought elsewhere at once. */
    private static final int MOST_AT_ONCE = 3;

    private static final double ROUNDING = 1e-9;

    private final SearchContext context;
    private final PlanIndex index;
    private final PlanSimulation simulation;
    private final LocalSearch localSearch;
    private final SplittableRandom random = new SplittableRandom(1);
    private final BooleanSupplier isOfUse;
    private final int rounds;
    private List<PartialPlan.Step> best;
    private double bestObjective;

    /**
     * @param isOfUse whether the plan, as it stands when this is asked, may be what is kept
     */
    IteratedLocalSearch(SearchContext context, BooleanSupplier isOfUse) {
        this.context = context;
        this.isOfUse = isOfUse;
        localSearch = new LocalSearch(context);
        index = context.index;
        simulation = context.simulation;
        rounds = index.regions == 0 ? 0 : Math.min(MOST_ROUNDS, ROUNDS_FOR_REGIONS / index.regions);
        best = List.copyOf(context.partialPlan.steps());
        bestObjective = objective();
    }

    /** Makes the plan the best one that is found. */
    void improve() {
        for (int round = 0; round < rounds && !context.deadline.isOver(); round++) {
            perturb();
            localSearch.improve(context.index.goals.limits().maxMoves());
            double objective = objective();
            if (objective < bestObjective - ROUNDING && isOfUse.getAsBoolean()) {
                best = List.copyOf(context.partialPlan.steps());
                bestObjective = objective;
            } else {
                localSearch.restore(best);
            }
        }
    }

    /** Takes a few moves back, or brings a few regions anywhere, alone or in exchange, as far as slop and replicas let them. */
    private void perturb() {
        for (int count = 1 + random.nextInt(MOST_AT_ONCE); count > 0; count--) {
            int steps = context.partialPlan.steps().size();
            int kind = random.nextInt(4);
            if (kind < 2 && steps > 0) {
                int region =
                        context.partialPlan.steps().get(random.nextInt(steps)).region();
                relocate(region, index.initialServer[region]);
            } else if (kind == 2) {
                relocate(random.nextInt(index.regions), random.nextInt(index.servers));
            } else {
                exchange(random.nextInt(index.regions), random.nextInt(index.regions));
            }
        }
    }

    private void relocate(int region, int to) {
        int from = simulation.serverOf[region];
        if (to != from
                && areWorthIt(from, to)
                && simulation.isRelocatable(region)
                && simulation.keepsSlop(region, from, to)
                && simulation.mayBeOn(region, to)) {
            localSearch.relocate(region, to);
        }
    }

    /** Of a server that stays a hot spot whatever goes, no small regions are moved for their own sake. */
    private boolean areWorthIt(int from, int to) {
        return !context.filters.isBeyondHelp(from) && !context.filters.isBeyondHelp(to);
    }

    private void exchange(int one, int other) {
        int from = simulation.serverOf[one];
        int to = simulation.serverOf[other];
        if (from != to
                && areWorthIt(from, to)
                && simulation.swapKeepsSlop(one, other)
                && simulation.areRelocatable(one, other)
                && simulation.mayBeOn(one, to)
                && simulation.mayBeOn(other, from)) {
            localSearch.relocate(one, to);
            localSearch.relocate(other, from);
        }
    }

    /** Unevenness of heat and tables, and what all moves cost and have to gain. */
    private double objective() {
        double sum = simulation.tables.unevenness() + simulation.unevennessOfHeat();
        for (PartialPlan.Step step : context.partialPlan.steps()) {
            sum += context.scorer.cost(step.region(), step.to()) + context.leastGain(step.region());
        }
        return sum;
    }
}
