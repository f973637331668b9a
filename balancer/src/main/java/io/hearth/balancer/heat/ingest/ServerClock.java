// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.heat.ingest;

/**
 * The clock of one server, as the times of its reports show it: tells when it was set.
 *
 * <p>Constraints: nobody tells when a report was made by our clock. But a look that shows it for the first time came after it, and the look
 * before, which still showed the one before it, came before it.
 *
 * <p>Algorithm: the time between two reports by the server's clock is held against the time between the looks that showed them first by
 * ours. The clock was set where the two differ
 *
 * <ul>
 *   <li>by more than the ages that both reports may have had, and {@value #TOLERANCE_MS} ms for their way;
 *   <li>or, however old they may have been, by more than the shorter of the two times and as much.
 * </ul>
 *
 * A report that is older than the last is late. But if it is {@value #SET_BACK_MS} ms older or more, and newer than the late one before it,
 * the clock was set back.
 *
 * <p>Worked example: looks at 0, 60, 61 and 121 s show reports of 0, 60, 60 and 150 s. The last two are 90 s apart, which may be: up to 121 s
 * went by. If the look at 60 s had still shown the first report, it would be 61 s at most, and the clock was set. Not thread-safe.
 */
final class ServerClock {

    /** A report this much older than the last may mean that the clock was set back, in milliseconds. */
    static final long SET_BACK_MS = 60_000;

    /** Reports are on their way for less, in milliseconds. */
    static final long TOLERANCE_MS = 5_000;

    /** So long ago that any report was made later. */
    private static final long EVER = Long.MIN_VALUE / 4;

    private static final long NEVER = Long.MIN_VALUE;

    /** The time of the newest report, by the server's clock. */
    private long reportMs;

    // By our clock: the look before the one that showed it first, that one, and the last that showed it.
    private long madeAfterMs = EVER;
    private long shownMs;
    private long lookedMs;

    /** The time of a late report that may mean that the clock was set back. */
    private long lateMs = NEVER;

    private boolean wasSet;

    ServerClock(long reportMs, long nowMs) {
        this.reportMs = reportMs;
        shownMs = nowMs;
        lookedMs = nowMs;
    }

    /**
     * A look shows a report of this time, the newest or a late one.
     *
     * @param nowMs our own time by a clock that nobody sets, in milliseconds
     */
    void shows(long ofReportMs, long nowMs) {
        if (ofReportMs < reportMs) {
            showsLate(ofReportMs, nowMs);
            return;
        }
        if (ofReportMs > reportMs) {
            wasSet |= !isPossible(ofReportMs - reportMs, nowMs);
            begin(ofReportMs, lookedMs, nowMs);
        }
        lookedMs = nowMs;
    }

    private void showsLate(long ofReportMs, long nowMs) {
        if (ofReportMs > reportMs - SET_BACK_MS) {
            return;
        }
        if (lateMs != NEVER && ofReportMs > lateMs) {
            wasSet = true;
            begin(ofReportMs, EVER, nowMs);
            lookedMs = nowMs;
        } else {
            lateMs = ofReportMs;
        }
    }

    private void begin(long ofReportMs, long afterMs, long nowMs) {
        lateMs = NEVER;
        reportMs = ofReportMs;
        madeAfterMs = afterMs;
        shownMs = nowMs;
    }

    /** Whether so much time can have gone by on the server from its newest report to one that is shown for the first time now. */
    private boolean isPossible(long thereMs, long nowMs) {
        long hereMs = nowMs - shownMs;
        boolean isWithinAges =
                thereMs >= lookedMs - shownMs - TOLERANCE_MS && thereMs <= nowMs - madeAfterMs + TOLERANCE_MS;
        return isWithinAges && Math.abs(thereMs - hereMs) <= TOLERANCE_MS + Math.max(0, Math.min(thereMs, hereMs));
    }

    /** Whether a report of this time is the newest that was shown, and not a late one. */
    boolean isNewest(long ofReportMs) {
        return ofReportMs == reportMs;
    }

    /** Whether the clock was set since this was last asked. */
    boolean takeWasSet() {
        boolean taken = wasSet;
        wasSet = false;
        return taken;
    }
}
