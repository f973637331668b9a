package io.hearth.healing.history;

import java.util.ArrayList;
import java.util.List;

/** The last {@value #KEPT} outcomes. Thread-safe: a reader gets a whole version. */
public final class HealHistory {

    static final int KEPT = 200;

    private volatile List<HealOutcome> newestFirst = List.of();

    public synchronized void add(HealOutcome outcome) {
        List<HealOutcome> next = new ArrayList<>(KEPT);
        next.add(outcome);
        next.addAll(newestFirst.subList(0, Math.min(newestFirst.size(), KEPT - 1)));
        newestFirst = List.copyOf(next);
    }

    public List<HealOutcome> newestFirst() {
        return newestFirst;
    }
}
