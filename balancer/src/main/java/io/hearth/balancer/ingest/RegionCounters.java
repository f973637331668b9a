package io.hearth.balancer.ingest;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The counters of one region as last reported, and whose they are: a difference is only ever taken between two reports of
 * the same life of the counters.
 *
 * <p>A life is named by the server's run and the sequence number with which the master has the region open there.
 *
 * <ul>
 *   <li>Another server, another run of it, or a counter that has fallen: a first look and no rate.
 *   <li>Another sequence number on the same server: the region was opened again there. The master may know of that before
 *       the server's report does, and one more report may have been under way; so no rate is taken until {@value
 *       #REPORTS_IN_DOUBT} more reports have been seen, unless a counter has fallen with the number, which ends the doubt.
 *   <li>In two servers' reports (it is moving): it is followed where it appeared last, until that server reports without
 *       it. A closing region's lifetime counter is never taken for fresh load.
 * </ul>
 *
 * Without sequence numbers, a region that was opened again on the same server and has served more of everything since than
 * before its last report is not noticed; nothing in a report shows it.
 *
 * <p>Meant to be extended by what else is kept of a region, so that a region costs one object. Not thread-safe.
 */
public class RegionCounters {

    /** The one that the master already had, and the one that may have been under way. */
    static final int REPORTS_IN_DOUBT = 2;

    private @Nullable ServerRun run;
    private long reportMs;
    private long reads;
    private long writes;
    private long openSequence = RegionReport.UNKNOWN;
    private byte reportsInDoubt;
    private @Nullable Former former;

    /** Where the region was before, when it was last seen there, and what its counters had come to. */
    private record Former(ServerRun run, long seenMs, long reads, long writes) {

        /** Whether that server has reported without the region since, or is gone. */
        boolean isDone() {
            return run.hasEnded() || run.lastReportMs() > seenMs;
        }
    }

    /**
     * What the region did since the last look, by this report of the region in a report of that run; empty where another
     * server's counters speak for the region.
     */
    public final Optional<RegionSample> follow(ServerRun by, RegionReport report) {
        if (!isFollowedOn(by, report)) {
            staysInTheReportOf(by);
            return Optional.empty();
        }
        RegionSample sample = isSameLife(by, report)
                ? new RegionSample(
                        by.lastReportMs() - reportMs, report.readRequests() - reads, report.writeRequests() - writes)
                : RegionSample.FIRST_LOOK;
        keep(by, report);
        return Optional.of(sample);
    }

    /** Whether another server than this one has the region by the last report of it. */
    public final boolean isElsewhere(ServerRun by) {
        return run != null && !run.server().equals(by.server());
    }

    /** Whose counters speak for the region; empty where that server has reported without it since, or is gone. */
    public final Optional<ServerRun> servedBy() {
        return isMissing() ? Optional.empty() : Optional.ofNullable(run);
    }

    /** Whether the server that had the region has reported without it since, or is gone. */
    public final boolean isMissing() {
        return run == null || run.hasEnded() || run.lastReportMs() > reportMs;
    }

    /** Whether this server is the one whose counters speak for the region. */
    private boolean isFollowedOn(ServerRun by, RegionReport report) {
        if (run == null || run.server().equals(by.server()) || isMissing()) {
            return true;
        }
        boolean isWhereItWas = former != null && former.run().server().equals(by.server());
        return !isWhereItWas || wasOpenedThereAgain(report);
    }

    private boolean wasOpenedThereAgain(RegionReport report) {
        boolean isOpenedLater = openSequence != RegionReport.UNKNOWN && report.openSequence() > openSequence;
        return isOpenedLater || (former != null && hasFallen(report, former.reads(), former.writes()));
    }

    /** Whether it is certain that the same counters have been going on since the last look; settles doubts on the way. */
    private boolean isSameLife(ServerRun by, RegionReport report) {
        if (run != by) {
            reportsInDoubt = 0;
            return false;
        }
        if (hasFallen(report, reads, writes)) {
            reportsInDoubt = 0;
            return false;
        }
        if (report.openSequence() != openSequence) {
            reportsInDoubt = REPORTS_IN_DOUBT;
            return false;
        }
        if (reportsInDoubt > 0) {
            reportsInDoubt--;
            return false;
        }
        return by.lastReportMs() > reportMs;
    }

    private static boolean hasFallen(RegionReport report, long fromReads, long fromWrites) {
        return report.readRequests() < fromReads || report.writeRequests() < fromWrites;
    }

    private void staysInTheReportOf(ServerRun by) {
        if (former != null) {
            former = new Former(by, by.lastReportMs(), former.reads(), former.writes());
        }
    }

    private void keep(ServerRun by, RegionReport report) {
        if (run != null && !run.server().equals(by.server())) {
            former = new Former(run, reportMs, reads, writes);
        }
        if (former != null && former.isDone()) {
            former = null;
        }
        run = by;
        reportMs = by.lastReportMs();
        reads = report.readRequests();
        writes = report.writeRequests();
        openSequence = report.openSequence();
    }
}
