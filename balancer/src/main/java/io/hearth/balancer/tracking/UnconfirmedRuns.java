package io.hearth.balancer.tracking;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongPredicate;

/**
 * The runs of which no move has been seen to be made. HBase does not tell its balancer of a dry run: what was planned in one is
 * dropped like any other move that the master did not make, and only a first move that was made says that the run was meant.
 * Not thread-safe.
 */
final class UnconfirmedRuns {

    private final Map<Long, Integer> notMadeByRun = new HashMap<>();

    /** A plan of this run was handed over. */
    void planned(long runAtMs) {
        notMadeByRun.putIfAbsent(runAtMs, 0);
    }

    /** A move of this run was made; says whether it is the first one. */
    boolean seen(long runAtMs) {
        return notMadeByRun.remove(runAtMs) != null;
    }

    /** A move of this run was not made; says whether there is still nothing that was. */
    boolean notMade(long runAtMs) {
        return notMadeByRun.computeIfPresent(runAtMs, (run, notMade) -> notMade + 1) != null;
    }

    /** Forgets a run of which no move is left; says how many of its moves were not made. */
    int over(long runAtMs) {
        Integer notMade = notMadeByRun.remove(runAtMs);
        return notMade == null ? 0 : notMade;
    }

    /** Adds another master's runs that still have a move in flight. */
    void mergeOlder(UnconfirmedRuns older, LongPredicate isInFlight) {
        older.notMadeByRun.forEach((runAtMs, notMade) -> {
            if (isInFlight.test(runAtMs)) {
                notMadeByRun.putIfAbsent(runAtMs, notMade);
            }
        });
    }

    void write(StateWriter out) throws IOException {
        out.map(notMadeByRun, out::number, out::count);
    }

    static UnconfirmedRuns read(StateReader in) throws IOException {
        UnconfirmedRuns runs = new UnconfirmedRuns();
        in.map(runs.notMadeByRun, in::number, in::count);
        return runs;
    }
}
