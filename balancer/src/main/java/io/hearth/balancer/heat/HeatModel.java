package io.hearth.balancer.heat;

import io.hearth.balancer.heat.RegionHeat.Known;
import io.hearth.balancer.heat.RegionHeat.Reason;
import io.hearth.balancer.heat.RegionHeat.Unknown;
import io.hearth.balancer.ingest.RegionSample;
import io.hearth.balancer.ingest.ReportIntake;
import io.hearth.balancer.ingest.ServerReport;
import io.hearth.balancer.load.LoadVector;
import io.hearth.balancer.load.RegionId;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The heat of every region, learnt from the servers' reports: decayed read and write rates per second of report time and
 * the last known store size in bytes.
 *
 * <p>Heat belongs to the region and not to where it is served, so it outlives a move. A region that nobody has reported for
 * {@value #FORGET_AFTER_MS} ms of report time is forgotten. Thread-safe: every method holds this object's lock, for
 * microseconds a region and without any call elsewhere.
 */
public final class HeatModel {

    /** Long enough for any outage that a region survives under the same name; milliseconds. */
    static final long FORGET_AFTER_MS = 3_600_000;

    private final ReportIntake intake = new ReportIntake();
    private final Map<RegionId, Tracked> trackedByRegion = new HashMap<>();
    private long halfLifeMs;
    private long minObservedMs;

    /**
     * @param halfLifeMs observed time in which old samples lose half their weight, in milliseconds
     * @param minObservedMs observed time from which a region's heat counts as known, in milliseconds
     */
    public HeatModel(long halfLifeMs, long minObservedMs) {
        this.halfLifeMs = halfLifeMs;
        this.minObservedMs = minObservedMs;
    }

    /** Takes new settings; a new half-life holds for regions that are first seen from now on. */
    public synchronized void configure(long newHalfLifeMs, long newMinObservedMs) {
        halfLifeMs = newHalfLifeMs;
        minObservedMs = newMinObservedMs;
    }

    /** Learns from the last report of each live server; reports that were seen before change nothing. */
    public synchronized void update(Collection<ServerReport> reports) {
        intake.retainServers(reports.stream().map(ServerReport::server).collect(Collectors.toSet()));
        long newestMs = Long.MIN_VALUE;
        for (ServerReport report : reports) {
            newestMs = Math.max(newestMs, report.reportTimeMs());
            for (RegionSample sample : intake.accept(report)) {
                trackedByRegion
                        .computeIfAbsent(sample.region(), region -> new Tracked(halfLifeMs))
                        .add(sample, report.reportTimeMs());
            }
        }
        forget(newestMs);
    }

    /** The heat of this region. */
    public synchronized RegionHeat heat(RegionId region) {
        Tracked tracked = trackedByRegion.get(region);
        if (tracked == null) {
            return new Unknown(Reason.NEVER_REPORTED);
        }
        return tracked.observedMs < minObservedMs ? new Unknown(Reason.SEEN_TOO_BRIEFLY) : new Known(tracked.load());
    }

    /** How many regions are followed. */
    public synchronized int size() {
        return trackedByRegion.size();
    }

    private void forget(long newestMs) {
        boolean removed = trackedByRegion.values().removeIf(tracked -> tracked.seenMs < newestMs - FORGET_AFTER_MS);
        if (removed) {
            intake.retainRegions(trackedByRegion.keySet());
        }
    }

    /** What is known of one region. */
    private static final class Tracked {

        private final DecayingRate reads;
        private final DecayingRate writes;
        private long observedMs;
        private long storeBytes;
        private long seenMs;

        Tracked(long halfLifeMs) {
            reads = new DecayingRate(halfLifeMs);
            writes = new DecayingRate(halfLifeMs);
        }

        void add(RegionSample sample, long reportTimeMs) {
            if (sample.hasRate()) {
                reads.add(sample.reads(), sample.elapsedMs());
                writes.add(sample.writes(), sample.elapsedMs());
                observedMs += sample.elapsedMs();
            }
            storeBytes = sample.storeBytes();
            seenMs = reportTimeMs;
        }

        LoadVector load() {
            return LoadVector.of(reads.perSecond(), writes.perSecond(), (double) storeBytes);
        }
    }
}
