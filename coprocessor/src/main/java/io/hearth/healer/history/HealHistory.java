// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.history;

import java.util.ArrayList;
import java.util.List;

/** The last {@value #KEPT} outcomes. Thread-safe: a reader gets a whole version. */
public final class HealHistory {

    static final int KEPT = 200;

    private volatile List<HealRecord> newestFirst = List.of();

    public synchronized void add(HealRecord outcome) {
        List<HealRecord> next = new ArrayList<>(KEPT);
        next.add(outcome);
        next.addAll(newestFirst.subList(0, Math.min(newestFirst.size(), KEPT - 1)));
        newestFirst = List.copyOf(next);
    }

    public List<HealRecord> newestFirst() {
        return newestFirst;
    }
}
