// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.heat.ingest;

import io.hearth.common.model.ServerId;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Decides which of the servers' reports are new, in whatever order and number they come in: one that is not newer than the last one
 * taken of its server is dropped.
 *
 * <p>After a {@link ServerClock} was set the server has a new {@link ServerIncarnation}, and every counter on it starts again with a first
 * look. Not thread-safe.
 */
public final class ReportDeduplicator {

    private final Map<ServerId, ServerIncarnation> incarnationByServer = new HashMap<>();
    private final Map<ServerId, ServerClock> clockByServer = new HashMap<>();

    /**
     * A look shows when servers made their last reports, by their clocks, whether these are read or not.
     *
     * @param nowMs our own time by a clock that nobody sets, in milliseconds
     */
    public void look(Map<ServerId, Long> reportMsByServer, long nowMs) {
        reportMsByServer.forEach((server, reportMs) -> look(server, reportMs, nowMs));
    }

    /**
     * The incarnation of its server that this report belongs to; empty if the report is dropped.
     *
     * @param nowMs our own time by a clock that nobody sets, in milliseconds
     */
    public Optional<ServerIncarnation> accept(ServerReport report, long nowMs) {
        ServerClock clock = look(report.server(), report.reportTimeMs(), nowMs);
        if (!clock.isNewest(report.reportTimeMs())) {
            return Optional.empty();
        }
        ServerIncarnation incarnation = incarnationByServer.get(report.server());
        boolean wasSet = clock.takeWasSet();
        if (incarnation == null || wasSet) {
            return Optional.of(start(report));
        }
        if (report.reportTimeMs() == incarnation.lastReportMs()) {
            return Optional.empty();
        }
        incarnation.advance(report.reportTimeMs());
        return Optional.of(incarnation);
    }

    /** Forgets every server that is not among these; what it served is followed where it appears next. */
    public void retainServers(Set<ServerId> live) {
        clockByServer.keySet().retainAll(live);
        incarnationByServer.values().removeIf(incarnation -> {
            boolean isGone = !live.contains(incarnation.server());
            if (isGone) {
                incarnation.end();
            }
            return isGone;
        });
    }

    private ServerClock look(ServerId server, long reportMs, long nowMs) {
        ServerClock clock = clockByServer.computeIfAbsent(server, first -> new ServerClock(reportMs, nowMs));
        clock.shows(reportMs, nowMs);
        return clock;
    }

    private ServerIncarnation start(ServerReport report) {
        ServerIncarnation incarnation = new ServerIncarnation(report.server(), report.reportTimeMs());
        ServerIncarnation before = incarnationByServer.put(report.server(), incarnation);
        if (before != null) {
            before.end();
        }
        return incarnation;
    }

    /**
     * One server for as long as its clock goes on without a jump: the times of two reports of one incarnation can be subtracted.
     *
     * <p>A server that restarts, or whose clock is set, gets another incarnation; the old one has ended. Compared by identity. Not
     * thread-safe.
     */
    public static final class ServerIncarnation {

        private final ServerId server;
        private LastReport last;
        private long previousReportMs;
        private boolean hasEnded;

        ServerIncarnation(ServerId server, long reportMs) {
            this.server = server;
            last = new LastReport(this, reportMs);
            previousReportMs = reportMs;
        }

        public ServerId server() {
            return server;
        }

        /** Its last report. */
        LastReport lastReport() {
            return last;
        }

        /** The time of its last report, by the server's clock. */
        long lastReportMs() {
            return last.reportMs();
        }

        /** The time of the one before it; that of the last where it is the first. */
        long previousReportMs() {
            return previousReportMs;
        }

        boolean hasEnded() {
            return hasEnded;
        }

        void end() {
            hasEnded = true;
        }

        /** Takes a report that goes on from the last. */
        void advance(long reportMs) {
            previousReportMs = last.reportMs();
            last = new LastReport(this, reportMs);
        }
    }

    /** A report of a server that was its last when a region was read in it. All regions of the report keep this one object. Immutable. */
    static class LastReport {

        private final ServerIncarnation incarnation;
        private final long reportMs;

        LastReport(ServerIncarnation incarnation, long reportMs) {
            this.incarnation = incarnation;
            this.reportMs = reportMs;
        }

        final ServerIncarnation incarnation() {
            return incarnation;
        }

        /** When it was made, by the server's clock. */
        final long reportMs() {
            return reportMs;
        }

        /** Whether the server has made another one since, or is gone. */
        final boolean isPast() {
            return incarnation.hasEnded() || incarnation.lastReportMs() > reportMs;
        }
    }
}
