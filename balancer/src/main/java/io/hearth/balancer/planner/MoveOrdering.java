// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import io.hearth.balancer.planner.PartialPlan.Step;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Puts the moves of a plan in the order in which they help most, and cuts what the plan has no room for: first what mends a
 * hard rule; then, each time, the server with the largest weighted excess gives the hottest of its regions that are to go; then
 * the rest. So every beginning of the plan is a plan of its own that keeps the hard rules, but for numbers of regions in the
 * middle of a {@link MoveChain}, and for those that make room on a server for a large region. Scratch of one search; not
 * thread-safe.
 */
final class MoveOrdering {

    /** So many moves that are done may stand before the first that waits. */
    private static final int MOST_DONE = 64;

    private final SearchContext context;
    private final PartialPlan partialPlan;
    private final List<Step> waiting;
    private final MoveChain chains;
    private final Map<Integer, List<Step>> waitingByServer = new HashMap<>();
    private final Map<Integer, List<Step>> sortedByServer = new HashMap<>();

    MoveOrdering(SearchContext context) {
        this.context = context;
        partialPlan = context.partialPlan;
        context.simulation.orderBegins();
        waiting = partialPlan.takeBackAll();
        chains = new MoveChain(context.simulation, waiting);
        for (Step step : waiting) {
            if (step.isForHeat() && !partialPlan.isRepair(step)) {
                waitingByServer
                        .computeIfAbsent(context.index.initialServer[step.region()], any -> new ArrayList<>())
                        .add(step);
            }
        }
    }

    void order() {
        waiting.stream().filter(partialPlan::isRepair).forEach(this::make);
        context.rankings.orderByExcess(true);
        takeFromHottest();
        boolean goesOn = true;
        while (goesOn) {
            goesOn = takeRest();
        }
        context.simulation.orderEnds();
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
        List<Step> steps = sorted(server, dimension);
        for (int place = 0; place < steps.size(); place++) {
            Step step = steps.get(place);
            if (chains.isDone(step)) {
                continue;
            }
            if (context.index.load(step.region(), dimension) <= 0) {
                return false;
            }
            if (make(step)) {
                dropDone(steps, place);
                return true;
            }
        }
        return false;
    }

    /** The waiting moves of this server, the hottest first; the moves in front of them that are done are cut off now and then. */
    private List<Step> sorted(int server, int dimension) {
        return sortedByServer.computeIfAbsent(server * PlanIndex.DIMENSIONS + dimension, any -> {
            List<Step> steps = new ArrayList<>(waitingByServer.getOrDefault(server, List.of()));
            steps.sort(Comparator.comparingDouble(step -> -context.index.load(step.region(), dimension)));
            return steps;
        });
    }

    private void dropDone(List<Step> steps, int upTo) {
        if (upTo > MOST_DONE) {
            steps.subList(0, upTo).removeIf(chains::isDone);
        }
    }

    /** What no hot server asked for: regions that make room, or whose server is cool by now, and numbers of regions. */
    private boolean takeRest() {
        boolean any = false;
        for (Step step : waiting) {
            any |= !chains.isDone(step) && make(step);
        }
        return any;
    }

    /** Makes this move, with those that have to be made with it, if there is room for them. */
    private boolean make(Step step) {
        List<Step> chain = chains.of(step);
        int forHeat = (int) chain.stream().filter(Step::isForHeat).count();
        if (chain.isEmpty() || !partialPlan.hasRoomFor(chain.size()) || !partialPlan.hasRoomForHeat(forHeat)) {
            return false;
        }
        double[] ofExchange = chain.stream()
                .mapToDouble(one -> isExchange(one, chain) ? partialPlan.net(one) : 0)
                .toArray();
        for (int place = 0; place < chain.size(); place++) {
            Step one = chain.get(place);
            if (isExchange(one, chain)) {
                partialPlan.redo(one, ofExchange[place]);
            } else {
                partialPlan.redoAlone(one);
            }
        }
        return true;
    }

    /** Whether both halves of an exchange are made now: a rule may stand against one of them. */
    private static boolean isExchange(Step step, List<Step> chain) {
        return step.isSwap() && chain.stream().anyMatch(other -> other.region() == step.with());
    }
}
