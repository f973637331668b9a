// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.tracking;

import io.hearth.balancer.heat.ingest.ServerReport;
import io.hearth.balancer.heat.ingest.ServerReport.RegionReport;
import io.hearth.balancer.heat.ingest.ServerReport.ReportBatch;
import io.hearth.balancer.tracking.ReportedLocationIndex.ReportedLocations.Reported;
import io.hearth.balancer.tracking.ReportedLocationIndex.ReportedLocations.ReportedLocation;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ServerId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What the last report of every live server says of the regions that are remembered, kept from one look to the next: only reports
 * that are read again are searched. What was said of a region before it was remembered is known once its server is read again.
 * Not thread-safe: reports come one at a time.
 */
final class ReportedLocationIndex {

    private final Map<EncodedRegionName, List<ReportedLocation>> byRegion = new HashMap<>();
    private final Map<ServerId, Reported> byServer = new HashMap<>();
    private final Map<ServerId, Set<EncodedRegionName>> reportedByServerId = new HashMap<>();

    /** Takes what this look brings; what it gives is good until the next one. */
    ReportedLocations take(ReportBatch batch, Set<EncodedRegionName> watched) {
        byRegion.keySet().retainAll(watched);
        Set<ServerId> gone = new HashSet<>(byServer.keySet());
        gone.removeAll(batch.live());
        gone.forEach(this::forget);
        batch.newReports().forEach(report -> take(report, watched));
        return new ReportedLocations(byRegion, byServer);
    }

    private void take(ServerReport report, Set<EncodedRegionName> watched) {
        forget(report.server());
        byServer.put(report.server(), new Reported(report.regions().size(), report.reportTimeMs()));
        if (watched.isEmpty()) {
            return;
        }
        ReportedLocation sighting = new ReportedLocation(report.server(), report.reportTimeMs());
        Set<EncodedRegionName> seen = new HashSet<>();
        for (RegionReport region : report.regions()) {
            if (watched.contains(region.region()) && seen.add(region.region())) {
                byRegion.computeIfAbsent(region.region(), first -> new ArrayList<>(1))
                        .add(sighting);
            }
        }
        if (!seen.isEmpty()) {
            reportedByServerId.put(report.server(), seen);
        }
    }

    private void forget(ServerId server) {
        byServer.remove(server);
        Set<EncodedRegionName> seen = reportedByServerId.remove(server);
        if (seen != null) {
            seen.forEach(region -> byRegion.computeIfPresent(region, (same, reportedLocations) -> {
                reportedLocations.removeIf(sighting -> sighting.server().equals(server));
                return reportedLocations.isEmpty() ? null : reportedLocations;
            }));
        }
    }

    /**
     * Which servers' last reports speak of the regions that are remembered, and how many regions each server has. A view of {@link
     * ReportedLocationIndex}, good until that takes the next round.
     */
    static final class ReportedLocations {

        private final Map<EncodedRegionName, List<ReportedLocation>> byRegion;
        private final Map<ServerId, Reported> byServer;

        /** One report that speaks of a region; its time is by that server's clock, in milliseconds since 1970. */
        record ReportedLocation(ServerId server, long reportTimeMs) {}

        /** How many regions a server reported; the time is by that server's clock, in milliseconds since 1970. */
        record Reported(int regions, long reportTimeMs) {}

        ReportedLocations(Map<EncodedRegionName, List<ReportedLocation>> byRegion, Map<ServerId, Reported> byServer) {
            this.byRegion = byRegion;
            this.byServer = byServer;
        }

        boolean isReported(EncodedRegionName region) {
            return byRegion.containsKey(region);
        }

        /** Whether some report speaks of this region in this way. */
        boolean any(EncodedRegionName region, Predicate<ReportedLocation> how) {
            for (ReportedLocation reported : byRegion.getOrDefault(region, List.of())) {
                if (how.test(reported)) {
                    return true;
                }
            }
            return false;
        }

        /** What each server reported that is there. */
        Map<ServerId, Reported> byServer() {
            return byServer;
        }

        /** Regions of a server on the average; 0 where nobody has reported. */
        double meanRegions() {
            return byServer.values().stream()
                    .mapToInt(Reported::regions)
                    .average()
                    .orElse(0);
        }
    }
}
