// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.heat.ingest;

import io.hearth.balancer.heat.ingest.ReportDeduplicator.ServerIncarnation;
import io.hearth.balancer.heat.ingest.ServerReport.RegionReport;
import io.hearth.balancer.heat.ingest.ServerReport.ReportedLoad;
import io.hearth.common.model.LoadDimension;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The counters of one region as last reported, and whose they are: a difference is only ever taken between two reports of
 * the same life of the counters.
 *
 * <p>A life is named by the server's incarnation and the sequence number with which the master has the region open there.
 *
 * <ul>
 *   <li>Another server, another incarnation of it, or a counter that has fallen: a first look and no rate.
 *   <li>Another sequence number on the same server: the region was opened again there. The master may know of that before
 *       the server's report does, and one more report may have been under way; so no rate is taken until {@value
 *       #UNCERTAIN_REPORTS} more reports have been seen, unless a counter has fallen with the number, which ends the doubt. The
 *       server's clock may have been set meanwhile, or a late report looks as if it had: the doubt is the same.
 *   <li>In two servers' reports (it is moving): it is followed where it appeared last, until that server reports without
 *       it. A closing region's lifetime counter is never taken for fresh load.
 * </ul>
 *
 * Without sequence numbers, a region that the server has reported without was opened again. One that was opened again between
 * two reports and has served more of everything since than before is not noticed; nothing in a report shows it.
 *
 * <p>Meant to be extended by what else is kept of a region, so that a region costs one object. Not thread-safe.
 */
public class RegionCounters {

    /** The one that the master already had, and the one that may have been under way. */
    static final int UNCERTAIN_REPORTS = 2;

    private @Nullable ServerIncarnation incarnation;
    private long reportMs;
    private final long[] counters = new long[LoadDimension.counters()];
    private long openSeqNum = RegionReport.UNKNOWN;
    private byte uncertainReports;
    private @Nullable Previous previous;

    /**
     * What a region did between two reports of the server that serves it. Immutable.
     *
     * @param elapsedMs report time between the two, in milliseconds; 0 for a first look, which says nothing of rates
     * @param perSecond how fast the counters of the region rose in that time
     */
    public record RegionSample(long elapsedMs, Rates perSecond) {

        /** The region was seen, and nothing can be said of its rates. */
        public static final RegionSample FIRST_REPORT = new RegionSample(0, Rates.NONE);

        /** Whether it says how fast the counters rose. */
        public boolean hasRate() {
            return elapsedMs > 0;
        }
    }

    /** Where the region was before, when it was last seen there, and what its counters had come to. */
    private static final class Previous {

        private final ServerIncarnation incarnation;
        private final long seenMs;
        private final long[] counters;

        Previous(ServerIncarnation incarnation, long seenMs, long[] counters) {
            this.incarnation = incarnation;
            this.seenMs = seenMs;
            this.counters = counters;
        }

        /** Whether that server has reported without the region since, or is gone. */
        boolean isDone() {
            return incarnation.hasEnded() || incarnation.lastReportMs() > seenMs;
        }
    }

    /**
     * What the region did since the last look, by this report of the region in a report of that incarnation; empty where another
     * server's counters speak for the region.
     */
    public final Optional<RegionSample> follow(ServerIncarnation by, RegionReport report) {
        if (!isFollowedOn(by, report)) {
            staysInTheReportOf(by);
            return Optional.empty();
        }
        RegionSample sample = isSameOpening(by, report)
                ? since(by.lastReportMs() - reportMs, report.load())
                : RegionSample.FIRST_REPORT;
        keep(by, report);
        return Optional.of(sample);
    }

    private RegionSample since(long elapsedMs, ReportedLoad now) {
        return new RegionSample(elapsedMs, now.ratesSince(counters, elapsedMs));
    }

    /** Whether another server than this one has the region by the last report of it. */
    public final boolean isElsewhere(ServerIncarnation by) {
        return incarnation != null && !incarnation.server().equals(by.server());
    }

    /** Whose counters speak for the region; empty where that server has reported without it since, or is gone. */
    public final Optional<ServerIncarnation> servedBy() {
        return isMissing() ? Optional.empty() : Optional.ofNullable(incarnation);
    }

    /** Whether the server that had the region has reported without it since, or is gone. */
    public final boolean isMissing() {
        return incarnation == null || incarnation.hasEnded() || incarnation.lastReportMs() > reportMs;
    }

    /** Whether this server is the one whose counters speak for the region. */
    private boolean isFollowedOn(ServerIncarnation by, RegionReport report) {
        if (incarnation == null || incarnation.server().equals(by.server()) || isMissing()) {
            return true;
        }
        boolean isWhereItWas = previous != null && previous.incarnation.server().equals(by.server());
        return !isWhereItWas || wasOpenedThereAgain(report);
    }

    private boolean wasOpenedThereAgain(RegionReport report) {
        boolean isOpenedLater = openSeqNum != RegionReport.UNKNOWN && report.openSeqNum() > openSeqNum;
        return isOpenedLater || (previous != null && report.load().hasFallenFrom(previous.counters));
    }

    /** Whether it is certain that the same counters have been going on since the last look; settles doubts on the way. */
    private boolean isSameOpening(ServerIncarnation by, RegionReport report) {
        boolean isOfAnotherServer = incarnation == null || !incarnation.server().equals(by.server());
        if (isOfAnotherServer || report.load().hasFallenFrom(counters)) {
            uncertainReports = 0;
            return false;
        }
        if (report.openSeqNum() != openSeqNum) {
            uncertainReports = UNCERTAIN_REPORTS;
            return false;
        }
        if (uncertainReports > 0) {
            uncertainReports--;
            return false;
        }
        return incarnation == by && by.lastReportMs() > reportMs && !wasClosedMeanwhile(by);
    }

    /** Whether the server has reported without the region since, and no number says that it is open as before. */
    private boolean wasClosedMeanwhile(ServerIncarnation by) {
        return openSeqNum == RegionReport.UNKNOWN && by.previousReportMs() > reportMs;
    }

    private void staysInTheReportOf(ServerIncarnation by) {
        if (previous != null) {
            previous = new Previous(by, by.lastReportMs(), previous.counters);
        }
    }

    private void keep(ServerIncarnation by, RegionReport report) {
        if (incarnation != null && !incarnation.server().equals(by.server())) {
            previous = new Previous(incarnation, reportMs, counters.clone());
        }
        if (previous != null && previous.isDone()) {
            previous = null;
        }
        incarnation = by;
        reportMs = by.lastReportMs();
        report.load().putCounters(counters);
        openSeqNum = report.openSeqNum();
    }
}
