// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.objective;

import io.hearth.slo.objective.ObjectiveStatus.State;
import io.hearth.slo.probe.ProbeResult;
import io.hearth.slo.store.ClusterMinute;
import java.time.Duration;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Counts due and good probes of each objective by the minute in which they were due, in memory: what burn rates and budgets are read
 * from, also while the disk is full. At its start it is given what is stored.
 *
 * <p>A window of n minutes is the minute of now, which is not over, and the n - 1 before it. A minute that comes twice, since the clock was
 * set back, has the probes of both; minutes after now are not in any window.
 *
 * <p>Thread-safe. Who counts waits for nobody: 35 days are 50,000 minutes to add up for each window, and the thread that sends probes is
 * the one that counts. A probe that comes meanwhile may be missing in some windows, and none is counted as bad for that.
 */
public final class ObjectiveTracker {

    private static final long MINUTE_MS = 60_000;

    /** More than the minutes of the longest window, 35 days: the earliest are forgotten, whatever the clock says. */
    private static final int MOST_MINUTES = 60_000;

    private final List<Objective> objectives;

    /** For each minute the due and the bad probes of each objective, in turn. */
    private final ConcurrentSkipListMap<Long, AtomicLongArray> countsByMinute = new ConcurrentSkipListMap<>();

    /** How many minutes that has: the map would count them one by one. */
    private final AtomicInteger minutes = new AtomicInteger();

    /** Makes one that has counted nothing. */
    public ObjectiveTracker(List<Objective> objectives) {
        this.objectives = List.copyOf(objectives);
    }

    /** Counts this probe. */
    public void accept(ProbeResult result) {
        for (int place = 0; place < objectives.size(); place++) {
            Objective objective = objectives.get(place);
            if (objective.concerns(result)) {
                add(counts(result.dueAtMs()), place, 1, objective.isGood(result) ? 0 : 1);
            }
        }
    }

    /**
     * Counts what was stored before this process began: read it before the store is flushed for the first time, or a probe of this process
     * would be counted twice. By the limit of an objective that was in force at the time the count is exact; by another it is to within a
     * hundredth of the limit.
     */
    public void accept(ClusterMinute stored) {
        for (int place = 0; place < objectives.size(); place++) {
            Objective objective = objectives.get(place);
            long due = stored.due(objective.kind());
            if (due > 0) {
                add(counts(stored.startMs()), place, due, due - stored.good(objective.kind(), objective.limitMicros()));
            }
        }
    }

    /**
     * Due ones first, and bad ones are read first: no reader finds more bad ones than were due. Good ones are not counted: one that comes
     * between the two readings would be due and not good.
     */
    private static void add(AtomicLongArray counts, int place, long due, long bad) {
        counts.addAndGet(2 * place, due);
        counts.addAndGet(2 * place + 1, bad);
    }

    private AtomicLongArray counts(long timeMs) {
        return countsByMinute.computeIfAbsent(Math.floorDiv(timeMs, MINUTE_MS), minute -> added());
    }

    private AtomicLongArray added() {
        if (minutes.incrementAndGet() > MOST_MINUTES && countsByMinute.pollFirstEntry() != null) {
            minutes.decrementAndGet();
        }
        return new AtomicLongArray(2 * objectives.size());
    }

    /** How each objective stands at this time, in their order. */
    public List<ObjectiveStatus> status(long nowMs) {
        return objectives.stream().map(objective -> status(objective, nowMs)).toList();
    }

    /** Those whose alert of this kind is on, with what they go by, in their order: the other windows are not added up for that. */
    public Map<Objective, ObjectiveStatus.Alert> firing(BurnAlert kind, long nowMs) {
        Map<Objective, ObjectiveStatus.Alert> firing = new LinkedHashMap<>();
        for (Objective objective : objectives) {
            ObjectiveStatus.Alert alert = alert(kind, objective, nowMs);
            if (alert.state() == State.FIRING) {
                firing.put(objective, alert);
            }
        }
        return firing;
    }

    private ObjectiveStatus.Alert alert(BurnAlert kind, Objective objective, long nowMs) {
        return ObjectiveStatus.Alert.of(
                kind,
                objective,
                counts(objective, kind.longWindow(), nowMs),
                counts(objective, kind.shortWindow(), nowMs));
    }

    private ObjectiveStatus status(Objective objective, long nowMs) {
        Map<BurnAlert, ObjectiveStatus.Alert> alerts = new EnumMap<>(BurnAlert.class);
        for (BurnAlert alert : BurnAlert.values()) {
            alerts.put(alert, alert(alert, objective, nowMs));
        }
        return new ObjectiveStatus(objective, counts(objective, objective.window(), nowMs), alerts);
    }

    private WindowCounts counts(Objective objective, Duration window, long nowMs) {
        int place = objectives.indexOf(objective);
        long last = Math.floorDiv(nowMs, MINUTE_MS);
        long due = 0;
        long bad = 0;
        int known = 0;
        for (AtomicLongArray counts : countsByMinute
                .subMap(last - window.toMinutes() + 1, true, last, true)
                .values()) {
            bad += counts.get(2 * place + 1);
            long dueInMinute = counts.get(2 * place);
            due += dueInMinute;
            known += dueInMinute > 0 ? 1 : 0;
        }
        return new WindowCounts(due, due - bad, known);
    }
}
