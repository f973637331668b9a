// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Puts the moves for heat in the order in which they help most, and cuts what the plan has no room for: each time the server
 * with the largest weighted excess gives the hottest of its regions that are to go. So every beginning of the plan is a plan
 * of its own that keeps the hard rules. Scratch of one search; not thread-safe.
 */
final class MoveOrdering {

    /** So many moves that are done may stand before the first that waits. */
    private static final int MOST_DONE = 64;

    private final SearchContext context;
    private final PartialPlan partialPlan;
    private final Map<Integer, List<PartialPlan.Step>> waitingByServer = new HashMap<>();
    private final Map<Integer, List<PartialPlan.Step>> sortedByServer = new HashMap<>();
    private final Map<Integer, PartialPlan.Step> stepOf = new HashMap<>();
    private List<PartialPlan.Step> waiting = new ArrayList<>();

    MoveOrdering(SearchContext context) {
        this.context = context;
        partialPlan = context.partialPlan;
    }

    void order() {
        waiting = partialPlan.takeBackHeat();
        for (PartialPlan.Step step : waiting) {
            stepOf.put(step.region(), step);
            waitingByServer
                    .computeIfAbsent(context.index.initialServer[step.region()], any -> new ArrayList<>())
                    .add(step);
        }
        context.rankings.orderByExcess(true);
        takeFromHottest();
        boolean goesOn = true;
        while (goesOn) {
            goesOn = takeRest();
        }
    }

    private void takeFromHottest() {
        ServerRankings rankings = context.rankings;
        int dimension = rankings.hottestDimension();
        while (dimension >= 0) {
            int server = rankings.hottestServer(dimension);
            if (!takeHottest(server, dimension)) {
                rankings.giveUp(server, dimension);
            }
            dimension = rankings.hottestDimension();
        }
    }

    private boolean takeHottest(int server, int dimension) {
        List<PartialPlan.Step> steps = sorted(server, dimension);
        for (int place = 0; place < steps.size(); place++) {
            PartialPlan.Step step = steps.get(place);
            if (isDone(step)) {
                continue;
            }
            if (context.index.load(step.region(), dimension) <= 0) {
                return false;
            }
            if (partialPlan.mayRedo(step)) {
                redo(step);
                dropDone(steps, place);
                return true;
            }
        }
        return false;
    }

    /** The waiting moves of this server, the hottest first; the moves in front of them that are done are cut off now and then. */
    private List<PartialPlan.Step> sorted(int server, int dimension) {
        return sortedByServer.computeIfAbsent(server * PlanIndex.DIMENSIONS + dimension, any -> {
            List<PartialPlan.Step> steps = new ArrayList<>(waitingByServer.getOrDefault(server, List.of()));
            steps.sort(Comparator.comparingDouble(step -> -context.index.load(step.region(), dimension)));
            return steps;
        });
    }

    private void dropDone(List<PartialPlan.Step> steps, int upTo) {
        if (upTo > MOST_DONE) {
            steps.subList(0, upTo).removeIf(this::isDone);
        }
    }

    private boolean isDone(PartialPlan.Step step) {
        return context.simulation.serverOf[step.region()] != context.index.initialServer[step.region()];
    }

    private boolean redo(PartialPlan.Step step) {
        double net = partialPlan.net(step);
        partialPlan.redo(step, net);
        if (step.isSwap()) {
            PartialPlan.Step other = stepOf.get(step.with());
            if (other != null && !isDone(other)) {
                partialPlan.redo(other, net);
            }
        }
        return true;
    }

    /** What no hot server asked for: regions that make room, or whose server is cool by now. */
    private boolean takeRest() {
        boolean any = false;
        for (PartialPlan.Step step : waiting) {
            any |= !isDone(step) && partialPlan.mayRedo(step) && redo(step);
        }
        return any;
    }
}
