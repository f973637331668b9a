// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.placement;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ServerId;
import java.util.HashMap;
import java.util.Map;

/**
 * The regions that were given to a server after the last look at the reports: they count as being there, or the next call
 * would fill the same server again. An entry ends when a report shows the region there, or after {@value #KEEP_MS} ms and two readings
 * of all reports, when reports know better. Thread-safe; no method blocks or calls elsewhere.
 */
public final class RecentPlacements {

    /** Opening a region takes seconds; whatever has not opened in this time was given to another server. Milliseconds. */
    static final long KEEP_MS = 120_000;

    private final Map<EncodedRegionName, RecentPlacement> placementByRegion = new HashMap<>();
    private long keepMs = KEEP_MS;

    /** Takes how far apart two readings of a server's report are from now on, in milliseconds. */
    public synchronized void readEvery(long ms) {
        keepMs = Math.max(KEEP_MS, 2 * ms);
    }

    /** A region was given to this server; where the view shows it there already, nothing is left to be remembered. */
    public synchronized void given(EncodedRegionName region, ServerId server, PlacementView view, long nowMs) {
        // Not who serves it: for that all regions of the cluster are put in order, on the thread that assigns them.
        if (view.isReportedBy(server, region)) {
            placementByRegion.remove(region);
        } else {
            placementByRegion.put(region, new RecentPlacement(server, nowMs));
        }
    }

    /** Forgets what this newer view shows, and what is too old to be true. */
    public synchronized void settle(PlacementView view) {
        // What was given after now, by a clock that was set back, counts as given now.
        placementByRegion.replaceAll(
                (region, given) -> new RecentPlacement(given.server, Math.min(given.placedMs, view.takenMs())));
        placementByRegion
                .entrySet()
                .removeIf(entry -> entry.getValue().placedMs < view.takenMs() - keepMs
                        || view.isReportedBy(entry.getValue().server, entry.getKey()));
    }

    /** Every region that counts for another server than the view says, with that server. */
    public synchronized Map<EncodedRegionName, ServerId> serverByRegion() {
        Map<EncodedRegionName, ServerId> servers = new HashMap<>();
        placementByRegion.forEach((region, given) -> servers.put(region, given.server));
        return servers;
    }

    private record RecentPlacement(ServerId server, long placedMs) {}
}
