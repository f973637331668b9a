package io.hearth.balancer.engine;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The last decisions that say something: a plan with moves, or a hot region that stays. Thread-safe. */
final class DecisionLog {

    /** A day of runs with moves on a restless cluster. */
    static final int KEPT = 50;

    /** All of them together hold no more moves and reasons than this, of a few hundred bytes each, but for the newest one. */
    static final int LINES_KEPT = 20_000;

    private final Deque<Decision> newestFirst = new ArrayDeque<>();

    synchronized void add(Decision decision) {
        if (!decision.isNotable()) {
            return;
        }
        newestFirst.addFirst(decision);
        while (newestFirst.size() > 1 && (newestFirst.size() > KEPT || lines() > LINES_KEPT)) {
            newestFirst.removeLast();
        }
    }

    private int lines() {
        return newestFirst.stream()
                .map(Decision::plan)
                .mapToInt(plan -> plan.moves().size() + plan.unmovedRegions().size())
                .sum();
    }

    synchronized List<Decision> newestFirst() {
        return List.copyOf(newestFirst);
    }
}
