package io.hearth.balancer.steering;

import io.hearth.balancer.ingest.RegionReport;
import io.hearth.balancer.ingest.ServerReport;
import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.ServerId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Which servers' reports of one round speak of the regions that are remembered, and how many regions a server has on the
 * average. Immutable once made.
 */
final class Sightings {

    /** One report that speaks of a region; its time is by that server's clock, in milliseconds since 1970. */
    record Sighting(ServerId server, long reportTimeMs) {}

    /** How many regions a server reported; the time is by that server's clock, in milliseconds since 1970. */
    record Reported(int regions, long reportTimeMs) {}

    private final Map<RegionId, List<Sighting>> byRegion;
    private final Map<ServerId, Reported> byServer;
    private final double meanRegions;

    private Sightings(Map<RegionId, List<Sighting>> byRegion, Map<ServerId, Reported> byServer, double meanRegions) {
        this.byRegion = byRegion;
        this.byServer = byServer;
        this.meanRegions = meanRegions;
    }

    static Sightings of(Collection<ServerReport> reports, Set<RegionId> watched) {
        Map<RegionId, List<Sighting>> byRegion = new HashMap<>();
        Map<ServerId, Reported> byServer = new HashMap<>();
        long regions = 0;
        for (ServerReport report : reports) {
            byServer.put(report.server(), new Reported(report.regions().size(), report.reportTimeMs()));
            regions += report.regions().size();
            for (RegionReport region : watched.isEmpty() ? List.<RegionReport>of() : report.regions()) {
                if (watched.contains(region.region())) {
                    byRegion.computeIfAbsent(region.region(), first -> new ArrayList<>(1))
                            .add(new Sighting(report.server(), report.reportTimeMs()));
                }
            }
        }
        return new Sightings(byRegion, byServer, reports.isEmpty() ? 0 : (double) regions / reports.size());
    }

    boolean sees(RegionId region) {
        return byRegion.containsKey(region);
    }

    /** Whether some report speaks of this region in this way. */
    boolean any(RegionId region, Predicate<Sighting> how) {
        return byRegion.getOrDefault(region, List.of()).stream().anyMatch(how);
    }

    /** What each server reported that is there. */
    Map<ServerId, Reported> byServer() {
        return byServer;
    }

    /** Regions of a server on the average; 0 where nobody has reported. */
    double meanRegions() {
        return meanRegions;
    }
}
