// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import io.hearth.balancer.planner.PartialPlan.Step;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Moves of a plan that are made one after the other, because without the others one of them would take a server's number of
 * regions out of slop: an exchange of two regions, or a longer way round. Found among moves that wait to be put in order.
 * Scratch of one ordering; not thread-safe.
 */
final class MoveChain {

    /** A longer one is not made: what is done in between would be out of slop for too long. */
    private static final int LONGEST = 16;

    /** So many of a server's waiting moves are looked at for the next of a chain. */
    private static final int TRIED = 64;

    private final PlanSimulation simulation;
    private final PlanIndex index;
    private final Map<Integer, List<Step>> waitingByTarget = new HashMap<>();
    private final Map<Integer, List<Step>> waitingBySource = new HashMap<>();
    private final Map<Integer, Step> stepOf = new HashMap<>();
    /** By server, how the chain changes its number of regions. */
    private final int[] change;

    private final List<Step> chain = new ArrayList<>();

    MoveChain(PlanSimulation simulation, List<Step> waiting) {
        this.simulation = simulation;
        index = simulation.index;
        change = new int[index.servers];
        for (Step step : waiting) {
            stepOf.put(step.region(), step);
            waitingByTarget.computeIfAbsent(step.to(), any -> new ArrayList<>()).add(step);
            waitingBySource
                    .computeIfAbsent(from(step), any -> new ArrayList<>())
                    .add(step);
        }
    }

    private int from(Step step) {
        return index.initialServer[step.region()];
    }

    /** Whether this move was made. */
    boolean isDone(Step step) {
        return simulation.wasMoved(step.region());
    }

    /**
     * This move and those that have to be made with it, in their order; none where a hard rule stands against it now, or those that
     * would be needed do not wait.
     */
    List<Step> of(Step first) {
        chain.clear();
        boolean isWhole = mayBeMade(first);
        if (isWhole) {
            add(first);
            isWhole = complete();
        }
        for (Step step : chain) {
            change[from(step)] = 0;
            change[step.to()] = 0;
        }
        if (!isWhole) {
            return List.of();
        }
        List<Step> ordered = new ArrayList<>(chain);
        if (!isExchange()) {
            // What makes room comes before what needs it.
            Collections.reverse(ordered);
        }
        return ordered;
    }

    private boolean isExchange() {
        return chain.size() == 2 && partner(chain.get(0)) == chain.get(1);
    }

    /** The other half of an exchange, if it waits too. */
    private @Nullable Step partner(Step step) {
        return step.isSwap() ? stepOf.get(step.with()) : null;
    }

    private boolean mayBeMade(Step step) {
        boolean isAllowed =
                step.isForHeat() ? simulation.isMovableForHeat(step.region()) : simulation.isMovable(step.region());
        return isAllowed && simulation.mayBeOn(step.region(), step.to());
    }

    private void add(Step step) {
        chain.add(step);
        if (simulation.isCounted(step.region())) {
            change[from(step)]--;
            change[step.to()]++;
        }
    }

    /** Adds moves until every server is within slop, or as near to it as it was. */
    private boolean complete() {
        for (int place = 0; place < chain.size(); place++) {
            Step step = chain.get(place);
            @Nullable Step partner = partner(step);
            if (partner != null && !chain.contains(partner) && mayBeMade(partner)) {
                add(partner);
            }
            while (change[from(step)] < 0 && simulation.wouldHaveTooFew(from(step), change[from(step)])) {
                if (!extend(waitingByTarget, from(step), this::from, this::hasSpare)) {
                    return false;
                }
            }
            while (change[step.to()] > 0 && simulation.wouldHaveTooMany(step.to(), change[step.to()])) {
                if (!extend(waitingBySource, step.to(), Step::to, this::hasRoom)) {
                    return false;
                }
            }
        }
        return true;
    }

    private boolean hasSpare(int server) {
        return change[server] > 0 || !simulation.wouldHaveTooFew(server, change[server] - 1);
    }

    private boolean hasRoom(int server) {
        return change[server] < 0 || !simulation.wouldHaveTooMany(server, change[server] + 1);
    }

    /** Adds a waiting move at this server: one that needs no more, or any. Returns whether there is one. */
    private boolean extend(
            Map<Integer, List<Step>> waiting, int server, ToIntFunction<Step> otherEnd, IntPredicate closes) {
        @Nullable Step next = chain.size() < LONGEST ? next(waiting, server, otherEnd, closes) : null;
        if (next != null) {
            add(next);
        }
        return next != null;
    }

    private @Nullable Step next(
            Map<Integer, List<Step>> waiting, int server, ToIntFunction<Step> otherEnd, IntPredicate closes) {
        List<Step> candidates = waiting.getOrDefault(server, new ArrayList<>());
        candidates.removeIf(this::isDone);
        @Nullable Step any = null;
        for (Step candidate : candidates.subList(0, Math.min(TRIED, candidates.size()))) {
            if (isFree(candidate)) {
                if (closes.test(otherEnd.applyAsInt(candidate))) {
                    return candidate;
                }
                any = any == null ? candidate : any;
            }
        }
        return any;
    }

    private boolean isFree(Step step) {
        return simulation.isCounted(step.region()) && !chain.contains(step) && mayBeMade(step);
    }
}
