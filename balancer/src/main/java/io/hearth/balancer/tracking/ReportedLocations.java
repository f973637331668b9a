// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.tracking;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ServerId;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Which servers' last reports speak of the regions that are remembered, and how many regions each server has. A view of {@link
 * ReportedLocationIndex}, good until that takes the next round.
 */
final class ReportedLocations {

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
        return byRegion.getOrDefault(region, List.of()).stream().anyMatch(how);
    }

    /** What each server reported that is there. */
    Map<ServerId, Reported> byServer() {
        return byServer;
    }

    /** Regions of a server on the average; 0 where nobody has reported. */
    double meanRegions() {
        return byServer.values().stream().mapToInt(Reported::regions).average().orElse(0);
    }
}
