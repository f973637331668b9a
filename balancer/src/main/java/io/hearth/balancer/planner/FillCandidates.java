// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import io.hearth.balancer.planner.MoveFilters.MoveFilter;
import org.jspecify.annotations.Nullable;

/**
 * The best move to one server, found again and again while it is filled from others: the same as {@link MoveFinder#to} finds, with few
 * looks. Only regions that are counted come into question. What a move to the server gains becomes less with each region that the server takes, and with each that the other gives: more
 * load on the one and less on the other, and one region more and one less. So it is to be used while the server gives nothing and the
 * others take nothing. Scratch of one search; not thread-safe.
 */
final class FillCandidates {

    private final PlanSimulation simulation;
    private final PlanIndex index;
    private final MoveScorer scorer;
    private final int to;
    private final MoveFilter filter;
    private final @Nullable LazyGreedyQueue[] queueBySource;
    private final BestCandidate candidate = new BestCandidate();

    FillCandidates(PlanSimulation simulation, MoveScorer scorer, int to, MoveFilter filter) {
        this.simulation = simulation;
        this.scorer = scorer;
        this.to = to;
        this.filter = filter;
        index = simulation.index;
        queueBySource = new LazyGreedyQueue[index.servers];
    }

    /** The best move of the regions of these servers. */
    BestCandidate best(int[] sources, int count) {
        candidate.clear();
        for (int position = 0; position < count; position++) {
            int from = sources[position];
            if (from != to) {
                queue(from).offerTo(candidate, scorer.countGain(from, to), region -> look(region, from));
            }
        }
        return candidate;
    }

    private LazyGreedyQueue queue(int from) {
        LazyGreedyQueue queue = queueBySource[from];
        if (queue == null) {
            queue = new LazyGreedyQueue(index.regionsOn(from));
            for (int region = index.firstRegion[from]; region < index.firstRegion[from + 1]; region++) {
                if (simulation.isCounted(region)) {
                    queue.add(region);
                }
            }
            queueBySource[from] = queue;
        }
        return queue;
    }

    private double look(int region, int from) {
        if (!simulation.isMovable(region) || !filter.considers(region)) {
            return Double.NEGATIVE_INFINITY;
        }
        double net = scorer.net(region, from, to);
        if (simulation.keepsSlop(region, from, to)
                && filter.allows(region, from, to)
                && simulation.mayBeOn(region, to)) {
            candidate.offer(region, to, net);
        }
        return net;
    }
}
