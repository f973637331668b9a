// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.heat.ingest;

import io.hearth.common.model.ServerId;

/**
 * One server for as long as its clock goes on without a jump: report times of one run can be taken from one another.
 *
 * <p>A server that restarts, or whose clock is set, gets another run; the old one has ended. Compared by identity. Not
 * thread-safe.
 */
public final class ServerIncarnation {

    private static final long NEVER = Long.MIN_VALUE;

    private final ServerId server;
    private long lastReportMs;
    private long lastSeenAtMs;
    private long suspectMs = NEVER;
    private boolean hasEnded;

    ServerIncarnation(ServerId server, long reportMs, long nowMs) {
        this.server = server;
        lastReportMs = reportMs;
        lastSeenAtMs = nowMs;
    }

    ServerId server() {
        return server;
    }

    /** The time of its last report, by the server's clock. */
    long lastReportMs() {
        return lastReportMs;
    }

    boolean hasEnded() {
        return hasEnded;
    }

    void end() {
        hasEnded = true;
    }

    /** Takes a report that goes on from the last. */
    void advance(long reportMs, long nowMs) {
        lastReportMs = reportMs;
        lastSeenAtMs = nowMs;
        suspectMs = NEVER;
    }

    boolean isNewer(long reportMs) {
        return reportMs > lastReportMs;
    }

    /**
     * Whether the time between the last report and this newer one is the time that went by here, as far as two clocks and
     * the age of a report allow: not more than twice as long or as short, and {@link ReportDeduplicator#CLOCK_TOLERANCE_MS} more.
     */
    boolean matchesLocalClock(long reportMs, long nowMs) {
        long there = reportMs - lastReportMs;
        long here = nowMs - lastSeenAtMs;
        return Math.abs(there - here) <= ReportDeduplicator.CLOCK_TOLERANCE_MS + Math.max(0, Math.min(there, here));
    }

    /**
     * Whether a report that is not newer shows that the clock was set back: it is much older than the last, and newer than
     * one before it that was much older too.
     */
    boolean wasSetBack(long reportMs) {
        if (reportMs > lastReportMs - ReportDeduplicator.CLOCK_STEP_MS) {
            return false;
        }
        boolean isSecond = suspectMs != NEVER && reportMs > suspectMs;
        suspectMs = reportMs;
        return isSecond;
    }
}
