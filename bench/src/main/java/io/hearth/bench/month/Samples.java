// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.month;

import java.util.EnumMap;
import java.util.Map;

/** What each kind of work took when it was measured, in milliseconds of processor time. Not thread-safe. */
final class Samples {

    /** What an HMaster with Hearth does in a month, and how often: where it is not measured in the month itself, by the clock. */
    enum Kind {
        REPORTS("reports, read each minute"),
        SHOWN("reports, shown after a move"),
        QUIET_RUN("runs without moves, of one each 5 min"),
        RUN("runs with moves"),
        PLACEMENT("servers that died"),
        POLL("polls of the healer, each 10 s and in a run with moves each second"),
        IDLE_SECOND("seconds of the healer's loop"),
        MOVE("block moves"),
        PAGE("pages, each minute, each 5 s for an hour a day"),
        SAVE("saved states, each 5 min"),
        LOOK_UP("regions looked up, each 4 h");

        private final String label;

        Kind(String label) {
            this.label = label;
        }

        String label() {
            return label;
        }
    }

    private record Sum(long times, double ms, double mostMs) {}

    private final Map<Kind, Sum> sums = new EnumMap<>(Kind.class);

    void add(Kind kind, double ms) {
        add(kind, 1, ms);
    }

    /** So many took so many milliseconds together. */
    void add(Kind kind, long times, double ms) {
        Sum before = sums.getOrDefault(kind, new Sum(0, 0, 0));
        sums.put(kind, new Sum(before.times + times, before.ms + ms, Math.max(before.mostMs, ms / Math.max(1, times))));
    }

    /** How many were measured. */
    long times(Kind kind) {
        return sums.getOrDefault(kind, new Sum(0, 0, 0)).times;
    }

    /** The mean; 0 where none was measured. */
    double meanMs(Kind kind) {
        Sum sum = sums.getOrDefault(kind, new Sum(0, 0, 0));
        return sum.times == 0 ? 0 : sum.ms / sum.times;
    }
}
