// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.objective;

import io.hearth.slo.probe.ProbeResult;
import io.hearth.slo.store.ClusterMinute;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Counts due and good probes of each objective by the minute in which they were due, in memory: what burn rates and budgets are read
 * from, also while the disk is full. At its start it is given what is stored.
 *
 * <p>A window of n minutes is the minute of now, which is not over, and the n - 1 before it. A minute that comes twice, since the clock was
 * set back, has the probes of both; minutes after now are not in any window. Thread-safe.
 */
public final class ObjectiveTracker {

    private static final long MINUTE_MS = 60_000;

    /** More than the minutes of the longest window, 35 days: the earliest are forgotten, whatever the clock says. */
    private static final int MOST_MINUTES = 60_000;

    private final List<Objective> objectives;

    /** For each minute the due and the good probes of each objective, in turn. */
    private final TreeMap<Long, long[]> countsByMinute = new TreeMap<>();

    /** Makes one that has counted nothing. */
    public ObjectiveTracker(List<Objective> objectives) {
        this.objectives = List.copyOf(objectives);
    }

    /** Counts this probe. */
    public synchronized void accept(ProbeResult result) {
        for (int place = 0; place < objectives.size(); place++) {
            Objective objective = objectives.get(place);
            if (objective.concerns(result)) {
                long[] counts = counts(result.dueAtMs());
                counts[2 * place]++;
                counts[2 * place + 1] += objective.isGood(result) ? 1 : 0;
            }
        }
    }

    /**
     * Counts what was stored before this process began: read it before the store is flushed for the first time, or a probe of this process
     * would be counted twice. By the limit of an objective that was in force at the time the count is exact; by another it is to within a
     * hundredth of the limit.
     */
    public synchronized void accept(ClusterMinute stored) {
        for (int place = 0; place < objectives.size(); place++) {
            Objective objective = objectives.get(place);
            long due = stored.due(objective.kind());
            if (due > 0) {
                long[] counts = counts(stored.startMs());
                counts[2 * place] += due;
                counts[2 * place + 1] += stored.good(objective.kind(), objective.limitMicros());
            }
        }
    }

    private long[] counts(long timeMs) {
        long[] counts = countsByMinute.computeIfAbsent(
                Math.floorDiv(timeMs, MINUTE_MS), minute -> new long[2 * objectives.size()]);
        if (countsByMinute.size() > MOST_MINUTES) {
            countsByMinute.pollFirstEntry();
        }
        return counts;
    }

    /** How each objective stands at this time, in their order. */
    public synchronized List<ObjectiveStatus> status(long nowMs) {
        return objectives.stream().map(objective -> status(objective, nowMs)).toList();
    }

    private ObjectiveStatus status(Objective objective, long nowMs) {
        Map<BurnAlert, ObjectiveStatus.Alert> alerts = new EnumMap<>(BurnAlert.class);
        for (BurnAlert alert : BurnAlert.values()) {
            alerts.put(
                    alert,
                    ObjectiveStatus.Alert.of(
                            alert,
                            objective,
                            counts(objective, alert.longWindow(), nowMs),
                            counts(objective, alert.shortWindow(), nowMs)));
        }
        return new ObjectiveStatus(objective, counts(objective, objective.window(), nowMs), alerts);
    }

    private WindowCounts counts(Objective objective, Duration window, long nowMs) {
        int place = objectives.indexOf(objective);
        long last = Math.floorDiv(nowMs, MINUTE_MS);
        long due = 0;
        long good = 0;
        int minutes = 0;
        for (long[] counts : countsByMinute
                .subMap(last - window.toMinutes() + 1, true, last, true)
                .values()) {
            due += counts[2 * place];
            good += counts[2 * place + 1];
            minutes += counts[2 * place] > 0 ? 1 : 0;
        }
        return new WindowCounts(due, good, minutes);
    }
}
