// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.core;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ExponentialBackoff;
import io.hearth.common.model.TableId;
import io.hearth.healer.model.ServedRegion;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Regions that can't be planned, for reasons of their own, so that they take no turns of those that can.
 *
 * <p>A table of which two attempts in a row failed rests for {@value #TABLE_RESTS_MS} ms, and twice as long with each further
 * one up to an hour; an attempt that works ends that. A region whose attempts have broken off with an exception
 * {@value #BREAKS} times in a row is quarantined for an hour. Of ten attempts no more than one is at a region that could not be planned
 * before, while others wait.
 *
 * <p>It outlives the loop, which is made anew where an exception ends it: the attempt that did not come back is then counted as one
 * that broke off. Not thread-safe; used by the loop's thread.
 */
public final class RegionFailureTracker {

    static final int BREAKS = 3;
    static final int SUCCESSES_PER_SUSPECT = 9;
    static final int APART = 1_000;
    static final long TABLE_RESTS_MS = 10_000;
    static final long QUARANTINE_MS = 3_600_000;

    private static final ExponentialBackoff TABLE_BACKOFF = new ExponentialBackoff(TABLE_RESTS_MS, 3_600_000);

    /** How often in a row, and until when it is left alone. */
    private record Failed(int times, long untilMs) {}

    private final Map<EncodedRegionName, Failed> failedByRegion = new HashMap<>();
    private final Map<EncodedRegionName, TableId> unreadable = new HashMap<>();
    private final Map<TableId, Failed> failedByTable = new HashMap<>();
    private Optional<ServedRegion> current = Optional.empty();
    private int successes = SUCCESSES_PER_SUSPECT;
    private boolean together;
    private int apart;

    /** An attempt begins. */
    void attemptStarted(ServedRegion region) {
        current = Optional.of(region);
        apart = Math.max(0, apart - 1);
    }

    /**
     * Whether several regions may be looked up together now. Not for the next {@value #APART} attempts after a time that did not come
     * to its end, in a loop that was thrown away: the region that it was for is found out by an attempt of its own.
     */
    boolean mayLookUpTogether() {
        if (together) {
            together = false;
            apart = APART;
        }
        return apart == 0;
    }

    /** Several regions begin to be looked up, or that is over. */
    void lookUpTogether(boolean begins) {
        together = begins;
    }

    /** The attempt, and what was done on it, is over. */
    void isOver() {
        current = Optional.empty();
    }

    /** The attempt at a region that an exception did not let come to its end, in a loop that was thrown away. */
    Optional<ServedRegion> takeInterrupted() {
        Optional<ServedRegion> interrupted = current;
        current = Optional.empty();
        return interrupted;
    }

    /** A region could be planned. */
    void succeeded(ServedRegion region) {
        successes++;
        failedByRegion.remove(region.region());
        unreadable.remove(region.region());
        failedByTable.remove(region.table());
    }

    /** The NameNode answers, but not about this region's files. */
    void unreadable(ServedRegion region, long nowMs) {
        successes = 0;
        unreadable.put(region.region(), region.table());
        int times = Optional.ofNullable(failedByTable.get(region.table()))
                        .map(Failed::times)
                        .orElse(0)
                + 1;
        long untilMs = times == 1 ? nowMs : nowMs + TABLE_BACKOFF.delayMs(times - 1);
        failedByTable.put(region.table(), new Failed(times, untilMs));
    }

    /** An attempt at this region has broken off; returns whether it is quarantined for that. */
    boolean attemptFailed(ServedRegion region, long nowMs) {
        successes = 0;
        int times = Optional.ofNullable(failedByRegion.get(region.region()))
                        .map(Failed::times)
                        .orElse(0)
                + 1;
        boolean isQuarantined = times >= BREAKS;
        // The first attempt after an hour is one more try, not three.
        failedByRegion.put(
                region.region(),
                new Failed(isQuarantined ? BREAKS - 1 : times, isQuarantined ? nowMs + QUARANTINE_MS : nowMs));
        return isQuarantined;
    }

    /** Until when this region is left alone; a time that is over if it is not. */
    long backedOffUntilMs(ServedRegion region) {
        long regionMs = Optional.ofNullable(failedByRegion.get(region.region()))
                .map(Failed::untilMs)
                .orElse(Long.MIN_VALUE);
        long tableMs = Optional.ofNullable(failedByTable.get(region.table()))
                .map(Failed::untilMs)
                .orElse(Long.MIN_VALUE);
        return Math.max(regionMs, tableMs);
    }

    /** Whether an attempt at it will most likely fail. */
    boolean isSuspect(ServedRegion region) {
        return failedByRegion.containsKey(region.region())
                || unreadable.containsKey(region.region())
                || failedByTable.containsKey(region.table());
    }

    /** Whether a suspect may take a turn though others wait. */
    boolean maySpendAttempt() {
        return successes >= SUCCESSES_PER_SUSPECT;
    }

    /** A person wants these to be healed, whatever came of it before. */
    void forget(Collection<EncodedRegionName> regions) {
        for (EncodedRegionName region : regions) {
            failedByRegion.remove(region);
            Optional.ofNullable(unreadable.remove(region)).ifPresent(failedByTable::remove);
        }
    }

    /**
     * Forgets regions that are gone, and tables of which no unreadable region is left. A region can go while there is no loop, so that what is
     * known is asked, and not what has changed.
     */
    void forgetGone(Predicate<EncodedRegionName> isKnown) {
        failedByRegion.keySet().removeIf(isKnown.negate());
        unreadable.keySet().removeIf(isKnown.negate());
        failedByTable.keySet().retainAll(new HashSet<>(unreadable.values()));
    }
}
