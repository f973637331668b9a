package io.hearth.balancer.engine;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The last decisions that say something: a plan with moves, or a hot region that stays. Thread-safe. */
final class DecisionLog {

    /** A day of runs with moves on a restless cluster; each holds a few hundred bytes a move. */
    static final int KEPT = 50;

    private final Deque<Decision> newestFirst = new ArrayDeque<>();

    synchronized void add(Decision decision) {
        if (!decision.saysSomething()) {
            return;
        }
        newestFirst.addFirst(decision);
        if (newestFirst.size() > KEPT) {
            newestFirst.removeLast();
        }
    }

    synchronized List<Decision> newestFirst() {
        return List.copyOf(newestFirst);
    }
}
