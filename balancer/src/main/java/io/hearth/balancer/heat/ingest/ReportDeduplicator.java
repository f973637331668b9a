// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.heat.ingest;

import io.hearth.common.model.ServerId;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Decides which of the servers' reports are new, in whatever order and number they come in.
 *
 * <ul>
 *   <li>A report that is not newer than the last one taken of its server is dropped. If it is {@value #CLOCK_STEP_MS} ms older or more,
 *       and newer than the one before it that was dropped as so old, the server's clock was set back.
 *   <li>Where the time between two reports is far from the time that went by here, the server's clock was set.
 * </ul>
 *
 * After its clock was set the server has a new {@link ServerIncarnation}, and every counter on it starts again with a first look. Not
 * thread-safe.
 */
public final class ReportDeduplicator {

    /** A report this much older than the last of its server may mean that the clock was set back, in milliseconds. */
    static final long CLOCK_STEP_MS = 60_000;

    /** Report time may differ from ours by this much and be no step: a report is a few seconds old; milliseconds. */
    static final long CLOCK_TOLERANCE_MS = 5_000;

    private final Map<ServerId, ServerIncarnation> incarnationByServer = new HashMap<>();

    /**
     * The incarnation of its server that this report belongs to; empty if the report is dropped.
     *
     * @param nowMs our own time by a clock that nobody sets, in milliseconds
     */
    public Optional<ServerIncarnation> accept(ServerReport report, long nowMs) {
        long reportMs = report.reportTimeMs();
        ServerIncarnation incarnation = incarnationByServer.get(report.server());
        if (incarnation == null) {
            return Optional.of(start(report, nowMs));
        }
        boolean goesOn = incarnation.isNewer(reportMs);
        if (goesOn ? !incarnation.matchesLocalClock(reportMs, nowMs) : incarnation.wasSetBack(reportMs)) {
            incarnation.end();
            return Optional.of(start(report, nowMs));
        }
        if (!goesOn) {
            return Optional.empty();
        }
        incarnation.advance(reportMs, nowMs);
        return Optional.of(incarnation);
    }

    /** Forgets every server that is not among these; what it served is followed where it appears next. */
    public void retainServers(Set<ServerId> live) {
        incarnationByServer.values().removeIf(incarnation -> {
            boolean isGone = !live.contains(incarnation.server());
            if (isGone) {
                incarnation.end();
            }
            return isGone;
        });
    }

    private ServerIncarnation start(ServerReport report, long nowMs) {
        ServerIncarnation incarnation = new ServerIncarnation(report.server(), report.reportTimeMs(), nowMs);
        incarnationByServer.put(report.server(), incarnation);
        return incarnation;
    }

    /**
     * One server for as long as its clock goes on without a jump: the times of two reports of one incarnation can be subtracted.
     *
     * <p>A server that restarts, or whose clock is set, gets another incarnation; the old one has ended. Compared by identity. Not
     * thread-safe.
     */
    public static final class ServerIncarnation {

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
}
