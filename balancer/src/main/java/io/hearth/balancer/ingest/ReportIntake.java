package io.hearth.balancer.ingest;

import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.ServerId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Turns the servers' reports into samples of each region, whatever order and number they come in.
 *
 * <p>A region's counters begin at 0 on every server that opens it, so a difference is only ever taken between two reports
 * of the <em>same server</em>, over the report time between them:
 *
 * <ul>
 *   <li>a report that is not newer than the last one of its server is dropped; where two in a row are so much older
 *       ({@value #CLOCK_STEP_MS} ms) and one newer than the other, the server's clock was set back and counting starts again;
 *   <li>a region that is new on a server, or whose counter has fallen, gives a first look and no rate;
 *   <li>a region that is in two servers' reports (it is moving) is followed where it appeared last, until that server
 *       reports without it: a closing region's lifetime counter is never taken for fresh load.
 * </ul>
 *
 * A server that is gone is forgotten by {@link #retainServers}. Not thread-safe.
 */
public final class ReportIntake {

    /** A report this much older than the last of its server means that the clock was set back, in milliseconds. */
    static final long CLOCK_STEP_MS = 60_000;

    private final Map<ServerId, Long> lastReportMsByServer = new HashMap<>();
    private final Map<ServerId, Long> suspectMsByServer = new HashMap<>();
    private final Map<RegionId, Incarnation> incarnationByRegion = new HashMap<>();

    /** The samples that this report gives, one for each region that is followed on its server. */
    public List<RegionSample> accept(ServerReport report) {
        if (!isNews(report)) {
            return List.of();
        }
        lastReportMsByServer.put(report.server(), report.reportTimeMs());
        List<RegionSample> samples = new ArrayList<>(report.regions().size());
        for (RegionReport region : report.regions()) {
            if (isFollowedOn(report.server(), region)) {
                samples.add(follow(report, region));
            }
        }
        return samples;
    }

    /** Forgets every server that is not among these; what it served is followed where it appears next. */
    public void retainServers(Set<ServerId> live) {
        lastReportMsByServer.keySet().retainAll(live);
        suspectMsByServer.keySet().retainAll(live);
    }

    /** Forgets every region that is not among these. */
    public void retainRegions(Set<RegionId> regions) {
        incarnationByRegion.keySet().retainAll(regions);
    }

    /** Whether this report is newer than the last of its server, or the first after its clock was set back. */
    private boolean isNews(ServerReport report) {
        Long lastMs = lastReportMsByServer.get(report.server());
        if (lastMs == null || report.reportTimeMs() > lastMs) {
            suspectMsByServer.remove(report.server());
            return true;
        }
        if (report.reportTimeMs() > lastMs - CLOCK_STEP_MS) {
            return false;
        }
        Long suspectMs = suspectMsByServer.put(report.server(), report.reportTimeMs());
        return suspectMs != null && report.reportTimeMs() > suspectMs;
    }

    /** Whether this server is the one whose counters speak for the region. */
    private boolean isFollowedOn(ServerId server, RegionReport region) {
        Incarnation current = incarnationByRegion.get(region.region());
        if (current == null || current.server.equals(server) || hasLost(current)) {
            return true;
        }
        boolean isTheOneItLeft = server.equals(current.former);
        boolean openedAgainThere = isTheOneItLeft
                && (region.readRequests() < current.formerReads || region.writeRequests() < current.formerWrites);
        return !isTheOneItLeft || openedAgainThere;
    }

    /** Whether the server that had the region has reported without it since. */
    private boolean hasLost(Incarnation current) {
        Long lastMs = lastReportMsByServer.get(current.server);
        return lastMs == null || lastMs > current.seenMs;
    }

    private RegionSample follow(ServerReport report, RegionReport region) {
        Incarnation before = incarnationByRegion.get(region.region());
        Incarnation now = new Incarnation(report, region, before);
        incarnationByRegion.put(region.region(), now);
        if (before == null || !now.continues(before)) {
            return new RegionSample(region.region(), region.table(), 0, 0, 0, region.storeBytes());
        }
        return new RegionSample(
                region.region(),
                region.table(),
                now.seenMs - before.seenMs,
                now.reads - before.reads,
                now.writes - before.writes,
                region.storeBytes());
    }

    /** The life of a region's counters on one server, as last reported, and the server that had it before. */
    private static final class Incarnation {

        final ServerId server;
        final long seenMs;
        final long reads;
        final long writes;
        final @Nullable ServerId former;
        final long formerReads;
        final long formerWrites;

        Incarnation(ServerReport report, RegionReport region, @Nullable Incarnation before) {
            server = report.server();
            seenMs = report.reportTimeMs();
            reads = region.readRequests();
            writes = region.writeRequests();
            if (before == null) {
                former = null;
                formerReads = 0;
                formerWrites = 0;
            } else if (before.server.equals(server)) {
                former = before.former;
                formerReads = before.formerReads;
                formerWrites = before.formerWrites;
            } else {
                former = before.server;
                formerReads = before.reads;
                formerWrites = before.writes;
            }
        }

        /** Whether the same counters have been going on since, in time that went on. */
        boolean continues(Incarnation before) {
            return before.server.equals(server)
                    && seenMs > before.seenMs
                    && reads >= before.reads
                    && writes >= before.writes;
        }
    }
}
