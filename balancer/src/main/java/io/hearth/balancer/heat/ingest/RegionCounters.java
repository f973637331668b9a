// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.heat.ingest;

import io.hearth.balancer.heat.ingest.ReportDeduplicator.LastReport;
import io.hearth.balancer.heat.ingest.ReportDeduplicator.ServerIncarnation;
import io.hearth.balancer.heat.ingest.ServerReport.RegionReport;
import io.hearth.balancer.heat.ingest.ServerReport.ReportedLoad;
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

    /** Bytes of {@link #packed} that the counters take, which are its first ones. */
    protected static final int COUNTER_BYTES = Rates.COUNTERS * Long.BYTES;

    /** The counters, and after them what whoever extends this keeps, as {@link PackedNumbers}. */
    protected final byte[] packed;

    private @Nullable LastReport lastReport;
    private long openSeqNum = RegionReport.UNKNOWN;
    private byte uncertainReports;

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

    /** Where the region was before and was last seen there, and what its counters had come to. */
    private static final class Previous {

        private final LastReport lastReport;
        private final long[] counters;

        Previous(LastReport lastReport, long[] counters) {
            this.lastReport = lastReport;
            this.counters = counters;
        }
    }

    /** The last report of a region that is moving: few are, so that no other has a field for where it was before. */
    private static final class LastReportAfterMove extends LastReport {

        private final Previous previous;

        LastReportAfterMove(LastReport last, Previous previous) {
            super(last.incarnation(), last.reportMs());
            this.previous = previous;
        }
    }

    /** The counters of a region of which nothing else is kept. */
    public RegionCounters() {
        this(new byte[COUNTER_BYTES]);
    }

    /** @param packed of {@link #COUNTER_BYTES} or more, all of them 0 so far */
    protected RegionCounters(byte[] packed) {
        this.packed = packed;
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
        LastReport before = lastReport;
        RegionSample sample = before != null && isSameOpening(before, by, report)
                ? since(by.lastReportMs() - before.reportMs(), report.load())
                : RegionSample.FIRST_REPORT;
        keep(by, report);
        return Optional.of(sample);
    }

    private RegionSample since(long elapsedMs, ReportedLoad now) {
        return new RegionSample(elapsedMs, now.ratesSince(counters(), elapsedMs));
    }

    private long[] counters() {
        long[] counters = new long[Rates.COUNTERS];
        for (int counter = 0; counter < counters.length; counter++) {
            counters[counter] = PackedNumbers.getLong(packed, counter * Long.BYTES);
        }
        return counters;
    }

    /** Whether another server than this one has the region by the last report of it. */
    public final boolean isElsewhere(ServerIncarnation by) {
        return lastReport != null && !isOf(by, lastReport);
    }

    private static boolean isOf(ServerIncarnation by, LastReport report) {
        return report.incarnation().server().equals(by.server());
    }

    /** Whose counters speak for the region; empty where that server has reported without it since, or is gone. */
    public final Optional<ServerIncarnation> servedBy() {
        return lastReport == null || isMissing() ? Optional.empty() : Optional.of(lastReport.incarnation());
    }

    /** Whether the server that had the region has reported without it since, or is gone. */
    public final boolean isMissing() {
        return lastReport == null || lastReport.isPast();
    }

    /** Whether this server is the one whose counters speak for the region. */
    private boolean isFollowedOn(ServerIncarnation by, RegionReport report) {
        if (lastReport == null || isOf(by, lastReport) || isMissing()) {
            return true;
        }
        Previous previous = previous();
        boolean isWhereItWas = previous != null && isOf(by, previous.lastReport);
        return !isWhereItWas || wasOpenedThereAgain(report);
    }

    private boolean wasOpenedThereAgain(RegionReport report) {
        boolean isOpenedLater = openSeqNum != RegionReport.UNKNOWN && report.openSeqNum() > openSeqNum;
        Previous previous = previous();
        return isOpenedLater || (previous != null && report.load().hasFallenFrom(previous.counters));
    }

    /** Whether it is certain that the same counters have been going on since the last look; settles doubts on the way. */
    private boolean isSameOpening(LastReport before, ServerIncarnation by, RegionReport report) {
        if (!isOf(by, before) || report.load().hasFallenFrom(counters())) {
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
        return before.incarnation() == by && by.lastReportMs() > before.reportMs() && !wasClosedMeanwhile(before, by);
    }

    /** Whether the server has reported without the region since, and no number says that it is open as before. */
    private boolean wasClosedMeanwhile(LastReport before, ServerIncarnation by) {
        return openSeqNum == RegionReport.UNKNOWN && by.previousReportMs() > before.reportMs();
    }

    private @Nullable Previous previous() {
        return lastReport instanceof LastReportAfterMove moving ? moving.previous : null;
    }

    private void staysInTheReportOf(ServerIncarnation by) {
        if (lastReport instanceof LastReportAfterMove moving) {
            lastReport = new LastReportAfterMove(moving, new Previous(by.lastReport(), moving.previous.counters));
        }
    }

    private void keep(ServerIncarnation by, RegionReport report) {
        Previous previous =
                lastReport == null || isOf(by, lastReport) ? previous() : new Previous(lastReport, counters());
        lastReport = previous == null || previous.lastReport.isPast()
                ? by.lastReport()
                : new LastReportAfterMove(by.lastReport(), previous);
        report.load().putCounters(packed);
        openSeqNum = report.openSeqNum();
    }
}
