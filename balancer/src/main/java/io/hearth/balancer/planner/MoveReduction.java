// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;

/**
 * Looks for a plan of fewer moves that is as even and costs no more, in a small cluster: takes a few moves back at random, lets the
 * {@link LocalSearch} find its way from there, and goes on from what has no more moves than before. Each round costs what a local search
 * costs. Scratch of one search; not thread-safe.
 *
 * <p>Source: G. Schrimpf and others, <i>Record breaking optimization results using the ruin and recreate principle</i> (2000). The random
 * numbers are the same in each search.
 */
final class MoveReduction {

    /** So many rounds at most. */
    private static final int MOST_ROUNDS = 1_000;

    /** So many rounds, over the number of regions: a round costs as many looks as there are regions. */
    private static final int ROUNDS_FOR_REGIONS = 60_000;

    /** So many moves at most are taken back at once. */
    private static final int MOST_AT_ONCE = 6;

    /** One in so many of them is not taken back but brought anywhere. */
    private static final int ONE_ANYWHERE_IN = 4;

    private static final double ROUNDING = 1e-9;

    private final SearchContext context;
    private final PlanIndex index;
    private final PlanSimulation simulation;
    private final PartialPlan partialPlan;
    private final BooleanSupplier isOfUse;
    private final SplittableRandom random = new SplittableRandom(1);

    /** @param isOfUse whether the plan, as it stands when this is asked, may be what is kept */
    MoveReduction(SearchContext context, BooleanSupplier isOfUse) {
        this.context = context;
        this.isOfUse = isOfUse;
        index = context.index;
        simulation = context.simulation;
        partialPlan = context.partialPlan;
    }

    /**
     * Makes the plan the one with the fewest moves that is found, of those the one that costs least.
     *
     * @param fewest no plan that is as even has fewer moves
     * @return whether the plan has changed
     */
    boolean reduce(int fewest) {
        int rounds = index.regions == 0 ? 0 : Math.min(MOST_ROUNDS, ROUNDS_FOR_REGIONS / index.regions);
        LocalSearch localSearch = new LocalSearch(context);
        Found first = new Found();
        Found current = first;
        Found best = first;
        for (int round = 0; round < rounds && best.steps.size() > fewest && !context.deadline.isOver(); round++) {
            ruin(localSearch);
            localSearch.improve(
                    Math.min(current.steps.size() + 1L, index.goals.limits().maxMoves()));
            Found found = new Found();
            if (found.mayFollow(current) && isOfUse.getAsBoolean()) {
                current = found;
                best = found.isBetter(best) ? found : best;
            } else {
                localSearch.restore(current.steps);
            }
        }
        localSearch.restore(best.steps);
        return best != first;
    }

    /** Takes a few moves back, or brings their regions anywhere, as far as slop and replicas let them. */
    private void ruin(LocalSearch localSearch) {
        for (int count = 1 + random.nextInt(MOST_AT_ONCE);
                count > 0 && !partialPlan.steps().isEmpty();
                count--) {
            PartialPlan.Step step =
                    partialPlan.steps().get(random.nextInt(partialPlan.steps().size()));
            boolean isAnywhere = random.nextInt(ONE_ANYWHERE_IN) == 0;
            int to = isAnywhere ? random.nextInt(index.servers) : index.initialServer[step.region()];
            int from = simulation.serverOf[step.region()];
            if (to != from
                    && step.isForHeat()
                    && simulation.isRelocatable(step.region())
                    && simulation.keepsSlop(step.region(), from, to)
                    && simulation.mayBeOn(step.region(), to)) {
                localSearch.relocate(step.region(), to);
            }
        }
    }

    /** A plan that was found, and what it comes to. Immutable. */
    private final class Found {

        private final List<PartialPlan.Step> steps = List.copyOf(partialPlan.steps());
        private final double[] most = new double[PlanIndex.DIMENSIONS];
        private final double aboveTargets = aboveTargets();
        private final double ofTables = simulation.tables.unevenness();
        private final double ofCounts = index.goals.counts().matters()
                ? Math.max(index.goals.counts().target(), simulation.avoidableCountImbalance())
                : 0;
        private final double cost = partialPlan.cost();

        Found() {
            for (int dimension = 0; dimension < PlanIndex.DIMENSIONS; dimension++) {
                most[dimension] = Math.max(index.target[dimension], simulation.shares.maxOverMean(dimension));
            }
        }

        /** Whether the search may go on from here. */
        boolean mayFollow(Found before) {
            return steps.size() <= before.steps.size() && cost <= before.cost + ROUNDING && isAsEven(before);
        }

        boolean isBetter(Found than) {
            return steps.size() < than.steps.size() || cost < than.cost - ROUNDING;
        }

        /** No load above a target is more, neither the largest nor all together, nor are numbers of regions less even above theirs. */
        private boolean isAsEven(Found as) {
            for (int dimension = 0; dimension < PlanIndex.DIMENSIONS; dimension++) {
                if (index.counts(dimension) && most[dimension] > as.most[dimension] + ROUNDING) {
                    return false;
                }
            }
            return aboveTargets <= as.aboveTargets + ROUNDING
                    && ofTables <= as.ofTables + ROUNDING
                    && ofCounts <= as.ofCounts + ROUNDING;
        }

        private double aboveTargets() {
            double sum = 0;
            for (int dimension = 0; dimension < PlanIndex.DIMENSIONS; dimension++) {
                for (int server = 0; index.counts(dimension) && server < index.servers; server++) {
                    double above = simulation.shares.share(server, dimension) - index.target[dimension];
                    sum += Math.max(0, above) * simulation.shares.weight(dimension) * index.capacity[server];
                }
            }
            return sum;
        }
    }
}
