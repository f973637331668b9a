package io.hearth.healing.loop;

import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.TableId;
import io.hearth.healing.model.ServedRegion;
import io.hearth.healing.trigger.BackOff;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Regions that can't be looked at, for reasons of their own, so that they take no turns of those that can.
 *
 * <p>A table of which two looks in a row were in vain rests for {@value #TABLE_RESTS_MS} ms, and twice as long with each further
 * one up to an hour; a look that works ends that. A region whose looks have broken off with an exception
 * {@value #BREAKS} times in a row is put aside for an hour. Of ten looks no more than one is at a region that could not be looked
 * at before, while others wait.
 *
 * <p>It outlives the loop, which is made anew where an exception ends it: the look that did not come back is then counted as one
 * that broke off. Not thread-safe; used by the loop's thread.
 */
public final class LookFailures {

    static final int BREAKS = 3;
    static final int GOOD_LOOKS_BETWEEN = 9;
    static final long TABLE_RESTS_MS = 10_000;
    static final long PUT_ASIDE_MS = 3_600_000;

    private static final BackOff TABLE_RESTS = new BackOff(TABLE_RESTS_MS, 3_600_000);

    /** How often in a row, and until when it is left alone. */
    private record Failed(int times, long untilMs) {}

    private final Map<RegionId, Failed> brokenByRegion = new HashMap<>();
    private final Map<RegionId, TableId> unreadable = new HashMap<>();
    private final Map<TableId, Failed> failedByTable = new HashMap<>();
    private Optional<ServedRegion> inHand = Optional.empty();
    private int goodLooks = GOOD_LOOKS_BETWEEN;

    /** A look begins. */
    void begins(ServedRegion region) {
        inHand = Optional.of(region);
    }

    /** The look, and what was done on it, is over. */
    void isOver() {
        inHand = Optional.empty();
    }

    /** The look at a region that an exception did not let come to its end, in a loop that was thrown away. */
    Optional<ServedRegion> takeCutOff() {
        Optional<ServedRegion> cutOff = inHand;
        inHand = Optional.empty();
        return cutOff;
    }

    /** A region could be looked at. */
    void succeeded(ServedRegion region) {
        goodLooks++;
        brokenByRegion.remove(region.region());
        unreadable.remove(region.region());
        failedByTable.remove(region.table());
    }

    /** The NameNode answers, but not about this region's files. */
    void unreadable(ServedRegion region, long nowMs) {
        goodLooks = 0;
        unreadable.put(region.region(), region.table());
        int times = Optional.ofNullable(failedByTable.get(region.table()))
                        .map(Failed::times)
                        .orElse(0)
                + 1;
        long untilMs = times == 1 ? nowMs : nowMs + TABLE_RESTS.delayMs(times - 1);
        failedByTable.put(region.table(), new Failed(times, untilMs));
    }

    /** A look at this region has broken off; returns whether it is put aside for that. */
    boolean broke(ServedRegion region, long nowMs) {
        goodLooks = 0;
        int times = Optional.ofNullable(brokenByRegion.get(region.region()))
                        .map(Failed::times)
                        .orElse(0)
                + 1;
        boolean isPutAside = times >= BREAKS;
        // The first look after an hour is one more try, not three.
        brokenByRegion.put(
                region.region(),
                new Failed(isPutAside ? BREAKS - 1 : times, isPutAside ? nowMs + PUT_ASIDE_MS : nowMs));
        return isPutAside;
    }

    /** Until when this region is left alone; a time that is over if it is not. */
    long restsUntilMs(ServedRegion region) {
        long regionMs = Optional.ofNullable(brokenByRegion.get(region.region()))
                .map(Failed::untilMs)
                .orElse(Long.MIN_VALUE);
        long tableMs = Optional.ofNullable(failedByTable.get(region.table()))
                .map(Failed::untilMs)
                .orElse(Long.MIN_VALUE);
        return Math.max(regionMs, tableMs);
    }

    /** Whether a look at it will most likely be in vain. */
    boolean isSuspect(ServedRegion region) {
        return brokenByRegion.containsKey(region.region())
                || unreadable.containsKey(region.region())
                || failedByTable.containsKey(region.table());
    }

    /** Whether a suspect may take a turn though others wait. */
    boolean maySpareATurn() {
        return goodLooks >= GOOD_LOOKS_BETWEEN;
    }

    /** A person wants these to be looked at, whatever came of it before. */
    void forget(Collection<RegionId> regions) {
        for (RegionId region : regions) {
            brokenByRegion.remove(region);
            Optional.ofNullable(unreadable.remove(region)).ifPresent(failedByTable::remove);
        }
    }

    /** Forgets regions that are gone, and tables of which no unreadable region is left. */
    void forgetGone(Collection<RegionId> gone) {
        brokenByRegion.keySet().removeAll(gone);
        unreadable.keySet().removeAll(gone);
        failedByTable.keySet().retainAll(unreadable.values());
    }
}
